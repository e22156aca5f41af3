"""`evenhand play`: let a person play a game against an agent of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Annotated, Any, cast

import numpy as np
import typer

from experiments.agents import agent_for
from experiments.cli.options import GAME_MAX, integer
from experiments.cli.session import Session, Work, session_command
from experiments.commands.conversation import Conversation, Ending, Terminal
from experiments.experiment import Experiment, players_at
from experiments.files.option_errors import option_place
from experiments.files.saved_game import (
    SavedGame,
    check_same_game,
    free_game,
    new_game,
    save_game,
    saved_game_at,
)
from experiments.game import Place, Sit, named_experiment
from experiments.runs.finished_run import results_option
from sim import InputError, error_place
from sim.game_log.card_session import CardSession
from sim.game_log.deal import Deal
from sim.game_log.game_session import GameSession
from sim.names import named_word

PURPOSE = "play"
_SEATS = ("first", "second")
_UNSHOWN_WIDTH = 80  # characters of a line if no lines are shown; the value has no effect
_LATEST = 20  # log lines to show when a saved game continues; they fill most of a screen


@session_command("results", "seed")
def play(
    session: Session,
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT",
            help="An experiment file, the name of a shipped experiment, or a saved game.",
        ),
    ],
    *,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT", help="The seat that you take: first, second and so on; default first."
        ),
    ] = None,
    own: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="PLAYER", help="Name of the player; you play that player's deck."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Name of another player; the opponent plays that player's deck."
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help="The agent that plays the opponent; default that player's own agent."),
    ] = None,
    game: Annotated[
        int | None,
        integer(0, GAME_MAX, "Index of the game; default the first one not played yet."),
    ] = None,
) -> Work:
    """Play a game yourself, at the terminal.

    By default, you play the first deck of the first matchup. The game is saved after every action.
    """
    terminal = Terminal()
    place = Place(seat, own, against, agent)
    opened = open_game(
        experiment,
        place,
        index=game,
        seed=session.seed,
        results=session.results,
        width=terminal.width,
    )
    return partial(opened.hold, terminal)


@dataclass
class PlayedGame:
    """Game of a person in progress, and the file in which the game is saved.

    Attributes:
        path: path of the file.
        saved: content of the file when it was read, without later actions.
        session: game session of the person.
        log: lines of the game log when the session was opened.
        results: parent of the run folders.
    """

    path: Path
    saved: SavedGame
    session: GameSession
    log: list[str]
    results: Path

    def hold(self, terminal: Terminal) -> None:
        """Let the person play until the game is over or left; save the game after each action.

        Args:
            terminal: terminal at which the person reads and types.

        Raises:
            KeyboardInterrupt: the person pressed Ctrl-C; the game is saved first.
        """
        self._save(0)
        terminal.say(
            [
                *wrap(self.session.greeting(), terminal.width),
                "Type the number of what you want to do, or help.",
            ]
        )
        is_long = len(self.log) > _LATEST and bool(self.saved.actions)
        terminal.say(["", "  ...", *self.log[-_LATEST:]] if is_long else self.log)
        conversation = Conversation(
            self.session, terminal, lambda: self._save(conversation.n_undone)
        )
        try:
            ending = conversation.hold()
        except KeyboardInterrupt:
            self._save(conversation.n_undone)  # Ctrl-C may come while the opponent is to move
            terminal.say(["", self._continuation()])
            raise
        if ending == "conceded":
            self.saved = self.saved.model_copy(update={"conceded": True})
            self._save(conversation.n_undone)
        terminal.say(["", *self._closing_lines(ending)])

    def _save(self, n_undone: int) -> None:
        """Save all actions of the game in its file.

        Args:
            n_undone: number of actions that were taken back since the file was read.
        """
        saved = self.saved.model_copy(update={"undone": self.saved.undone + n_undone})
        save_game(self.path, saved, self.session.actions)

    def _closing_lines(self, ending: Ending) -> list[str]:
        """Return lines on the result and on the command that replays or continues the game."""
        if ending == "quit":
            return [self._continuation()]
        return [
            "You concede." if ending == "conceded" else self.session.result(),
            f"To see the game with all hidden cards: evenhand replay {self._arguments()}",
        ]

    def _continuation(self) -> str:
        """Return a line with the command that continues the saved game."""
        return f"The game is saved; to continue it: evenhand play {self._arguments()}"

    def _arguments(self) -> str:
        """Return the arguments that identify the saved game, quoted for a shell."""
        return f"{quote(str(self.path))}{results_option(self.results)}"


def open_game(
    name: str, place: Place, *, index: int | None, seed: int | None, results: Path, width: int
) -> PlayedGame:
    """Return a new or a continued game at the first point where the person is to act.

    Args:
        name: file or shipped name of an experiment, or the file of a saved game to continue.
        place: seat and decks of the person; empty for a saved game.
        index: index of the game in its stream; `None` for the first index without a file.
        seed: run seed; `None` for the experiment's seed.
        results: parent of the run folders, which contain saved games and trained agents.
        width: maximum width of lines in characters.

    Raises:
        InputError: the experiment, the saved game or an option is invalid, an option is given for a
            saved game, or the saved game was conceded.
    """
    if (saved := saved_game_at(name)) is None:
        experiment, start = _load(name, seed, results)
        # Each new game takes the next index, and so another deal, unless --game names one.
        path, number = free_game(results, experiment.settings.name, index)
        session = start(experiment, place, index=number, width=width, results=results)
        saved = new_game(experiment, place, number)
        return PlayedGame(path, saved, session, session.begin(), results)
    if place != Place() or index is not None or seed is not None:
        raise InputError(
            "is a saved game, which continues with the options that it began with",
            place=name,
            remedy="leave the options out",
        )
    if saved.conceded:
        raise InputError(
            "was conceded, so it cannot be continued",
            place=name,
            remedy=f"to see it, run: evenhand replay {name}",
        )
    session = open_saved_game(Path(name), saved, results, width)
    with error_place(name):
        log = session.begin(saved.actions)
    return PlayedGame(Path(name), saved, session, log, results)


def open_saved_game(
    path: Path, saved: SavedGame, results: Path, width: int = _UNSHOWN_WIDTH
) -> GameSession:
    """Return the game session of a saved game, before its first action.

    Args:
        path: path of the saved game.
        saved: content of the saved game.
        results: parent of the run folders.
        width: maximum width of lines in characters.

    Raises:
        InputError: the saved game does not fit its experiment.
    """
    experiment, start = _load(saved.experiment, saved.seed, results)
    check_same_game(saved, path, experiment)
    with _key_place(path):
        return start(experiment, saved.place, index=saved.index, width=width, results=results)


def saved_game_text(path: Path, saved: SavedGame, results: Path) -> str:
    """Return the log of a saved game with everything that was hidden, as text.

    Args:
        path: path of the saved game.
        saved: content of the saved game.
        results: parent of the run folders.

    Raises:
        InputError: the saved game does not fit its experiment, or an action in it is not legal.
    """
    session = open_saved_game(path, saved, results)
    with error_place(path):
        lines = session.full_log(saved.actions)
    if saved.conceded:
        lines += ["", "the person gives up"]
    return "\n".join([*lines, ""])


def _load(name: str, seed: int | None, results: Path) -> tuple[Any, Sit]:
    """Load an experiment, set its seed, and return it with the function that starts a session."""
    named = named_experiment(name)
    named.game.require("play")
    return named.load(results=results).with_seed(seed), cast("Sit", named.game.sit)


@contextmanager
def _key_place(path: Path) -> Iterator[None]:
    """Name the file and key of a saved game, instead of an option, as the place of an error.

    The checks of a saved game are those of the options, and their errors name options that the
    person did not give.
    """
    try:
        yield
    except InputError as error:
        option, *inner = error.place.split(": ")
        if not option.startswith("--"):
            raise
        key = {"--as": "player"}.get(option, option.removeprefix("--"))
        place = ": ".join((str(path), key, *inner))
        raise error.with_fields(place=place, is_complete=False) from None


def start_card_game(
    experiment: Experiment, place: Place, *, index: int, width: int, results: Path
) -> CardSession:
    """Return a session of a card game: the person's deck against another deck of the experiment.

    Args:
        experiment: the experiment with the cards and decks.
        place: seat and deck of the person, and the opponent's deck and agent; parts that are left
            out get defaults.
        index: index of the game in its stream.
        width: maximum width of lines in characters.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: the seat, a player or the agent is unknown, or the agent cannot play its deck.
    """
    with option_place("seat"):
        seat = _SEATS.index(named_word("seat", place.seat or _SEATS[0], _SEATS))
    own, other = players_at(experiment, place.player, place.against, ("as", "against"))
    agent = experiment.agents[other]
    if place.agent is not None:
        with option_place("agent"):
            agent = agent_for(place.agent, experiment, [experiment.decks[other]], results)
    order = [own, other] if seat == 0 else [other, own]
    pilots = ["a person" if k == seat else agent.name for k in range(len(_SEATS))]
    return CardSession(deal_of(experiment, order, pilots, PURPOSE, index), seat, agent, width=width)


def deal_of(
    experiment: Experiment, players: Sequence[int], pilots: Sequence[str], purpose: str, index: int
) -> Deal:
    """Return the deal of a game of an experiment: table, decks, names, pilots and seed.

    Args:
        experiment: the experiment with the cards and decks.
        players: index of the player in each seat.
        pilots: name of the pilot in each seat.
        purpose: name of the stream of game seeds.
        index: index of the game in the stream.
    """
    contest = experiment.contest()
    return Deal(
        contest.table,
        np.ascontiguousarray(contest.deck_rows[players]),
        tuple(contest.player_names[k] for k in players),
        tuple(pilots),
        experiment.settings.seed,
        purpose,
        index,
    )
