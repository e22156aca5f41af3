"""How soon the workbench's page answers: from a key press on a number to what is painted.

`python -m experiments.benchmarks.workbench_page quickstart --games 1000` opens a workbench of its
own in a headless Chromium, and steps numbers by the arrow keys, one after another, while the
workbench looks for suggestions. Each step is timed by the page's own clock, from the key's event to
the frame after rates of its revision (or a later one) have been painted: the first of any number of
games, and the first of so many. `experiments.benchmarks.workbench` times the server alone.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import typer

from experiments.benchmarks.script import load_words, run_script, spread, workbench_of
from sim.errors import InputError

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_WITHIN_S = 60  # for a page, or an answer
_TURN_MS = 20  # between two looks, which cost time as well

# What is painted of which revision, and when; a frame later it is certainly seen.
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
    """An answered step.

    Attributes:
        games: per matchup, behind the first answer.
        first_ms: until the first answer was painted.
        enough_ms: until one by as many games as are asked for.
        is_busy: whether a suggestion was looked for meanwhile.
    """

    games: int
    first_ms: float
    enough_ms: float
    is_busy: bool


def _steps(page: Any, n_steps: int, enough: int) -> Iterator[Step]:
    """Steps of numbers drawn by chance, each after the answer to the one before."""
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
        yield _answered(page, before, enough)


def _answered(page: Any, before: int, enough: int) -> Step:
    for _ in range(_WITHIN_S * 1000 // _TURN_MS):
        answers = page.evaluate(_ANSWERS, before)
        last = [ms for games, ms in answers if games >= enough]
        if last:
            is_busy = page.evaluate("document.body.dataset.busy === 'suggest'")
            return Step(int(answers[0][0]), float(answers[0][1]), float(last[0]), is_busy)
        page.wait_for_timeout(_TURN_MS)
    raise InputError(f"no answer of {enough:,} games within {_WITHIN_S} s")


def main(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT")],
    *,
    steps: Annotated[int, typer.Option(min=2)] = 200,
    games: Annotated[int, typer.Option(min=4, help="per matchup, that are enough")] = 1_000,
) -> None:
    """Step, and print how long answers took."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (only here)

    chromium = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if chromium is None:
        raise InputError("there is no Chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with workbench_of(name) as url, sync_playwright() as session:
        browser = session.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(url)
        page.locator("#matrix[data-revision]").wait_for(timeout=1000 * _WITHIN_S)
        found = [*_steps(page, steps, games)]
        n_numbers = page.locator(".value").count()
        browser.close()
    n_busy = sum(step.is_busy for step in found)
    print(f"{name}: {len(found)} steps on {n_numbers} numbers, {n_busy} beside a suggestion")
    print(f"  {load_words()}")
    fewest = min(step.games for step in found)
    print(f"  first answer (n >= {fewest:,}): {spread([step.first_ms for step in found])}")
    print(f"  first answer by n >= {games:,}: {spread([step.enough_ms for step in found])}")


if __name__ == "__main__":
    run_script(main)
