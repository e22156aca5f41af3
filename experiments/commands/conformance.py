"""`evenhand conformance`: check that cards and rules behave as scenarios expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from experiments.cli.options import integer
from experiments.cli.session import Session, Work, session_command
from experiments.files.option_errors import option_place
from experiments.runs.run import Findings
from experiments.screen import Screen, Table
from sim import game_seed, load_pool, load_ruleset
from sim.play.table import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference, missing
from sim.real_cards.scenario.scenario import Scenario, read_scenarios
from sim.seeds import SEED_MAX

PURPOSE = "conformance"
_SHOWN_CARDS = 10  # maximum number of missing cards to name; their names fit two lines

Play = Callable[[Scenario, int], str | None]
"""Function that plays a scenario with a game index; returns the first difference, or `None`."""


@session_command("json")
def conformance(
    session: Session,
    scenarios: Annotated[
        Path, typer.Argument(metavar="SCENARIOS", help="A file with one scenario per line.")
    ],
    *,
    pool: Annotated[
        str, typer.Option(help="The card pool: its name, or the path of its file.")
    ] = "hearthstone",
    ruleset: Annotated[
        str, typer.Option(help="The ruleset: its name, or the path of its file.")
    ] = "legacy",
    seeds: Annotated[int, integer(1, 100_000, "Games to play of each scenario.")] = 25,
    seed: Annotated[
        int, integer(0, SEED_MAX, "Seed from which the seeds of all games follow.")
    ] = 0,
) -> Work:
    """Check that cards and rules do what scenarios expect."""
    work = partial(
        run_conformance, path=scenarios, pool=pool, ruleset=ruleset, n_seeds=seeds, seed=seed
    )
    return partial(session.measure, work)


class Failure(NamedTuple):
    """Scenario in which a game differed from the expected course.

    Attributes:
        scenario: scenario that was played.
        game: index of the first game that differed.
        difference: description of the first difference in that game.
    """

    scenario: Scenario
    game: int
    difference: str


def run_conformance(
    screen: Screen, *, path: Path, pool: str, ruleset: str, n_seeds: int, seed: int
) -> Findings:
    """Play every scenario of a file that uses only cards of the pool.

    Args:
        screen: where to show the progress.
        path: scenario file (`sim.real_cards.scenario.scenario`).
        pool: name or file of the card pool.
        ruleset: name or file of the ruleset.
        n_seeds: maximum number of games of a scenario; the first game that differs ends it.
        seed: run seed of the games.

    Returns:
        Findings with a summary `{"total", "runnable", "passed", "failed"}`, where `failed` has an
        entry for each failed scenario, and a table of the counts by topic.

    Raises:
        InputError: the scenario file, the pool or the ruleset cannot be read or is invalid.
    """
    scenarios = read_scenarios(path)
    with option_place("ruleset"):
        rules = load_ruleset(ruleset)
    with option_place("pool"):
        ground = Ground(pack_table(load_pool(pool), rules, general=True))
    lacking = {
        scenario.id: missing(ground, scenario.card_ids, scenario.setup) for scenario in scenarios
    }
    runnable = [scenario for scenario in scenarios if not lacking[scenario.id]]

    def play(scenario: Scenario, game: int) -> str | None:
        return first_difference(ground, scenario, game_seed(seed, PURPOSE, game))

    failures = _failures(runnable, play, n_seeds, screen)
    return Findings(
        summary={
            "total": len(scenarios),
            "runnable": len(runnable),
            "passed": len(runnable) - len(failures),
            "failed": [
                {
                    "id": scenario.id,
                    "topic": scenario.topic,
                    "focus": scenario.focus,
                    "game": game,
                    "difference": difference,
                }
                for scenario, game, difference in failures
            ],
        },
        shown=[
            _topics_table(path, scenarios, runnable, failures),
            *_failure_lines(failures),
            *_lacking_lines(lacking, ground.pool.name),
        ],
    )


def _failures(
    scenarios: Sequence[Scenario], play: Play, n_seeds: int, screen: Screen
) -> list[Failure]:
    """Play each scenario up to `n_seeds` times; return the first failure of each scenario."""
    failures: list[Failure] = []
    with screen.progress(PURPOSE, len(scenarios)) as advance:
        for done, scenario in enumerate(scenarios):
            advance(done, f"{len(failures)} failed")
            for game in range(n_seeds):
                if difference := play(scenario, game):
                    failures.append(Failure(scenario, game, difference))
                    break
    return failures


def _topics_table(
    path: Path,
    scenarios: Sequence[Scenario],
    runnable: Sequence[Scenario],
    failures: Sequence[Failure],
) -> Table:
    """Return a table of scenario counts by topic, by decreasing count, and of their totals."""
    n_total, n_runnable = (
        Counter(scenario.topic for scenario in group) for group in (scenarios, runnable)
    )
    n_failed = Counter(failure.scenario.topic for failure in failures)
    rows = [
        (topic, n, n_runnable[topic], n_runnable[topic] - n_failed[topic])
        for topic, n in n_total.most_common()
    ]
    rows.append(("all", len(scenarios), len(runnable), len(runnable) - len(failures)))
    return Table(
        str(path),
        ("topic", "scenarios", "runnable", "passed"),
        [(topic, *map(str, counts)) for topic, *counts in rows],
    )


def _failure_lines(failures: Sequence[Failure]) -> Iterator[str]:
    """Yield a line for each topic with failures, followed by a line for each failed scenario."""
    by_topic: dict[str, list[Failure]] = {}
    for failure in failures:
        by_topic.setdefault(failure.scenario.topic, []).append(failure)
    for topic, group in by_topic.items():
        yield f"\n{topic}: {len(group)} failed"
        for failure in group:
            yield f"  {failure.scenario.id}, game {failure.game}: {failure.difference}"


def _lacking_lines(lacking: Mapping[str, Sequence[str]], pool: str) -> list[str]:
    """Return a line on the missing cards that most scenarios need; empty if no card is missing.

    Args:
        lacking: names of the missing cards of each scenario, by the scenario's id.
        pool: name of the card pool.
    """
    n_scenarios = Counter(name for names in lacking.values() for name in names)
    if not n_scenarios:
        return []
    shown = ", ".join(f"{name} ({n})" for name, n in n_scenarios.most_common(_SHOWN_CARDS))
    more = ", ..." if len(n_scenarios) > _SHOWN_CARDS else ""
    n_left_out = sum(bool(names) for names in lacking.values())
    return [f"\n{n_left_out} not runnable with pool {pool!r}, which lacks: {shown}{more}"]
