"""What SARIF 2.1.0 asks of the objects that hybrid writes: properties and their kinds, and which
must be there (section 3 of the standard)."""

from __future__ import annotations

import re
from collections.abc import Callable

Check = Callable[[object], str]  # empty: nothing is wrong

# ! before a name: the property must be there
OBJECTS: dict[str, dict[str, Check]] = {}
LEVELS = ("none", "note", "warning", "error")
_URI = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")


def text(value: object) -> str:
    return "" if isinstance(value, str) and value else f"not a text: {value!r}"


def flag(value: object) -> str:
    return "" if isinstance(value, bool) else f"not a boolean: {value!r}"


def number(least: int) -> Check:
    def check(value: object) -> str:
        right = isinstance(value, int) and not isinstance(value, bool) and value >= least
        return "" if right else f"not a number from {least}: {value!r}"

    return check


def one_of(*words: str) -> Check:
    return lambda value: "" if value in words else f"not one of {words}: {value!r}"


def uri(value: object) -> str:
    return "" if isinstance(value, str) and _URI.fullmatch(value) else f"not a URI: {value!r}"


def array(kind: str, least: int = 0) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, list) or len(value) < least:
            return f"not an array of at least {least}: {value!r}"
        return next(filter(None, (wrong(kind, each) for each in value)), "")

    return check


def of(kind: str) -> Check:
    return lambda value: wrong(kind, value)


def anything(value: object) -> str:
    return "" if isinstance(value, dict) else f"not an object: {value!r}"


def wrong(kind: str, value: object) -> str:
    """What is wrong with an object of a kind; empty: nothing."""
    if not isinstance(value, dict):
        return f"{kind}: not an object: {value!r}"
    checks = OBJECTS[kind]
    known = {name.lstrip("!"): check for name, check in checks.items()}
    for name in checks:
        if name.startswith("!") and name[1:] not in value:
            return f"{kind}: no {name[1:]}"
    for name, inner in value.items():
        if name not in known:
            return f"{kind}: unknown property {name}"
        told = known[name](inner)
        if told:
            return f"{kind}.{name}: {told}"
    return ""


OBJECTS |= {
    "log": {"!version": one_of("2.1.0"), "!runs": array("run"), "$schema": uri},
    "run": {
        "!tool": of("tool"),
        "results": array("result"),
        "invocations": array("invocation"),
        "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints"),
    },
    "tool": {"!driver": of("component")},
    "component": {"!name": text, "version": text, "rules": array("rule")},
    "rule": {"!id": text, "shortDescription": of("message")},
    "message": {"!text": text},
    "invocation": {"!executionSuccessful": flag},
    "result": {
        "!message": of("message"),
        "ruleId": text,
        "ruleIndex": number(0),
        "level": one_of(*LEVELS),
        "locations": array("location"),
        "stacks": array("stack"),
        "codeFlows": array("codeFlow"),
        "occurrenceCount": number(1),
        "properties": anything,
    },
    "location": {
        "physicalLocation": of("physicalLocation"),
        "logicalLocations": array("logicalLocation"),
        "message": of("message"),
    },
    "physicalLocation": {"!artifactLocation": of("artifactLocation"), "region": of("region")},
    "artifactLocation": {"!uri": uri},
    "region": {
        "!startLine": number(1),
        "startColumn": number(1),
        "endLine": number(1),
        "endColumn": number(1),
    },
    "logicalLocation": {"name": text, "kind": text},
    "stack": {"!frames": array("frame"), "message": of("message")},
    "frame": {"location": of("location")},
    "codeFlow": {"!threadFlows": array("threadFlow", 1)},
    "threadFlow": {"!locations": array("threadFlowLocation", 1)},
    "threadFlowLocation": {"location": of("location"), "executionOrder": number(0)},
}
