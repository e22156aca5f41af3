"""`evenhand suite make`: create instances with known answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from balance.run.planting import Planting
from experiments.cli.options import SuiteName
from experiments.cli.session import Session, Work, session_command
from experiments.files.output_file import check_output
from experiments.screen import Screen
from experiments.suite import (
    HALVES,
    INSTANCE,
    KINDS,
    Instance,
    Kind,
    Made,
    Suite,
    load_suite,
    moves_of,
)
from sim import error_place, write_atomically
from sim.files.whole_file import read_text


@session_command("threads", "workers")
def make(
    session: Session,
    suite: SuiteName,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file to write; default the suite's name ending in .toml, in the current "
            "folder."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the file if it exists.")
    ] = False,
) -> Work:
    """Create the instances of a suite from its seed, and write them to a file."""
    loaded = load_suite(suite)
    target = out or Path(f"{loaded.settings.name}.toml")
    return partial(make_suite, loaded, target, session.screen, force=force)


def make_suite(suite: Suite, out: Path, screen: Screen, *, force: bool = False) -> None:
    """Create the instances of a suite, and write the suite to a file.

    Equal seeds create equal instances.

    Args:
        suite: suite with balanced cards and a recipe for the instances.
        out: file to write.
        screen: where to show the progress.
        force: whether to overwrite an existing file.

    Raises:
        InputError: `out` exists or cannot be written, the cards of the suite are not balanced, or
            no edits can be hidden in them.
    """
    check_output(out, ".toml", force=force)
    recipe, _, _ = read_text(suite.path).partition(f"\n{INSTANCE}")
    made = suite.suite.make
    planting = Planting(suite.contest(), suite.settings, made.games)
    instances = list(_instances_to_make(made))
    with error_place(suite.path):
        planting.require_balance()
    parts = [recipe.rstrip() + "\n"]
    with screen.progress(f"make {suite.suite.name}", len(instances)) as advance:
        for kind, place, n_steps in instances:
            advance(len(parts) - 1, f"{kind} {place + 1}")
            with error_place(suite.path), error_place(f"{kind} instance #{place + 1}"):
                parts.append(_make_instance(planting, kind, place, n_steps).text())
    write_atomically(out, "\n".join(parts))
    screen.say(f"{out}: wrote suite {suite.suite.name!r}, {len(instances)} instances")


def _instances_to_make(made: Made) -> Iterator[tuple[Kind, int, int]]:
    """Yield the kind of each instance, its index within the kind, and its number of hidden steps.

    Both halves of the suite get equally many instances with each number of steps.
    """
    fewest, most = made.steps
    for kind in KINDS:
        for place in range(getattr(made, kind)):
            yield kind, place, fewest + place // len(HALVES) % (most - fewest + 1)


def _make_instance(planting: Planting, kind: Kind, place: int, n_steps: int) -> Instance:
    """Return a new instance with hidden edits; a control instance has no hidden edits.

    Args:
        planting: the balanced cards in which edits are hidden.
        kind: kind of the instance.
        place: index of the instance within its kind, from 0.
        n_steps: number of hidden steps.
    """
    half = HALVES[place % len(HALVES)]
    if kind == "control":
        return Instance(kind=kind, half=half)
    planted = planting.plant(n_steps, f"plant/{kind}/{place}", as_target=kind == "target")
    hidden = moves_of(planted.edits)
    return Instance(kind=kind, half=half, hidden=hidden, win_rates=planted.win_rates)
