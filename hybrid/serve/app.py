"""The routes of `hybrid serve`, on starlette.

GET     /  and the files in page/   the page
GET     /api/setup                  what there is to choose from, and the limits
GET     /api/tests/NAME             the text of a bundled test
GET     /api/answers/NAME           the known answers of a bundled test (known.py)
GET     /api/models/NAME            the text of a built-in model
POST    /api/runs                   puts a run into the queue (request.py says what is in one)
GET     /api/runs/ID                how far it is; its answer (run.py) when it is done
GET     /api/runs/ID/report         its report, a page of its own
DELETE  /api/runs/ID                stops it
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import AsyncIterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hybrid.catalogue.choice import AUTO, known_oracles
from hybrid.catalogue.engines import ENTRIES
from hybrid.catalogue.spelling import ALL
from hybrid.data import builtin_models
from hybrid.errors import InputError, InternalError
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.model.load import load_model
from hybrid.serve.answers import faulty
from hybrid.serve.bundle import bundled_tests, model_text, text_of_test
from hybrid.serve.guard import Application, OriginGuard
from hybrid.serve.jobs import JobQueue, JobState, QueuedRun, QueueFull
from hybrid.serve.known import known_answers
from hybrid.serve.process import RunLimits
from hybrid.serve.request import KINDS, MOST_TEXT, C, read_request
from hybrid.versions import __version__

MOST_BODY: Final = 1_000_000  # bytes of a request
PAGE: Final = Path(__file__).resolve().parent / "page"
FILES: Final = {  # the page, by path
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/editor.js": ("editor.js", "text/javascript"),
    "/share.js": ("share.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


def make_app(queue: JobQueue, port: int) -> Application:
    """The application behind its guard; it closes the queue when the server ends."""
    pages = [Route(path, _page, methods=["GET"]) for path in FILES]

    async def setup(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(_setup, queue.limits))

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(queue.close)

    runs = RunRoutes(queue)
    routes = [
        *pages,
        Route("/api/setup", setup, methods=["GET"]),
        Route("/api/tests/{name:path}", _test, methods=["GET"]),
        Route("/api/answers/{name:path}", _answers, methods=["GET"]),
        Route("/api/models/{name}", _model, methods=["GET"]),
        Route("/api/runs", runs.add, methods=["POST"]),
        Route("/api/runs/{number}", runs.look, methods=["GET"]),
        Route("/api/runs/{number}", runs.stop, methods=["DELETE"]),
        Route("/api/runs/{number}/report", runs.report, methods=["GET"]),
    ]
    handlers: Mapping[Any, Any] = {ClientDisconnect: _gone, Exception: _bug}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    return OriginGuard(app, port)


class RunRoutes:
    """What the page does with runs."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def add(self, request: Request) -> Response:
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return _said(415, "the request is not JSON")
        body = await _body(request)
        if body is None:
            return _said(413, f"the request has more than {MOST_BODY} bytes")
        try:
            asked = read_request(json.loads(body))
        except InputError as error:
            return JSONResponse(faulty(error), 400)
        except (ValueError, RecursionError):
            return _said(400, "the request is not JSON")
        try:
            job = self._queue.add(asked)
        except QueueFull:
            return _said(503, "too many runs wait already", {"Retry-After": "5"})
        return JSONResponse(self._told(job), 202)

    async def look(self, request: Request) -> Response:
        job = self._queue.find(request.path_params["number"])
        return _no_run() if job is None else JSONResponse(self._told(job))

    async def stop(self, request: Request) -> Response:
        job = self._queue.find(request.path_params["number"])
        if job is None:
            return _no_run()
        self._queue.stop(job)
        return JSONResponse(self._told(job))

    async def report(self, request: Request) -> Response:
        job = self._queue.find(request.path_params["number"])
        if job is None or job.answer is None or not job.answer["html"]:
            return _said(404, "there is no such report")
        return HTMLResponse(job.answer["html"])

    def _told(self, job: QueuedRun) -> dict[str, Any]:
        """The report is left out: it has an address of its own."""
        answer = job.answer
        if answer is not None:
            answer = {**answer, "html": bool(answer["html"])}
        return {
            "id": job.number,
            "state": job.state.value,
            "before": self._queue.before(job),
            "progress": job.process.progress if job.state is JobState.RUNNING else "",
            "answer": answer,
        }


async def _body(request: Request) -> bytes | None:
    """None: it is too large."""
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or int(length) > MOST_BODY:
        return None
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_BODY:
            return None
    return bytes(found)


async def _page(request: Request) -> Response:
    name, kind = FILES[request.url.path]
    return Response((PAGE / name).read_bytes(), media_type=f"{kind}; charset=utf-8")


async def _test(request: Request) -> Response:
    return _text(text_of_test(request.path_params["name"]))


async def _answers(request: Request) -> Response:
    found = await run_in_threadpool(known_answers, request.path_params["name"])
    return _said(404, "there is no such test") if found is None else JSONResponse(found)


async def _model(request: Request) -> Response:
    return _text(model_text(request.path_params["name"]))


def _text(text: str | None) -> Response:
    return _said(404, "there is no such text") if text is None else PlainTextResponse(text)


async def _bug(request: Request, error: Exception) -> Response:
    """A bug of hybrid: a line where the server runs, a word on the page, no traceback."""
    told = InternalError(f"{request.url.path}: {type(error).__name__}: {error}").render()
    print(told, file=sys.stderr, flush=True)
    return _said(500, "internal error (a bug in hybrid, please report it)")


async def _gone(request: Request, error: Exception) -> Response:
    """The client went away before its request was whole. Nobody reads this."""
    return _said(400, "the request is not whole")


def _no_run() -> Response:
    return _said(404, "there is no such run: it may have been too long ago")


def _said(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"message": why}, status, headers)


def _setup(limits: RunLimits) -> dict[str, Any]:
    compiler = compiler_version()
    kinds = [kind for kind in KINDS if kind != C or compiler]
    engines = [{"name": AUTO, "title": "the one that suits", "oracles": known_oracles(AUTO)}]
    engines += [
        {"name": entry.name, "title": entry.title, "oracles": entry.oracles} for entry in ENTRIES
    ]
    engines.append({"name": ALL, "title": "every engine and oracle, compared", "oracles": []})
    return {
        "version": __version__,
        "kinds": kinds,
        "compiler": compiler,
        "models": [{"name": name, "title": title} for name, title in _models()],
        "engines": engines,
        "tests": [name for name in bundled_tests() if Path(name).suffix in kinds],
        "seconds": limits.seconds,
        "memory": limits.memory,
        "most_text": MOST_TEXT,
    }


@cache
def _models() -> list[tuple[str, str]]:
    return [(name, load_model(name).title) for name in builtin_models()]


@cache
def compiler_version() -> str:
    """How the C compiler calls itself; empty: there is none."""
    from hybrid.frontend.c.clang import CompilerError, NoCompilerError, find_compiler

    try:
        return find_compiler(NO_OPTIONS).version
    except (NoCompilerError, CompilerError):
        return ""
