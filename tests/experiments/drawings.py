"""All figures, drawn from small runs and made-up data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import cycle, product
from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from agents.registry import agent_named
from balance import (
    Attack,
    AttackRound,
    BalanceRun,
    Candidate,
    CardContest,
    Demands,
    Interval,
    Metagame,
    Player,
    RunContext,
    Substitution,
    metagame_of,
    run_balance,
    wilson,
)
from balance.contest.target import Target, with_players
from balance.contest.whatif import Exploration
from balance.observed.list_agreement import ListRates
from balance.observed.observed_matchups import ObservedMatchups
from balance.observed.rate_pairs import RatePairs, rate_pairs
from balance.run.front_rows import FrontRow
from balance.run.patch_rows import ConvergenceRow
from balance.settings.tables import BalanceSettings, Games, Narrow, Search
from balance.space.tune import Tune
from experiments import plots
from experiments.learning.learning_curve import CurveRow, LearningCurve
from experiments.learning.playing_style import CardPlays, PlayingStyle, actions_of
from experiments.learning.tuning_run import TuningRow
from experiments.results.agreement import cell_rows, list_rows, player_rows
from experiments.results.attacks import attack_phase_in
from experiments.results.compared import ShownRates, change_rows
from experiments.results.grids import RunRow
from experiments.results.retrodiction import RetrodictionRow
from experiments.results.sensitivity import SensitivityRow
from experiments.results.verdict import verdict_in
from sim import load_deck, load_pool, load_ruleset
from sim.engine.viewing import N_ACTIONS
from sim.files.validation import NAME_LENGTH_MAX
from sim.play.table import OF_RULES, Gene, pack_table
from tests.balance.coins import coin_counts
from tests.balance.observed_counts import counts_of

BAND_PP = 5.0
PLAYERS = (
    ("ember_rush", "aggro"),
    ("tide_keep", "control"),
    ("grove_march", "control"),
    ("spore_swarm", "aggro"),
)
LONG_NAMES = (
    "A deck named by a sentence, because its designer wanted it to explain itself",
    "another_deck_with_a_name_that_goes_on_and_on_and_is_joined_by_underscores",
    "ADeckOfANameWithoutSpacesOrUnderscoresSoThatItCannotBeBrokenAnywhereDecently",
    "Costs $5 and $6, x_1^2 and 100 %",
)
OTHER_SCRIPTS = ("Огненный натиск прилива и отлива", "هجوم النار السريع والحصن")
LOCKED = ("ember_whelp", "reef_mender")
AGENTS = ("ember", "random", "greedy", "aggro", "control")
PLACE = "ember_rush vs tide_keep (control), second seat"
LONG_PLACE = f"a_deck_with_a_name_that_goes_on_and_on vs {'x' * 60} (rollout:50:control), seat"


@dataclass(frozen=True)
class Run(BalanceRun):
    """A small run, with the names of its learners."""

    learner: str = "ember"
    place: str = PLACE


@cache
def small_run(n_players: int) -> Run:
    """Return a run of up to 8 players: each shipped deck, then each with another agent."""
    entries = [(deck, deck, agent) for deck, agent in PLAYERS]
    entries += [(f"{deck}, other hands", deck, "greedy") for deck, _ in PLAYERS]
    players = tuple(Player(n, load_deck(d), agent_named(a)) for n, d, a in entries[:n_players])
    contest = CardContest(pack_table(load_pool("core"), load_ruleset("duel")), players)
    settings = BalanceSettings(
        seed=1,
        target=Target(win_rate={"ember_rush vs tide_keep": 0.55}, band_pp=BAND_PP),
        tune=Tune(lock=LOCKED),
        games=Games(matchups=40, power=40, search=40, select=200, certify=200),
        narrow=Narrow(by="power"),
        search=Search(method="nsga2", population=10, generations=3, widen=()),
    )
    return Run(**vars(run_balance(contest, settings, RunContext(explains=False))))


def as_certified(run: Run) -> Run:
    """Return a run with its results as goals and with all guards verified."""
    after = run.certificate.after
    names = run.certificate.demands.names
    demands = Demands.around(after.estimate, 50.0, names)
    verdict = replace(
        run.certificate,
        certified=True,
        demands=demands,
        inside=np.ones(len(demands), dtype=bool),
        after_pp=demands.imbalance_pp(after),
        guards=tuple(replace(guard, bound=guard.limit) for guard in run.certificate.guards),
    )
    return replace(
        run,
        evaluator=replace(run.evaluator, demands=demands),
        certificate=verdict,
        selection=replace(run.selection, has_room=np.ones(len(run.selection.genomes), bool)),
    )


def as_unedited(run: Run) -> Run:
    """Return a run in which only the baseline was evaluated again."""
    chosen = run.selection
    verdict = run.certificate
    selection = replace(
        chosen,
        genomes=0 * chosen.genomes[:1],
        claimed=chosen.claimed[:1],
        claimed_n=chosen.claimed_n[:1],
        points=chosen.points[:1],
        n_games=chosen.n_games[:1],
        scores=replace(
            chosen.scores.take(np.array([0])), change=np.zeros(1), cards_touched=np.zeros(1, int)
        ),
        has_room=chosen.has_room[:1],
        recommended=0,
    )
    verdict = replace(verdict, after=verdict.before, after_pp=verdict.before_pp)
    return replace(run, selection=selection, certificate=verdict)


def as_long_named(run: Run, names: Sequence[str] = LONG_NAMES) -> Run:
    """Return a run with very long names of players, cards and learners."""
    players = tuple(
        replace(player, name=name + " again" * turn)
        for player, (turn, name) in zip(run.contest.players, product(range(9), names), strict=False)
    )
    pool = run.contest.table.pool
    cards = tuple(
        card.model_copy(update={"name": f"{card.name} {name}"[:NAME_LENGTH_MAX]})
        for card, name in zip(pool.cards, cycle(names), strict=False)
    )
    table = replace(run.contest.table, pool=pool.model_copy(update={"cards": cards}))
    contest = replace(run.contest, players=players, table=table)
    demands = replace(run.certificate.demands, names=contest.matchup_names)
    return replace(
        run,
        contest=contest,
        evaluator=replace(run.evaluator, contest=contest, demands=demands),
        certificate=replace(run.certificate, demands=demands),
        learner="Costs $5 and $6, x_1^2 and 100 % " * 2,
        place=LONG_PLACE,
    )


def study_runs() -> list[RunRow]:
    """Return made-up runs of a study, five per combination."""
    rng = np.random.default_rng(1)
    grid = product(
        ("lever", "none", "power", "random"), ("nsga2", "dense_nsga2", "ga", "model"), range(5)
    )
    return [
        RunRow(
            *way, settings="", rounds=3, certified=bool(rng.random() < 0.5),
            imbalance_pp=3 + 4 * rng.random(), change=int(rng.integers(3, 40)),
            cards_touched=int(rng.integers(1, 12)), genes=5, log10_size=2.0, narrow_games=0,
            search_games=9, games=9,
        )
        for way in grid
    ]  # fmt: skip


def substitution(run: Run, *, n_candidates: int = 9, n_missing: int = 1) -> Substitution:
    """Return made-up substitutes, of which two in three are measured."""
    rng = np.random.default_rng(3)
    n_cards = len(run.contest.table.pool.cards)
    candidates = []
    for k, gain in enumerate(sorted(rng.normal(-0.02, 0.03, n_candidates), reverse=True)):
        bounds = Interval(*(np.array(gain + half) for half in (0.0, -0.01, 0.01)))
        cards = tuple(int(card) for card in rng.choice(n_cards, n_missing, replace=False))
        measured = bounds if 3 * k < 2 * n_candidates else None
        candidates.append(Candidate(cards, int(rng.integers(0, 9)), measured, float(gain), 1000))
    by_role = tuple(sorted(range(n_candidates), key=lambda k: candidates[k].distance))
    fields: dict[str, Any] = {
        "vacancies": SimpleNamespace(missing=tuple(range(n_missing))),
        "candidates": tuple(candidates),
        "by_role": by_role,
        "n_games": 2000,
    }
    return SimpleNamespace(**fields)


def curves(run: Run, *, n_learners: int = 5, n_places: int = 3) -> list[LearningCurve]:
    """Return made-up learning curves, every other one with several pairings."""
    rng = np.random.default_rng(1)
    shown = []
    for k in range(n_learners):
        points = []
        for steps in range(0, 3_000_001, 250_000):
            rate = wilson(int(rng.integers(0, 2001)), 2000)
            points.append(CurveRow(steps, steps // 256, 0.0, 0.0, rate, 2000, 0.1, 0.1))
        scripted = dict(zip(AGENTS[1:], [0.2, 41.0, 41.5, 100.0], strict=True))
        places = [run.place] * (1 + (n_places - 1) * (k % 2))
        shown.append(LearningCurve(run.learner, places, points, scripted))
    return shown


def styles(run: Run, *, n_places: int = 3) -> list[dict[str, PlayingStyle]]:
    """Return made-up playing styles of the first player's deck, one per agent and place."""
    rng = np.random.default_rng(2)
    slots = run.contest.players[0].deck.slots(run.contest.table.pool)
    kinds = actions_of(run.contest.view)

    def style() -> PlayingStyle:
        cards = tuple(
            CardPlays(card, 2, drawn := int(rng.integers(0, 900)), int(drawn * rng.random()))
            for card in dict.fromkeys(slots)
        )
        chosen = rng.integers(0, 2000, N_ACTIONS)
        return PlayingStyle(500, chosen, 900, np.arange(100), cards, kinds)

    return [{agent: style() for agent in AGENTS} for _ in range(n_places)]


def learning(run: Run, **more: int) -> Figure:
    """Draw learning curves."""
    return plots.learning_curves(curves(run, **more), title="T", n_scripted=10_000)


def tuning(_: Run) -> Figure:
    """Draw a tuning curve."""
    rows = [TuningRow(2_000 * k, Interval(0.5 + 0.01 * k, 0.47 + 0.01 * k, 0.53 + 0.01 * k), 400)
            for k in range(6)]  # fmt: skip
    return plots.tuning_curves({"plain": rows}, title="T", panel=("greedy", "start", "self"))


def actions(run: Run, *, n_places: int = 3) -> Figure:
    """Draw how often actions are chosen."""
    shown = styles(run, n_places=n_places)
    return plots.action_histogram([run.place] * n_places, shown, learned="ember", title="T")


def card_plays(run: Run, *, n_places: int = 3) -> Figure:
    """Draw which cards are played."""
    pool = run.contest.table.pool
    shown = styles(run, n_places=n_places)
    return plots.card_plays(pool, [run.place] * n_places, shown, learned="ember", title="T")


def deck_curves(run: Run, *, improved: bool = False) -> Figure:
    """Draw the decks of all players, or a deck and its improvement as `build --improve` does."""
    names = [player.name for player in run.contest.players]
    if improved:
        names = [names[0], f"{names[0]}_improved"]
    pairs = zip(run.contest.players, names, strict=False)
    decks = [player.deck.model_copy(update={"name": name}) for player, name in pairs]
    return plots.deck_curve(run.contest.table.pool, decks, title="T")


def metagame_of_coins(contest: CardContest, payoff: np.ndarray) -> Metagame:
    """Return the metagame of players that win by the toss of a biased coin."""
    counts = coin_counts(payoff - payoff.T, n_seeds=200, seed=1)
    return metagame_of(contest, counts, counts, run_seed=1, n_resamples=40)


def metagame(run: Run) -> Figure:
    """Draw a metagame of coins."""
    n = len(run.contest.players)
    payoff = np.triu(np.random.default_rng(1).normal(scale=0.05, size=(n, n)), 1)
    names = [player.name for player in run.contest.players]
    return plots.metagame_plot(names, metagame_of_coins(run.contest, payoff), title="T")


def attack_on_coins(run: Run, phase: str, n_rounds: int) -> Attack:
    """Return a made-up attack: the first built deck beats all others, the last does not join."""
    original = run.contest.players
    built = [replace(original[0], name=f"attacker_{k + 1}") for k in range(n_rounds - 1)]
    contest = CardContest(run.contest.table, (*original, *built))
    n = len(contest.players)
    payoff = np.triu(np.random.default_rng(len(phase)).normal(scale=0.05, size=(n, n)), 1)
    if built:
        payoff[: len(original), len(original)] = -0.3
        payoff[len(original), len(original) + 1 :] = 0.3
    rates = [wilson(800 - 280 * min(k, 1), 1000) for k in range(n_rounds)]
    rounds = tuple(
        AttackRound(
            round=k + 1, name=f"attacker_{k + 1}", deck={}, n=1000, opponents=(),
            added=k < n_rounds - 1,
            **dict(zip(("win_rate", "low", "high"), map(float, rate), strict=True)),
        )
        for k, rate in enumerate(rates)
    )  # fmt: skip
    return Attack(rounds, contest, metagame_of_coins(contest, payoff), len(original), phase)


def attack(run: Run, *, n_rounds: int = 4) -> Figure:
    """Draw a made-up attack."""
    phases = [("before", n_rounds), ("after", max(1, n_rounds - 1))]
    entries = [attack_on_coins(run, phase, n).to_dict() for phase, n in phases]
    return plots.attack_plot([*map(attack_phase_in, entries)], margin_pp=1, title="T")


def compared(run: Run, *, n_patches: int = 3) -> Figure:
    """Draw the rates of a few games with increasing life, next to those of the baseline."""
    contest = run.contest
    names = LONG_NAMES[:n_patches]
    bands = Demands.around([0.5] * len(contest.matchups), BAND_PP, contest.matchup_names)
    demands = with_players(bands, contest)
    exploration = Exploration(contest, 1)
    more = [exploration.explore({Gene(OF_RULES, "life"): 5 * k}, 20) for k in range(n_patches)]
    kinds = ["matchup"] * len(bands) + ["deck"] * len(contest.players)
    shown = ShownRates(demands, kinds, demands.bounds)
    rows = change_rows(names, more, exploration.explore({}, 20), shown)
    return plots.compared_plot(rows, title="T")


def rate_pairs_of() -> RatePairs:
    """Return made-up observed and simulated rates of four players."""
    observed = counts_of(np.full((4, 4), 120.0), np.full((4, 4), 200.0))
    points = {("A", "B"): 30.0, ("A", "C"): 55.0, ("B", "C"): 71.0, ("C", "D"): 40.0}
    return rate_pairs(observed, {pair: (won, 100.0) for pair, won in points.items()})


def list_rates_of() -> ListRates:
    """Return made-up observed and simulated rates of the lists of two archetypes."""
    rates = np.linspace(0.42, 0.58, 9)
    games = np.full(9, 400.0)
    names = tuple(f"list {k}" for k in range(9))
    return ListRates(names, tuple("ABABABABC"), rates, games, rates[::-1] + 0.02, games)


def effect_rows() -> list[RetrodictionRow]:
    """Return made-up effects of past changes."""
    effects = [
        Interval(*map(np.array, (mean, mean - 1.5, mean + 1.5))) for mean in (-4.0, 0.5, 2.0)
    ]
    return [
        RetrodictionRow(
            f"card_{k}", f"Card {k}", "2026-01", "cost 1 -> 2", "A", 2, 0.5, e, None, 80
        )
        for k, e in enumerate(effects)
    ]


def observed_games() -> ObservedMatchups:
    """Return observed games of which one pair has none and one pair few."""
    games = [[0, 200, 0], [0, 0, 8], [0, 0, 3]]
    return counts_of([[0, 90, 0], [0, 0, 5], [0, 0, 0]], games)


def sensitivities(run: Run) -> list[SensitivityRow]:
    """Return effects of both signs on the matchups of a run."""
    bounds = ((5.0, 4.0, 6.5), (-5.0, -6.5, -4.0))
    effects = [Interval(*map(np.array, bound)) for bound in bounds]
    return [
        SensitivityRow("Card of an owner", f"number_{k}", 1, 1, name, effects[k % 2], 40)
        for k, name in enumerate(run.contest.matchup_names)
    ]


DRAWINGS: dict[str, Callable[..., Figure]] = {
    "sensitivity_plot": lambda run: plots.sensitivity_plot(sensitivities(run), title="T"),
    "matchup_heatmap": lambda run: plots.matchup_heatmap(
        run.contest, run.certified_counts, title="T", bounds=verdict_in(run.to_dict()).bounds
    ),
    "observed_heatmap": lambda _: plots.observed_heatmap(observed_games(), title="T"),
    "agreement_plot": lambda _: plots.agreement_plot(
        cell_rows(rate_pairs_of()), player_rows(rate_pairs_of()), title="T", slope=0.4
    ),
    "list_agreement_plot": lambda _: plots.list_agreement_plot(
        list_rows(list_rates_of()), title="T"
    ),
    "retrodiction_plot": lambda _: plots.retrodiction_plot(effect_rows(), title="T"),
    "before_after_matrix": lambda run: plots.before_after_matrix(
        run.contest, verdict_in(run.to_dict()), title="T"
    ),
    "power_bars": lambda run: plots.power_bars(
        run.contest, run.measurement.powers, title="T", kept=run.measurement.narrowing.kept
    ),
    "front_plot": lambda run: plots.front_plot(
        run.rows(FrontRow), verdict_in(run.to_dict()), title="T"
    ),
    "before_after": lambda run: plots.before_after(verdict_in(run.to_dict()), title="T"),
    "convergence_plot": lambda run: plots.convergence_plot(
        run.rows(ConvergenceRow), n_select=[200], band_pp=BAND_PP, title="T"
    ),
    "narrowing_plot": lambda run: plots.narrowing_plot(
        run.contest, run.measurement.narrowing, title="T", n_games=40
    ),
    "played_against_power": lambda run: plots.played_against_power(
        run.contest, run.measurement.powers, title="T"
    ),
    "study_plot": lambda _: plots.study_plot(study_runs(), title="T"),
    "learning_curves": learning,
    "tuning_curves": tuning,
    "action_histogram": actions,
    "card_plays": card_plays,
    "deck_curve": deck_curves,
    "deck_curve improved": lambda run: deck_curves(run, improved=True),
    "metagame_plot": metagame,
    "attack_plot": attack,
    "compared_plot": compared,
    "compared_plot of one": lambda run: compared(run, n_patches=1),
    "attack_plot of one round": lambda run: attack(run, n_rounds=1),
    "substitutes_plot": lambda run: plots.substitutes_plot(
        run.contest.table.pool, substitution(run, n_missing=2), title="T"
    ),
}
"""Function that draws each figure from a run, by the name of the figure's function."""


VARIATIONS: dict[str, Callable[[Run], Run]] = {
    "plain": lambda run: run,
    "certified": as_certified,
    "unedited": as_unedited,
    "long names": as_long_named,
    "other scripts": lambda run: as_long_named(run, OTHER_SCRIPTS),
}


@lru_cache(maxsize=64)  # all of them would take 8 GB
def drawn(
    name: str, n_players: int = 4, *, variation: str = "plain", size: plots.Size = "screen"
) -> Figure:
    """Return a figure, which is drawn once per process and must not be changed."""
    run = VARIATIONS[variation](small_run(n_players))
    with plots.figure_size(size):
        return DRAWINGS[name](run)
