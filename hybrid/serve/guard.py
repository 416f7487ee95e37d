"""Who may ask: the page itself, in a browser on this machine.

Any page on the web can make a browser send requests to 127.0.0.1, and a name that its owner first
points elsewhere and then here (DNS rebinding) makes that look like one and the same site. So a
request must name this server as its host; what changes something must come from this server's own
page; and answers say that nobody else may show or keep them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

ADDRESS: Final = "127.0.0.1"
_NAMES: Final = (ADDRESS, "localhost")
_CHANGING: Final = ("POST", "DELETE", "PUT", "PATCH")
_OWN: Final = ("same-origin", "none")  # of Sec-Fetch-Site: our page, or the user's own doing
API: Final = "/api/"
REPORT: Final = "/report"  # how the paths of reports end

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# A report has its scripts within it. It is an origin of its own, with no network.
REPORT_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)


class OriginGuard:
    """Stands before an application of ASGI that listens on `port`."""

    def __init__(self, inner: Application, port: int) -> None:
        self._inner = inner
        self._hosts = {f"{name}:{port}" for name in _NAMES} | (set(_NAMES) if port == 80 else set())

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets here
        path = str(scope["path"])

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                more = {**_HEADERS, **_policy(path)}
                given += [(name.lower().encode(), value.encode()) for name, value in more.items()]
                message = {**message, "headers": given}
            await send(message)

        refused = self._refusal(scope["method"], path, _headers(scope))
        if refused:
            await _refuse(refused, with_headers)
        else:
            await self._inner(scope, receive, with_headers)

    def _refusal(self, method: str, path: str, headers: dict[str, list[str]]) -> str:
        """Why a request is not answered; empty: it is."""
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "this server answers to its own address only"
        origins = headers.get("origin", [])
        own = [f"http://{hosts[0].lower()}"]
        if origins and [origin.lower() for origin in origins] != own:
            return "the request comes from another page"
        if method in _CHANGING and not origins:
            return "the request does not say which page it comes from"
        sites = headers.get("sec-fetch-site", [])
        if path.startswith(API) and any(site not in _OWN for site in sites):
            return "the request comes from another page"
        return ""


def _headers(scope: Message) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _policy(path: str) -> dict[str, str]:
    if path.startswith(API) and path.endswith(REPORT):
        return {"Content-Security-Policy": REPORT_POLICY, "X-Frame-Options": "SAMEORIGIN"}
    return {"Content-Security-Policy": PAGE_POLICY, "X-Frame-Options": "DENY"}


async def _refuse(why: str, send: Send) -> None:
    body = f"403: {why}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
