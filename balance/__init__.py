"""The science: win rates, card power, levers, search, patches and certificates.

A notebook needs no more than what is listed here::

    contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    counts = play_matchups(contest, contest.table, n_games=2_000, run_seed=1, purpose="matchups")
    powers = measure_power(contest, n_games=2_000, run_seed=1)
    run = run_balance(contest, BalanceSettings(seed=1))
    run.certificate.certified, run.patch

Whoever balances another game writes a `Contest` and asks `find_patch`. Each name is loaded when it
is first used.
"""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
if TYPE_CHECKING:
    from balance.card_contest import CardContest, Player, load_contest, play_matchups
    from balance.card_space import build_space
    from balance.certificate import certify
    from balance.contest import Contest, Parameter
    from balance.decks.building import build_deck
    from balance.decks.substitutes import find_substitutes
    from balance.demands import Demands
    from balance.evaluation import Evaluator
    from balance.frames import matchup_frame, power_frame
    from balance.metagame.field import field_of
    from balance.metagame.metagame import metagame_of
    from balance.narrowing import measure_levers, narrow
    from balance.patch import apply_patch, patch_notes
    from balance.pipeline import find_patch, run_balance
    from balance.power import measure_power
    from balance.readings import Readings, SeatReadings
    from balance.search import run_search
    from balance.selection import select
    from balance.settings import BalanceSettings
    from balance.statistics.intervals import Interval

__all__ = [
    "BalanceSettings",
    "CardContest",
    "Contest",
    "Demands",
    "Evaluator",
    "Interval",
    "Parameter",
    "Player",
    "Readings",
    "SeatReadings",
    "apply_patch",
    "build_deck",
    "build_space",
    "certify",
    "field_of",
    "find_patch",
    "find_substitutes",
    "load_contest",
    "matchup_frame",
    "measure_levers",
    "measure_power",
    "metagame_of",
    "narrow",
    "patch_notes",
    "play_matchups",
    "power_frame",
    "run_balance",
    "run_search",
    "select",
]

__getattr__ = on_demand(__name__)
