"""A JSON value that is taken apart, with complaints that say where in it something is wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass

from hybrid.errors import InputError
from hybrid.execution.trace import EventId


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A JSON value with its path, from which typed parts are taken."""

    value: object
    path: str
    file: str

    def fail(self, expected: str) -> InputError:
        kinds = {dict: "an object", list: "a list", str: "a string", type(None): "null"}
        kinds |= {bool: "true or false", int: "an integer", float: "a number"}
        found = kinds.get(type(self.value), "something else")
        return InputError(f"{self.file}: at {self.path}: expected {expected}, found {found}")

    def wrong(self, message: str) -> InputError:
        return InputError(f"{self.file}: at {self.path}: {message}")

    def __getitem__(self, key: str) -> JsonNode:
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        if key not in self.value:
            raise self.wrong(f"the key {json.dumps(key)} is missing")
        return JsonNode(self.value[key], f"{self.path}.{key}", self.file)

    def get(self, key: str, otherwise: object) -> JsonNode:
        """The part under a key that may be missing."""
        if isinstance(self.value, dict) and key not in self.value:
            return JsonNode(otherwise, f"{self.path}.{key}", self.file)
        return self[key]

    def items(self) -> list[JsonNode]:
        if not isinstance(self.value, list):
            raise self.fail("a list")
        return [JsonNode(v, f"{self.path}[{i}]", self.file) for i, v in enumerate(self.value)]

    def string(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail("a string")
        return self.value

    def integer(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fail("an integer")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("true or false")
        return self.value

    def event_id(self) -> EventId:
        parts = self.items()
        if len(parts) != 2:
            raise self.wrong("an event id is [thread, po index]")
        thread, index = parts[0].integer(), parts[1].integer()
        if thread < -1 or index < 0:
            raise self.wrong("an event id is [thread, po index], with a thread of at least -1")
        return thread, index

    def values(self) -> dict[str, int]:
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        return {key: self[key].integer() for key in self.value}

    @property
    def is_null(self) -> bool:
        return self.value is None
