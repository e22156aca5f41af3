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

from __future__ import annotations

from importlib import import_module
from typing import Any

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
    "measure_levers": "levers",
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


def __getattr__(name: str) -> Any:
    """A public name, from the module in which it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module 'balance' has no attribute {name!r}")
    return getattr(import_module(f"balance.{_HOMES[name]}"), name)
