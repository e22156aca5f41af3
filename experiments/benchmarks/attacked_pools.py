"""Attacks on patches of small pools in which a patch is known that no built deck beats.

Each pool (`planted_pools`) is balanced for a panel of two scripts, with rounds of attack. Then the
patch is attacked twice more, on seeds that no search used: by a race of all decks, and by a search
for decks with twice the budget of the attacks of the rounds. The script prints the win rate of the
strongest deck without and with the patch, and the bound that it should not exceed.

    python -m experiments.benchmarks.attacked_pools --pools 5 --seed 1
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import typer

from balance import run_stages
from balance.cards.card_contest import patched
from balance.panel.attack import TIMES, Attack, attack_patch
from balance.panel.attackers import AttackingDeck
from balance.panel.hands import hands_of
from balance.panel.panel_contest import Hand
from balance.panel.panel_question import prepare_panel
from balance.panel.panel_run import PanelRun
from balance.panel.rounds import RoundsResult, search_in_rounds
from balance.run.context import RunContext
from balance.settings.robust import Robust
from balance.settings.tables import BalanceSettings
from balance.statistics.intervals import Interval
from experiments.benchmarks.every_deck import PILOTS, off_pp, pilots, strongest
from experiments.benchmarks.planted_pools import PlantedPool, planted_pools
from experiments.benchmarks.script import load_words, run_script
from sim import validate

MOST = 0.55  # what a built deck may win against the field
TOTAL = 4_000_000  # games of a search: scripts play a million in a second
STEPS = (2, 3, 4)  # hidden steps of the pools, in turn
# Seed of the attacks on the result; that of the searches is the pool's number.
_FRESH = 1_000_003
_BAND_PP = 7.5  # half-width of the bands of all rates


class Outcome(NamedTuple):
    """Result of the search for a patch of one pool.

    Attributes:
        rounds: patch with the decks built against it.
        race: strongest of all decks, with the pilot that wins most with it.
        search: strongest deck of a search; empty if it finds none.
        seconds: seconds of the search for the patch.
    """

    rounds: RoundsResult[PanelRun]
    race: Interval
    search: AttackingDeck | None
    seconds: float


def settings_of(seed: int) -> BalanceSettings:
    """Return the settings of a search: two steps per number, and few guards."""
    tables = {
        "seed": seed,
        "target": {"band_pp": _BAND_PP},
        "tune": {"fields": ["attack", "health"], "max_steps": 2},
        "guards": {"max_first_seat_pp": 100, "median_turns": 10, "max_draw_rate": 1.0},
        "robust": {
            "pilots": PILOTS,
            "bands_pp": dict.fromkeys(PILOTS, _BAND_PP),
            "rounds": 8,
            "total": TOTAL,
        },
    }
    return validate(BalanceSettings, tables, source="attacked_pools")


def panel_of(pool: PlantedPool, robust: Robust) -> tuple[Hand, ...]:
    """Return the pilots of a pool's panel."""
    contests = {agent.name: pool.contest.piloted_by(agent) for agent in pilots()}
    return hands_of(contests, robust, _BAND_PP)


def search_and_attack(pool: PlantedPool, settings: BalanceSettings) -> Outcome:
    """Search for a patch of a pool in rounds, and attack it on seeds of its own.

    Args:
        pool: the pool.
        settings: settings of the search.
    """
    robust = settings.robust
    hands = panel_of(pool, robust)

    def search(attackers: Sequence[AttackingDeck]) -> PanelRun:
        question = prepare_panel(hands, settings, robust.total, attackers, robust.attacker_most)
        return run_stages(question, RunContext(explains=False))

    def attack(
        result: PanelRun, of: Attack, known: Sequence[AttackingDeck]
    ) -> tuple[AttackingDeck, ...]:
        return attack_patch(hands, result.patch, settings, of, known)

    began = time.perf_counter()
    found = search_in_rounds(search, attack, robust)
    seconds = time.perf_counter() - began
    contest = patched(pool.contest, found.patch.patch)
    fresh = settings.model_copy(update={"seed": _FRESH + settings.seed})
    race = strongest(contest, fresh.seed, "fresh", first_round=16)
    again = attack_patch(hands, found.patch.patch, fresh, Attack(1, MOST, 1, 2 * TIMES))
    return Outcome(found, race.rate, again[0] if again else None, seconds)


def lines_of(pool: PlantedPool, outcome: Outcome) -> list[str]:
    """Return the report on one pool as lines of text."""
    result = outcome.rounds.patch
    patch = result.patch
    steps = sum(abs(edit.after - edit.before) for edit in patch)
    cards = len({edit.card for edit in patch})
    search = outcome.search
    of_search = "nothing" if search is None else _words((search.win_rate, search.low, search.high))
    n_rounds = max((deck.attack for deck in outcome.rounds.attackers), default=0)
    n_joined = sum(deck.joins for deck in outcome.rounds.attackers)
    hidden = "; ".join(map(str, pool.hidden))
    after = patched(pool.contest, patch)
    seed = result.evaluator.run_seed
    off = [off_pp(contest, seed, 20_000) for contest in (pool.contest, after)]
    verdict = "certified" if result.certificate.certified else "not certified"
    return [
        f"  hidden: {hidden}; strongest deck of the base {_words(pool.base_attack.rate)}",
        f"  before: strongest deck {_words(pool.attack.rate)}, matchups {off[0]:.1f} pp off",
        f"  after: strongest of all decks {_words(outcome.race)}, of a search {of_search}, "
        f"matchups {off[1]:.1f} pp off",
        f"  {steps} steps on {cards} cards, {verdict}; "
        f"{n_rounds} attacks, {n_joined} decks joined, {len(outcome.rounds.resists)} resist; "
        f"{outcome.seconds:.0f} s",
    ]


def main(
    *,
    pools: Annotated[int, typer.Option(min=1, help="Number of pools.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the pools.")] = 1,
) -> None:
    """Balance small pools with hidden steps for a panel, and attack the patches."""
    n_held = 0
    for k, pool in enumerate(planted_pools(settings_of(seed).tune, seed, pools, STEPS)):
        print(f"pool {k + 1}", flush=True)
        outcome = search_and_attack(pool, settings_of(seed + k))
        n_held += upper_bound(outcome) <= MOST
        for line in lines_of(pool, outcome):
            print(line, flush=True)
    print(f"upper bound at most {100 * MOST:g} %: {n_held} of {pools} pools; {load_words()}")


def upper_bound(outcome: Outcome) -> float:
    """Return the highest upper bound of both attacks on the result."""
    search = outcome.search
    return max(float(outcome.race.high), 0.0 if search is None else search.high)


def _words(rate: Sequence[float] | Interval) -> str:
    """Return a win rate with its interval as text."""
    estimate, low, high = (100 * float(share) for share in rate)
    return f"{estimate:.1f} % ({low:.1f} to {high:.1f})"


if __name__ == "__main__":
    run_script(main)
