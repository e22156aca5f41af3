"""`evenhand conformance`: whether a pool and the rules do what scenarios say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.files.option_errors import option_place
from experiments.runs.run import Findings
from experiments.screen import Screen, Table
from sim import game_seed, load_pool, load_ruleset
from sim.play.table import pack_table
from sim.real_cards.scenario.position import Ground
from sim.real_cards.scenario.runner import first_difference, missing
from sim.real_cards.scenario.scenario import Scenario, read_scenarios

PURPOSE = "conformance"
_SHOWN_CARDS = 10  # cards that a pool lacks, by name

Play = Callable[[Scenario, int], str | None]
"""The first difference of a scenario with a game seed."""


class Failure(NamedTuple):
    """A scenario that came out otherwise, and how it first did."""

    scenario: Scenario
    game: int  # index of its seed
    difference: str


def run_conformance(
    screen: Screen, *, path: Path, pool: str, ruleset: str, n_seeds: int, seed: int
) -> Findings:
    """Play every scenario of a file that the pool has the cards for.

    Args:
        screen: where the progress is shown.
        path: a scenario file (`sim.real_cards.scenario.scenario`).
        pool: name or file of the cards.
        ruleset: name or file of the rules.
        n_seeds: games of each scenario; one that comes out otherwise is not played on.
        seed: run seed of the games.

    Returns:
        A summary `{"total", "runnable", "passed", "failed"}`, with an entry for each failed
        scenario, and the counts by topic.

    Raises:
        InputError: the file, the pool or the ruleset is not what it should be.
    """
    scenarios = read_scenarios(path)
    with option_place("ruleset"):
        rules = load_ruleset(ruleset)
    with option_place("pool"):
        ground = Ground(pack_table(load_pool(pool), rules, general=True))
    lacking = {each.id: missing(ground, each.card_ids, each.setup) for each in scenarios}
    runnable = [each for each in scenarios if not lacking[each.id]]

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
    """Counts by topic, the largest first, and their sums."""
    n_total, n_runnable = (Counter(each.topic for each in some) for some in (scenarios, runnable))
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
    """What failed, by topic, each with its first difference."""
    by_topic: dict[str, list[Failure]] = {}
    for failure in failures:
        by_topic.setdefault(failure.scenario.topic, []).append(failure)
    for topic, group in by_topic.items():
        yield f"\n{topic}: {len(group)} failed"
        for failure in group:
            yield f"  {failure.scenario.id}, game {failure.game}: {failure.difference}"


def _lacking_lines(lacking: Mapping[str, Sequence[str]], pool: str) -> list[str]:
    """Which cards would make most scenarios runnable."""
    wanted = Counter(name for names in lacking.values() for name in names)
    if not wanted:
        return []
    shown = ", ".join(f"{name} ({n})" for name, n in wanted.most_common(_SHOWN_CARDS))
    more = ", ..." if len(wanted) > _SHOWN_CARDS else ""
    n_left_out = sum(bool(names) for names in lacking.values())
    return [f"\n{n_left_out} not runnable with pool {pool!r}, which lacks: {shown}{more}"]
