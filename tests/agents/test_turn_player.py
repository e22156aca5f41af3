"""The turn search as a player: in batches, by weights from files, and refused names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents import agent_named
from agents.conformance.games import games_of
from agents.roster.turn import TurnAgent, turn_agent
from agents.search.turn import parameters as param
from agents.search.turn.weights import load_weights, shipped_weights, weights_text
from sim import stream_seed
from sim.engine import layout as at
from sim.play import Batch, Table, deck_row, play
from tests.agents.test_turn import RICH, turn_with
from tests.duels import batch_of
from tests.fuzz.playing import PLAYED, verdict_on
from tests.fuzz.pools import random_case
from tests.refusals import refusal_of
from tests.sim.test_card_texts import ATTACHMENT, NAMED, table_of

N_GAMES = 2
PARTS = ("search", "mulligan", "own", "enemy", "prospects")


def test_candidates_that_differ_in_numbers_play_in_one_batch() -> None:
    careless = turn_with(30, REPLY=0, LEAVES=1)
    blind = turn_agent(
        "turn:blind",
        np.where(np.arange(param.PARAMETERS_SIZE) < param.CRYSTALS, careless.parameter_rows[0], 0),
    )
    games = games_of("duel")
    seats = [[0, 1], [1, 0], [0, 2], [2, 0]]
    stream = stream_seed(1, "candidates")
    batch = batch_of(games.decks[[0, 0, 0]], seats, 40, stream=stream)
    totals = play(batch, games.table, [turn_with(30), careless, blind]).totals
    won = totals[::2, at.WINS_FIRST] + totals[1::2, at.WINS_SECOND]
    assert won[1] > 60  # of 80, by weights that are not all nothing
    assert won[0] < won[1]


def games_with(case: str) -> tuple[Batch, Table]:
    """Return games of decks with only the cards of a case."""
    cards, _ = NAMED[case]
    rows = np.stack([deck_row([slot % len(cards) for slot in range(30)])] * 2)
    batch = batch_of(rows, [[0, 1]], N_GAMES, stream=stream_seed(2, "texts"))
    return batch, table_of(cards, [ATTACHMENT], actions_per_turn=100)


def test_a_fault_in_an_imagined_game_is_no_way_to_go() -> None:
    play(*games_with("heard in too many rows"), [agent_named("turn:30")] * 2, threads=1)


@pytest.mark.parametrize("case", NAMED)
def test_texts_that_never_end_are_played_around_or_name_their_card(case: str) -> None:
    """Check that each game is played to its end, or names the card that stopped it."""
    (batch, table) = games_with(case)
    says = NAMED[case][1]
    for other in ("turn:8", "random"):
        agents = [agent_named("turn:8"), agent_named(other)]
        outcomes = play(batch, table, agents, threads=1, keep=("winner",), faults="keep")
        assert all(str(fault).startswith(says) for fault in outcomes.faults.values())
        n_over = int(outcomes.wins.sum() + outcomes.draws.sum())
        assert n_over == (0 if outcomes.faults else N_GAMES)


@pytest.mark.thorough
def test_strangers_pools_are_played_or_refused_in_a_line() -> None:
    words = [verdict_on(replace(random_case(5, k), agent="turn:6")) for k in range(4)]
    assert not [verdict for verdict in words if verdict.is_fault]
    assert sum(verdict.word == PLAYED for verdict in words) > 1


# --- names ---


@pytest.mark.parametrize("name", ["light", "turn:20:worlds=1:leaves=4"])
def test_words_of_a_name_limit_the_answers_of_the_enemy(name: str) -> None:
    wanted = agent_named("turn:20:leaves=4:worlds=1")
    agent = agent_named(name)
    assert isinstance(agent, TurnAgent)
    assert isinstance(wanted, TurnAgent)
    assert agent.parameter_values == wanted.parameter_values
    assert agent.parameter_values != agent_named("turn:20").parameter_values


def test_words_and_weights_stand_in_one_name() -> None:
    agent = agent_named("turn:20:leaves=7:coac")
    assert isinstance(agent, TurnAgent)
    for parameters in agent.parameter_rows:
        assert parameters[param.LEAVES] == 7
        assert parameters[param.WORLDS] == load_weights("coac").search.worlds


# --- files of weights ---


def test_weights_that_are_shipped_can_be_named() -> None:
    assert {"plain", "rich"} <= set(shipped_weights())
    assert agent_named("turn:20") is agent_named("turn:20")
    assert agent_named("turn:20:coac") != agent_named("turn:20:gsvb")


BAD_FILES = [
    ("own.life = 5", "own.life = 9000", 9000),
    ("own.life = 5", "own.live = 5", "live"),
    ("search.leaves = 4", "search.leaves = 0", 0),
    ("search.leaves = 4", "search.leaves = ", None),
]


@pytest.mark.parametrize(("before", "after", "value"), BAD_FILES)
def test_a_bad_file_is_refused(tmp_path: Path, before: str, after: str, value: object) -> None:
    weights = {part: getattr(RICH, part).model_dump() for part in PARTS}
    weights["own"]["life"] = 5
    weights["search"]["leaves"] = 4
    lines = [f"{part}.{name} = {value}" for part in PARTS for name, value in weights[part].items()]
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(lines))
    assert agent_named(f"turn:20:{path}").name == f"turn:20:{path}"
    path.write_text("\n".join(after if line == before else line for line in lines))
    assert refusal_of(agent_named, f"turn:20:{path}").value == value


def test_a_file_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine=new.toml").write_text(weights_text(RICH), encoding="utf-8")
    agent = agent_named("turn:20:leaves=7:mine=new.toml")
    assert isinstance(agent, TurnAgent)
    assert [int(parameters[param.LEAVES]) for parameters in agent.parameter_rows] == [7, 7]


def test_weights_for_other_rules_are_refused() -> None:
    games = games_of("duel")
    agent = turn_agent("turn:9:mine", RICH.parameters(9), ruleset="legacy")
    error = refusal_of(play, games.batch(), games.table, [agent] * 4)
    assert (error.value, error.limit) == ("duel", "legacy")
