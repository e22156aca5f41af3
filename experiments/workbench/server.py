"""The server: routes of the page, its requests, and a loop that ends with Ctrl-C."""

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
_KINDS = {".css": "text/css", ".js": "text/javascript"}
_STATIC = re.compile(r"[a-z0-9_]+\.(css|js)")
SESSION_HEADER = "x-evenhand-session"
_SHUTDOWN_TIMEOUT_S = 1  # longer than any answer takes, short enough for Ctrl-C to feel immediate
_NAME_MAX = 200  # characters of a card or field in a request, as in `draft.Id`


class WorkbenchServer(uvicorn.Server):
    """Web server of one session, on this machine only.

    Attributes:
        url: address of the page with its access token, which is valid for one browser.
    """

    def __init__(self, controller: SessionController, listening: socket.socket) -> None:
        """Configure the server without starting it.

        Args:
            controller: controller of the session.
            listening: a listening socket; see `listen_at`.
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
        """Answer requests until Ctrl-C, or until `should_exit` is set.

        Args:
            on_start: called once the server answers requests and handles Ctrl-C.
        """
        self._on_start = on_start
        try:
            self.run(sockets=[self._socket])
        finally:
            self._socket.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer requests, and call `on_start`."""
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all event streams, then shut down: the server would wait for open streams.

        The handler of Ctrl-C must not close them: it may interrupt code that holds the
        broadcaster's lock.
        """
        self._controller.broadcaster.close()
        await super().shutdown(sockets)


def listen_at(port: int) -> socket.socket:
    """Return a socket that listens at a port of this machine.

    Args:
        port: number of the port; 0 for any free one.

    Raises:
        InputError: the port is in use or not permitted.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind(("127.0.0.1", port))
        # From now on a browser that connects before the server has started waits for it.
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
    """Return the web application of a session: its routes and its answers to errors."""
    static = {path.name: path for path in (*PAGE.iterdir(), STYLE) if _STATIC.fullmatch(path.name)}

    async def page(_: Request) -> Response:
        """Answer with the page."""
        template = page_template(PAGE / "index.html.j2")
        return HTMLResponse(template.render(title=controller.view.experiment.settings.name))

    async def file(request: Request) -> Response:
        """Answer with a script or style sheet of the page; other names are not found."""
        path = static.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        return Response(path.read_bytes(), media_type=_KINDS[path.suffix])

    async def state(_: Request) -> Response:
        """Answer with the state of the session."""
        return _json(await run_in_threadpool(controller.state))

    async def events(_: Request) -> Response:
        """Answer with a stream of the session's events."""
        if controller.broadcaster.is_full:
            return refusal(503, "too many tabs are open; close some")
        return StreamingResponse(_stream(controller), media_type="text/event-stream")

    async def post(request: Request) -> Response:
        """Execute a request of the page; answer with the revision after it, or with its error."""
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
    """Yield the events of a session in the format of server-sent events."""
    async for event in controller.broadcaster.events():
        if event is None:
            # A comment, which browsers ignore; it shows that the connection still works.
            yield ": still here\n\n"
        else:
            yield f"event: {event.name}\ndata: {_text(event.data)}\n\n"


def _text(data: Any) -> str:
    """Return data as JSON."""
    return json.dumps(data, allow_nan=False)


def _json(data: Any) -> Response:
    """Return an answer with data as JSON."""
    return Response(_text(data), media_type="application/json")


async def _answer_error(_: Request, error: Exception) -> Response:
    """Return the answer to a request without a route, and to one that raised an exception."""
    if not isinstance(error, HTTPException):
        return refusal(500, f"{type(error).__name__}: {error}")
    messages = {404: "there is no such page", 405: "this method is not allowed here"}
    status = error.status_code
    return refusal(status, messages.get(status, "the request cannot be answered"))


SessionRequest = Callable[[SessionController], int]
"""Executes a request; returns the revision of the session after it."""


class EmptyBody(StrictModel):
    """Body of a request without parameters: an empty object."""


class ChosenSuggestion(StrictModel):
    """Body of `/apply`: the number of a suggestion."""

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
    """Return the request that a path and a body ask for.

    Args:
        name: path of the request without its slash, such as `edit`.
        body: parameters of the request as a JSON object.

    Raises:
        InputError: there is no such request, or its body does not fit. The place of the error is
            the element of the page that the request is about, if there is one.
    """
    known_word("request", name, [*_ACTIONS, *_WITHOUT_PARAMETERS, _APPLY])
    data = _parse_object(body)
    if name in _ACTIONS:
        if "do" in data:  # a key of the models in session.json, which requests do not have
            raise InputError("unknown key 'do'", place=name, value="do")
        action = _validate_body(_ACTIONS[name], data, name)
        return lambda controller: controller.act(action)
    if name == _APPLY:
        number = _validate_body(ChosenSuggestion, data, name).suggestion
        return lambda controller: controller.apply(number)
    _validate_body(EmptyBody, data, name)
    return _WITHOUT_PARAMETERS[name]


def _validate_body(model: Any, data: dict[str, Any], name: str) -> Any:
    """Return the parameters of a request as an object of their model.

    Args:
        model: class of the parameters.
        data: JSON object of the request's body.
        name: name of the request.

    Raises:
        InputError: the parameters do not fit; the place is on the page if the request names one.
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
    """Return an error of `Constrain` with the constraint's input field on the page as its place."""
    name = re.split(r"\W", error.place)[0]  # of "max_steps.cost", "max_steps"
    if name not in Constrain.model_fields:
        return InputError(error, place=CONSTRAINTS, value=error.value, limit=error.limit)
    problem = error.with_fields(place=error.place.removeprefix(name).lstrip(".: "))
    place = number_place(CONSTRAINTS, name)
    return InputError(problem, place=place, value=error.value, limit=error.limit)


def _card_place(data: dict[str, Any]) -> str | None:
    """Return the place of the number or card that a request names; `None` if it names none."""
    card = data.get("card")
    field = data.get("field")
    # An unprintable name, such as a lone surrogate, could not be shown or encoded.
    if not isinstance(card, str) or len(card) > _NAME_MAX or not card.isprintable():
        return None
    if isinstance(field, str) and len(field) <= _NAME_MAX:
        return number_place(card, field)
    return card


def _parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body."""
    try:
        data = parse_json(body.decode(), only_numbers=True)
    except UnicodeDecodeError:
        raise InputError("is no JSON: it is not UTF-8", place="the body", separator=" ") from None
    except InputError as error:
        raise error.at("the body").with_fields(separator=" ") from None
    if not isinstance(data, dict):
        raise InputError("must be an object", place="the body", separator=" ")
    return data
