"""Response times of the workbench: from the change of a number to the first rates that include it.

Randomly chosen numbers are changed by one step, one after the other, while a search for suggestions
is running. The script prints the times to the first rates and to rates of a given number of games
per matchup, and the times of suggestions. The server runs in a process of its own, to which the
script sends the same HTTP requests as the page.

    python -m experiments.benchmarks.workbench quickstart_scripts --games 1000

With `--page`, the page itself runs in a headless Chromium, and numbers are changed by the arrow
keys. Each step is then timed by the page's clock, from the key press to the frame after the rates
of its revision, or of a later one, were painted.
"""

from __future__ import annotations

import http.client
import json
import os
import queue
import random
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Annotated, Any, NamedTuple

import typer

from experiments.benchmarks.script import load_words, run_script, spread, workbench_of
from experiments.workbench.security import OUR_HEADER
from sim.errors import InputError

_TIMEOUT_S = 120.0  # for an event of the server, which may have to compile before the first event
_PAUSE_S = 0.2  # maximum pause between steps, as that of a quick user; chosen by hand


class _Page:
    """Client that opens the workbench's link, sends the page's requests, and receives events.

    Attributes:
        host: host and port of the server.
        events: queue of received events, each with its time (`perf_counter`), name and data.
        headers: headers of all requests.
    """

    def __init__(self, url: str) -> None:
        """Open the link of a workbench, and start a thread that receives events.

        Args:
            url: link of the workbench, including its token.
        """
        host, _, query = url.removeprefix("http://").partition("/")
        self.host = host
        self.events = queue.Queue[tuple[float, str, Any]]()
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
        threading.Thread(target=self._receive_events, daemon=True).start()

    def request(self, method: str, path: str, data: Any = None) -> Any:
        """Send a request with data as JSON, and return the decoded JSON of the response."""
        with closing(http.client.HTTPConnection(self.host)) as line:
            line.request(method, path, json.dumps(data), self.headers)
            return json.loads(line.getresponse().read())

    def _receive_events(self) -> None:
        """Put all events of the server's stream into the queue, until the stream ends."""
        with closing(http.client.HTTPConnection(self.host)) as line:
            line.request("GET", "/events", headers=self.headers)
            answer = line.getresponse()
            name = ""
            while text := answer.readline().decode():
                key, _, value = text.rstrip("\n").partition(": ")
                name = value if key == "event" else name
                if key == "data":
                    self.events.put((time.perf_counter(), name, json.loads(value)))


def _lines(url: str, n_steps: int, n_games: int, *, suggests: bool) -> Iterator[str]:
    """Change numbers by HTTP requests, and yield the lines of the report.

    Args:
        url: link of the workbench.
        n_steps: number of changes.
        n_games: number of games per matchup that the rates must have.
        suggests: whether a search for suggestions runs at the same time.
    """
    page = _Page(url)
    rng = random.Random(1)
    cards = page.request("GET", "/state")["cards"]
    numbers = [(card["card"], number) for card in cards for number in card["numbers"]]
    time.sleep(2.0)  # the server compiles meanwhile
    began_s = time.perf_counter()
    suggestions = list[str]()
    if suggests:
        page.request("POST", "/suggest", {})
    first_ms = list[float]()
    enough_ms = list[float]()
    for _ in range(n_steps):
        card, number = rng.choice(numbers)
        ways = [by for by in (-1, 1) if number["least"] <= number["value"] + by <= number["most"]]
        number["value"] += rng.choice(ways)
        sent_s = time.perf_counter()
        edit = {"card": card, "field": number["field"]}
        revision = page.request("POST", "/edit", edit | {"to": number["value"]})["revision"]
        is_first = True
        while True:
            received_s, name, data = page.events.get(timeout=_TIMEOUT_S)
            if name == "suggestion":
                suggestions.append(f"change {data['change']:g} after {received_s - began_s:.1f} s")
            if name == "rates" and data["revision"] >= revision:
                took_ms = 1000 * (received_s - sent_s)
                first_ms += [took_ms] if is_first else []
                is_first = False
                if data["n_games"] >= n_games:
                    enough_ms.append(took_ms)
                    break
        time.sleep(_PAUSE_S * rng.random())
    yield f"first rates: {spread(first_ms)}; {n_steps} steps, {load_words()}"
    yield f"rates of {n_games:,} games per matchup and more: {spread(enough_ms)}"
    yield f"suggestions: {', '.join(suggestions[:8]) or 'none yet'}"


_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_WITHIN_S = 60  # timeout for loading the page and for rates
_POLL_MS = 20  # pause between two polls of the page, since polls slow the page down

# Records revision, games and time of all painted rates, one frame later, when they are visible.
_WATCH = """() => {
  const matrix = document.getElementById("matrix");
  window.pressed_ms = 0;
  window.painted = [];
  addEventListener("keydown", (event) => { window.pressed_ms = event.timeStamp; }, true);
  new MutationObserver(() => {
    const [revision, games] = [Number(matrix.dataset.revision), Number(matrix.dataset.games)];
    requestAnimationFrame((now) => window.painted.push([revision, games, now]));
  }).observe(matrix, { attributeFilter: ["data-revision", "data-games"] });
}"""
_STEPPABLE = """() => {
  const free = [...document.querySelectorAll(".value:not([aria-readonly])")];
  return free.map((one, k) => {
    one.dataset.k = k;
    const [value, least, most] = ["now", "min", "max"].map((end) =>
      Number(one.getAttribute(`aria-value${end}`)));
    return [value > least, value < most];
  });
}"""
_ANSWERS = """(before) => window.painted.filter(([revision]) => revision > before)
  .map(([, games, at]) => [games, at - window.pressed_ms])"""


class Step(NamedTuple):
    """Response times after one change of a number on the page.

    Attributes:
        games: number of games per matchup of the first rates.
        first_ms: time until the first rates were painted, in ms.
        enough_ms: time until rates with the required number of games were painted, in ms.
        is_busy: whether a search for suggestions was running when these rates were read.
    """

    games: int
    first_ms: float
    enough_ms: float
    is_busy: bool


def _steps(page: Any, n_steps: int, enough: int) -> Iterator[Step]:
    """Change random numbers on the page, one after the other, and yield the times of each change.

    Args:
        page: page of the workbench in the browser.
        n_steps: number of changes.
        enough: number of games per matchup that the rates must have.
    """
    chance = random.Random(1)
    page.evaluate(_WATCH)
    for _ in range(n_steps):
        if page.is_enabled("#suggest"):
            page.click("#suggest")
        ways = page.evaluate(_STEPPABLE)
        k = chance.choice([k for k, (down, up) in enumerate(ways) if down or up])
        keys = [key for key, can in zip(("ArrowDown", "ArrowUp"), ways[k], strict=True) if can]
        page.focus(f'.value[data-k="{k}"]')
        before = page.evaluate("Number(document.body.dataset.revision)")
        page.evaluate("void (window.painted = [])")
        page.keyboard.press(chance.choice(keys))
        yield _wait_for_answer(page, before, enough)


def _wait_for_answer(page: Any, before: int, enough: int) -> Step:
    """Poll the page until it shows rates with enough games, and return the times of the step.

    Args:
        page: page of the workbench in the browser.
        before: revision before the step.
        enough: required number of games per matchup.

    Raises:
        InputError: no such rates were painted within `_WITHIN_S`.
    """
    for _ in range(_WITHIN_S * 1000 // _POLL_MS):
        answers = page.evaluate(_ANSWERS, before)
        last = [ms for games, ms in answers if games >= enough]
        if last:
            is_busy = page.evaluate("document.body.dataset.busy === 'suggest'")
            return Step(int(answers[0][0]), float(answers[0][1]), float(last[0]), is_busy)
        page.wait_for_timeout(_POLL_MS)
    raise InputError(
        f"no answer of {enough:,} games within {_WITHIN_S} s",
        value=enough,
        limit=_WITHIN_S,
        remedy="ask for fewer games with --games",
    )


def _lines_of_page(url: str, name: str, n_steps: int, n_games: int) -> Iterator[str]:
    """Change numbers on the page in a headless browser, and yield the lines of the report.

    Args:
        url: link of the workbench.
        name: name of the experiment.
        n_steps: number of changes.
        n_games: number of games per matchup that the rates must have.

    Raises:
        InputError: Chromium is not installed, or the page shows no rates in time.
    """
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (only here)

    chromium = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if chromium is None:
        raise InputError("Chromium is not installed", limit=_CHROMIUM, remedy="install chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(url)
        page.locator("#matrix[data-revision]").wait_for(timeout=1000 * _WITHIN_S)
        steps = [*_steps(page, n_steps, n_games)]
        n_numbers = page.locator(".value").count()
        browser.close()
    n_busy = sum(step.is_busy for step in steps)
    yield f"{name}: {len(steps)} steps on {n_numbers} numbers, {n_busy} during a suggestion"
    yield f"  {load_words()}"
    fewest = min(step.games for step in steps)
    yield f"  first answer (n >= {fewest:,}): {spread([step.first_ms for step in steps])}"
    yield f"  first answer by n >= {n_games:,}: {spread([step.enough_ms for step in steps])}"


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    steps: Annotated[int, typer.Option(min=2, help="Number of steps.")] = 200,
    games: Annotated[
        int, typer.Option(min=4, help="Games per matchup that the rates must have.")
    ] = 1_000,
    suggest: Annotated[bool, typer.Option(help="Search for suggestions meanwhile.")] = True,
    page: Annotated[
        bool, typer.Option("--page", help="Use the page in a browser instead of HTTP requests.")
    ] = False,
) -> None:
    """Start a workbench, change numbers in it, and print the response times."""
    with workbench_of(name) as url:
        lines = (
            _lines_of_page(url, name, steps, games)
            if page
            else _lines(url, steps, games, suggests=suggest)
        )
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    run_script(main)
