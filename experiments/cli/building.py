"""The command that builds decks: strong ones, improved ones, attackers of a balance run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.cli.options import (
    DEFAULT_RESULTS,
    Json,
    Plots,
    Results,
    Resume,
    Seed,
    Threads,
    number,
    whole_number,
)
from experiments.cli.session import (
    EXIT_NOT_CERTIFIED,
    finish,
    new_screen,
    refuse_beside,
    run_command,
    uninterrupted,
)
from sim.errors import InputError

if TYPE_CHECKING:
    from experiments.experiment import Experiment


def build(
    experiment: Annotated[
        str | None,
        typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name."),
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Who pilots the deck.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Whose deck it is; default the first player's hero.")
    ] = None,
    improve: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Improve this player's deck instead.")
    ] = None,
    swaps: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, 60), metavar="INTEGER", help="Most cards to replace in it."
        ),
    ] = None,
    collection: Annotated[
        Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            parser=number(0, 1e9),
            metavar="NUMBER",
            help="Most that copies beyond the collection may cost.",
        ),
    ] = None,
    goal: Annotated[
        float | None,
        typer.Option(
            parser=number(0, 1), metavar="NUMBER", help="Win rate to reach for certain, 0 to 1."
        ),
    ] = None,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Build against the decks of a balance run, before and after."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, 100),
            metavar="INTEGER",
            help="Most decks that an attack builds.",
        ),
    ] = None,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Build a strong deck, or improve one, and certify it.

    With --attack, see whether the decks of a finished balance run stay balanced once people build
    against them; --agent, --rounds and --seed say how.
    """
    if attack is not None:
        other = {
            "EXPERIMENT": experiment, "hero": hero, "improve": improve, "swaps": swaps,
            "collection": collection, "budget": budget, "goal": goal,
        }  # fmt: skip
        refuse_beside("attack", other)
        _attack(
            attack,
            agent=agent,
            rounds=rounds,
            results=results,
            seed=seed,
            threads=threads,
            resume=resume,
            json=json,
            plots=plots,
        )
        return
    if experiment is None:
        raise InputError("build needs an EXPERIMENT, or --attack RUN; see --help")
    if rounds is not None:
        raise InputError(f"--rounds {rounds}: only an attack has rounds; add --attack RUN")
    with uninterrupted():
        from experiments.commands.build import ask_build, run_build  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return ask_build(
            loaded,
            agent=agent,
            hero=hero,
            improve=improve,
            swaps=swaps,
            collection=collection,
            budget=budget,
            goal=goal,
        )

    work = partial(run_build, resume=resume, plots=plots, threads=threads)
    summary = run_command(
        "build", experiment, check, work, results=results, seed=seed, resume=resume, json=json
    )
    if summary["certified"] is False:
        raise typer.Exit(EXIT_NOT_CERTIFIED)


def _attack(
    run: str,
    *,
    agent: str | None,
    rounds: int | None,
    results: Path,
    seed: int | None,
    threads: int | None,
    resume: bool,
    json: bool,
    plots: bool,
) -> None:
    with uninterrupted():
        from experiments.commands.attack import attack_balance_run  # noqa: PLC0415

    screen = new_screen(json=json)
    folder, summary = attack_balance_run(
        run,
        results,
        screen,
        agent=agent,
        rounds=rounds,
        seed=seed,
        resume=resume,
        plots=plots,
        threads=threads,
    )
    finish(screen, folder, summary, json=json)
