"""Pilots are called weak if `light` surely beats them in their own mirror."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.registry import agent_named
from balance import play_matchups
from balance.cards import pilot_check
from balance.cards.card_contest import patched
from balance.cards.pilot_check import LOOKS, THRESHOLD, weak_pilots
from balance.contest.patch import edit_of
from balance.statistics.intervals import Floats
from sim.errors import CardFault
from sim.play import Gene, using_threads
from tests.balance.contests import RUSH_KEEP, endless_contest
from tests.balance.pilots import Passive

SOME = 60
"""Games of a mirror that show that a passive pilot is weak."""


def test_who_does_nothing_is_weak_and_light_is_not_asked() -> None:
    contest = RUSH_KEEP.with_agents({"ember_rush": Passive(), "tide_keep": agent_named("light")})
    (weak,) = weak_pilots(contest, run_seed=1, most_games=SOME)
    assert (weak.player, weak.agent, weak.against) == ("ember_rush", "passive", "light")
    assert (float(weak.win_rate.estimate), weak.n) == (1.0, SOME)
    assert THRESHOLD < weak.win_rate.low < 1


def test_equals_and_betters_are_not_weak() -> None:
    assert weak_pilots(RUSH_KEEP.piloted_by(agent_named("light")), run_seed=1) == []
    same = agent_named("turn:20:leaves=4:worlds=1")  # as `light` is, by another name
    assert weak_pilots(RUSH_KEEP.piloted_by(same), run_seed=1, most_games=SOME) == []


def test_results_depend_neither_on_threads_nor_on_other_players() -> None:
    weak = weak_pilots(RUSH_KEEP, run_seed=3, most_games=200)
    assert [pilot.player for pilot in weak] == ["ember_rush", "tide_keep"]
    with using_threads(3):
        assert weak_pilots(RUSH_KEEP, run_seed=3, most_games=200) == weak
    last = replace(RUSH_KEEP, players=RUSH_KEEP.players[1:])
    assert weak_pilots(last, run_seed=3, most_games=200) == weak[1:]


@pytest.mark.parametrize(
    ("share", "n_played", "is_weak"),
    [(0.9, LOOKS[0], True), (0.4, LOOKS[0], False), (0.66, LOOKS[1], True), (0.55, 1_000, False)],
)
def test_games_end_as_soon_as_a_mirror_is_decided(
    share: float, n_played: int, is_weak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = list[tuple[int, int]]()

    def fake_rates(
        _contest: object, _position: int, _light: object, n: int, first: int, *_: object
    ):
        looks.append((first, n))
        seeds = first + np.arange(n // 2)
        return won(share, seeds)

    monkeypatch.setattr(pilot_check, "_light_rates", fake_rates)
    alone = replace(RUSH_KEEP, players=RUSH_KEEP.players[:1])
    weak = weak_pilots(alone, run_seed=1)
    assert sum(n for _, n in looks) == n_played
    assert [first for first, _ in looks] == [0, *(n // 2 for n in LOOKS)][: len(looks)]
    assert [pilot.n for pilot in weak] == [n_played] * is_weak


def won(share: float, seeds: Floats) -> Floats:
    """Return results of pairs of games, both won (1) or both lost (0), with a share of wins."""
    return np.floor((seeds + 1) * share) - np.floor(seeds * share)


def test_of_mirrors_without_an_end_nothing_is_said() -> None:
    contest = endless_contest()
    contest = patched(contest, [edit_of(contest.parameter(Gene(0, "cost")), 0)])
    with pytest.raises(CardFault):
        play_matchups(contest, contest.table, n_games=20, run_seed=1, purpose="matchups")
    assert weak_pilots(contest, run_seed=1, most_games=20) == []
