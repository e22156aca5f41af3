"""The public face: every name that it lists is there, and nothing else is."""

from __future__ import annotations

import subprocess
import sys

import pytest

import balance


def test_every_public_name_is_found() -> None:
    assert balance.__all__ == sorted(balance.__all__)
    for name in balance.__all__:
        assert getattr(balance, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        balance.nobody  # noqa: B018


def test_a_name_is_loaded_when_it_is_used() -> None:
    code = "import sys, balance; assert not {'numpy', 'sim.cards', 'agents'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_contest_is_loaded_by_the_names_of_decks_and_agents() -> None:
    contest = balance.load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
    assert contest.player_names == ("ember_rush", "tide_keep")
    assert [agent.name for agent in contest.agents] == ["aggro", "control"]
    assert (contest.table.pool.name, contest.table.ruleset.name) == ("core", "duel")
