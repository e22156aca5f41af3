"""Small panels for tests: three decks of the duel in the hands of scripts."""

from __future__ import annotations

from agents.registry import agent_named
from balance import BalanceSettings, load_contest
from balance.panel.hands import hands_of
from balance.panel.panel_contest import Hand, PanelContest
from balance.settings.robust import Robust

DECKS = (("ember_rush", "aggro"), ("tide_keep", "control"), ("grove_march", "aggro"))
SETTINGS = BalanceSettings(
    seed=5,
    target={"band_pp": 10.0},
    tune={"fields": ["cost", "attack"], "max_steps": 1, "decks": ["ember_rush"]},
    guards={"max_first_seat_pp": 6.0, "median_turns": 0.4},
)
TOTAL = 100_000  # games with which two decks have a patch of a few edits


def hands(n_decks: int = 3, **robust: object) -> tuple[Hand, ...]:
    """Return the players' own scripts with four games for each game of `greedy`."""
    contest = load_contest(*DECKS[:n_decks])
    settings = Robust(**{"pilots": ("own", "greedy"), "games": {"own": 4, "greedy": 1}} | robust)
    contests = {
        name: contest if name == "own" else contest.piloted_by(agent_named(name))
        for name in settings.pilots
    }
    return hands_of(contests, settings, SETTINGS.target.band_pp)


def panel(*, first_seats: bool = True) -> PanelContest:
    """Return the contest of the panel."""
    return PanelContest(hands(), with_first_seats=first_seats)
