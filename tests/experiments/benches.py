"""Workbenches for tests, served by a thread, and requests as of a browser or an attacker."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from experiments.commands.workbench import view_of
from experiments.game import named_experiment
from experiments.runs.run_folder import open_run_folder
from experiments.workbench.controller import SessionController
from experiments.workbench.server import WorkbenchServer, listen_at
from experiments.workbench.session import Job
from experiments.workbench.view_model import ViewModel
from experiments.workbench.worker import JobRunner, Worker
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
"""A card that gives a copy of itself: at a cost of 0 its turn never ends."""


class Browser:
    """A client that has opened the link of a workbench.

    Attributes:
        url: the link.
        base: address of the server.
        port: port of the server.
        cookie: cookie that the server has set.
    """

    def __init__(self, url: str) -> None:
        """Open a link."""
        base, _, query = url.partition("/?")
        self.url = url
        self.base = base
        self.port = int(base.rpartition(":")[2])
        status, headers, _ = self.raw("GET", f"/?{query}", {"Host": self.host})
        assert status == 303, headers
        self.cookie = headers["set-cookie"].split(";")[0]

    @property
    def host(self) -> str:
        """Host and port of the server."""
        return f"127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        """Headers that a browser sends with a POST of the page."""
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
        """Send any request; return status, headers and body of the answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                line.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in headers:
                line.putheader("Content-Length", str(len(body)))
            line.endheaders(body)
            answer = line.getresponse()
            received = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, received, answer.read()

    def get(self, path: str) -> Answer:
        """Send a GET as the page does; return status and content of the answer."""
        status, _, body = self.raw("GET", path, {"Host": self.host, "Cookie": self.cookie})
        return status, json.loads(body)

    def post(self, path: str, **data: Any) -> Answer:
        """Send a POST as the page does; return status and content of the answer."""
        status, _, body = self.raw("POST", path, self.headers, json.dumps(data).encode())
        return status, json.loads(body)

    def state(self) -> dict[str, Any]:
        """Return the state of the session."""
        status, state = self.get("/state")
        assert status == 200
        return state

    def submit(self, path: str, **data: Any) -> int:
        """Post a request that is accepted; return the revision of the session."""
        status, answer = self.post(path, **data)
        assert status == 200, answer
        return answer["revision"]

    def events(self) -> Iterator[tuple[str, Any]]:
        """Yield the events for a new tab as pairs of name and data, until it is closed."""
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
        """Return the data of the first event of a name that fulfils a condition."""
        return next(data for event, data in self.events() if event == name and wanted(data))

    def message_after(self, path: str, **data: Any) -> str:
        """Post a request; return the text of the first message to a tab after it."""
        with closing(self.events()) as events:
            next(events)
            self.submit(path, **data)
            return next(content for name, content in events if name == "message")["text"]

    def when_idle(self) -> dict[str, Any]:
        """Return the state once no job is running."""
        return self.until("state", lambda state: state["busy"] is None)


class InProcessWorker:
    """A worker that runs jobs in the controller's process, since a new one takes seconds to start.

    Attributes:
        cancelled: set when the job was cancelled.
        results: results of the job.
        runner: executes the jobs.
    """

    def __init__(self, view: ViewModel) -> None:
        """Prepare to run jobs on an experiment."""
        self.cancelled = threading.Event()
        self.results = list[Any]()
        self.runner = JobRunner(view, self.results.append, self.cancelled.is_set)

    def begin(self) -> None:
        """Forget an earlier cancellation."""
        self.cancelled.clear()

    def run(self, job: Job) -> Iterator[Any]:
        """Run a job, then yield its results."""
        self.results.clear()
        self.runner.run(job)
        yield from self.results

    def cancel(self) -> None:
        """Cancel the running job."""
        self.cancelled.set()

    close = cancel


def echoing(folder: Path) -> str:
    """Write an experiment's decks into a folder; its games never end once Echo costs 0."""
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
    """Serve a workbench while the block runs, and yield a client that has opened its link.

    Args:
        folder: folder of the experiment and of the results.
        text: the experiment.
        resume: whether to continue the session in the results.
        has_process: whether jobs run in a process of their own, as in the command.
    """
    path = write_experiment(folder, text)
    results = folder / "results"
    view = view_of(named_experiment(str(path)).load(results=results), results)
    kept = open_run_folder(results, view.experiment, "workbench", resume=resume)
    with kept.lock:
        worker: Any = Worker(view) if has_process else InProcessWorker(view)
        controller = SessionController(view, kept, worker)
        server = WorkbenchServer(controller, listen_at(0))
        serving = threading.Thread(target=server.serve_until_stopped)
        controller.open()
        serving.start()
        try:
            yield Browser(server.url)
        finally:
            controller.close()
            server.should_exit = True
            serving.join()
