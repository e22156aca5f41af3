"""Learners: the decks, opponents and seats for which agents are trained and measured."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from agents.dqn.settings import Variant
from balance.cards.card_contest import CardContest
from balance.contest.target import Share
from balance.learning.learner_kinds import BUILT_IN, check_kind_name
from sim import InputError, Name, StrictModel, error_place, known_word, stream_seed
from sim.arguments import RowGames, Seed, Threads, checked
from sim.names import Names
from sim.play import Agent, Batch, Outcomes, play
from sim.ruleset import N_SEATS

SELF = "self"
SEATS: dict[str, tuple[int, ...]] = {"first": (0,), "second": (1,), "either": (0, 1)}
_NETWORK_KEYS = ("seat", "leave_out", "variant")  # keys that only learners of kind `dqn` may have


class Learner(StrictModel):
    """Description of an agent to be trained, a `[[learner]]` table of an experiment file.

    Attributes:
        name: name of the learner in files and tables.
        decks: names of the players with the decks that the learner plays.
        opponents: names of the players that the learner meets; `self` means the learner's deck,
            played by earlier states of the learner.
        seat: seat of the learner; `either` means both seats equally often.
        leave_out: share of the players in training games who play without one random kind of card.
            An agent that is to measure card power must have met such decks.
        variant: variant of the learning, `improved` or `dqn`; default: the variant in `[train]`.
        kind: `dqn` for a network that learns as `[train]` describes; `turn` for the weights of a
            turn search, which are tuned as `[turn]` describes, in both seats; `net` for a value of
            positions that a turn search uses, which learns from random decks of the pool as `[net]`
            describes, and is measured with the learner's decks in both seats; or a kind that an
            installed package declares (`balance.learning.learner_plugins`).
        settings: settings for a kind of a package, which it reads itself.
    """

    name: Name
    decks: tuple[str, ...] = Field(min_length=1)
    opponents: tuple[str, ...] = Field(min_length=1)
    seat: Literal["first", "second", "either"] = "either"
    leave_out: Share = 0.0
    variant: Variant | None = None
    kind: Annotated[str, AfterValidator(check_kind_name)] = "dqn"
    settings: dict[str, Any] = Field(default_factory=dict, repr=False)

    @model_validator(mode="after")
    def _check_keys_of_kind(self) -> Learner:
        """Check that a learner has no keys that only other kinds use.

        Raises:
            InputError: such a key is present.
        """
        if self.kind in BUILT_IN and self.settings:
            raise InputError(
                f"'settings' applies only to learners of packages, not to kind {self.kind!r}",
                value="settings",
                remedy="remove it",
            )
        keys = [key for key in _NETWORK_KEYS if key in self.model_fields_set]
        if self.kind != "dqn" and keys:
            raise InputError(
                f"{keys[0]!r} applies only to learners of kind 'dqn', not {self.kind!r}",
                value=keys[0],
                remedy="remove it",
            )
        return self

    @property
    def meets_itself(self) -> bool:
        """Whether earlier states of the learner are among its opponents."""
        return SELF in self.opponents

    def with_known_players(self, players: Names) -> Learner:
        """Return a copy of the learner in which decks and opponents have the players' exact names.

        Repeated names are removed.

        Args:
            players: names of the experiment's players.

        Raises:
            InputError: a name in `decks` or `opponents` matches no player, or several.
        """
        names_by_field = {}
        for field in ("decks", "opponents"):
            with error_place(f"learner {self.name!r}: {field}"):
                names = (
                    name if name == SELF and field == "opponents" else players.find(name)
                    for name in getattr(self, field)
                )
                names_by_field[field] = tuple(dict.fromkeys(names))
        return self.model_copy(update=names_by_field)


class Pairing(NamedTuple):
    """Deck of a learner, a player of the contest as opponent, and the seat of the learner.

    Attributes:
        deck: index of the player with the deck that the learner plays.
        opponent: index of the player that the learner meets.
        seat: seat of the learner, 0 or 1.
    """

    deck: int
    opponent: int
    seat: int


def check_learner(contest: CardContest, learner: Learner) -> None:
    """Check that all decks and opponents of a learner are players of a contest.

    Raises:
        InputError: a name is not that of a player, or a player is called `self` while the learner
            meets itself. The message names the learner, the field and the name.
    """
    names = contest.player_names
    for field, known in (("decks", names), ("opponents", (*names, SELF))):
        for name in getattr(learner, field):
            known_word("player", name, known, f"learner {learner.name!r}: {field}")
    if SELF in names and learner.meets_itself:
        raise InputError(
            f"{SELF!r} means earlier states of the learner, but a player has that name, too",
            place=f"learner {learner.name!r}: opponents",
            value=SELF,
            remedy="give the player another `name`",
        )


def pairings(contest: CardContest, learner: Learner) -> list[Pairing]:
    """Return the pairings in which a learner is measured, each once.

    The opponent `self` is replaced by the player that has the learner's deck.

    Raises:
        InputError: a name in the learner's `decks` or `opponents` is not that of a player of the
            contest.
    """
    check_learner(contest, learner)
    positions = {player.name: position for position, player in enumerate(contest.players)}
    all_pairings = [
        Pairing(positions[deck], positions[deck if opponent == SELF else opponent], seat)
        for deck, opponent, seat in product(learner.decks, learner.opponents, SEATS[learner.seat])
    ]
    # Duplicates occur if both `self` and the player with the deck are opponents.
    return list(dict.fromkeys(all_pairings))


@checked(n_games=RowGames, run_seed=Seed, purpose=str, threads=Threads)
def play_pairings(
    contest: CardContest,
    chosen: Sequence[Pairing],
    agent: Agent,
    *,
    n_games: int,
    run_seed: int,
    purpose: str,
    keep: str | Sequence[str] = (),
    threads: int | None = None,
) -> Outcomes:
    """Play games of pairings, with an agent as the pilot of the learner's decks.

    All pairings use the same seeds.

    Args:
        contest: cards and players.
        chosen: pairings to be played, ``R`` of them, at least one.
        agent: agent that plays the learner's decks.
        n_games: number of games per pairing.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds.
        keep: names of results to keep for every game; see `sim.play.batch.play`.
        threads: number of threads; default: all cores.

    Returns:
        Outcomes with one row per pairing, in the order of `chosen`.

    Raises:
        InputError: an argument has a wrong type or value, `chosen` is empty, or a pairing has an
            index or a seat out of range.
    """
    n_players = len(contest.players)
    if not chosen:
        raise InputError(
            "there is no pairing to play",
            place="chosen",
            value=chosen,
            remedy="`pairings` returns the pairings of a learner",
        )
    for pairing in chosen:
        limits = (n_players, n_players, N_SEATS)
        if any(not 0 <= place < n for place, n in zip(pairing, limits, strict=True)):
            raise InputError(
                f"deck and opponent must be 0 to {n_players - 1}, seat 0 to {N_SEATS - 1}",
                place=pairing,
                value=pairing,
                limit=limits,
            )
    seats = np.array([[pairing.opponent, pairing.opponent] for pairing in chosen])
    for row, pairing in zip(seats, chosen, strict=True):
        row[pairing.seat] = n_players + pairing.deck
    zeros = np.zeros(len(chosen), dtype=np.int64)
    batch = Batch(
        decks=np.concatenate([contest.deck_rows, contest.deck_rows]),
        variant=zeros,
        seats=seats,
        n_games=zeros + n_games,
        first_game=zeros,
        stream=stream_seed(run_seed, purpose),
    )
    agents = [*contest.agents, *[agent] * n_players]
    return play(batch, contest.table, agents, keep=keep, threads=threads)
