"""The names of C++ functions as a person writes them, without parameters and template arguments:
`_ZNSt3__15mutex4lockEv` is std::mutex::lock. A name that is not understood stays as it is."""

from __future__ import annotations

import re
from functools import cache

_OPERATORS = {
    "nw": "new",
    "na": "new[]",
    "dl": "delete",
    "da": "delete[]",
    "ls": "<<",
    "rs": ">>",
    "cl": "()",
    "ix": "[]",
    "aS": "=",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "pl": "+",
    "pL": "+=",
    "mi": "-",
    "ml": "*",
    "pt": "->",
    "pp": "++",
    "mm": "--",
}
_SHORT = {"St": "std", "Sa": "std::allocator", "Ss": "std::string", "So": "std::ostream"}
_SUBSTITUTION = re.compile(r"S[0-9A-Z]*_")
_LENGTH = re.compile(r"\d+")
_TAG = re.compile(r"B(\d+)")  # of a version of the library
_LITERAL = re.compile(r"L[^E]*E")
_INLINE = re.compile(r"__(?:\d+|cxx11|v2)")  # namespaces that nobody writes
_OPENING = "INJXF"  # what an E closes


@cache
def demangled(name: str) -> str:
    if not name.startswith("_Z"):
        return name
    parts = _Reader(name).parts()
    return "::".join(parts) if parts else name


class _Reader:
    def __init__(self, name: str) -> None:
        self.text = name
        self.at = 2

    def parts(self) -> list[str]:
        """The names that are within each other; nothing where one is not understood."""
        nested = self._takes("N")
        if nested:
            while self._takes(("K", "V", "R", "O")):
                pass
        found: list[str] = []
        while self.at < len(self.text) and not self._takes("E"):
            if not self._part(found):
                return []
            if not nested and found and found[-1] != "std":
                break
        return [each for each in found if not _INLINE.fullmatch(each)]

    def _takes(self, words: str | tuple[str, ...]) -> bool:
        for word in (words,) if isinstance(words, str) else words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return True
        return False

    def _part(self, found: list[str]) -> bool:
        length = _LENGTH.match(self.text, self.at)
        if length is not None:
            start = length.end()
            self.at = start + int(length[0])
            found.append(self.text[start : self.at])
            return self.at <= len(self.text)
        short = _SHORT.get(self.text[self.at : self.at + 2])
        if short is not None:
            self.at += 2
            found.append(short)
            return True
        if found and self._takes(("C1", "C2", "C3")):
            found.append(found[-1])
            return True
        if found and self._takes(("D0", "D1", "D2")):
            found.append("~" + found[-1])
            return True
        if self._takes("I"):
            return self._skip_arguments()
        tag = _TAG.match(self.text, self.at)
        if tag is not None:
            self.at = tag.end() + int(tag[1])
            return True
        operator = _OPERATORS.get(self.text[self.at : self.at + 2])
        if operator is not None:
            self.at += 2
            found.append(f"operator{' ' if operator[0].isalpha() else ''}{operator}")
        return operator is not None

    def _skip_arguments(self) -> bool:
        """Goes on behind the template arguments that begin here."""
        depth = 1
        while depth and self.at < len(self.text):
            length = _LENGTH.match(self.text, self.at)
            known = _SUBSTITUTION.match(self.text, self.at) or _LITERAL.match(self.text, self.at)
            if length is not None:
                self.at = length.end() + int(length[0])
            elif known is not None:
                self.at = known.end()
            elif self.text[self.at : self.at + 2] in _SHORT:
                self.at += 2
            else:
                depth += (self.text[self.at] in _OPENING) - (self.text[self.at] == "E")
                self.at += 1
        return depth == 0
