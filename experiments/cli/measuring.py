"""Commands that measure what is."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.options import (
    DEFAULT_RESULTS,
    GAME_MAX,
    STEPS_MAX,
    ExperimentName,
    Json,
    Plots,
    Results,
    Seed,
    Threads,
    whole_number,
)
from experiments.cli.session import (
    run_command,
    uninterrupted,
)

if TYPE_CHECKING:
    from experiments.experiment import Experiment


def matchups(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Win rates of every pair of decks, and a table per card."""
    with uninterrupted():
        from experiments.commands.matchups import run_matchups  # noqa: PLC0415
        from experiments.experiment import check_contest  # noqa: PLC0415

    work = partial(run_matchups, plots=plots, threads=threads)
    run_command("matchups", experiment, check_contest, work, results=results, seed=seed, json=json)


def metagame(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Which decks people would play, and which never.

    Also says how much of who beats whom goes in circles.
    """
    with uninterrupted():
        from experiments.commands.metagame import run_metagame  # noqa: PLC0415
        from experiments.experiment import check_contest  # noqa: PLC0415

    work = partial(run_metagame, plots=plots, threads=threads)
    run_command("metagame", experiment, check_contest, work, results=results, seed=seed, json=json)


def power(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    field: Annotated[
        bool, typer.Option("--field", help="Against the other decks, not the mirror.")
    ] = False,
    exploit: Annotated[
        bool,
        typer.Option("--exploit/--no-exploit", help="Train learners against trained agents."),
    ] = True,
    exploit_steps: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, STEPS_MAX),
            metavar="INTEGER",
            help="Steps of those learners; default as many as the agents were trained for.",
        ),
    ] = None,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Leave-one-out power of every card, with both baselines."""
    with uninterrupted():
        from experiments.commands.power import run_power  # noqa: PLC0415
        from experiments.learning.power_pilots import find_power_pilots  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return find_power_pilots(loaded, results)

    work = partial(
        run_power,
        versus="field" if field else "mirror",
        plots=plots,
        threads=threads,
        exploit=exploit,
        exploit_steps=exploit_steps,
    )
    run_command("power", experiment, check, work, results=results, seed=seed, json=json)


def substitute(
    experiment: ExperimentName,
    deck: Annotated[str | None, typer.Option(help="Player whose deck lacks cards.")] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(help="A missing card, by id or name; may be given several times."),
    ] = None,
    collection: Annotated[
        Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
    ] = None,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Against the intact deck, not the other decks.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(4, GAME_MAX),
            metavar="INTEGER",
            help="Games against each opponent that measure what is shown; even.",
        ),
    ] = None,
    shown: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 1000), metavar="INTEGER", help="Length of the lists."),
    ] = None,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Rank what to play instead of a card that one lacks."""
    with uninterrupted():
        from experiments.commands.substitute import ask, run_substitute  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return ask(
            loaded,
            deck=deck,
            cards=card or (),
            collection=collection,
            mirror=mirror,
            games=games,
            shown=shown,
        )

    work = partial(run_substitute, plots=plots, threads=threads)
    run_command("substitute", experiment, check, work, results=results, seed=seed, json=json)
