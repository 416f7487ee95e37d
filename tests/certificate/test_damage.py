"""Damaged certificates: each is refused, or proved to mean the same, or to be right of what it now
says. Nothing else comes out, and no exception but InputError.

HYBRID_MUTATIONS=1000 damages that many of each kind; the seed is fixed.
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
from certificates import COUNTER, LOOP, SB, Files, checked, made, manifest_of, resealed

from hybrid.catalogue.engines import make
from hybrid.certificate.certify import certify
from hybrid.certificate.claim import Subject
from hybrid.certificate.store import MANIFEST, read_certificate, write_certificate
from hybrid.certificate.subject import read_subject
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.report.summary import summarise

COUNT = int(os.environ.get("HYBRID_MUTATIONS", "120"))
PARTS = 4
SEED = 15

LITMUS_LIKE = """x = 0; y = 0
thread P: L0: x := 1; L1: lwsync; L2: y := 1;
thread Q: L3: r0 := y; L4: lwsync; L5: r1 := x;
exists (Q:r0 = 1 /\\ Q:r1 = 0)
"""


@cache
def originals() -> tuple[Files, ...]:
    """Certificates of every kind: by proof and by witness, complete and of the verdict alone."""
    return (
        made(SB, "sc", first=True),
        made(SB, "tso", first=True),
        made(COUNTER, "power"),
        made(LITMUS_LIKE, "power"),
        made(LITMUS_LIKE.replace("L4: lwsync; ", ""), "power"),
        made(COUNTER.replace("x = 1)", "x = 2)"), "rc11"),
        made(LOOP, "sc", Configuration("auto", loops="keep", unroll=2), first=True),
    )


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to three bytes changed, inserted or deleted, a stretch doubled or dropped, or a line
    dropped, doubled or exchanged with the next."""
    text = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randint(1, 12))
        kind = rng.randrange(7)
        if kind == 0 and at < len(text):
            text[at] = rng.randrange(256)
        elif kind == 1:
            text.insert(at, rng.choice(b"0123456789-abrxyzLPQ:=;,()[]{}@&|^+*/~!<>\\\"' \n"))
        elif kind == 2:
            del text[at:end]
        elif kind == 3:
            text[at:at] = text[at:end]
        elif kind == 4 and at < len(text):  # another digit
            digits = [i for i in range(len(text)) if 48 <= text[i] <= 57]
            if digits:
                text[rng.choice(digits)] = rng.choice(b"0123456789")
        elif kind == 5 and at < len(text):
            text[at] ^= 1 << rng.randrange(8)
        else:
            lines = text.split(b"\n")
            line = rng.randrange(len(lines))
            what = rng.randrange(3)
            if what == 0:
                del lines[line]
            elif what == 1:
                lines.insert(line, lines[line])
            else:
                lines[line - 1], lines[line] = lines[line], lines[line - 1]
            text = bytearray(b"\n".join(lines))
    return bytes(text)


def is_right(files: Files) -> bool:
    """Whether what a certificate claims is so, by the ground truth."""
    manifest = manifest_of(files)
    subject: Subject = read_subject(manifest, files)
    found = summarise(
        subject.program,
        subject.model,
        make(Configuration("enumerate")),
        subject.limits,
        races=subject.races,
        liveness=subject.liveness,
    )
    return found.answer is manifest.answer


@pytest.mark.parametrize("part", range(PARTS))
def test_bytes_of_archives(part: int, tmp_path: Path) -> None:
    """As accidents do it: nothing fits any more."""
    rng = random.Random(SEED + part)
    path = tmp_path / "c.zip"
    refused = unreadable = same = 0
    for _ in range(COUNT // PARTS):
        files = rng.choice(originals())
        write_certificate(str(path), files)
        data = path.read_bytes()
        whole = damaged(data, rng) if rng.random() < 0.8 else data[: rng.randrange(len(data))]
        path.write_bytes(whole)
        try:
            found = read_certificate(str(path))
            done = certify(found, str(path))
        except InputError:
            unreadable += 1
            continue
        if done.valid:
            assert found == files  # the archive differs, what is in it does not
            same += 1
        else:
            refused += 1
    assert unreadable > refused + same


@pytest.mark.parametrize("part", range(PARTS))
def test_files_with_the_hashes_left(part: int) -> None:
    """A changed file is always found out."""
    rng = random.Random(SEED + 10 + part)
    for _ in range(COUNT // PARTS):
        files = dict(rng.choice(originals()))
        name = rng.choice(sorted(files))
        before = files[name]
        files[name] = damaged(before, rng)
        if files[name] == before:
            continue
        try:
            done = checked(files)
        except InputError:
            assert name == MANIFEST
            continue
        assert not done.valid or manifest_of(files) == manifest_of({**files, name: before})


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_files_with_hashes_that_fit(part: int) -> None:
    """As somebody does it who wants to deceive: the hashes are made anew. What is accepted then is
    right, says the ground truth."""
    rng = random.Random(SEED + 20 + part)
    refused = accepted = 0
    for _ in range(COUNT // PARTS):
        files = dict(rng.choice(originals()))
        name = rng.choice(sorted(files.keys() - {MANIFEST}))
        files[name] = damaged(files[name], rng)
        files = resealed(files)
        done = checked(files)
        if done.valid:
            accepted += 1
            assert is_right(files), (name, files[name])
        else:
            refused += 1
    assert refused > accepted


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_parts_of_other_certificates(part: int) -> None:
    """Files of one certificate in another, hashes made to fit."""
    rng = random.Random(SEED + 30 + part)
    for _ in range(COUNT // PARTS):
        first, second = rng.sample(originals(), 2)
        common = sorted((first.keys() & second.keys()) - {MANIFEST})
        taken = rng.sample(common, rng.randint(1, len(common)))
        files = resealed({**first, **{name: second[name] for name in taken}})
        done = checked(files)
        if done.valid:
            assert is_right(files), taken
