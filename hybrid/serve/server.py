"""The server of `hybrid serve`, on uvicorn: an address on this machine, until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import sys
import webbrowser

import uvicorn

from hybrid.errors import InputError
from hybrid.serve.app import compiler_version, make_app
from hybrid.serve.confine import can_confine
from hybrid.serve.guard import ADDRESS
from hybrid.serve.jobs import JobQueue
from hybrid.serve.process import RunLimits


def serve(port: int, limits: RunLimits, browser: bool) -> None:
    """Serves until Ctrl-C. Port 0 is any that is free."""
    with listening(port) as here:
        port = here.getsockname()[1]
        queue = JobQueue(limits)
        try:
            server = uvicorn.Server(
                uvicorn.Config(
                    make_app(queue, port),
                    http="h11",
                    ws="none",
                    lifespan="on",
                    log_level="critical",  # what there is to say, app.py says
                    access_log=False,
                    server_header=False,
                    proxy_headers=False,  # nobody stands between the browser and us
                    limit_concurrency=64,
                    timeout_graceful_shutdown=5,
                )
            )
            address = f"http://{ADDRESS}:{port}/"
            _tell(address)
            if browser:
                webbrowser.open(address)
            server.run(sockets=[here])
        except KeyboardInterrupt:  # what uvicorn leaves after it has ended in good order
            pass
        finally:
            queue.close()
    print("ended", flush=True)


def listening(port: int) -> socket.socket:
    """A socket on that port; an InputError where there is none to be had."""
    here = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would share the port
            here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        here.bind((ADDRESS, port))
        here.listen(64)
    except OSError as error:
        here.close()
        raise _unavailable(port, error) from None
    return here


def _unavailable(port: int, error: OSError) -> InputError:
    other = "--port N takes another one, --port 0 any that is free"
    if error.errno == errno.EADDRINUSE:
        return InputError(f"the port {port} is in use", hint=f"by another hybrid serve? {other}")
    return InputError(f"cannot listen on port {port}: {error.strerror or error}", hint=other)


def _tell(address: str) -> None:
    compiler = compiler_version()
    in_c = f"compiled by {compiler}" if compiler else "none, as there is no compiler here"
    disk = "closed to runs by the kernel" if can_confine() else "not read: texts are checked"
    print(
        f"{address}   (Ctrl-C ends it)\nC programs: {in_c}\nthe rest of the disk: {disk}",
        flush=True,
    )
