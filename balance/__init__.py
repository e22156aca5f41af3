"""Balancing of card games: win rates, card power, sensitivities, search, patches, certificates.

A notebook needs only the names that this package exports:

    >>> from balance import load_contest, matchup_frame, measure_power, play_matchups
    >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    >>> cards = contest.table
    >>> counts = play_matchups(contest, cards, n_games=2_000, run_seed=1, purpose="matchups")
    >>> matchup_frame(contest, counts)[["a", "b", "win_rate_a", "n"]]
                a          b  win_rate_a     n
    0  ember_rush  tide_keep      0.6845  2000
    >>> powers = measure_power(contest, n_games=400, run_seed=1)
    >>> print(max(card.power for card in powers))
    0.0775 (0.0505 to 0.104)

`run_balance(contest, BalanceSettings(seed=1))` searches for a patch and returns it with its
certificate.

To balance another game, write a function that plays one game, and call `run_stages` with the result
of `question_of(contest, settings, contest.space())`, where `contest` is the result of
`simulated_contest(play, players, parameters)`; or implement `Contest`. The modules behind these
names are imported when a name is first used.
"""

from sim.on_demand import on_demand

# Type checkers treat this name as True; importing the constant from `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agents.dqn.trainer import pilot_of
    from balance.cards.card_contest import CardContest, Player, load_contest, play_matchups
    from balance.cards.card_space import build_space
    from balance.cards.narrowing import (
        Narrowing,
        lever_intervals,
        measure_levers,
        narrow,
        power_intervals,
        scores_of,
    )
    from balance.cards.pool_edits import edits_between
    from balance.cards.power import CardPower, measure_power
    from balance.contest.contest import Contest, Parameter
    from balance.contest.demands import Demands
    from balance.contest.patch import Edit, apply_patch, apply_to_rules, patch_notes
    from balance.contest.readings import MatchupCounts, Readings, SeatReadings
    from balance.contest.target import demands_of
    from balance.contest.whatif import Exploration
    from balance.decks.attack import Attack, AttackRound
    from balance.decks.building import build_deck
    from balance.decks.built_deck import BuiltDeck
    from balance.decks.open_slots import find_vacancies
    from balance.decks.substitutes import find_substitutes
    from balance.decks.substitution import Candidate, Substitution
    from balance.learning.drift import DriftRun
    from balance.learning.learner import Learner, Pairing, pairings, play_pairings
    from balance.learning.training import learned_pilots
    from balance.metagame.field import field_of
    from balance.metagame.metagame import Metagame, metagame_of
    from balance.panel.hands import hands_of
    from balance.panel.panel_question import prepare_panel
    from balance.panel.panel_run import PanelRun
    from balance.result.frame import frame_of
    from balance.result.result import ResultTable, TabularResult
    from balance.run.balance_run import BalanceRun, Measurement
    from balance.run.card_question import CardQuestion, prepare, run_balance
    from balance.run.context import RunContext
    from balance.run.found_patch import FoundPatch
    from balance.run.frames import (
        deck_frame,
        lever_frame,
        matchup_frame,
        narrowing_frame,
        power_frame,
    )
    from balance.run.front import on_front
    from balance.run.question import Question, question_of
    from balance.run.result_tables import (
        MatchupRow,
        NarrowingRow,
        PowerRow,
        matchup_rows,
        power_rows,
    )
    from balance.run.stages import run_stages
    from balance.search.evolutionary_search import SearchState, run_search
    from balance.search.methods import register_optimiser
    from balance.search.selection import select
    from balance.settings.agent_names import LEARNERS, OWN
    from balance.settings.robust import Robust
    from balance.settings.tables import (
        BalanceSettings,
        Build,
        Games,
        Guards,
        Narrow,
        NarrowBy,
        Search,
    )
    from balance.simulator.function_contest import simulated_contest
    from balance.simulator.simulated_contest import SimulatedContest
    from balance.space.tune import Tune
    from balance.statistics.intervals import CONFIDENCE, Floats, Interval, rank_correlation, wilson
    from balance.verdict.certificate import Certificate, certify
    from balance.verdict.evaluation import Evaluator
    from balance.verdict.guards import GuardVerdict

__all__ = [
    "CONFIDENCE",
    "LEARNERS",
    "OWN",
    "Attack",
    "AttackRound",
    "BalanceRun",
    "BalanceSettings",
    "Build",
    "BuiltDeck",
    "Candidate",
    "CardContest",
    "CardPower",
    "CardQuestion",
    "Certificate",
    "Contest",
    "Demands",
    "DriftRun",
    "Edit",
    "Evaluator",
    "Exploration",
    "Floats",
    "FoundPatch",
    "Games",
    "GuardVerdict",
    "Guards",
    "Interval",
    "Learner",
    "MatchupCounts",
    "MatchupRow",
    "Measurement",
    "Metagame",
    "Narrow",
    "NarrowBy",
    "Narrowing",
    "NarrowingRow",
    "Pairing",
    "PanelRun",
    "Parameter",
    "Player",
    "PowerRow",
    "Question",
    "Readings",
    "ResultTable",
    "Robust",
    "RunContext",
    "Search",
    "SearchState",
    "SeatReadings",
    "SimulatedContest",
    "Substitution",
    "TabularResult",
    "Tune",
    "apply_patch",
    "apply_to_rules",
    "build_deck",
    "build_space",
    "certify",
    "deck_frame",
    "demands_of",
    "edits_between",
    "field_of",
    "find_substitutes",
    "find_vacancies",
    "frame_of",
    "hands_of",
    "learned_pilots",
    "lever_frame",
    "lever_intervals",
    "load_contest",
    "matchup_frame",
    "matchup_rows",
    "measure_levers",
    "measure_power",
    "metagame_of",
    "narrow",
    "narrowing_frame",
    "on_front",
    "pairings",
    "patch_notes",
    "pilot_of",
    "play_matchups",
    "play_pairings",
    "power_frame",
    "power_intervals",
    "power_rows",
    "prepare",
    "prepare_panel",
    "question_of",
    "rank_correlation",
    "register_optimiser",
    "run_balance",
    "run_search",
    "run_stages",
    "scores_of",
    "select",
    "simulated_contest",
    "wilson",
]

on_demand(__name__)
