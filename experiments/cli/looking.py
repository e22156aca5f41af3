"""Commands that look at one game, or at the engine."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import (
    DEFAULT_RESULTS,
    GAME_MAX,
    SEED_MAX,
    ExperimentName,
    Json,
    Results,
    Seed,
    whole_number,
)
from experiments.cli.session import (
    new_screen,
    uninterrupted,
)

_EXIT_FAILED = 1
_GAMES_MAX = 100_000  # of one scenario

_COMPILED = (
    "sim.play.batch",
    "sim.environments.episodes",
    "sim.game_log.replay",
    "sim.play.table",
    "agents.dqn.exploration",
    "agents.dqn.sampler",
    "agents.search.flat",
)


def replay(
    experiment: ExperimentName,
    game: Annotated[
        int,
        typer.Option(
            parser=whole_number(0, GAME_MAX),
            metavar="INTEGER",
            help="Index of the game in its stream.",
        ),
    ] = 0,
    first: Annotated[str | None, typer.Option(help="Player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Player who moves second.")] = None,
    purpose: Annotated[str, typer.Option(help="Stream of game seeds.")] = "matchups",
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
) -> None:
    """Print one game, move by move.

    By default the first one that `matchups` plays.
    """
    with uninterrupted():
        from experiments.commands.replay import run_replay  # noqa: PLC0415

    text = run_replay(
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=seed,
        results=results,
    )
    sys.stdout.write(text)


def bench(
    against: Annotated[
        str | None,
        typer.Option(metavar="COMMIT", help="Also play the duel by another commit's code."),
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Measure speed here, as rates and as ratios."""
    with uninterrupted():
        from experiments.commands.bench import run_bench  # noqa: PLC0415
        from experiments.runs.run_folder import to_json  # noqa: PLC0415

    summary = run_bench(new_screen(json=json), against=against)
    if json:
        sys.stdout.write(to_json(summary))


def conformance(
    scenarios: Annotated[
        Path, typer.Argument(metavar="SCENARIOS", help="A file with one scenario a line.")
    ],
    pool: Annotated[str, typer.Option(help="The cards: a name, or a file.")] = "hearthstone",
    ruleset: Annotated[str, typer.Option(help="The rules: a name, or a file.")] = "legacy",
    seeds: Annotated[
        int,
        typer.Option(
            parser=whole_number(1, _GAMES_MAX), metavar="INTEGER", help="Games of each scenario."
        ),
    ] = 25,
    seed: Annotated[
        int,
        typer.Option(parser=whole_number(0, SEED_MAX), metavar="INTEGER", help="Run seed."),
    ] = 0,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the counts and failures.")] = False,
) -> None:
    """Check cards and rules against scenarios."""
    with uninterrupted():
        from experiments.commands.conformance import run_conformance  # noqa: PLC0415
        from experiments.runs.run_folder import to_json  # noqa: PLC0415

    summary = run_conformance(
        scenarios, new_screen(json=json), pool=pool, ruleset=ruleset, n_seeds=seeds, seed=seed
    )
    if json:
        sys.stdout.write(to_json(summary))
    if summary["failed"]:
        raise typer.Exit(_EXIT_FAILED)


def warm() -> None:
    """Compile the engine ahead of its first use."""
    with uninterrupted():
        cpu_s = _compile_everything()
    new_screen(json=False).say(f"Engine ready ({cpu_s:.1f} s of CPU time)")


def _compile_everything() -> float:
    """Load all compiled code; the CPU time that it took, in seconds."""
    import time  # noqa: PLC0415

    from agents.registry import agent_names, compiled_agent_named  # noqa: PLC0415
    from sim.cards.pool_source import load_pool  # noqa: PLC0415
    from sim.engine.compiled import compile_entries  # noqa: PLC0415
    from sim.play.table import pack_table  # noqa: PLC0415
    from sim.ruleset import load_ruleset  # noqa: PLC0415

    began_s = time.process_time()
    for module in _COMPILED:
        import_module(module)
    compile_entries()
    pack_table(load_pool("saga"), load_ruleset("legacy"))  # and the general rules with the first
    for name in agent_names():
        agent = compiled_agent_named(name)
        _ = agent.address(general=False), agent.address(general=True)
    return time.process_time() - began_s
