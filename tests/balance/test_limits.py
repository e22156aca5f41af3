"""Limits of `[tune]`: no method plays, selects or recommends a patch that violates one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from balance import BalanceSettings, CardContest, build_space, question_of, run_stages
from balance.search import methods
from balance.search.methods import METHODS
from balance.space.search_space import Steps
from balance.space.tune import Tune
from experiments.methods import BASELINES
from sim import Card, Pool
from sim.play.table import pack_table
from tests.balance.contests import RUSH_KEEP
from tests.duels import DUEL

BETTER = {"cost": -1, "attack": 1, "health": 1}


def _tagged(contest: CardContest) -> CardContest:
    """Return a pool with a tag on every third card."""
    pool = contest.table.pool
    cards = [
        c.model_copy(update={"tags": ("rare",) * (k % 3 == 0)}) for k, c in enumerate(pool.cards)
    ]
    return CardContest(pack_table(Pool(name=pool.name, cards=tuple(cards)), DUEL), contest.players)


CONTEST = _tagged(RUSH_KEEP)
CARDS = CONTEST.table.pool.cards
RUSH = set(CONTEST.players[0].deck.cards)

Edits = dict[int, dict[str, int]]
Keeps = Callable[[Edits], bool]


def gains(edits: Edits, cost: float = 1.0) -> list[float]:
    """Return the gain of each edit for its card, with a given weight of a step of cost."""
    weights = {"cost": cost, "attack": 1.0, "health": 1.0}
    return [
        BETTER[field] * step * weights[field]
        for steps in edits.values()
        for field, step in steps.items()
    ]


def above_curve(card: Card, steps: dict[str, int]) -> float:
    """Return how far a body is above the pool's line, to 0.05."""
    bodies = np.array([(one.cost, one.attack + one.health) for one in CARDS])
    cost, attack, health = (getattr(card, f) + steps.get(f, 0) for f in BETTER)
    return float(attack + health - np.polyval(np.polyfit(*bodies.T, 1), cost))


def in_budget(edits: Edits) -> bool:
    return all(
        above_curve(CARDS[card], steps) <= max(0.5, above_curve(CARDS[card], {})) + 0.05
        for card, steps in edits.items()
    )


LIMITS: dict[str, tuple[dict[str, Any], Keeps]] = {
    "few cards": ({"max_cards": 2}, lambda edits: len(edits) <= 2),
    "little change": (
        {"max_change": 2.5, "weights": {"tags": {"rare": 2.0}}},
        lambda edits: sum(
            sum(map(abs, steps.values())) * (2 if CARDS[card].tags else 1)
            for card, steps in edits.items()
        )
        <= 2.5,
    ),
    "a zero sum": (
        {"zero_sum": 0, "weights": {"cost": 2.0}},
        lambda edits: sum(gains(edits, cost=2.0)) == 0,
    ),
    "a sum near zero": ({"zero_sum": 1}, lambda edits: abs(sum(gains(edits))) <= 1),
    "one way for a deck": (
        {"direction": {"ember_rush": "nerfs", "all": "buffs", "ember_whelp": "both"}},
        lambda edits: all(
            CARDS[card].id == "ember_whelp" or (gain < 0) == (CARDS[card].id in RUSH)
            for card, steps in edits.items()
            for gain in gains({card: steps})
        ),
    ),
    "few steps of a card": (
        {"max_card_change": 1, "weights": {"cost": 0.5}},
        lambda edits: all(sum(map(abs, steps.values())) <= 1 for steps in edits.values()),
    ),
    "steps by field": (
        {"max_steps": {"cost": 1, "attack": 3}, "max_card_change": 3},
        lambda edits: all(
            abs(step) <= {"cost": 1, "attack": 3, "health": 2}[field]
            and sum(map(abs, steps.values())) <= 3
            for steps in edits.values()
            for field, step in steps.items()
        ),
    ),
    "a stat budget": ({"stat_budget": 0.5}, in_budget),
    "locks and ranges": (
        {"lock": ["tag:rare"], "ranges": {"attack": [2, 3]}},
        lambda edits: all(
            not CARDS[card].tags
            and 2 <= CARDS[card].attack + step <= 3
            for card, steps in edits.items()
            for field, step in steps.items()
            if field == "attack"
        ),
    ),
}  # fmt: skip
LIMITS["all at once"] = (
    {
        "max_cards": 3, "max_change": 6, "zero_sum": 0, "stat_budget": 0.5, "lock": ["tag:rare"],
        "sense": False, "max_card_change": 3,
    },
    lambda edits: len(edits) <= 3
    and all(sum(map(abs, steps.values())) <= 3 for steps in edits.values())
    and sum(map(abs, gains(edits))) <= 6
    and sum(gains(edits)) == 0
    and in_budget(edits)
    and not any(CARDS[card].tags for card in edits),
)  # fmt: skip


def edits_of(genome: Steps, genes: Sequence[Any]) -> Edits:
    """Return the steps of a genome by card and field."""
    result: Edits = {}
    for (card, field), step in zip(genes, genome.tolist(), strict=True):
        if step:
            result.setdefault(card, {})[field] = step
    return result


WAYS = [
    pytest.param(
        *(method, assist, limit),
        marks=[] if limit == "all at once" or method == "model" else pytest.mark.thorough,
    )
    for limit in LIMITS
    for method, assist in [
        *((method, False) for method in [*METHODS, *BASELINES]),
        ("nsga2", True),
        ("ga", True),
    ]
]


@pytest.mark.parametrize(("method", "assist", "limit"), WAYS)
def test_no_method_breaks_a_limit(
    method: str, assist: bool, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if method in BASELINES:
        monkeypatch.setitem(methods._solvers, method, BASELINES[method])
    tune, keeps = LIMITS[limit]
    settings = BalanceSettings.model_validate({
        "seed": 4,
        "games": {"matchups": 200, "design": 2_000, "search": 40, "select": 100, "certify": 100},
        "search": {
            "method": method, "assist": assist, "population": 8, "generations": 4, "rounds": 2,
            "candidates": 8,
        },
    })  # fmt: skip
    space = build_space(CONTEST, Tune.model_validate(tune))
    result = run_stages(question_of(CONTEST, settings, space))
    played = result.selection.genomes if method == "tpe" else result.state.seen
    for genome in [*played, *result.selection.genomes]:
        assert keeps(edits_of(genome, space.genes)), genome
    assert played.any(), "all limits leave room for some patch"
