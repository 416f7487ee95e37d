"""The manifest: written, read, and refused where it is not of the form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from certificates import SB, made, manifest_of

from hybrid.certificate.manifest import _seal, read_manifest, written
from hybrid.certificate.store import MANIFEST
from hybrid.errors import InputError


def sealed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """A manifest with a change, and a seal that fits."""
    body = json.loads(made(SB, "sc", first=True)[MANIFEST])
    del body["seal"]
    change(body)
    return json.dumps({**body, "seal": _seal(body)}).encode()


def test_what_is_written_is_read() -> None:
    manifest = manifest_of(made(SB, "power"))
    assert read_manifest(written(manifest), "here") == manifest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "expected an object"),
        (b"{}", '"format" is missing'),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 10_000, "not JSON"),
        (b'{"format": "hybrid-witness"}', "expected"),
        (b'{"format": "hybrid-certificate", "version": 3}', "from a newer hybrid"),
        (b'{"format": "hybrid-certificate", "version": 2, "seal": ""}', "has been changed"),
    ],
)
def test_what_is_no_manifest(text: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_manifest(text, "here")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it.pop("answer"), "missing"),
        (lambda it: it.update(answer="INCONCLUSIVE"), "expected one of"),
        (lambda it: it.update(answer=7), "expected a string"),
        (lambda it: it.update(excluded=["everything"]), "expected one of"),
        (lambda it: it.update(more=1), "says more"),
        (lambda it: it["bound"].update(unroll=-1), "a number from 0"),
        (lambda it: it["bound"].update(unroll=10**30), "a number from 0"),
        (lambda it: it["bound"].update(unroll=5.0), "an integer"),
        (lambda it: it["bound"].update(unroll=True), "an integer"),
        (lambda it: it["bound"].update(max_steps=0), "a number from 1"),
        (lambda it: it["bound"].update(unreachable=False), "contradicts itself"),
        (lambda it: it["program"].update(files=[]), "expected a file"),
        (lambda it: it["program"].update(name="\ud800"), "expected a name"),
        (lambda it: it["program"].update(kind="exe"), "expected one of"),
        (lambda it: it["program"].update(sources=[["a"]]), "a pair"),
        (lambda it: it["model"].update(includes=[["a", 0]]), "no such file"),
        (lambda it: it["options"].update(liveness="no"), "true or false"),
        (lambda it: it["proofs"][0].update(acyclicity="lazy"), "expected one of"),
        (lambda it: it.update(files=[]), "an object"),
    ],
)
def test_faults_are_named(change: Callable[[dict[str, Any]], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_manifest(sealed(change), "here")
