"""Calls of `balance` that must be refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from balance import (
    BalanceSettings,
    Build,
    CardContest,
    CardPower,
    Demands,
    Edit,
    Exploration,
    Games,
    Learner,
    Metagame,
    Narrow,
    Pairing,
    Player,
    Robust,
    RunContext,
    Search,
    SeatReadings,
    SimulatedContest,
    Substitution,
    Tune,
    apply_patch,
    apply_to_rules,
    build_deck,
    build_space,
    certify,
    deck_frame,
    demands_of,
    field_of,
    find_substitutes,
    find_vacancies,
    hands_of,
    load_contest,
    matchup_frame,
    matchup_rows,
    measure_levers,
    measure_power,
    metagame_of,
    narrow,
    on_front,
    pairings,
    play_matchups,
    play_pairings,
    power_frame,
    power_rows,
    prepare,
    prepare_panel,
    question_of,
    rank_correlation,
    register_optimiser,
    run_balance,
    run_search,
    run_stages,
    select,
    simulated_contest,
    wilson,
)
from balance.contest.target import Target
from balance.search.evolutionary_search import SearchState
from sim import RULES as OF_RULES
from sim import load_pool
from tests.arguments.of_sim import copy_of
from tests.arguments.values import (
    AGGRO,
    CONTEST,
    DECK,
    EVALUATOR,
    INFINITE,
    LEARNER,
    LONER,
    NAN,
    NO_COUNTS,
    NO_GAME_COUNTS,
    NO_NAMES,
    NO_POSITIONS,
    NO_SEEDS,
    NO_THREADS,
    NO_WHOLE_NUMBERS,
    POOL,
    RULES,
    SCORES,
    SEARCH,
    SPACE,
    TODAY,
    counts_of_contest,
)

SETTINGS = BalanceSettings(seed=1)
HANDS = hands_of({"own": CONTEST}, Robust(pilots=("own",)), 5.0)
EDIT = Edit("ember_whelp", "Ember Whelp", "attack", 1, 2)
RATE = wilson(1, 2)
VACANCIES = find_vacancies(DECK, POOL, RULES, [next(iter(DECK.cards))])
FIELD = field_of(CONTEST, but="ember_rush")


def matchups_with(**changes: Any) -> Any:
    """Call `play_matchups` with some arguments changed."""
    usual = {
        "contest": CONTEST,
        "table": CONTEST.table,
        "n_games": 4,
        "run_seed": 1,
        "purpose": "matchups",
    }
    return play_matchups(**usual | changes)  # type: ignore[arg-type]


def power_with(contest: CardContest = CONTEST, **changes: Any) -> list[CardPower]:
    """Call `measure_power` with some arguments changed."""
    return measure_power(contest, **{"n_games": 4, "run_seed": 1} | changes)


def levers_with(**changes: Any) -> Any:
    """Call `measure_levers` with some arguments changed."""
    usual = {"contest": CONTEST, "space": SPACE, "n_games": 4, "run_seed": 1}
    return measure_levers(**usual | changes)  # type: ignore[arg-type]


def narrow_with(**changes: Any) -> Any:
    """Call `narrow` with some arguments changed."""
    usual = {"contest": CONTEST, "space": SPACE, "scores": SCORES, "by": "power", "keep": 1}
    return narrow(**usual | changes)  # type: ignore[arg-type]


def certify_with(genome: Any = TODAY, **changes: Any) -> Any:
    """Call `certify` with some arguments changed."""
    return certify(EVALUATOR, genome, **{"n_games": 40} | changes)


def pairings_with(**changes: Any) -> Any:
    """Call `play_pairings` with some arguments changed."""
    usual = {
        "contest": CONTEST,
        "chosen": [Pairing(0, 1, 0)],
        "agent": AGGRO,
        "n_games": 2,
        "run_seed": 1,
        "purpose": "matchups",
    }
    return play_pairings(**usual | changes)  # type: ignore[arg-type]


def substitutes_with(**changes: Any) -> Substitution:
    """Call `find_substitutes` with some arguments changed."""
    usual = {"race_games": 4, "n_games": 4, "shown": 1, "run_seed": 1}
    return find_substitutes(CONTEST.players[0], FIELD, VACANCIES, **usual | changes)  # type: ignore[arg-type]


def simulated_with(**changes: Any) -> SimulatedContest:
    """Call `simulated_contest` with some arguments changed."""
    given = {"players": ["heads", "tails"], "parameters": {"coin": 5}}
    return simulated_contest(lambda *_: 0, **given | changes)


def metagame_with(counts: Any = None, **changes: Any) -> Metagame:
    """Call `metagame_of` with some arguments changed."""
    counts = counts_of_contest() if counts is None else counts
    return metagame_of(CONTEST, counts, counts, **{"run_seed": 1} | changes)


def rows_with(variant: Any) -> Any:
    """Call `matchup_rows` with another variant."""
    return matchup_rows(CONTEST, counts_of_contest(), variant)


def frame_with(variant: Any) -> Any:
    """Call `matchup_frame` with another variant."""
    return matchup_frame(CONTEST, counts_of_contest(), variant)


def rows_of_other_games() -> Any:
    """Call `matchup_rows` with games of another contest."""
    return matchup_rows(LONER, counts_of_contest())


@cache
def search_state() -> SearchState:
    """Return the state of a short search."""
    return run_search(EVALUATOR, SEARCH, n_games=4)


def select_with(chosen: Any) -> Any:
    """Call `select` with some positions."""
    return select(EVALUATOR, search_state(), chosen, Games(select=4))


def settings_with(**changes: Any) -> BalanceSettings:
    """Return settings with changed keys, without validation."""
    copied: BalanceSettings = copy_of(SETTINGS, **changes)
    return copied


def player(name: str = "one", deck: Any = DECK, agent: Any = AGGRO) -> Player:
    """Return a player with another name, deck or agent."""
    return Player(name, deck, agent)


def solve(*_: Any) -> Any:
    """Accept any arguments, which no optimiser may."""


ODD_GAMES = Games.model_construct(**{**dict(Games()), "search": 3})

OF_BALANCE: dict[str, list[partial[Any]]] = {
    "balance.BalanceSettings": [
        *(partial(BalanceSettings, seed=seed) for seed in NO_SEEDS),
        partial(BalanceSettings, seed=1, games={"search": 11}),
    ],
    "balance.CardContest": [
        partial(CardContest, CONTEST.table, ()),
        partial(lambda: CardContest(CONTEST.table, (player(), player()))),
        partial(
            lambda: CardContest(
                CONTEST.table, (player(deck=copy_of(DECK, cards={"ember_whelp": 20})),)
            )
        ),
        partial(
            lambda: CardContest(CONTEST.table, (player(deck=copy_of(DECK, ruleset="legacy")),))
        ),
        partial(CardContest, CONTEST.table, CONTEST.players, only=((0, 5),)),
        partial(CardContest, CONTEST.table, CONTEST.players, only=((0, 1, 1),)),
        partial(
            lambda: CardContest(
                CONTEST.table.vary(SPACE.genes, np.stack([TODAY, TODAY])), CONTEST.players
            )
        ),
    ],
    "balance.Demands": [
        *(partial(Demands.around, [0.5], band_pp) for band_pp in (-1, NAN, INFINITE, "5")),
        *(partial(Demands.around, targets, 5.0) for targets in ([NAN], [2.0], [-0.1], [], 0.5)),
        partial(Demands.around, [0.5, 0.5], 5.0, ["one"]),
    ],
    "balance.Evaluator": [
        *(partial(replace, EVALUATOR, run_seed=seed) for seed in NO_SEEDS),
        *(partial(replace, EVALUATOR, try_number=k) for k in (*NO_WHOLE_NUMBERS, 0, -1)),
        partial(lambda: replace(EVALUATOR, demands=Demands.around([0.5, 0.5], 5.0))),
        *(
            partial(EVALUATOR.play, TODAY[np.newaxis], n_games=n, purpose="p")
            for n in NO_GAME_COUNTS
        ),
        partial(EVALUATOR.play, TODAY, n_games=4, purpose="p"),
        partial(EVALUATOR.play, TODAY[np.newaxis, :3], n_games=4, purpose="p"),
        partial(EVALUATOR.score, TODAY[np.newaxis] + 99, n_games=4, purpose="p"),
    ],
    "balance.Exploration": [
        *(partial(Exploration(CONTEST, 1).explore, {}, n) for n in NO_GAME_COUNTS),
        *(partial(Exploration(CONTEST, seed).explore, {}, 4) for seed in NO_SEEDS),
    ],
    "balance.Player": [
        *(partial(player, agent=agent) for agent in ("aggro", None, 5, type(AGGRO))),
    ],
    "balance.SeatReadings": [
        *(partial(SeatReadings.of, np.full((1, 1, 2, 2), share)) for share in (NAN, 2.0, -1.0)),
        *(
            partial(SeatReadings.of, np.zeros(shape))
            for shape in ((), (2,), (1, 2, 2), (1, 1, 2, 0))
        ),
    ],
    "balance.Learner": [
        partial(Learner, name="x", decks=(), opponents=("tide_keep",)),
        partial(Learner, name="", decks=("ember_rush",), opponents=("tide_keep",)),
    ],
    "balance.apply_patch": [
        partial(apply_patch, POOL, [EDIT._replace(card="nobody")]),
        partial(apply_patch, POOL, [EDIT._replace(field="attck")]),
        *(partial(apply_patch, POOL, [EDIT._replace(after=n)]) for n in (-4, 10**6, 1.5, NAN, "2")),
        partial(apply_patch, POOL, [EDIT, EDIT]),
    ],
    "balance.apply_to_rules": [
        partial(apply_to_rules, RULES, [Edit(OF_RULES, "rules", "life", 20, n)]) for n in (-3, 1.5)
    ],
    "balance.build_deck": [
        *(partial(build_deck, CONTEST, SETTINGS, name=name) for name in ("", " ", "x" * 300, 5)),
        partial(build_deck, CONTEST, settings_with(seed=-1)),
        partial(build_deck, CONTEST, settings_with(build=copy_of(Build(), generations=0))),
        partial(build_deck, CONTEST, settings_with(build=Build(agent="nobody"))),
        partial(build_deck, CONTEST, settings_with(build=Build(improve="nobody"))),
    ],
    "balance.build_space": [
        partial(build_space, CONTEST, Tune(decks=("nobody",))),
        partial(build_space, CONTEST, Tune(lock=("nobody",))),
        partial(build_space, CONTEST, Tune(fields=())),
    ],
    "balance.certify": [
        *(partial(certify_with, n_games=n) for n in NO_GAME_COUNTS),
        *(partial(certify_with, first_side=side) for side in (0, 2, None, "1")),
        partial(certify_with, TODAY[:3]),
        partial(certify_with, TODAY + 99),
        partial(certify_with, TODAY + 0.5),
    ],
    "balance.deck_frame": [partial(deck_frame, DECK, load_pool("saga"))],
    "balance.demands_of": [
        partial(demands_of, CONTEST, Target(win_rate={"nobody": 0.5})),
        partial(demands_of, CONTEST, Target(field=0.5), {"nobody": 1.0}),
        partial(demands_of, LONER, Target()),
    ],
    "balance.field_of": [
        *(partial(field_of, CONTEST, {"ember_rush": w}) for w in (NAN, INFINITE, -1, "1", None)),
        partial(field_of, CONTEST, {"nobody": 1.0}),
        partial(field_of, CONTEST, {"ember_rush": 0, "tide_keep": 0}),
        partial(field_of, CONTEST, but="nobody"),
        partial(field_of, LONER, but="ember_rush"),
    ],
    "balance.find_substitutes": [
        *(partial(substitutes_with, race_games=n) for n in NO_GAME_COUNTS),
        *(partial(substitutes_with, n_games=n) for n in NO_GAME_COUNTS),
        *(partial(substitutes_with, shown=n) for n in (*NO_COUNTS, 10**6)),
        *(partial(substitutes_with, run_seed=seed) for seed in NO_SEEDS),
    ],
    "balance.find_vacancies": [
        partial(find_vacancies, DECK, POOL, RULES, ["nobody"]),
        partial(find_vacancies, DECK, POOL, RULES, ["ember_whelp"], {"nobody": 1}),
        *(
            partial(find_vacancies, DECK, POOL, RULES, ["ember_whelp"], {"ember_whelp": n})
            for n in (*NO_WHOLE_NUMBERS, -1)
        ),
        partial(find_vacancies, DECK, load_pool("saga"), RULES),
    ],
    "balance.load_contest": [
        partial(load_contest),
        partial(load_contest, "ember_rush"),
        partial(load_contest, ("ember_rush",)),
        partial(load_contest, ("ember_rush", "aggro", "more")),
        partial(load_contest, ("ember_rush", "aggro"), ("ember_rush", "control")),
        *(partial(load_contest, (name, "aggro")) for name in NO_NAMES),
        *(partial(load_contest, ("ember_rush", name)) for name in NO_NAMES),
    ],
    "balance.matchup_frame": [partial(frame_with, variant) for variant in NO_POSITIONS],
    "balance.matchup_rows": [
        *(partial(rows_with, variant) for variant in NO_POSITIONS),
        partial(rows_of_other_games),
    ],
    "balance.measure_levers": [
        *(partial(levers_with, n_games=n) for n in NO_GAME_COUNTS),
        *(partial(levers_with, run_seed=seed) for seed in NO_SEEDS),
        partial(lambda: levers_with(space=SPACE.with_only([]))),
        partial(levers_with, contest=LONER),
    ],
    "balance.measure_power": [
        *(partial(power_with, n_games=n) for n in NO_GAME_COUNTS),
        *(partial(power_with, run_seed=seed) for seed in NO_SEEDS),
        *(partial(power_with, baseline=word) for word in NO_NAMES),
        *(partial(power_with, versus=word) for word in NO_NAMES),
        partial(power_with, LONER, versus="field"),
    ],
    "balance.simulated_contest": [
        partial(simulated_with, players=[]),
        partial(simulated_with, players=["heads"]),
        partial(simulated_with, parameters={"coin": {"value": 5, "low": 6}}),
        partial(simulated_with, parameters={"coin": {"value": 5, "players": ["edge"]}}),
        partial(simulated_with, seats=3),
        partial(simulated_with, rate="wine"),
        partial(simulated_with, batch="many"),
    ],
    "balance.metagame_of": [
        *(partial(metagame_with, run_seed=seed) for seed in NO_SEEDS),
        *(partial(metagame_with, n_resamples=n) for n in NO_COUNTS),
        partial(lambda: metagame_of(LONER, counts_of_contest(), counts_of_contest(), run_seed=1)),
    ],
    "balance.narrow": [
        *(partial(narrow_with, keep=n) for n in (*NO_COUNTS, 10**6)),
        *(partial(narrow_with, by=word) for word in NO_NAMES),
        *(partial(narrow_with, n_games=n) for n in (*NO_WHOLE_NUMBERS, -1)),
        partial(narrow_with, decks=["nobody"]),
        partial(narrow_with, scores={}),
        partial(narrow_with, scores=dict.fromkeys(SPACE.cards, NAN)),
    ],
    "balance.on_front": [
        partial(on_front, np.zeros(2), np.zeros(3)),
        partial(on_front, np.zeros((2, 2)), np.zeros((2, 2))),
        partial(on_front, np.array([0.0, NAN]), np.zeros(2)),
        partial(on_front, ["one"], ["other"]),
    ],
    "balance.pairings": [
        partial(pairings, CONTEST, copy_of(LEARNER, decks=("nobody",))),
        partial(pairings, CONTEST, copy_of(LEARNER, opponents=("nobody",))),
    ],
    "balance.play_matchups": [
        *(partial(matchups_with, n_games=n) for n in NO_GAME_COUNTS),
        *(partial(matchups_with, run_seed=seed) for seed in NO_SEEDS),
        *(partial(matchups_with, first_game=first) for first in (True, 1.5, NAN, "4", None, -1)),
        partial(matchups_with, first_game=np.arange(3)),
        *(partial(matchups_with, faults=word) for word in NO_NAMES),
        *(partial(matchups_with, purpose=word) for word in (None, 5)),
        *(partial(matchups_with, matchups=[pair]) for pair in ((0, 2), (0, -1), (0, 1, 1), (0,))),
        partial(matchups_with, matchups=[]),
        partial(matchups_with, contest=LONER),
    ],
    "balance.play_pairings": [
        *(partial(pairings_with, n_games=n) for n in (*NO_COUNTS, 10**15)),
        *(partial(pairings_with, run_seed=seed) for seed in NO_SEEDS),
        *(partial(pairings_with, threads=threads) for threads in NO_THREADS),
        partial(pairings_with, chosen=[]),
        partial(pairings_with, chosen=[Pairing(0, 5, 0)]),
        partial(pairings_with, chosen=[Pairing(-1, 1, 0)]),
        partial(pairings_with, chosen=[Pairing(0, 1, 2)]),
        partial(pairings_with, agent="aggro"),
        partial(pairings_with, keep="x"),
    ],
    "balance.power_frame": [
        partial(power_frame, CONTEST, [CardPower(9, 0, 1, 4, RATE, RATE, 1, RATE, 1)]),
    ],
    "balance.power_rows": [
        partial(power_rows, CONTEST, [CardPower(9, 0, 1, 4, RATE, RATE, 1, RATE, 1)]),
        partial(power_rows, CONTEST, [CardPower(0, -1, 1, 4, RATE, RATE, 1, RATE, 1)]),
    ],
    "balance.rank_correlation": [
        partial(rank_correlation, np.zeros(4), np.zeros(5)),
        partial(rank_correlation, np.zeros((4, 2)), np.zeros((4, 2))),
        partial(rank_correlation, np.array([0.0, 1.0, NAN, 3.0]), np.arange(4.0)),
    ],
    "balance.register_optimiser": [
        *(partial(register_optimiser, name, solve) for name in (None, 5, "", " ", "x" * 300)),
        partial(register_optimiser, "ga", lambda problem, settings, n_games: None),
        partial(register_optimiser, "of_the_table", 5),
        partial(register_optimiser, "of_the_table", solve),
    ],
    "balance.run_balance": [
        partial(run_balance, CONTEST, settings_with(seed=-1)),
        partial(run_balance, CONTEST, settings_with(games=ODD_GAMES)),
        partial(run_balance, CONTEST, settings_with(search=copy_of(Search(), population=1))),
        partial(run_balance, LONER, SETTINGS),
    ],
    "balance.prepare": [
        partial(prepare, CONTEST, settings_with(seed=-1)),
        partial(prepare, CONTEST, settings_with(games=ODD_GAMES)),
        partial(prepare, CONTEST, settings_with(search=Search(method="nope"))),
        partial(prepare, LONER, SETTINGS),
    ],
    "balance.Robust": [
        partial(Robust, pilots=()),
        partial(Robust, pilots=("greedy", "Greedy")),
        partial(Robust, games={"greedy": 3}),
    ],
    "balance.hands_of": [
        partial(hands_of, {"own": CONTEST}, Robust(bands_pp={"random": 8.0}), 5.0),
    ],
    "balance.prepare_panel": [
        partial(prepare_panel, HANDS, settings_with(seed=-1)),
        partial(prepare_panel, HANDS, settings_with(narrow=Narrow(by="power"))),
        partial(prepare_panel, HANDS, SETTINGS, 100),
    ],
    "balance.question_of": [
        partial(
            question_of, CONTEST, settings_with(target=Target(win_rate={"a vs b": 0.5})), SPACE
        ),
    ],
    "balance.run_stages": [
        partial(
            run_stages, question_of(CONTEST, settings_with(search=Search(method="nope")), SPACE)
        ),
        partial(
            run_stages,
            question_of(
                CONTEST,
                settings_with(search=Search(method="nsga2", selection="roulette")),
                SPACE,
            ),
        ),
        partial(
            run_stages, question_of(CONTEST, settings_with(search=SEARCH, games=ODD_GAMES), SPACE)
        ),
    ],
    "balance.RunContext": [partial(RunContext, try_number=k) for k in (*NO_WHOLE_NUMBERS, 0, -1)],
    "balance.run_search": [
        *(partial(run_search, EVALUATOR, SEARCH, n_games=n) for n in NO_GAME_COUNTS),
        partial(run_search, EVALUATOR, Search(method="gaa"), n_games=4),
        partial(run_search, EVALUATOR, copy_of(SEARCH, population=1), n_games=4),
        partial(run_search, EVALUATOR, Search(method="nsga2", selection="roulette"), n_games=4),
    ],
    "balance.select": [
        partial(select_with, np.zeros(0, dtype=int)),
        partial(select_with, np.array([10**4])),
        partial(select_with, np.array([-1])),
    ],
    "balance.wilson": [
        *(partial(wilson, 0, n) for n in (0, -1, NAN, INFINITE)),
        *(partial(wilson, points, 4) for points in (5, -1, NAN, INFINITE)),
        *(partial(wilson, 1, 4, confidence) for confidence in (1.0, -0.1, NAN, 2)),
        partial(wilson, [1, 5], [4, 4]),
    ],
}

TAKES_ANYTHING_OF_BALANCE = {
    "balance.edits_between": "cards and rules, which are data",
    "balance.frame_of": "only rows, which are data",
    "balance.lever_frame": "only measured sensitivities, which are data",
    "balance.lever_intervals": "only measured sensitivities, which are data",
    "balance.narrowing_frame": "only a narrowing, which is data",
    "balance.power_intervals": "only measured power, which is data",
    "balance.scores_of": "only intervals, which are data",
    "balance.learned_pilots": "only a contest, which checks itself",
    "balance.pilot_of": "a trainer, and any name",
    "balance.patch_notes": "only edits, which are data",
}

DATA_OF_BALANCE = {
    f"balance.{name}"
    for name in (
        "Attack", "AttackRound", "BalanceRun", "Build", "BuiltDeck", "Candidate", "CardPower",
        "PanelRun", "Certificate", "Contest", "DriftRun", "Edit", "FoundPatch", "Games", "Guards",
        "GuardVerdict",
        "Interval", "MatchupCounts", "MatchupRow", "Measurement", "Metagame", "Narrow", "Narrowing",
        "NarrowingRow", "Pairing", "Parameter", "PowerRow", "CardQuestion", "Question", "Readings",
        "ResultTable", "Search", "SearchState", "SimulatedContest", "Substitution",
        "TabularResult", "Tune",
    )
}  # fmt: skip
