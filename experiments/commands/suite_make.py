"""`evenhand suite make`: instances with known answers, made of a suite's balanced cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from balance.planting import Planting
from experiments.files.output_file import check_output
from experiments.screen.console import Screen
from experiments.suite import HALVES, INSTANCE, KINDS, Instance, Kind, Made, Suite, moves_of
from sim import blaming, write_atomically
from sim.files.toml_file import read_text


def make_suite(
    suite: Suite, out: Path, screen: Screen, *, force: bool = False, threads: int | None = None
) -> None:
    """Write the suite's file with its instances made anew; the same seed makes the same ones.

    Args:
        suite: whose balanced cards, and whose recipe.
        out: where to.
        screen: where to report.
        force: overwrite what is there.
        threads: threads to use; default all cores.

    Raises:
        InputError: `out` is there already, or cannot be written; the suite's base is not balanced,
            or no edits can be hidden in it.
    """
    check_output(out, ".toml", force=force)
    recipe, _, _ = read_text(suite.path).partition(f"\n{INSTANCE}")
    made = suite.suite.make
    planting = Planting(suite.contest(), suite.settings, made.games, threads)
    wanted = list(_wanted(made))
    with blaming(suite.path):
        planting.require_balance()
    parts = [recipe.rstrip() + "\n"]
    with screen.progress(f"make {suite.suite.name}", len(wanted)) as advance:
        for kind, place, n_steps in wanted:
            advance(len(parts) - 1, f"{kind} {place + 1}")
            with blaming(suite.path), blaming(f"{kind} instance #{place + 1}"):
                parts.append(_instance(planting, kind, place, n_steps).text())
    write_atomically(out, "\n".join(parts))
    screen.say(f"{out}: wrote suite {suite.suite.name!r}, {len(wanted)} instances")


def _wanted(made: Made) -> Iterator[tuple[Kind, int, int]]:
    """Kind, place among its kind, and steps to hide; both halves have equally many of each."""
    fewest, most = made.steps
    for kind in KINDS:
        for place in range(getattr(made, kind)):
            yield kind, place, fewest + place // len(HALVES) % (most - fewest + 1)


def _instance(planting: Planting, kind: Kind, place: int, n_steps: int) -> Instance:
    half = HALVES[place % len(HALVES)]
    if kind == "control":
        return Instance(kind=kind, half=half)
    found = planting.plant(n_steps, f"plant/{kind}/{place}", as_target=kind == "target")
    return Instance(kind=kind, half=half, hidden=moves_of(found.edits), win_rates=found.win_rates)
