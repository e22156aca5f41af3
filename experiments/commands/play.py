"""`evenhand play`: a person at the table, against the agents of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Any

import numpy as np

from experiments.agents import agent_for
from experiments.commands.conversation import Conversation, Left, Terminal
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
from experiments.game import Place, Sit, game_of
from experiments.loading import load_experiment
from experiments.runs.finished_run import results_option
from sim import InputError, error_place
from sim.game_log.card_session import CardSession
from sim.game_log.deal import Deal
from sim.game_log.game_session import GameSession
from sim.names import named_word

PURPOSE = "play"
_SEATS = ("first", "second")
_SHOWS_NOBODY = 80  # letters of lines that are not shown
_LATEST = 20  # lines of the story, where a game goes on


@dataclass
class PlayedGame:
    """A person's game, and the file that keeps it.

    Attributes:
        path: of the file.
        saved: what it says, but for what is done from now on.
        sitting: the game.
        told: its story so far.
        results: parent of the run folders.
    """

    path: Path
    saved: SavedGame
    sitting: GameSession
    told: list[str]
    results: Path

    def hold(self, terminal: Terminal) -> None:
        """Let the person play until the game is over or left; it is saved after each action.

        Raises:
            KeyboardInterrupt: by Ctrl-C; the game is saved.
        """
        self._save(0)
        terminal.say(
            [
                *wrap(self.sitting.greeting(), terminal.width),
                "Type the number of what you want to do, or help.",
            ]
        )
        is_long = len(self.told) > _LATEST and bool(self.saved.actions)
        terminal.say(["", "  ...", *self.told[-_LATEST:]] if is_long else self.told)
        talk = Conversation(self.sitting, terminal, lambda: self._save(talk.n_undone))
        try:
            left = talk.hold()
        except KeyboardInterrupt:
            self._save(talk.n_undone)  # perhaps while the opponent was to move
            terminal.say(["", self._goes_on()])
            raise
        if left == "conceded":
            self.saved = self.saved.model_copy(update={"conceded": True})
            self._save(talk.n_undone)
        terminal.say(["", *self._end(left)])

    def _save(self, n_undone: int) -> None:
        saved = self.saved.model_copy(update={"undone": self.saved.undone + n_undone})
        save_game(self.path, saved, self.sitting.actions)

    def _end(self, left: Left) -> list[str]:
        if left == "quit":
            return [self._goes_on()]
        return [
            "You concede." if left == "conceded" else self.sitting.result(),
            f"With all that was hidden: evenhand replay {self._named()}",
        ]

    def _goes_on(self) -> str:
        return f"The game is saved and goes on with: evenhand play {self._named()}"

    def _named(self) -> str:
        return f"{quote(str(self.path))}{results_option(self.results)}"


def open_game(
    name: str, place: Place, *, index: int | None, seed: int | None, results: Path, width: int
) -> PlayedGame:
    """A game at the point where the person is asked, and the file that will keep it.

    Args:
        name: an experiment, by its file or shipped name; or a saved game, which goes on.
        place: where the person sits; says nothing for a saved game.
        index: which game of the stream; default the first that has no file.
        seed: run seed instead of the experiment's.
        results: parent of the run folders, where games are kept and trained agents looked for.
        width: of lines.

    Raises:
        InputError: the experiment, the saved game or an option is wrong.
    """
    if (saved := saved_game_at(name)) is None:
        loaded, sit = _loaded(name, seed, results)
        path, number = free_game(results, loaded.settings.name, index)
        sitting = sit(loaded, place, index=number, width=width, results=results)
        return PlayedGame(path, new_game(loaded, place, number), sitting, sitting.begin(), results)
    if place != Place() or index is not None or seed is not None:
        raise InputError(f"{name}: is a game that goes on as it began; leave the options out")
    if saved.conceded:
        raise InputError(f"{name}: was conceded; evenhand replay {name} tells it")
    sitting = seated(Path(name), saved, results, width)
    with error_place(name):
        told = sitting.begin(saved.actions)
    return PlayedGame(Path(name), saved, sitting, told, results)


def seated(path: Path, saved: SavedGame, results: Path, width: int = _SHOWS_NOBODY) -> GameSession:
    """The game of a file, in which nothing has been done yet.

    Args:
        path: of the file.
        saved: what it says.
        results: parent of the run folders.
        width: of lines, where they are shown.

    Raises:
        InputError: it does not fit its experiment.
    """
    loaded, sit = _loaded(saved.experiment, saved.seed, results)
    check_same_game(saved, path, loaded)
    with _key_place(path):
        return sit(loaded, saved.place, index=saved.index, width=width, results=results)


def tell_saved_game(path: Path, saved: SavedGame, results: Path) -> str:
    """A saved game as a playthrough, with everything that was hidden.

    Raises:
        InputError: it does not fit its experiment, or is damaged.
    """
    sitting = seated(path, saved, results)
    with error_place(path):
        lines = sitting.full_log(saved.actions)
    if saved.conceded:
        lines += ["", "the person gives up"]
    return "\n".join([*lines, ""])


def _loaded(name: str, seed: int | None, results: Path) -> tuple[Any, Sit]:
    """An experiment, and what seats a person in its games."""
    path, other = game_of(name)
    if other is not None:
        return other.load(path).with_seed(seed), other.sit
    return load_experiment(name, results).with_seed(seed), sit_at_cards


@contextmanager
def _key_place(path: Path) -> Iterator[None]:
    """Blame the key of a saved game where an option of the same meaning is said to be wrong."""
    try:
        yield
    except InputError as error:
        option, *inner = error.place.split(": ")
        if not option.startswith("--"):
            raise
        key = {"--as": "player"}.get(option, option.removeprefix("--"))
        problem = error.problem
        raise InputError(
            problem,
            place=": ".join((str(path), key, *inner)),
            value=error.value,
            limit=error.limit,
            remedy=error.remedy,
        ) from None


def sit_at_cards(
    experiment: Experiment, place: Place, *, index: int, width: int, results: Path
) -> CardSession:
    """A game of cards: the person's deck against another one of the experiment.

    Raises:
        InputError: there is no such seat, player or agent, or the agent cannot play this.
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
    """A game of an experiment.

    Args:
        experiment: whose cards and decks.
        players: who sits where.
        pilots: what those are called who play for them.
        purpose: stream of game seeds.
        index: of the game in it.
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
