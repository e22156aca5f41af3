"""Security: authentication of requests, which must come from this machine and from this page.

Foreign web pages can reach 127.0.0.1 too: by a form, a script, or a host name of their own that
resolves to this machine (DNS rebinding). Every request is therefore checked before anything else
happens: its host, its origin, and the cookie for which the browser exchanged the token of the URL.
A request with an effect must also be JSON and have the header `OUR_HEADER`, which no form can send.
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

BODY_MAX = 64 * 1024  # bytes; a suggestion or note of the largest size takes a few kB
OUR_HEADER = ("x-evenhand", "workbench")
_TOKEN_BYTES = 32  # 256 bits, which cannot be guessed
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
"""Headers of every answer: browsers load and run nothing but the page's own files."""


def refusal(status: int, message: str, place: str | None = None) -> Response:
    """Return the answer to a refused request.

    Args:
        status: HTTP status.
        message: the reason, in one line.
        place: element of the page next to which the message is shown; `None` for the top.
    """
    body = json.dumps({"error": message, "place": place})
    return Response(body, status, media_type="application/json")


class _RefusalError(Exception):
    """A request that is refused, with the status and the message of the answer."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class AuthenticationMiddleware:
    """Authentication: passes permitted requests on to the application, and refuses all others.

    Attributes:
        token: access token, `?token=` in the page's URL. It is exchanged for a cookie once; the
            browser that holds the cookie may use the URL again.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        """Guard an application.

        Args:
            app: the application.
            port: port of this machine at which it listens.
        """
        self._app = app
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._is_token_spent = False
        self._secret = secrets.token_urlsafe(_TOKEN_BYTES)
        # Browsers send a cookie to all ports of a host: its name must differ between workbenches.
        self._cookie = f"evenhand-{port}"
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on to the application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of HTTP."""
        headers = Headers(scope=scope)
        send = _with_headers(send)
        try:
            host = self._check_origin(scope, headers)
            if self._has_token(scope, headers):
                cookie = f"{self._cookie}={self._secret}; HttpOnly; SameSite=Strict; Path=/"
                # The redirection removes the token from the browser's address bar and history.
                answer = Response(status_code=303, headers={"location": "/", "set-cookie": cookie})
                await answer(scope, receive, send)
                return
            self._check_cookie(headers)
            body = b""
            if scope["method"] == "POST":
                _check_post(headers, host)
                body = await _read(receive)
        except _RefusalError as error:
            answer = refusal(error.status, error.message)
            answer.headers["connection"] = "close"  # the rest of the body is not read
            await answer(scope, receive, send)
            return
        await self._app(scope, _receive_body(body, receive), send)

    def _check_origin(self, scope: Scope, headers: Headers) -> str:
        """Check that a request may come from our page; return its host."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise _RefusalError(HTTPStatus.FORBIDDEN, "this host is not served here")
        if scope["method"] not in _METHODS:
            raise _RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and POST are permitted")
        if any(name in headers for name in _OVERRIDES):
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "the method must not be overridden")
        if headers.getlist("origin") not in ([], [f"http://{hosts[0]}"]):
            raise _RefusalError(HTTPStatus.FORBIDDEN, "another origin must not send requests")
        # "none" is sent when the user opens the link; only a GET can be that.
        allowed = ([], ["same-origin"], ["none"])[: 3 if scope["method"] == "GET" else 2]
        if headers.getlist("sec-fetch-site") not in allowed:
            raise _RefusalError(HTTPStatus.FORBIDDEN, "another site must not send requests")
        path = scope.get("raw_path", scope["path"].encode())
        if b"%" in path or b"\\" in path or b".." in path:
            raise _RefusalError(HTTPStatus.NOT_FOUND, "there is no such page")
        if scope["query_string"] and scope["path"] != "/":
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "this request takes no query")
        return hosts[0]

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        """Return whether a request has the token, which is valid once, later with the cookie only.

        Raises:
            _RefusalError: the query holds no valid token.
        """
        if not scope["query_string"]:
            return False
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] != "GET" or [name for name, _ in query] != ["token"]:
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "this request takes no query")
        # compare_digest takes the same time for all tokens, so a guess learns nothing from it.
        is_right = hmac.compare_digest(query[0][1].encode(), self.token.encode())
        if not is_right or (self._is_token_spent and not self._has_cookie(headers)):
            raise _RefusalError(
                HTTPStatus.FORBIDDEN,
                "this link has been used, or belongs to another session; "
                "`evenhand workbench --resume` prints a new one",
            )
        self._is_token_spent = True
        return True

    def _has_cookie(self, headers: Headers) -> bool:
        """Return whether a request has the cookie, exactly once and with the right value."""
        cookies = [part.strip() for line in headers.getlist("cookie") for part in line.split(";")]
        name = f"{self._cookie}="
        values = [part.removeprefix(name) for part in cookies if part.startswith(name)]
        return len(values) == 1 and hmac.compare_digest(values[0].encode(), self._secret.encode())

    def _check_cookie(self, headers: Headers) -> None:
        """Refuse a request without the cookie."""
        if not self._has_cookie(headers):
            raise _RefusalError(
                HTTPStatus.FORBIDDEN, "open the link that `evenhand workbench` has printed"
            )


def _check_post(headers: Headers, host: str) -> None:
    """Refuse a POST that a foreign page could send.

    Args:
        headers: headers of the request.
        host: its host, which has been checked.
    """
    if headers.getlist("origin") != [f"http://{host}"]:
        raise _RefusalError(HTTPStatus.FORBIDDEN, "a POST must name its origin")
    name, value = OUR_HEADER
    if headers.getlist(name) != [value]:
        raise _RefusalError(HTTPStatus.FORBIDDEN, "the header X-Evenhand: workbench is missing")
    kinds = [kind.split(";")[0].strip().lower() for kind in headers.getlist("content-type")]
    if kinds != ["application/json"] or "content-encoding" in headers:
        raise _RefusalError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")


async def _read(receive: Receive) -> bytes:
    """Return the body of a request; stop at `BODY_MAX` bytes whatever length it announces."""
    body = b""
    while True:
        part = await receive()
        if part["type"] != "http.request":
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "the connection was closed too early")
        body += bytes(part.get("body", b""))
        if len(body) > BODY_MAX:
            raise _RefusalError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"the body must be at most {BODY_MAX // 1024} kB",
            )
        if not part.get("more_body", False):
            return body


def _receive_body(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that first yields a body that was read already, then what follows it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_next() -> Message:
        """Return the body at the first call, and later messages as they arrive."""
        return waiting.pop() if waiting else await receive()

    return receive_next


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds `HEADERS` to each answer."""

    async def send_with_headers(message: Message) -> None:
        """Send a message; add the headers to the start of an answer."""
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers
