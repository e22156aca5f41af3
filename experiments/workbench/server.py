"""The server: routes of the page, what it may ask to be done, and a loop that ends with Ctrl-C."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from experiments.report.template import page_template
from experiments.workbench.controller import SessionController
from experiments.workbench.draft import Constrain, Edit, Lock, Note, Revert
from experiments.workbench.refused import Refused, place_of
from experiments.workbench.save import STYLE
from experiments.workbench.security import Doorkeeper, refusal
from sim import InputError, StrictModel, known_word, validate
from sim.files.json_text import parse_json

PAGE = Path(__file__).parent / "page"
_KINDS = {".css": "text/css", ".js": "text/javascript"}
_STATIC = re.compile(r"[a-z0-9_]+\.(css|js)")
SESSION_HEADER = "x-evenhand-session"
_PATIENCE_S = 1  # for answers under way, when the server ends


class WorkbenchServer(uvicorn.Server):
    """Serves a desk at a free port of this machine.

    Attributes:
        url: of the page, which opens once.
    """

    def __init__(self, desk: SessionController, listening: socket.socket) -> None:
        """Get ready.

        Args:
            desk: what is served.
            listening: where; see `listen_at`.
        """
        self._desk = desk
        self._socket = listening
        port = self._socket.getsockname()[1]
        door = Doorkeeper(application(desk), port)
        self.url = f"http://127.0.0.1:{port}/?token={door.token}"
        config = uvicorn.Config(
            door,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            http="h11",
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=_PATIENCE_S,
        )
        super().__init__(config)

    def serve_until_stopped(self, on_start: Callable[[], None] = lambda: None) -> None:
        """Answer until Ctrl-C, or until `should_exit` is set.

        Args:
            on_start: called once it answers, and Ctrl-C is heard.
        """
        self._on_start = on_start
        try:
            self.run(sockets=[self._socket])
        finally:
            self._socket.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all streams first, for which the server would wait.

        Not as Ctrl-C is heard: that may be in the middle of anything, with the hub's lock held.
        """
        self._desk.hub.close()
        await super().shutdown(sockets)


def listen_at(port: int) -> socket.socket:
    """Take a port of this machine.

    Args:
        port: which; 0 for any that is free.

    Raises:
        InputError: somebody else has it.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.bind(("127.0.0.1", port))
        found.listen()  # so that a browser waits which is faster than the server
    except OSError as error:
        found.close()
        raise InputError(f"--port {port}: {error.strerror}; leave it out for a free one") from None
    return found


def application(desk: SessionController) -> Starlette:
    """All routes of a desk."""
    static = {path.name: path for path in (*PAGE.iterdir(), STYLE) if _STATIC.fullmatch(path.name)}

    async def page(_: Request) -> Response:
        template = page_template(PAGE / "index.html.j2")
        return HTMLResponse(template.render(title=desk.board.experiment.settings.name))

    async def file(request: Request) -> Response:
        found = static.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return Response(found.read_bytes(), media_type=_KINDS[found.suffix])

    async def state(_: Request) -> Response:
        return _json(await run_in_threadpool(desk.state))

    async def events(_: Request) -> Response:
        if desk.hub.is_full:
            return refusal(503, "too many tabs are open; close some")
        return StreamingResponse(_stream(desk), media_type="text/event-stream")

    async def post(request: Request) -> Response:
        if request.headers.get(SESSION_HEADER, desk.key) != desk.key:
            return refusal(409, "this page is of another session")
        try:
            deed = asked(request.path_params["deed"], await request.body())
            revision = await run_in_threadpool(deed, desk)
        except InputError as error:
            return refusal(400, str(error), place_of(error))
        return _json({"revision": revision})

    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", file),
            Route("/state", state),
            Route("/events", events),
            Route("/{deed}", post, methods=["POST"]),
        ],
        exception_handlers={HTTPException: _failed, Exception: _failed},
    )


async def _stream(desk: SessionController) -> AsyncIterator[str]:
    """Server-sent events."""
    async for event in desk.hub.events():
        if event is None:
            yield ": still here\n\n"
        else:
            yield f"event: {event.name}\ndata: {_text(event.data)}\n\n"


def _text(data: Any) -> str:
    return json.dumps(data, allow_nan=False)


def _json(data: Any) -> Response:
    return Response(_text(data), media_type="application/json")


async def _failed(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return refusal(500, f"{type(error).__name__}: {error}")
    words = {404: "there is no such page", 405: "this is asked in another way"}
    status = error.status_code
    return refusal(status, words.get(status, "it cannot be answered"))


Deed = Callable[[SessionController], int]
"""Does what was asked; returns the session's revision."""


class Nothing(StrictModel):
    """Nothing besides."""


class Chosen(StrictModel):
    """One of the suggestions, by its number."""

    suggestion: int


_ACTIONS = {"edit": Edit, "revert": Revert, "lock": Lock, "constraints": Constrain, "note": Note}
_APPLY = "apply"
_PLAIN: dict[str, Deed] = {
    "undo": SessionController.undo,
    "redo": SessionController.redo,
    "suggest": SessionController.suggest,
    "certify": SessionController.certify,
    "save": SessionController.save,
    "cancel": SessionController.cancel,
}


def asked(name: str, body: bytes) -> Deed:
    """What a request asks for.

    Raises:
        Refused: there is no such thing to ask, or it is asked wrongly; names the place.
    """
    known_word("request", name, [*_ACTIONS, *_PLAIN, _APPLY])
    data = _object(body)
    if name in _ACTIONS:
        if "do" in data:
            raise Refused(f"{name}: unknown key 'do'")
        action = _validated(_ACTIONS[name], data, name)
        return lambda desk: desk.act(action)
    if name == _APPLY:
        chosen = _validated(Chosen, data, name).suggestion
        return lambda desk: desk.apply(chosen)
    _validated(Nothing, data, name)
    return _PLAIN[name]


def _validated(model: Any, data: dict[str, Any], name: str) -> Any:
    try:
        return validate(model, data, source=name)
    except InputError as error:
        raise Refused(error, _place(name, data, str(error))) from None


def _place(name: str, data: dict[str, Any], problem: str) -> str | None:
    """Where on the page to say so."""
    if name == "constraints":
        named = [key for key in Constrain.model_fields if key in problem and key != "do"]
        return f"constraints.{named[0]}" if named else "constraints"
    card = data.get("card")
    field = data.get("field")
    if not isinstance(card, str) or len(card) > 200:
        return None
    return f"{card}.{field}" if isinstance(field, str) and len(field) <= 200 else card


def _object(body: bytes) -> dict[str, Any]:
    try:
        data = parse_json(body.decode(), only_numbers=True)
    except UnicodeDecodeError:
        raise Refused("the body is no JSON: it is not UTF-8") from None
    except InputError as error:
        raise Refused(f"the body {error}") from None
    if not isinstance(data, dict):
        raise Refused("the body must be an object")
    return data
