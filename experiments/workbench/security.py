"""Security: who may ask the workbench. Only this machine, this page, and whoever opened it.

A page of somebody else's may reach 127.0.0.1 too, by a form, a script or a name of its own that
leads here. So every request is asked where it comes from and what it knows, before anything else:
its host, its origin, the cookie that the token of the URL was exchanged for; and what has an effect
must be JSON with a header of ours, which no form can send.
"""

from __future__ import annotations

import hmac
import json
import secrets
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_MAX = 64 * 1024  # bytes
OUR_HEADER = ("x-evenhand", "workbench")
_TOKEN_BYTES = 32
_METHODS = {"GET", "POST"}
_OVERRIDES = ("x-http-method-override", "x-http-method", "x-method-override")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer."""


def refusal(status: int, why: str, place: str | None = None) -> Response:
    """The answer to what is not done: one line that says why, and where on the page to say so."""
    body = json.dumps({"error": why, "place": place})
    return Response(body, status, media_type="application/json")


class _Denied(Exception):  # noqa: N818 (it is what becomes of a request)
    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class Doorkeeper:
    """Lets in who has the right to come in, and answers all others itself.

    Attributes:
        token: opens the door once, as `?token=` of the page's URL; whom it let in may use it again.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        """Guard an application that listens at a port of this machine."""
        self._app = app
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._is_token_spent = False
        self._secret = secrets.token_urlsafe(_TOKEN_BYTES)
        self._cookie = f"evenhand-{port}"  # cookies do not tell ports apart
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        send = _with_headers(send)
        try:
            host = self._checked(scope, headers)
            if self._is_welcomed(scope, headers):
                cookie = f"{self._cookie}={self._secret}; HttpOnly; SameSite=Strict; Path=/"
                welcome = Response(status_code=303, headers={"location": "/", "set-cookie": cookie})
                await welcome(scope, receive, send)
                return
            self._check_cookie(headers)
            body = b""
            if scope["method"] == "POST":
                _check_post(headers, host)
                body = await _read(receive)
        except _Denied as denied:
            answer = refusal(denied.status, denied.why)
            answer.headers["connection"] = "close"
            await answer(scope, receive, send)
            return
        await self._app(scope, _once(body, receive), send)

    def _checked(self, scope: Scope, headers: Headers) -> str:
        """The host, of a request that may come from our page."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise _Denied(HTTPStatus.FORBIDDEN, "this host is not served here")
        if scope["method"] not in _METHODS:
            raise _Denied(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and POST are answered")
        if any(name in headers for name in _OVERRIDES):
            raise _Denied(HTTPStatus.BAD_REQUEST, "a method is not overridden")
        if headers.getlist("origin") not in ([], [f"http://{hosts[0]}"]):
            raise _Denied(HTTPStatus.FORBIDDEN, "another origin may not ask")
        allowed = ([], ["same-origin"], ["none"])[: 3 if scope["method"] == "GET" else 2]
        if headers.getlist("sec-fetch-site") not in allowed:
            raise _Denied(HTTPStatus.FORBIDDEN, "another site may not ask")
        path = scope.get("raw_path", scope["path"].encode())
        if b"%" in path or b"\\" in path or b".." in path:
            raise _Denied(HTTPStatus.NOT_FOUND, "there is no such page")
        if scope["query_string"] and scope["path"] != "/":
            raise _Denied(HTTPStatus.BAD_REQUEST, "nothing is asked by a query")
        return hosts[0]

    def _is_welcomed(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request brings the token: good for once, and then for whom it has let in."""
        if not scope["query_string"]:
            return False
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] != "GET" or [name for name, _ in given] != ["token"]:
            raise _Denied(HTTPStatus.BAD_REQUEST, "nothing is asked by a query")
        is_right = hmac.compare_digest(given[0][1].encode(), self.token.encode())
        if not is_right or (self._is_token_spent and not self._is_known(headers)):
            raise _Denied(
                HTTPStatus.FORBIDDEN,
                "this link has been used, or is of another session; "
                "`evenhand workbench --resume` prints a new one",
            )
        self._is_token_spent = True
        return True

    def _is_known(self, headers: Headers) -> bool:
        """Whether a request brings the cookie."""
        told = [part.strip() for line in headers.getlist("cookie") for part in line.split(";")]
        name = f"{self._cookie}="
        mine = [part.removeprefix(name) for part in told if part.startswith(name)]
        return len(mine) == 1 and hmac.compare_digest(mine[0].encode(), self._secret.encode())

    def _check_cookie(self, headers: Headers) -> None:
        if not self._is_known(headers):
            raise _Denied(
                HTTPStatus.FORBIDDEN, "open the link that `evenhand workbench` has printed"
            )


def _check_post(headers: Headers, host: str) -> None:
    """Refuse what a page of somebody else's could send."""
    if headers.getlist("origin") != [f"http://{host}"]:
        raise _Denied(HTTPStatus.FORBIDDEN, "what has an effect must say its origin")
    name, value = OUR_HEADER
    if headers.getlist(name) != [value]:
        raise _Denied(HTTPStatus.FORBIDDEN, "the header X-Evenhand: workbench is missing")
    kinds = [one.split(";")[0].strip().lower() for one in headers.getlist("content-type")]
    if kinds != ["application/json"] or "content-encoding" in headers:
        raise _Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")


async def _read(receive: Receive) -> bytes:
    """The body, of which no more is held than is allowed."""
    body = b""
    while True:
        part = await receive()
        if part["type"] != "http.request":
            raise _Denied(HTTPStatus.BAD_REQUEST, "the request was broken off")
        body += bytes(part.get("body", b""))
        if len(body) > BODY_MAX:
            raise _Denied(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {BODY_MAX // 1024} kB are read"
            )
        if not part.get("more_body", False):
            return body


def _once(body: bytes, receive: Receive) -> Receive:
    """What hands the application the body that was read, and then waits for the end."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _with_headers(send: Send) -> Send:
    """What adds `HEADERS` to an answer."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sent
