"""Pilots that `light` beats in their own mirror: who is called weak, by how many games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.registry import agent_named
from balance import pilot_check, play_matchups
from balance.card_contest import patched
from balance.patch import edit_of
from balance.pilot_check import LOOKS, THRESHOLD, weak_pilots
from balance.statistics.intervals import Floats
from sim.errors import CardFault
from sim.play import Gene
from tests.balance.contests import RUSH_KEEP, endless_contest
from tests.balance.pilots import Passive

SOME = 60
"""Games of a mirror match that detect a pilot that does nothing."""


def test_a_passive_pilot_is_weak_and_light_is_skipped() -> None:
    contest = RUSH_KEEP.with_agents({"ember_rush": Passive(), "tide_keep": agent_named("light")})
    (weak_players,) = weak_pilots(contest, run_seed=1, most_games=SOME)
    assert (weak_players.player, weak_players.agent, weak_players.against) == (
        "ember_rush",
        "passive",
        "light",
    )
    assert (float(weak_players.win_rate.estimate), weak_players.n) == (1.0, SOME)
    assert THRESHOLD < weak_players.win_rate.low < 1


def test_equals_and_betters_are_not_weak() -> None:
    assert weak_pilots(RUSH_KEEP.piloted_by(agent_named("light")), run_seed=1) == []
    same = agent_named("turn:20:leaves=4:worlds=1")  # as `light` is, by another name
    assert weak_pilots(RUSH_KEEP.piloted_by(same), run_seed=1, most_games=SOME) == []


def test_answers_do_not_depend_on_threads_or_other_players() -> None:
    weak_players = weak_pilots(RUSH_KEEP, run_seed=3, most_games=200, threads=1)
    assert [one.player for one in weak_players] == ["ember_rush", "tide_keep"]
    assert weak_pilots(RUSH_KEEP, run_seed=3, most_games=200, threads=3) == weak_players
    last = replace(RUSH_KEEP, players=RUSH_KEEP.players[1:])
    assert weak_pilots(last, run_seed=3, most_games=200) == weak_players[1:]


@pytest.mark.parametrize(
    ("share", "n_played", "is_weak"),
    [(0.9, LOOKS[0], True), (0.4, LOOKS[0], False), (0.66, LOOKS[1], True), (0.55, 1_000, False)],
)
def test_games_end_as_soon_as_a_mirror_is_decided(
    share: float, n_played: int, is_weak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[int, int]]()

    def fixed_rates(
        _contest: object, _position: int, _light: object, n: int, first: int, *_: object
    ):
        asked.append((first, n))
        seeds = first + np.arange(n // 2)
        return won(share, seeds)

    monkeypatch.setattr(pilot_check, "_light_rates", fixed_rates)
    alone = replace(RUSH_KEEP, players=RUSH_KEEP.players[:1])
    weak_players = weak_pilots(alone, run_seed=1)
    assert sum(n for _, n in asked) == n_played
    assert [first for first, _ in asked] == [0, *(n // 2 for n in LOOKS)][: len(asked)]
    assert [one.n for one in weak_players] == [n_played] * is_weak


def won(share: float, seeds: Floats) -> Floats:
    """Pairs of games that are both won or both lost, a share of them won, evenly spread."""
    return np.floor((seeds + 1) * share) - np.floor(seeds * share)


def test_endless_mirror_matches_are_skipped() -> None:
    contest = endless_contest()
    contest = patched(contest, [edit_of(contest.parameter(Gene(0, "cost")), 0)])
    with pytest.raises(CardFault):
        play_matchups(contest, contest.table, n_games=20, run_seed=1, purpose="matchups")
    assert weak_pilots(contest, run_seed=1, most_games=20) == []
