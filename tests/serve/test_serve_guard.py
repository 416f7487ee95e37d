"""Who may ask: requests for other hosts, and from other pages, are refused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hybrid.serve.guard import PAGE_POLICY, REPORT_POLICY, OriginGuard

HOST, ORIGIN = "127.0.0.1:8017", "http://127.0.0.1:8017"


async def inner(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})


def ask(
    method: str, path: str, *headers: tuple[str, str], port: int = 8017
) -> tuple[int, dict[str, str]]:
    """The status, and the headers of the answer."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    given = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "method": method, "path": path, "headers": given}
    asyncio.run(OriginGuard(inner, port)(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert (sent[1]["body"] == b"in") == (sent[0]["status"] == 200)
    return sent[0]["status"], found


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (HOST, 200),
        ("localhost:8017", 200),
        ("LOCALHOST:8017", 200),
        ("127.0.0.1", 403),
        ("127.0.0.1:8018", 403),
        ("evil.example:8017", 403),
        ("127.0.0.1.evil.example:8017", 403),
        ("localhost:8017.evil.example", 403),
        ("evil.example#127.0.0.1:8017", 403),
        ("[::1]:8017", 403),
        ("", 403),
    ],
)
def test_hosts(host: str, status: int) -> None:
    assert ask("GET", "/", ("Host", host))[0] == status


def test_one_host() -> None:
    assert ask("GET", "/")[0] == 403
    assert ask("GET", "/", ("Host", HOST), ("Host", "evil.example"))[0] == 403
    assert ask("GET", "/", ("Host", "localhost"), port=80)[0] == 200


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH"])
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (ORIGIN, 200),
        ("http://localhost:8017", 403),  # the other name of this server is another page
        ("https://127.0.0.1:8017", 403),
        ("http://127.0.0.1:8018", 403),
        ("http://127.0.0.1", 403),
        ("http://evil.example", 403),
        ("null", 403),
        (None, 403),
    ],
)
def test_origins(method: str, origin: str | None, status: int) -> None:
    headers = [("Host", HOST), *([("Origin", origin)] if origin is not None else [])]
    assert ask(method, "/api/runs", *headers)[0] == status


def test_what_changes_nothing_needs_no_origin() -> None:
    assert ask("GET", "/api/setup", ("Host", HOST))[0] == 200
    assert ask("GET", "/api/setup", ("Host", HOST), ("Origin", "http://evil.example"))[0] == 403


@pytest.mark.parametrize(
    ("path", "site", "status"),
    [
        ("/", "cross-site", 200),  # a link from elsewhere
        ("/api/setup", "same-origin", 200),
        ("/api/setup", "none", 200),
        ("/api/setup", "cross-site", 403),
        ("/api/setup", "same-site", 403),
    ],
)
def test_other_sites(path: str, site: str, status: int) -> None:
    assert ask("GET", path, ("Host", HOST), ("Sec-Fetch-Site", site))[0] == status


def test_headers() -> None:
    for status, headers in (ask("GET", "/", ("Host", HOST)), ask("GET", "/", ("Host", "x"))):
        assert status in (200, 403)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"] == PAGE_POLICY
        assert headers["x-frame-options"] == "DENY" and headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in PAGE_POLICY and "unsafe" not in PAGE_POLICY


def test_a_report_is_alone() -> None:
    _, headers = ask("GET", "/api/runs/x/report", ("Host", HOST))
    assert headers["content-security-policy"] == REPORT_POLICY
    assert "sandbox allow-scripts;" in REPORT_POLICY and "allow-same-origin" not in REPORT_POLICY
    assert "default-src 'none'" in REPORT_POLICY and "frame-ancestors 'self'" in REPORT_POLICY
