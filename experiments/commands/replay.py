"""`evenhand replay`: one game, move by move, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from agents.explanation import explainer_of
from experiments.commands.play import deal_of, seated, tell_saved_game
from experiments.commands.reasons import Reasons
from experiments.experiment import players_at
from experiments.files.option_errors import given, option_error
from experiments.files.saved_game import SavedGame, saved_game_at
from experiments.game import game_of
from experiments.loading import load_experiment
from experiments.runs.json_file import to_json
from sim.engine.layout import ACTIVE
from sim.errors import error_place
from sim.game_log.card_session import CardSession
from sim.game_log.deal import Deal
from sim.play import Agent
from sim.play.mover import mover_of
from sim.ruleset import N_SEATS

_PURPOSE = "matchups"


@dataclass(frozen=True)
class Wanted:
    """How a game is to be told.

    Attributes:
        why: whether it is said what agents compared.
        turn: the only one that is told; 0 for what comes before the first.
        json: whether what agents compared is all, as data.
    """

    why: bool = False
    turn: int | None = None
    json: bool = False


def run_replay(
    experiment: str,
    *,
    game: int | None,
    first: str | None,
    second: str | None,
    purpose: str | None,
    seed: int | None,
    results: Path,
    agent: str | None = None,
    wanted: Wanted = Wanted(),
) -> str:
    """The playthrough of one game as text.

    Args:
        experiment: file or shipped name, or a game that `play` saved, of which only `results` is
            asked.
        game: index of the game in its stream; default the first.
        first: player in seat 0; default the experiment's first other than `second`.
        second: player in seat 1; default the experiment's first other than the one in seat 0.
            The only player of an experiment meets itself.
        purpose: stream of game seeds; default that of `matchups`.
        seed: run seed instead of the file's.
        results: parent of the run folders, where trained agents are looked for.
        agent: plays every deck; default as the file says.
        wanted: how it is told.

    Raises:
        InputError: the experiment is wrong, or a player is unknown.
    """
    if wanted.json and not wanted.why:
        raise option_error("json", "is for what agents compared: add --why")
    if (saved := saved_game_at(experiment)) is not None:
        asked = given(
            first=first, second=second, seed=seed, agent=agent, game=game, purpose=purpose
        )
        for option, value in asked.items():
            raise option_error(option, f"{value!r}: has no meaning for a game that was played")
        return _saved(Path(experiment), saved, results, wanted)
    number = game or 0
    stream = purpose or _PURPOSE
    path, other = game_of(experiment)
    if other is not None:
        for option, value in given(first=first, second=second, agent=agent).items():
            raise option_error(option, f"{value!r}: has no meaning in {other.name!r}")
        _refuse(wanted, other.name)
        return other.replay(other.load(path).with_seed(seed), number, stream)
    loaded = load_experiment(experiment, results, agent=agent).with_seed(seed)
    seats = players_at(loaded, first, second)
    agents = [loaded.agents[seat] for seat in seats]
    deal = deal_of(loaded, seats, [agent.name for agent in agents], stream, number)
    movers = [mover_of(agent, deal.table, deal.decks) for agent in agents]
    return _told(deal, agents, lambda state: movers[state[ACTIVE]](state), wanted)


def _saved(path: Path, saved: SavedGame, results: Path, wanted: Wanted) -> str:
    """A game that a person has played; who it was played against is explained."""
    if wanted == Wanted():
        return tell_saved_game(path, saved, results)
    _, other = game_of(saved.experiment)
    if other is not None:
        _refuse(wanted, other.name)
    sitting = cast("CardSession", seated(path, saved, results))
    with error_place(path):
        sitting.full_log(saved.actions)  # refuses what is not possible
    agents = [None if k == sitting.seat else sitting.agent for k in range(N_SEATS)]
    left = iter(saved.actions)
    return _told(sitting.deal, agents, lambda _: next(left, None), wanted)


def _refuse(wanted: Wanted, game: str) -> None:
    """Refuse to tell a game that is none of cards otherwise than as a whole."""
    for option, value in (("why", wanted.why), ("turn", wanted.turn is not None)):
        if value:
            raise option_error(
                option, f"has no meaning in {game!r}: only games of cards can be told so"
            )


def _told(
    deal: Deal,
    agents: Sequence[Agent | None],
    choose: Callable[[npt.NDArray[np.int16]], int | None],
    wanted: Wanted,
) -> str:
    """A game as it is wanted."""
    if not wanted.why:
        return "\n".join([*_of_turn(deal.log_lines(choose), wanted.turn), ""])
    explainers = [
        None if agent is None else explainer_of(agent, deal.table, deal.decks) for agent in agents
    ]
    reasons = Reasons(deal, explainers, turn=wanted.turn)
    lines = list(_of_turn(deal.log_lines(choose, reasons.note), wanted.turn))
    if not wanted.json:
        return "\n".join([*lines[:_N_HEAD], *reasons.silent(), *lines[_N_HEAD:], ""])
    return to_json(
        {
            "seed": deal.run_seed,
            "purpose": deal.purpose,
            "game": deal.game_index,
            "seats": [
                {"player": name, "agent": pilot, "explained": explain is not None}
                for name, pilot, explain in zip(deal.names, deal.pilots, explainers, strict=True)
            ],
            "choices": reasons.choices,
        }
    )


_N_HEAD = 3  # lines that say which game it is
_TURN = re.compile(r"T(\d+) seat")


def _of_turn(told: Iterator[str], turn: int | None) -> Iterator[str]:
    """The head of a playthrough and one turn of it, 0 for what comes before the first.

    Raises:
        InputError: there is no such turn.
    """
    now = latest = 0
    for number, line in enumerate(told):
        if begun := _TURN.match(line):
            now = latest = int(begun[1])
        elif line.startswith("result"):
            now = -1
        if turn is None or number < _N_HEAD or (now == turn and (line or number == _N_HEAD)):
            yield line
    if turn is not None and turn > latest:
        raise option_error("turn", f"{turn}: the game has {latest} turns")
