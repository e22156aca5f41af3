"""Web server of the workbench: its routes, the parsing of requests, and its shutdown."""

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

from experiments.files.option_errors import option_error
from experiments.report.template import page_template
from experiments.workbench.controller import SessionController
from experiments.workbench.draft import Constrain, Edit, Lock, Note, Revert
from experiments.workbench.page_errors import CONSTRAINTS, number_place, page_error
from experiments.workbench.save import STYLE
from experiments.workbench.security import AuthenticationMiddleware, refusal
from sim import InputError, StrictModel, known_word, validate
from sim.files.json_text import parse_json

PAGE = Path(__file__).parent / "page"
"""Folder of the page's template, scripts and style sheets."""

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript"}
_STATIC = re.compile(r"[a-z0-9_]+\.(css|js)")
SESSION_HEADER = "x-evenhand-session"
"""Name of a request's header with the session's key, so that pages of old sessions are refused."""

# Seconds for open requests to end after Ctrl-C. Chosen by hand: longer than a response takes.
_SHUTDOWN_TIMEOUT_S = 1
_NAME_MAX = 200  # characters of a card's or field's name in a request, as in `draft.Id`


class WorkbenchServer(uvicorn.Server):
    """Web server of one session, reachable from this machine only.

    Attributes:
        url: address of the page, with an access token that is valid for one browser.
    """

    def __init__(self, controller: SessionController, listening: socket.socket) -> None:
        """Configure the server without starting it.

        Args:
            controller: controller of the session.
            listening: socket that accepts connections, as from `listen_at`.
        """
        self._controller = controller
        self._socket = listening
        port = self._socket.getsockname()[1]
        guarded = AuthenticationMiddleware(application(controller), port)
        self.url = f"http://127.0.0.1:{port}/?token={guarded.token}"
        config = uvicorn.Config(
            guarded,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            http="h11",
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S,
        )
        super().__init__(config)

    def serve_until_stopped(self, on_start: Callable[[], None] = lambda: None) -> None:
        """Serve requests until Ctrl-C or until `should_exit` is set; then close the socket.

        Args:
            on_start: called once, when the server has started and handles Ctrl-C.
        """
        self._on_start = on_start
        try:
            self.run(sockets=[self._socket])
        finally:
            self._socket.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve requests, then call `on_start`."""
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all event streams, then shut down."""
        # The server would wait for open streams. The handler of Ctrl-C must not close them, since
        # it may interrupt code that holds the broadcaster's lock.
        self._controller.broadcaster.close()
        await super().shutdown(sockets)


def listen_at(port: int) -> socket.socket:
    """Return a socket that accepts connections from this machine at a port.

    Args:
        port: number of the port; 0 for any free port.

    Raises:
        InputError: the port is in use or not permitted.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind(("127.0.0.1", port))
        # The socket listens already here, so that a browser that connects before the server has
        # started waits for a response instead of failing.
        listening.listen()
    except OSError as error:
        listening.close()
        raise option_error(
            "port",
            f"{port} cannot be used: {error.strerror}",
            value=port,
            remedy="leave the option out for a free port",
        ) from None
    return listening


def application(controller: SessionController) -> Starlette:
    """Return the web application of a session, with its routes and error handlers."""
    static = {path.name: path for path in (*PAGE.iterdir(), STYLE) if _STATIC.fullmatch(path.name)}

    async def page(_: Request) -> Response:
        """Return the HTML page."""
        template = page_template(PAGE / "index.html.j2")
        return HTMLResponse(template.render(title=controller.view.experiment.settings.name))

    async def file(request: Request) -> Response:
        """Return a script or style sheet of the page.

        Raises:
            HTTPException: the page has no file of this name.
        """
        path = static.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        return Response(path.read_bytes(), media_type=_MEDIA_TYPES[path.suffix])

    async def state(_: Request) -> Response:
        """Return the state of the session as JSON."""
        return _json(await run_in_threadpool(controller.state))

    async def events(_: Request) -> Response:
        """Return a stream of the session's events, or a refusal if too many tabs are open."""
        if controller.broadcaster.is_full:
            return refusal(503, "too many tabs are open; close some")
        return StreamingResponse(_stream(controller), media_type="text/event-stream")

    async def post(request: Request) -> Response:
        """Execute a request of the page; return the session's new revision as JSON.

        Return a refusal if the request is invalid or belongs to another session.
        """
        if request.headers.get(SESSION_HEADER, controller.key) != controller.key:
            return refusal(409, "this page belongs to another session; reload it")
        try:
            execute = parse_request(request.path_params["request"], await request.body())
            revision = await run_in_threadpool(execute, controller)
        except InputError as error:
            return refusal(400, *page_error(error, controller.view.decks_by_card))
        return _json({"revision": revision})

    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", file),
            Route("/state", state),
            Route("/events", events),
            Route("/{request}", post, methods=["POST"]),
        ],
        exception_handlers={HTTPException: _answer_error, Exception: _answer_error},
    )


async def _stream(controller: SessionController) -> AsyncIterator[str]:
    """Yield the events of a session in the text format of server-sent events."""
    async for event in controller.broadcaster.events():
        if event is None:
            # A comment, which browsers ignore; it shows that the connection still works.
            yield ": still here\n\n"
        else:
            yield f"event: {event.name}\ndata: {_text(event.data)}\n\n"


def _text(data: Any) -> str:
    """Return data as JSON text.

    Raises:
        ValueError: a number is NaN or infinite, which JSON cannot represent.
    """
    return json.dumps(data, allow_nan=False)


def _json(data: Any) -> Response:
    """Return a response that contains data as JSON."""
    return Response(_text(data), media_type="application/json")


async def _answer_error(_: Request, error: Exception) -> Response:
    """Return the response to a request that has no route or raised an exception."""
    if not isinstance(error, HTTPException):
        return refusal(500, f"{type(error).__name__}: {error}")
    messages = {404: "there is no such page", 405: "this method is not allowed here"}
    status = error.status_code
    return refusal(status, messages.get(status, "the request cannot be answered"))


SessionRequest = Callable[[SessionController], int]
"""Function that executes a request and returns the new revision of the session."""


class EmptyBody(StrictModel):
    """Body of a request without parameters: an empty JSON object."""


class ChosenSuggestion(StrictModel):
    """Body of the request `/apply`.

    Attributes:
        suggestion: number of the suggestion to apply.
    """

    suggestion: int


_ACTIONS = {"edit": Edit, "revert": Revert, "lock": Lock, "constraints": Constrain, "note": Note}
_APPLY = "apply"
_WITHOUT_PARAMETERS: dict[str, SessionRequest] = {
    "undo": SessionController.undo,
    "redo": SessionController.redo,
    "suggest": SessionController.suggest,
    "certify": SessionController.certify,
    "save": SessionController.save,
    "cancel": SessionController.cancel,
}


def parse_request(name: str, body: bytes) -> SessionRequest:
    """Return a function that executes the request with a name and a body.

    Args:
        name: path of the request without its slash, such as `edit`.
        body: JSON object with the parameters of the request, encoded in UTF-8.

    Raises:
        InputError: no request has this name, or the body is invalid. If the request refers to an
            element of the page, the error's place is this element.
    """
    known_word("request", name, [*_ACTIONS, *_WITHOUT_PARAMETERS, _APPLY])
    data = _parse_object(body)
    if name in _ACTIONS:
        # The models also describe `session.json`, where `do` names the action. In a request the
        # path names it.
        if "do" in data:
            raise InputError("unknown key 'do'", place=name, value="do")
        action = _validate_body(_ACTIONS[name], data, name)
        return lambda controller: controller.act(action)
    if name == _APPLY:
        number = _validate_body(ChosenSuggestion, data, name).suggestion
        return lambda controller: controller.apply(number)
    _validate_body(EmptyBody, data, name)
    return _WITHOUT_PARAMETERS[name]


def _validate_body(model: Any, data: dict[str, Any], name: str) -> Any:
    """Return the parameters of a request as an object of a model.

    Args:
        model: class of the object.
        data: JSON object of the request's body.
        name: name of the request.

    Raises:
        InputError: the parameters are invalid. The error's place is the card, number or constraint
            to which the request refers, else the name of the request.
    """
    try:
        return validate(model, data, source="")
    except InputError as error:
        if name == CONSTRAINTS:
            raise _constraint_error(error) from None
        place = _card_place(data)
        if place is None:
            raise error.at(name) from None
        raise InputError(error, place=place, value=error.value, limit=error.limit) from None


def _constraint_error(error: InputError) -> InputError:
    """Return a copy of an error in constraints with the input field on the page as its place.

    An error outside the constraints has the place of all constraints.
    """
    name = re.split(r"\W", error.place)[0]  # for example `max_steps` from `max_steps.cost`
    if name not in Constrain.model_fields:
        return InputError(error, place=CONSTRAINTS, value=error.value, limit=error.limit)
    problem = error.with_fields(place=error.place.removeprefix(name).lstrip(".: "))
    place = number_place(CONSTRAINTS, name)
    return InputError(problem, place=place, value=error.value, limit=error.limit)


def _card_place(data: dict[str, Any]) -> str | None:
    """Return the place of the number or card to which a request's data refer.

    Return `None` if the data contain no card, or a name that is too long or not printable.
    """
    card = data.get("card")
    field = data.get("field")
    # An unprintable name, such as a lone surrogate, could not be shown or encoded.
    if not isinstance(card, str) or len(card) > _NAME_MAX or not card.isprintable():
        return None
    if isinstance(field, str) and len(field) <= _NAME_MAX:
        return number_place(card, field)
    return card


def _parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that a request's body contains.

    Raises:
        InputError: the body is not a JSON object encoded in UTF-8.
    """
    try:
        data = parse_json(body.decode(), only_numbers=True)
    except UnicodeDecodeError:
        raise InputError("must be UTF-8 text", place="the body", separator=" ") from None
    except InputError as error:
        raise error.at("the body") from None
    if not isinstance(data, dict):
        raise InputError("must be an object", place="the body", separator=" ")
    return data
