"""`evenhand replay`: print one game, action by action, and what agents compared."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import numpy as np
import numpy.typing as npt
import typer

from agents.explanation import explainer_of
from experiments.cli.options import GAME_MAX, ExperimentName, integer
from experiments.cli.session import Session, Work, session_command
from experiments.commands.play import deal_of, open_saved_game, saved_game_text
from experiments.commands.reasons import Reasons
from experiments.experiment import Experiment, players_at
from experiments.files.option_errors import given, option_error
from experiments.files.saved_game import SavedGame, saved_game_at
from experiments.game import Game, named_experiment
from experiments.runs.json_file import to_json
from sim.engine.layout import ACTIVE
from sim.errors import error_place
from sim.game_log.card_session import CardSession
from sim.game_log.deal import Deal
from sim.play import Agent
from sim.play.mover import mover_of
from sim.ruleset import N_SEATS

_PURPOSE = "matchups"


@session_command("results", "seed", "agent", "json")
def replay(
    session: Session,
    experiment: ExperimentName,
    *,
    game: Annotated[
        int | None,
        integer(0, GAME_MAX, "Index of the game in its stream of seeds; default 0."),
    ] = None,
    first: Annotated[str | None, typer.Option(help="Name of the player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Name of the player who moves second.")] = None,
    purpose: Annotated[
        str | None,
        typer.Option(help="Stream of game seeds, named by its purpose; default matchups."),
    ] = None,
    why: Annotated[
        bool,
        typer.Option("--why", help="Also print the options that each agent compared."),
    ] = False,
    turn: Annotated[
        int | None,
        integer(0, GAME_MAX, "Print only this turn, in full detail; 0 is the start of the game."),
    ] = None,
) -> Work:
    """Print one game, move by move.

    By default, the game is the first one that `matchups` plays.
    """
    text = partial(
        run_replay,
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=session.seed,
        agent=session.agent,
        results=session.results,
        view=ReplayView(why=why, turn=turn, json=session.json),
    )
    return lambda: sys.stdout.write(text())


@dataclass(frozen=True)
class ReplayView:
    """Options that select the printed parts of a game.

    Attributes:
        why: whether to print what agents compared at each choice.
        turn: the only turn to print, where 0 is the part before the first turn; `None` prints all.
        json: whether to print only what agents compared, as JSON.
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
    view: ReplayView = ReplayView(),
) -> str:
    """Return the log of one game as text, or as JSON what the agents compared.

    Args:
        experiment: file or shipped name of an experiment, or a game saved by `play`, with which
            only `results` and `view` may be given.
        game: index of the game in its stream; `None` for the first.
        first: player in seat 0; `None` for the experiment's first player other than `second`.
        second: player in seat 1; `None` for the experiment's first player other than the one in
            seat 0. The only player of an experiment plays against itself.
        purpose: name of the stream of game seeds; `None` for the stream of `matchups`.
        seed: run seed; `None` for the experiment's seed.
        results: parent of the run folders, which is searched for trained agents.
        agent: agent that plays every deck; `None` for each player's own agent.
        view: the parts of the game to print.

    Raises:
        InputError: the experiment is invalid, a player is unknown, or an option cannot be combined
            with the experiment or with another option.
    """
    if view.json and not view.why:
        raise option_error(
            "json", "has no effect without --why", remedy="add --why, or leave --json out"
        )
    if (saved := saved_game_at(experiment)) is not None:
        options = given(
            first=first, second=second, seed=seed, agent=agent, game=game, purpose=purpose
        )
        for option, value in options.items():
            raise option_error(
                option,
                f"cannot be given for a saved game (value: {value!r})",
                value=value,
                remedy="leave the option out",
            )
        return _saved_game_text(Path(experiment), saved, results, view)
    named = named_experiment(experiment)
    named.game.require("replay")
    for option, value in given(first=first, second=second, agent=agent).items():
        if option not in named.game.options:
            raise option_error(
                option,
                f"applies only to card games, not to {named.game.name!r} (value: {value!r})",
                value=value,
                remedy="leave the option out",
            )
    _check_view(view, named.game)
    loaded = named.load(results=results, agent=agent).with_seed(seed)
    choice = named.game.supported(first=first, second=second, view=view)
    replay = cast("Callable[..., str]", named.game.replay)
    return replay(loaded, game or 0, purpose or _PURPOSE, **choice)


def replay_card_game(
    experiment: Experiment,
    game: int,
    purpose: str,
    *,
    first: str | None = None,
    second: str | None = None,
    view: ReplayView = ReplayView(),
) -> str:
    """Play one game of two players of a card game again, and return a view of it as text.

    Args:
        experiment: the experiment with the cards and decks.
        game: index of the game in its stream.
        purpose: name of the stream of game seeds.
        first: player in seat 0; `None` for the experiment's first player other than `second`.
        second: player in seat 1; `None` for the experiment's first player other than the one in
            seat 0.
        view: the parts of the game to print.

    Raises:
        InputError: a player is unknown.
    """
    seats = players_at(experiment, first, second)
    agents = [experiment.agents[seat] for seat in seats]
    deal = deal_of(experiment, seats, [agent.name for agent in agents], purpose, game)
    movers = [mover_of(agent, deal.table, deal.decks) for agent in agents]
    return _game_text(deal, agents, lambda state: movers[state[ACTIVE]](state), view)


def _saved_game_text(path: Path, saved: SavedGame, results: Path, view: ReplayView) -> str:
    """Return a view of a game that a person played, with explanations of the opponent only."""
    if view == ReplayView():
        return saved_game_text(path, saved, results)
    _check_view(view, named_experiment(saved.experiment).game)
    session = cast("CardSession", open_saved_game(path, saved, results))
    with error_place(path):
        session.full_log(saved.actions)  # raises an error if an action of the file is illegal
    agents = [None if k == session.seat else session.agent for k in range(N_SEATS)]
    # The file contains all actions, including the opponent's, so that no action is chosen again.
    left = iter(saved.actions)
    return _game_text(session.deal, agents, lambda _: next(left, None), view)


def _check_view(view: ReplayView, game: Game) -> None:
    """Check that a game supports the options of a view.

    Raises:
        InputError: `view` explains choices or selects a turn, which the game does not support.
    """
    for option, is_given in (("why", view.why), ("turn", view.turn is not None)):
        if is_given and option not in game.options:
            raise option_error(
                option,
                f"applies only to card games, not to {game.name!r}",
                remedy="leave the option out",
            )


def _game_text(
    deal: Deal,
    agents: Sequence[Agent | None],
    choose: Callable[[npt.NDArray[np.int16]], int | None],
    view: ReplayView,
) -> str:
    """Return a view of a game as text.

    Args:
        deal: the game.
        agents: agent of each seat to explain; `None` for a seat without explanations.
        choose: function that returns the next action in a state; `None` ends the game.
        view: the parts of the game to print.
    """
    if not view.why:
        return "\n".join([*_lines_of_turn(deal.log_lines(choose), view.turn), ""])
    explainers = [
        None if agent is None else explainer_of(agent, deal.table, deal.decks) for agent in agents
    ]
    reasons = Reasons(deal, explainers, turn=view.turn)
    lines = list(_lines_of_turn(deal.log_lines(choose, reasons.note), view.turn))
    if not view.json:
        missing = reasons.missing_explanations()
        return "\n".join([*lines[:_N_HEAD], *missing, *lines[_N_HEAD:], ""])
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


_N_HEAD = 3  # lines at the beginning of a game log that name the game
_TURN = re.compile(r"T(\d+) seat")


def _lines_of_turn(log: Iterator[str], turn: int | None) -> Iterator[str]:
    """Yield the head of a game log, and the lines of one turn or of all turns.

    Args:
        log: lines of the game log.
        turn: number of the turn; 0 for the part before the first turn; `None` for all turns.

    Raises:
        InputError: `turn` is beyond the last turn; raised after the last line.
    """
    current = 0
    latest = 0
    for number, line in enumerate(log):
        if turn_start := _TURN.match(line):
            latest = int(turn_start[1])
            current = latest
        elif line.startswith("result"):
            current = -1  # the result belongs to no turn
        if turn is None or number < _N_HEAD or (current == turn and (line or number == _N_HEAD)):
            yield line
    if turn is not None and turn > latest:
        raise option_error(
            "turn",
            f"{turn} is beyond the last turn of the game, {latest}",
            value=turn,
            limit=latest,
        )
