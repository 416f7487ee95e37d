"""The routes: what is there, what a run goes through, and what is too much."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from serve_helpers import ENDLESS, SB

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

with warnings.catch_warnings():  # newer ones would rather have httpx2
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from hybrid.serve import app as module
from hybrid.serve import jobs
from hybrid.serve.app import FILES, MOST_BODY, make_app
from hybrid.serve.jobs import JobQueue
from hybrid.serve.process import RunLimits

URL = "http://127.0.0.1:8017"


@pytest.fixture
def page() -> Iterator[TestClient]:
    queue = JobQueue(RunLimits(20, 2_000_000_000))
    headers = {"Origin": URL}
    with TestClient(make_app(queue, 8017), base_url=URL, headers=headers) as client:
        yield client


def ended(page: TestClient, number: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found: dict[str, Any] = page.get(f"/api/runs/{number}").json()
        if found["state"] == "done":
            return found
        time.sleep(0.05)
    raise AssertionError("the run does not end")


def started(page: TestClient, number: str) -> None:
    while page.get(f"/api/runs/{number}").json()["state"] == "waiting":
        time.sleep(0.02)


def test_the_page(page: TestClient) -> None:
    for path in FILES:
        answer = page.get(path)
        assert answer.status_code == 200 and answer.headers["x-content-type-options"] == "nosniff"
    text = page.get("/").text
    assert "http://" not in text and "https://" not in text  # nothing comes from elsewhere
    assert page.get("/").headers["content-type"] == "text/html; charset=utf-8"
    assert page.get("/../app.py").status_code == 404
    assert page.get("/app.py").status_code == page.get("/page/page.js").status_code == 404


def test_what_there_is(page: TestClient) -> None:
    setup = page.get("/api/setup").json()
    assert "classic/MP.prog" in setup["tests"] and setup["kinds"][:2] == [".prog", ".litmus"]
    assert {"name": "sc", "title": "Sequential consistency"} in setup["models"]
    assert setup["engines"][0]["name"] == "auto"
    assert (setup["seconds"], setup["memory"]) == (20, 2_000_000_000)


def test_without_a_compiler(page: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "compiler_version", lambda: "")
    setup = page.get("/api/setup").json()
    assert ".c" not in setup["kinds"] and not any(n.endswith(".c") for n in setup["tests"])


def test_texts(page: TestClient) -> None:
    assert "thread P" in page.get("/api/tests/classic/MP.prog").text
    assert page.get("/api/tests/ppc/MP%2Bsyncs.litmus").text.startswith("PPC")
    assert "acyclic" in page.get("/api/models/power").text
    for path in ("tests/../../pyproject.toml", "tests/%2e%2e/x", "tests//etc/passwd", "models/x"):
        assert page.get(f"/api/{path}").status_code == 404


@pytest.mark.large
def test_a_run(page: TestClient) -> None:
    told = page.post("/api/runs", json={"kind": ".prog", "text": SB, "model": "tso"})
    assert told.status_code == 202 and told.json()["answer"] is None
    found = ended(page, told.json()["id"])
    assert found["answer"]["verdict"] == "ALLOWED" and found["answer"]["html"] is True
    report = page.get(f"/api/runs/{found['id']}/report")
    assert report.text.startswith("<!DOCTYPE html>")
    assert "sandbox allow-scripts;" in report.headers["content-security-policy"]


def test_a_run_with_an_error(page: TestClient) -> None:
    told = page.post("/api/runs", json={"kind": ".prog", "text": "x = "})
    answer = ended(page, told.json()["id"])["answer"]
    assert answer["error"]["in"] == "program" and answer["exit_code"] == 2


def test_stopping_and_the_queue(page: TestClient) -> None:
    asked = {"kind": ".prog", "text": ENDLESS, "model": "sc"}
    first, second = (page.post("/api/runs", json=asked).json()["id"] for _ in range(2))
    started(page, first)
    assert page.get(f"/api/runs/{second}").json()["before"] == 1
    assert page.delete(f"/api/runs/{second}").json()["state"] == "done"
    page.delete(f"/api/runs/{first}")
    assert ended(page, first)["answer"]["partial"] == "interrupted"


def test_a_full_queue(page: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 0)
    answer = page.post("/api/runs", json={"kind": ".prog", "text": SB})
    assert answer.status_code == 503 and answer.headers["retry-after"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"\xff", 400),
        (b'{"kind": ".prog"}', 400),
        (b'{"kind": ".prog", "text": "", "model": "../sc.cat"}', 400),
        (b'{"text": "' + b"x" * MOST_BODY + b'"}', 413),
    ],
)
def test_bad_requests(page: TestClient, body: bytes, status: int) -> None:
    headers = {"Content-Type": "application/json"}
    assert page.post("/api/runs", content=body, headers=headers).status_code == status


def test_a_long_request_in_pieces(page: TestClient) -> None:
    """Without a length that says so before."""
    pieces = (b" " * 100_000 for _ in range(20))
    headers = {"Content-Type": "application/json"}
    assert page.post("/api/runs", content=pieces, headers=headers).status_code == 413


def test_forms_are_refused(page: TestClient) -> None:
    """They are what a page from elsewhere can send without asking."""
    body = json.dumps({"kind": ".prog", "text": SB}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"Content-Type": kind}
        assert page.post("/api/runs", content=body, headers=headers).status_code == 415


def test_other_pages_are_refused(page: TestClient) -> None:
    asked = {"kind": ".prog", "text": SB}
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
        assert page.post("/api/runs", json=asked, headers=headers).status_code == 403


def test_a_bug_is_no_traceback(
    page: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(limits: RunLimits) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(module, "_setup", fail)
    calm = TestClient(page.app, base_url=URL, raise_server_exceptions=False)
    answer = calm.get("/api/setup")
    assert answer.status_code == 500 and "please report it" in answer.json()["message"]
    told = capsys.readouterr().err
    assert "/api/setup: KeyError: 'oops'" in told and "Traceback" not in told


def test_unknown_runs(page: TestClient) -> None:
    for path in ("/api/runs/x", "/api/runs/x/report"):
        assert page.get(path).status_code == 404
    assert page.delete("/api/runs/x").status_code == 404
    assert page.get("/api/runs").status_code == 405
