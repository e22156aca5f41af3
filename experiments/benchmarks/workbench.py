"""How soon the workbench answers: from a step's request to the first rates of its revision.

Numbers go a step up or down, one after the other and at random, while a search for suggestions is
at work. Told are the times to the first rates, and to rates of so many games per matchup, and when
suggestions came. The server is a process of its own, asked over HTTP as the page asks it.

    python -m experiments.benchmarks.workbench quickstart --games 1000
"""

from __future__ import annotations

import http.client
import json
import queue
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Annotated, Any

import typer

from experiments.benchmarks.script import load_words, run_script, spread, workbench_of
from experiments.workbench.security import OUR_HEADER

_PATIENCE_S = 120.0
_PAUSE_S = 0.2  # between steps, at most
_WARM_S = 2.0


class _Page:
    """What the page does: it opens the link, posts, and listens."""

    def __init__(self, url: str) -> None:
        host, _, query = url.removeprefix("http://").partition("/")
        self.host, self.heard = host, queue.Queue[tuple[float, str, Any]]()
        with closing(http.client.HTTPConnection(host)) as line:
            line.request("GET", f"/{query}")
            cookie = line.getresponse().headers["set-cookie"].split(";")[0]
        name, value = OUR_HEADER
        self.headers = {
            "Cookie": cookie,
            "Origin": f"http://{host}",
            "Content-Type": "application/json",
            name: value,
        }
        threading.Thread(target=self._listen, daemon=True).start()

    def asked(self, method: str, path: str, data: Any = None) -> Any:
        """The answer to a request."""
        with closing(http.client.HTTPConnection(self.host)) as line:
            line.request(method, path, json.dumps(data), self.headers)
            return json.loads(line.getresponse().read())

    def _listen(self) -> None:
        with closing(http.client.HTTPConnection(self.host)) as line:
            line.request("GET", "/events", headers=self.headers)
            answer, name = line.getresponse(), ""
            while text := answer.readline().decode():
                key, _, value = text.rstrip("\n").partition(": ")
                name = value if key == "event" else name
                if key == "data":
                    self.heard.put((time.perf_counter(), name, json.loads(value)))


def _lines(url: str, n_steps: int, n_games: int, *, suggests: bool) -> Iterator[str]:
    page, rng = _Page(url), random.Random(1)
    cards = page.asked("GET", "/state")["cards"]
    numbers = [(card["card"], number) for card in cards for number in card["numbers"]]
    time.sleep(_WARM_S)
    began_s, found = time.perf_counter(), list[str]()
    if suggests:
        page.asked("POST", "/suggest", {})
    first_ms, enough_ms = list[float](), list[float]()
    for _ in range(n_steps):
        card, number = rng.choice(numbers)
        ways = [by for by in (-1, 1) if number["least"] <= number["value"] + by <= number["most"]]
        number["value"] += rng.choice(ways)
        asked_s, edit = time.perf_counter(), {"card": card, "field": number["field"]}
        revision = page.asked("POST", "/edit", edit | {"to": number["value"]})["revision"]
        is_first = True
        while True:
            heard_s, name, data = page.heard.get(timeout=_PATIENCE_S)
            if name == "suggestion":
                found.append(f"change {data['change']:g} after {heard_s - began_s:.1f} s")
            if name == "rates" and data["revision"] >= revision:
                took_ms = 1000 * (heard_s - asked_s)
                first_ms += [took_ms] if is_first else []
                is_first = False
                if data["n_games"] >= n_games:
                    enough_ms.append(took_ms)
                    break
        time.sleep(_PAUSE_S * rng.random())
    yield f"first rates: {spread(first_ms)}; {n_steps} steps, {load_words()}"
    yield f"rates of {n_games:,} games per matchup and more: {spread(enough_ms)}"
    yield f"suggestions: {', '.join(found[:8]) or 'none yet'}"


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    steps: Annotated[int, typer.Option(min=2)] = 200,
    games: Annotated[int, typer.Option(min=4, help="per matchup, that are enough")] = 1_000,
    suggest: Annotated[bool, typer.Option(help="look for patches meanwhile")] = True,
) -> None:
    """Start a workbench, ask it, print what was found."""
    with workbench_of(name) as url:
        for line in _lines(url, steps, games, suggests=suggest):
            print(line, flush=True)


if __name__ == "__main__":
    run_script(main)
