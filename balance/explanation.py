"""The explanation: which wishes contradict each other, and which setting would help most.

Where no patch was certified, straight slopes of all numbers that other settings could let move are
fitted twice, on games of their own. With them a linear program tells how near to all aims the
numbers may come, at best, with the settings as they are and with each of them relaxed; and from the
demands that cannot hold together one after the other is left out for as long as they still cannot
(an irreducible infeasible set). Slopes of single steps are no promise: pairs of edits are left out.

Reference: J. Chinneck, E. Dravnieks, "Locating minimal infeasible constraint sets in linear
programs", ORSA Journal on Computing 3 (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.card_space import build_space
from balance.evaluation import Evaluator
from balance.model.baseline import Baseline
from balance.model.features import Features
from balance.model.reach import Reach, SlopeFit, fit_slopes
from balance.model.wishes import Wishes
from balance.search_space import SearchSpace
from balance.settings import TUNABLE, BalanceSettings, Sense, Tune
from balance.statistics.intervals import Flags, Floats, Positions
from sim.seeds import stream_seed

_N_FITS = 2
_LEAST_GAMES = 4_000  # per matchup of a fit
_SHARE = 0.25  # of the games of a score for each step of each number, in a fit
_BEYOND_PP = 0.5  # the band that a model has to expect before demands count as contradicting
_HANDS = ("opening_hand_first", "opening_hand_second")
_CARDS_IN_HAND = 2  # more or fewer, that are tried where the first seat is asked about
_MOST_LOCKS = 40  # that are tried one by one


Change = Callable[[Tune], Tune]


class Relaxation(NamedTuple):
    """A setting that lets more numbers move, or farther, and the imbalance to be expected then."""

    setting: str
    imbalance_pp: float


@dataclass(frozen=True)
class Explanation:
    """Why no patch was certified, as far as a model can tell.

    Attributes:
        imbalance_pp: the least to be expected with the settings as they are, by the lower fit.
        impossible: demands that cannot hold then, whatever the others come to.
        contradicting: of the others, those that cannot hold together, where each of them is needed
            for that.
        relaxations: settings that would help, the best first.
        n_games: that the fits took, all matchups together.
    """

    imbalance_pp: float
    impossible: tuple[str, ...]
    contradicting: tuple[str, ...]
    relaxations: tuple[Relaxation, ...]
    n_games: int


def explain(
    contest: CardContest, evaluator: Evaluator, settings: BalanceSettings, played: Floats
) -> Explanation | None:
    """Ask a model why.

    Args:
        contest: whose cards were to be balanced.
        evaluator: of the search, with today's readings.
        settings: of the search.
        played: ``[P, R]`` rates that patches came to in games that did not find them: what they
            reach is never called out of reach, whatever a model says.

    Returns:
        The explanation, or `None` where today's readings are not known.
    """
    if evaluator.today is None:
        return None
    tune, baseline = settings.tune, Baseline.of(evaluator.today)
    relaxed = dict(_relaxed(contest, tune))
    if evaluator.demands.with_first_seat:
        relaxed |= _other_hands(contest, tune)
    wide = tune
    for change in relaxed.values():
        wide = change(wide)
    space = build_space(contest, wide)
    features = Features.of(space)
    n_games = max(round(_SHARE * settings.games.search * len(features)), _LEAST_GAMES)
    fits, n_played = list[SlopeFit](), 0
    for k in range(_N_FITS):
        seed = stream_seed(evaluator.run_seed, f"explain/{k}") >> 1
        fit, n = fit_slopes(
            replace(evaluator, space=space, run_seed=seed), features, baseline, n_games
        )
        fits.append(fit)
        n_played += n * len(contest.matchups)
    wishes = Wishes(evaluator.demands, np.inf, 0.0, baseline.lead, baseline.side)

    def reaches(there: SearchSpace) -> list[Reach]:
        return [Reach.of(there, fit, baseline, wishes) for fit in fits]

    def best_pp(programs: list[Reach]) -> float:
        return min(program.least_pp() for program in programs)

    programs, kept = reaches(evaluator.space), evaluator.space.cards
    spaces = {name: build_space(contest, change(tune)) for name, change in relaxed.items()}
    if settings.narrow.by != "none":
        spaces = {name: there.restricted_to(kept) for name, there in spaces.items()}
        spaces['narrow.by = "none"'] = build_space(contest, tune)
    found = [Relaxation(name, round(best_pp(reaches(there)), 1)) for name, there in spaces.items()]
    demands = evaluator.demands
    demanded = demands.of(played)
    today_pp = min(best_pp(programs), float(demands.distance_pp(demanded).max(axis=1).min()))
    holds = (demanded >= demands.low) & (demanded <= demands.high)
    helpful = [one for one in found if one.imbalance_pp <= today_pp - _BEYOND_PP]
    alone, together = _contradicting(programs, holds)
    return Explanation(
        round(today_pp, 1),
        tuple(demands.names[n] for n in alone),
        tuple(demands.names[n] for n in together),
        tuple(sorted(helpful, key=lambda one: one.imbalance_pp)),
        n_played,
    )


def _relaxed(contest: CardContest, tune: Tune) -> Iterator[tuple[str, Change]]:
    """What may be relaxed, by its name: the function that does."""

    def having(**changes: object) -> Callable[[Tune], Tune]:
        return lambda told: told.model_copy(update=changes)

    yield f"tune.max_steps = {2 * tune.max_steps}", having(max_steps=2 * tune.max_steps)
    fields = {field.partition("_")[0] for card in contest.table.pool.cards for field in card.fields}
    for field in TUNABLE:
        if field in fields.difference(tune.fields):
            yield f"tune.fields with {field!r}", partial(_with_field, field=field)
    if len(tune.lock) <= _MOST_LOCKS:
        for card in tune.lock:
            yield f"tune.lock without {card!r}", partial(_without_lock, card=card)
    if len(tune.lock) > 1:
        yield "no tune.lock", having(lock=())
    off = Sense(**dict.fromkeys(Sense.model_fields, False))
    for name, free in _FREE.items():
        if getattr(tune, name) != free:
            yield f"no tune.{name}", having(**{name: free})
    if tune.sense != off:
        yield "tune.sense = false", having(sense=off)


_FREE: dict[str, Any] = {
    "decks": None,
    "ranges": {},
    "direction": {},
    "max_cards": None,
    "max_change": None,
    "stat_budget": None,
    "zero_sum": None,
}
"""Settings of `[tune]` that bind, and what they are where nothing is bound."""


def _other_hands(contest: CardContest, tune: Tune) -> Iterator[tuple[str, Change]]:
    """Opening hands, which decide most of what the first seat is worth."""
    rules = contest.table.ruleset
    for field in _HANDS:
        if field not in tune.rules:
            today = rules.number(field)
            ends = max(today - _CARDS_IN_HAND, 1), min(today + _CARDS_IN_HAND, rules.hand_limit)
            yield f"tune.rules.{field} = {[*ends]}", partial(_with_rule, field=field, ends=ends)


def _with_rule(tune: Tune, field: str, ends: tuple[int, int]) -> Tune:
    return tune.model_copy(update={"rules": {**tune.rules, field: ends}})


def _with_field(tune: Tune, field: str) -> Tune:
    return tune.model_copy(update={"fields": (*tune.fields, field)})


def _without_lock(tune: Tune, card: str) -> Tune:
    return tune.model_copy(update={"lock": tuple(one for one in tune.lock if one != card)})


def _contradicting(programs: list[Reach], holds: Flags) -> tuple[Positions, Positions]:
    """Demands that by no fit can hold, and some of the others that together cannot.

    Args:
        programs: one for each fit.
        holds: ``[P, N]`` what held in patches that were played.
    """
    enough_pp = programs[0].wishes.demands.band_pp + _BEYOND_PP

    def contradict(some: Positions) -> bool:
        if not len(some) or holds[:, some].all(axis=1).any():
            return False
        return all(program.least_pp(some) > enough_pp for program in programs)

    every = np.arange(len(programs[0].wishes.demands))
    alone = np.array([contradict(every[[n]]) for n in every], dtype=np.bool_)
    together = every[~alone]
    if not contradict(together):
        return every[alone], every[:0]
    for demand in together:
        others = together[together != demand]
        if contradict(others):
            together = others
    return every[alone], together
