"""Workbenches for tests: served by a thread, asked as a browser or an attacker would."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from experiments.commands.second_opinion import other_pilots
from experiments.loading import load_experiment
from experiments.runs.run_folder import open_run_folder
from experiments.workbench.board import Board
from experiments.workbench.controller import SessionController
from experiments.workbench.server import WorkbenchServer, listen_at
from experiments.workbench.session import Job
from experiments.workbench.worker import Bench, Worker
from tests.command_line import THREE, TINY, write_experiment

Answer = tuple[int, Any]

ECHO = """name = "echo"
format = 1

[[card]]
id = "echo"
name = "Echo"
kind = "spell"
cost = 1
effects = [{ on = "play", do = "give", cards = ["echo"] }]
"""
"""A card that brings itself again: at a cost of 0 its turn never ends."""


class Browser:
    """Who has opened the link.

    Attributes:
        url: the link.
        port: of the server.
        cookie: that it was given.
    """

    def __init__(self, url: str) -> None:
        base, _, query = url.partition("/?")
        self.url = url
        self.base = base
        self.port = int(base.rpartition(":")[2])
        status, headers, _ = self.raw("GET", f"/?{query}", {"Host": self.host})
        assert status == 303, headers
        self.cookie = headers["set-cookie"].split(";")[0]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        """What a browser sends with a POST of our page."""
        return {
            "Host": self.host,
            "Origin": self.base,
            "Sec-Fetch-Site": "same-origin",
            "Cookie": self.cookie,
            "X-Evenhand": "workbench",
            "Content-Type": "application/json",
        }

    def raw(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Any request at all: status, headers and body of the answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                line.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in headers:
                line.putheader("Content-Length", str(len(body)))
            line.endheaders(body)
            answer = line.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, told, answer.read()

    def get(self, path: str) -> Answer:
        """As the page gets it."""
        status, _, body = self.raw("GET", path, {"Host": self.host, "Cookie": self.cookie})
        return status, json.loads(body)

    def post(self, path: str, **data: Any) -> Answer:
        """As the page posts it."""
        status, _, body = self.raw("POST", path, self.headers, json.dumps(data).encode())
        return status, json.loads(body)

    def state(self) -> dict[str, Any]:
        status, state = self.get("/state")
        assert status == 200
        return state

    def done(self, path: str, **data: Any) -> int:
        """Post what is accepted; the revision."""
        status, answer = self.post(path, **data)
        assert status == 200, answer
        return answer["revision"]

    def events(self) -> Iterator[tuple[str, Any]]:
        """What a tab is told, until it is closed."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as line:
            line.request("GET", "/events", headers={"Host": self.host, "Cookie": self.cookie})
            answer = line.getresponse()
            assert answer.getheader("content-type", "").startswith("text/event-stream")
            name = ""
            while text := answer.readline().decode():
                key, _, value = text.rstrip("\n").partition(": ")
                name = value if key == "event" else name
                if key == "data":
                    yield name, json.loads(value)

    def until(self, name: str, wanted: Callable[[Any], bool]) -> Any:
        """The first event of a name that is wanted."""
        return next(data for event, data in self.events() if event == name and wanted(data))

    def message_after(self, path: str, **data: Any) -> str:
        """What is said to a tab once that is posted."""
        with closing(self.events()) as heard:
            next(heard)
            self.done(path, **data)
            return next(said for name, said in heard if name == "message")["text"]

    def when_idle(self) -> dict[str, Any]:
        """The state once no long work is done."""
        return self.until("state", lambda state: state["busy"] is None)


class WorkerNearby:
    """Does jobs in the desk's own process, which a new one would take seconds to begin."""

    def __init__(self, board: Board) -> None:
        self.cancelled = threading.Event()
        self.found = list[Any]()
        self.bench = Bench(board, 1, self.found.append, self.cancelled.is_set)

    def begin(self) -> None:
        self.cancelled.clear()

    def run(self, job: Job) -> Iterator[Any]:
        self.found.clear()
        self.bench.do(job)
        yield from self.found

    def cancel(self) -> None:
        self.cancelled.set()

    close = cancel


def echoing(folder: Path) -> str:
    """An experiment in a folder whose games never end once Echo costs 0."""
    body = 'kind = "minion"\ncost = 2\nattack = 2\nhealth = 2\n'
    bodies = [f'[[card]]\nid = "ox{k}"\nname = "Ox {k}"\n{body}' for k in range(14)]
    (folder / "echo.toml").write_text("\n".join([ECHO, *bodies]), encoding="utf-8")
    others = "".join(f"ox{k} = 2\n" for k in range(14))
    for name, echoes in (("loud", "echo = 2\n"), ("still", "")):
        deck = f'name = "{name}"\npool = "echo"\nruleset = "duel"\n[cards]\n{echoes}{others}'
        (folder / f"{name}.toml").write_text(deck, encoding="utf-8")
    text = TINY.replace("seed = 7", 'seed = 7\npool = "echo.toml"')
    return text.replace('"ember_rush"', '"loud"').replace('"tide_keep"', '"still"')


@contextmanager
def bench(
    folder: Path, text: str = THREE, *, resume: bool = False, has_process: bool = False
) -> Iterator[Browser]:
    """A workbench of an experiment, served while the block runs.

    Args:
        folder: of the experiment, and of the results.
        text: the experiment.
        resume: go on with a session.
        has_process: long work has a process of its own, as it does for people.
    """
    path = write_experiment(folder, text)
    results = folder / "results"
    experiment = load_experiment(str(path), results)
    board = Board.of(experiment, other_pilots(experiment, results))
    kept = open_run_folder(results, board.experiment, "workbench", resume=resume)
    with kept.lock:
        worker: Any = Worker(board, 1) if has_process else WorkerNearby(board)
        desk = SessionController(board, kept, worker, threads=1)
        server = WorkbenchServer(desk, listen_at(0))
        serving = threading.Thread(target=server.serve_until_stopped)
        desk.open()
        serving.start()
        try:
            yield Browser(server.url)
        finally:
            desk.close()
            server.should_exit = True
            serving.join()
