"""Learner: the decks, opponents, seats and missing cards for which an agent is trained."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from agents.dqn.settings import Variant
from balance.card_contest import CardContest
from balance.target import Share
from sim import InputError, Name, StrictModel, error_place, known_word, stream_seed
from sim.arguments import RowGames, Seed, Threads, checked
from sim.names import Names
from sim.play import Agent, Batch, Outcomes, play
from sim.ruleset import N_SEATS

SELF = "self"
SEATS = {"first": (0,), "second": (1,), "either": (0, 1)}
_NETWORK_KEYS = ("seat", "leave_out", "variant")  # keys without a meaning for a turn search


class Learner(StrictModel):
    """Agent to be trained, a `[[learner]]` table of an experiment.

    Attributes:
        name: name of the learner in files and tables.
        decks: players of the experiment that have the decks which the learner pilots.
        opponents: players that the learner meets; `self` is the same deck, piloted by earlier
            states of the learner.
        seat: seat of the learner; `either` draws the seat for each game.
        leave_out: share of sides that play without one random kind of card. An agent that is to
            measure card power must have met such decks.
        variant: variant of the learning, `improved` or `dqn`; default: that of `[train]`.
        kind: `dqn`, a network that learns as `[train]` describes, or `turn`, the weights of a turn
            search, which are tuned as `[turn]` describes, in both seats.
    """

    name: Name
    decks: tuple[str, ...] = Field(min_length=1)
    opponents: tuple[str, ...] = Field(min_length=1)
    seat: Literal["first", "second", "either"] = "either"
    leave_out: Share = 0.0
    variant: Variant | None = None
    kind: Literal["dqn", "turn"] = "dqn"

    @model_validator(mode="after")
    def _check_keys_of_kind(self) -> Learner:
        """Check that a learner of kind `turn` has no keys of networks."""
        keys = [key for key in _NETWORK_KEYS if key in self.model_fields_set]
        if self.kind == "turn" and keys:
            raise InputError(
                f'{keys[0]} is for kind = "dqn"',
                value=keys[0],
                remedy='leave it out of kind = "turn"',
            )
        return self

    @property
    def meets_itself(self) -> bool:
        """Whether earlier states of the learner are among its opponents."""
        return SELF in self.opponents

    def with_known_players(self, players: Names) -> Learner:
        """Return the same learner with the players' own names in place of other spellings.

        Args:
            players: names of the experiment's players.

        Raises:
            InputError: a name fits no player or several.
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
    """A learner's deck against a player of the contest, with the learner in one seat.

    Attributes:
        deck: index of the player with the deck that the learner pilots.
        opponent: index of the player that the learner meets.
        seat: seat of the learner.
    """

    deck: int
    opponent: int
    seat: int


def check_learner(contest: CardContest, learner: Learner) -> None:
    """Check that a learner names only players of the contest, each without ambiguity.

    Raises:
        InputError: names the learner, the field and the name.
    """
    names = contest.player_names
    for field, known in (("decks", names), ("opponents", (*names, SELF))):
        for name in getattr(learner, field):
            known_word("player", name, known, f"learner {learner.name!r}: {field}")
    if SELF in names and learner.meets_itself:
        raise InputError(
            f"{SELF!r} means earlier states of the learner",
            place=f"learner {learner.name!r}: opponents",
            value=SELF,
            remedy="the player of that name needs another `name`",
        )


def pairings(contest: CardContest, learner: Learner) -> list[Pairing]:
    """Return the pairings in which a learner is measured.

    In place of `self` the learner meets the player that has the deck.

    Raises:
        InputError: the learner names a player that the contest does not have.
    """
    check_learner(contest, learner)
    positions = {player.name: position for position, player in enumerate(contest.players)}
    all_pairings = [
        Pairing(positions[deck], positions[deck if opponent == SELF else opponent], seat)
        for deck, opponent, seat in product(learner.decks, learner.opponents, SEATS[learner.seat])
    ]
    return list(dict.fromkeys(all_pairings))  # `self` and the player's name give the same pairing


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
    """Play each pairing with `agent` in the learner's place, all on the same seeds.

    Args:
        contest: cards and players.
        chosen: pairings, ``R`` of them.
        agent: agent that pilots the learner's decks.
        n_games: number of games per pairing.
        run_seed: seed of the run.
        purpose: name of the stream of game seeds.
        keep: results to keep for every game; see `sim.play.batch.play`.
        threads: number of threads; default: all cores.

    Returns:
        Outcomes, one row per pairing.

    Raises:
        InputError: an argument has the wrong type or range, there are no pairings, or a pairing has
            an unknown player or seat.
    """
    n_players = len(contest.players)
    if not chosen:
        raise InputError(
            "there is no pairing to play",
            place="chosen",
            value=chosen,
            remedy="`pairings` returns those of a learner",
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
