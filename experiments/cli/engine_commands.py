"""Commands about the games themselves: they leave no run folder."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.session import (
    GAME_MAX,
    SEED_MAX,
    ExperimentName,
    Session,
    Work,
    integer,
    offering,
)

_GAMES_MAX = 100_000  # of one scenario


@offering("results", "seed")
def replay(
    session: Session,
    experiment: ExperimentName,
    *,
    game: Annotated[int, integer(0, GAME_MAX, "Index of the game in its stream.")] = 0,
    first: Annotated[str | None, typer.Option(help="Player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Player who moves second.")] = None,
    purpose: Annotated[str, typer.Option(help="Stream of game seeds.")] = "matchups",
) -> Work:
    """Print one game, move by move.

    By default the first one that `matchups` plays.
    """
    from experiments.commands.replay import run_replay  # noqa: PLC0415

    text = partial(
        run_replay,
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=session.seed,
        results=session.results,
    )
    return lambda: sys.stdout.write(text())


@offering("json")
def bench(
    session: Session,
    against: Annotated[
        str | None,
        typer.Option(metavar="COMMIT", help="Also play the duel by another commit's code."),
    ] = None,
    also: Annotated[
        str | None,
        typer.Option(metavar="MODULE", help="A module whose tasks(contest) are measured too."),
    ] = None,
) -> Work:
    """Measure speed here, as rates and as ratios."""
    from experiments.commands.bench import run_bench  # noqa: PLC0415

    return partial(session.measure, partial(run_bench, against=against, also=also))


@offering("json")
def conformance(
    session: Session,
    scenarios: Annotated[
        Path, typer.Argument(metavar="SCENARIOS", help="A file with one scenario a line.")
    ],
    *,
    pool: Annotated[str, typer.Option(help="The cards: a name, or a file.")] = "hearthstone",
    ruleset: Annotated[str, typer.Option(help="The rules: a name, or a file.")] = "legacy",
    seeds: Annotated[int, integer(1, _GAMES_MAX, "Games of each scenario.")] = 25,
    seed: Annotated[int, integer(0, SEED_MAX, "Run seed.")] = 0,
) -> Work:
    """Check cards and rules against scenarios."""
    from experiments.commands.conformance import run_conformance  # noqa: PLC0415

    work = partial(
        run_conformance, path=scenarios, pool=pool, ruleset=ruleset, n_seeds=seeds, seed=seed
    )
    return partial(session.measure, work)


@offering()
def warm(session: Session) -> Work:
    """Compile the engine ahead of its first use."""
    from experiments.commands.warm import compile_everything  # noqa: PLC0415

    cpu_s = compile_everything()
    return lambda: session.screen.say(f"Engine ready ({cpu_s:.1f} s of CPU time)")
