"""Authentication of requests, which must come from this machine and from the workbench's page.

Foreign web pages can also send requests to 127.0.0.1: by a form, by a script, or by a host name
that resolves to this machine (DNS rebinding). The middleware therefore checks the host, the origin
and the cookie of every request before the application receives it. The browser obtains the cookie
in exchange for the token of the page's URL. A POST request must also contain JSON and the header
`OUR_HEADER`, which forms cannot send.
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

BODY_MAX = 64 * 1024  # the longest note takes a few kB
"""Maximum size of a request's body, in bytes."""

OUR_HEADER = ("x-evenhand", "workbench")
"""Name and value of a header that a POST request must have."""

_TOKEN_BYTES = 32  # 256 random bits cannot be guessed
_METHODS = {"GET", "POST"}
# Headers by which some proxies and frameworks replace the method of a request.
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
"""Headers of every response: browsers load and execute only the page's own files."""


def refusal(status: int, message: str, place: str | None = None) -> Response:
    """Return the JSON response to a refused request.

    Args:
        status: HTTP status code of the response.
        message: reason for the refusal, in one line.
        place: element of the page next to which the message is shown; `None` for the top.
    """
    body = json.dumps({"error": message, "place": place})
    return Response(body, status, media_type="application/json")


class _RefusalError(Exception):
    """Refusal of a request.

    Attributes:
        status: HTTP status code of the response.
        message: reason for the refusal, in one line.
    """

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class AuthenticationMiddleware:
    """ASGI middleware that passes permitted requests to the application and refuses all others.

    Attributes:
        token: access token, the value of `?token=` in the page's URL. The first browser that sends
            the token receives a cookie; later the token is valid only together with the cookie.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        """Create the token and the cookie that protect an application.

        Args:
            app: application that receives permitted requests.
            port: port of this machine at which the server accepts requests.
        """
        self._app = app
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._is_token_spent = False
        self._secret = secrets.token_urlsafe(_TOKEN_BYTES)
        # Browsers send a cookie to all ports of a host, so each workbench needs its own name.
        self._cookie = f"evenhand-{port}"
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a permitted HTTP request to the application; refuse other requests and websockets.

        Events of the type `lifespan` come from the server itself, so they are always passed on.
        """
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check an HTTP request, and refuse it, exchange its token, or pass it to the application.

        A request with a valid token is redirected to the page and receives the cookie. All
        responses have the headers `HEADERS`.
        """
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
        """Check host, method, origin, path and query of a request; return the host.

        Raises:
            _RefusalError: a check fails.
        """
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise _RefusalError(
                HTTPStatus.FORBIDDEN,
                "the workbench is not served at this address; open the link that it has printed",
            )
        if scope["method"] not in _METHODS:
            raise _RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and POST are permitted")
        if any(name in headers for name in _OVERRIDES):
            raise _RefusalError(
                HTTPStatus.BAD_REQUEST,
                "the request must not have a header that overrides its method",
            )
        if headers.getlist("origin") not in ([], [f"http://{hosts[0]}"]):
            raise _RefusalError(
                HTTPStatus.FORBIDDEN,
                "only the workbench's own page may send requests, not another origin",
            )
        # Browsers send "none" if the user opens the link directly, which is always a GET request.
        allowed = ([], ["same-origin"], ["none"])[: 3 if scope["method"] == "GET" else 2]
        if headers.getlist("sec-fetch-site") not in allowed:
            raise _RefusalError(
                HTTPStatus.FORBIDDEN,
                "only the workbench's own page may send requests, not another site",
            )
        path = scope.get("raw_path", scope["path"].encode())
        if b"%" in path or b"\\" in path or b".." in path:
            raise _RefusalError(HTTPStatus.NOT_FOUND, "there is no such page")
        if scope["query_string"] and scope["path"] != "/":
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "the address must not have a query string")
        return hosts[0]

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        """Return whether a request has the valid token; `False` if it has no query.

        The token is valid in one request; later it is valid only together with the cookie.

        Raises:
            _RefusalError: the query is not a token, or the token is wrong or has been used.
        """
        if not scope["query_string"]:
            return False
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] != "GET" or [name for name, _ in query] != ["token"]:
            raise _RefusalError(HTTPStatus.BAD_REQUEST, "the address must not have a query string")
        # compare_digest takes the same time for every guess, so its time reveals nothing.
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
        """Return whether a request has the cookie exactly once and with the right value."""
        cookies = [part.strip() for line in headers.getlist("cookie") for part in line.split(";")]
        name = f"{self._cookie}="
        values = [part.removeprefix(name) for part in cookies if part.startswith(name)]
        return len(values) == 1 and hmac.compare_digest(values[0].encode(), self._secret.encode())

    def _check_cookie(self, headers: Headers) -> None:
        """Raise a `_RefusalError` if a request does not have the cookie."""
        if not self._has_cookie(headers):
            raise _RefusalError(
                HTTPStatus.FORBIDDEN, "open the link that `evenhand workbench` has printed"
            )


def _check_post(headers: Headers, host: str) -> None:
    """Raise a `_RefusalError` if a foreign page could have sent a POST request.

    Args:
        headers: headers of the request.
        host: host of the request, which has been checked.
    """
    if headers.getlist("origin") != [f"http://{host}"]:
        raise _RefusalError(
            HTTPStatus.FORBIDDEN, "a POST request must have the header Origin with this address"
        )
    name, value = OUR_HEADER
    if headers.getlist(name) != [value]:
        raise _RefusalError(
            HTTPStatus.FORBIDDEN, "the request must have the header X-Evenhand: workbench"
        )
    kinds = [kind.split(";")[0].strip().lower() for kind in headers.getlist("content-type")]
    if kinds != ["application/json"] or "content-encoding" in headers:
        raise _RefusalError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "the body must have the content type application/json",
        )


async def _read(receive: Receive) -> bytes:
    """Return the body of a request.

    The size is counted as parts arrive, since the header `content-length` may be wrong.

    Raises:
        _RefusalError: the body is larger than `BODY_MAX` bytes, or the connection was closed.
    """
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
    """Return a function `receive` that first returns a body, then later messages.

    Args:
        body: body that was already read from the request.
        receive: function that returns the messages after the body.
    """
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_next() -> Message:
        """Return the body at the first call, and the next message at each later call."""
        return unread.pop() if unread else await receive()

    return receive_next


def _with_headers(send: Send) -> Send:
    """Return a function `send` that adds `HEADERS` to each response before sending it."""

    async def send_with_headers(message: Message) -> None:
        """Send a message; add `HEADERS` if the message starts a response."""
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers
