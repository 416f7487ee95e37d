"""The real server on a real port: it says where it is, answers, and ends cleanly."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from serve_helpers import ENDLESS, SB, alive

pytest.importorskip("uvicorn", reason="needs the extra `web`")

from hybrid.errors import InputError
from hybrid.serve.server import listening


class Server:
    """`hybrid serve` in a process."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hybrid", "serve", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/ ", self.first)
        assert found is not None, self.first
        self.port = int(found[1])

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        """Until it listens, the connection waits."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        link.request(method, path, body, {**given, **headers})
        answer = link.getresponse()
        found = answer.status, answer.read()
        link.close()
        return found

    def end(self) -> tuple[int, str, str]:
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server("--timeout", "20")
    yield found
    if found.process.poll() is None:
        found.end()


def workers(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


@pytest.mark.large
def test_a_run_and_ctrl_c(server: Server) -> None:
    body = json.dumps({"kind": ".prog", "text": SB, "model": "tso"}).encode()
    status, told = server.ask("POST", "/api/runs", body)
    assert status == 202
    number = json.loads(told)["id"]
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = json.loads(server.ask("GET", f"/api/runs/{number}")[1])
        if found["state"] == "done":
            break
        time.sleep(0.05)
    assert found["answer"]["verdict"] == "ALLOWED"
    assert server.ask("GET", "/", Host="evil.example")[0] == 403
    assert server.ask("POST", "/api/runs", body, Origin="http://evil.example")[0] == 403
    code, out, err = server.end()
    assert (code, err) == (0, "") and out.endswith("ended\n")


@pytest.mark.large
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs ps")
def test_ctrl_c_ends_what_runs(server: Server) -> None:
    body = json.dumps({"kind": ".prog", "text": ENDLESS, "model": "sc"}).encode()
    server.ask("POST", "/api/runs", body)
    deadline = time.monotonic() + 30
    while not (found := workers(server.process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found
    code, _, err = server.end()
    assert (code, err) == (0, "") and not any(map(alive, found))


@pytest.mark.large
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does that")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_run_outlives_the_server(server: Server, number: signal.Signals) -> None:
    body = json.dumps({"kind": ".prog", "text": ENDLESS, "model": "sc"}).encode()
    server.ask("POST", "/api/runs", body)
    deadline = time.monotonic() + 30
    while not (found := workers(server.process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)  # until it has said to the kernel that it wants to go with its parent
    server.process.send_signal(number)
    server.process.communicate(timeout=30)
    while any(map(alive, found)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, found))


def test_it_listens_here_alone(server: Server) -> None:
    """No other address of this machine answers."""
    assert server.ask("GET", "/icon.svg")[0] == 200
    other = socket.socket()
    other.settimeout(5)
    with other, pytest.raises(OSError):
        other.connect(("127.0.0.2", server.port))


RAW = (
    b"GET / HTTP/1.1\r\n\r\n",  # no host
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"POST /api/runs HTTP/1.1\r\nHost: evil.example\r\nContent-Length: -1\r\n\r\n",
    b"nonsense\r\n\r\n",
)


@pytest.mark.large
def test_raw_requests(server: Server) -> None:
    for text in RAW:
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as link:
            link.sendall(text)
            assert link.recv(100).split(b" ")[1] in (b"400", b"403")
    code, _, err = server.end()
    assert (code, err) == (0, "")


@pytest.mark.large
def test_a_client_that_goes_away_is_no_bug(server: Server) -> None:
    head = f"POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    head += f"Origin: http://127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as link:
        link.sendall(f'{head}Content-Length: 1000\r\n\r\n{{"kind": '.encode())
        time.sleep(0.3)  # until the server waits for the rest
    assert server.ask("GET", "/icon.svg")[0] == 200
    code, _, err = server.end()
    assert (code, err) == (0, "")


def test_a_port_in_use() -> None:
    with listening(0) as here:
        port = here.getsockname()[1]
        with pytest.raises(InputError, match=f"the port {port} is in use") as caught:
            listening(port)
        assert "--port 0" in caught.value.hint
        done = subprocess.run(
            [sys.executable, "-m", "hybrid", "serve", "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2 and "is in use" in done.stderr
