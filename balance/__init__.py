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

_HOMES = {
    "BalanceSettings": "settings",
    "CardContest": "card_contest",
    "Contest": "contest",
    "Demands": "demands",
    "Evaluator": "evaluation",
    "Interval": "statistics.intervals",
    "Parameter": "contest",
    "Player": "card_contest",
    "Readings": "readings",
    "SeatReadings": "readings",
    "apply_patch": "patch",
    "build_deck": "decks.building",
    "build_space": "card_space",
    "certify": "certificate",
    "field_of": "metagame.field",
    "find_patch": "pipeline",
    "find_substitutes": "decks.substitutes",
    "load_contest": "card_contest",
    "matchup_frame": "frames",
    "measure_levers": "narrowing",
    "measure_power": "power",
    "metagame_of": "metagame.metagame",
    "narrow": "narrowing",
    "patch_notes": "patch",
    "play_matchups": "card_contest",
    "power_frame": "frames",
    "run_balance": "pipeline",
    "run_search": "search",
    "select": "selection",
}

__all__ = list(_HOMES)

__getattr__ = on_demand(__name__, _HOMES)
