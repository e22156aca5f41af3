"""A learner: decks, opponents, seats, and cards that may be missing, as it is trained for."""

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
_OF_NETWORKS = ("seat", "leave_out", "variant")  # keys that mean nothing to a turn search


class Learner(StrictModel):
    """A `[[learner]]` table: an agent to be trained.

    Attributes:
        name: what its files and tables are called.
        decks: the players of the experiment whose decks it pilots.
        opponents: the players it meets; `self` is the same deck in the hands of its past selves.
        seat: where it sits; `either` draws the seat for each game.
        leave_out: how often a side plays without one kind of card, drawn at random. An agent
            that is to measure card power must have met such decks.
        variant: of the learning, instead of that in `[train]`: `improved` or `dqn`.
        kind: `dqn`, a network that learns as `[train]` says, or `turn`, the weights of a turn
            search, which are tuned as `[turn]` says, in both seats.
    """

    name: Name
    decks: tuple[str, ...] = Field(min_length=1)
    opponents: tuple[str, ...] = Field(min_length=1)
    seat: Literal["first", "second", "either"] = "either"
    leave_out: Share = 0.0
    variant: Variant | None = None
    kind: Literal["dqn", "turn"] = "dqn"

    @model_validator(mode="after")
    def _has_the_keys_of_its_kind(self) -> Learner:
        told = [key for key in _OF_NETWORKS if key in self.model_fields_set]
        if self.kind == "turn" and told:
            raise ValueError(f'{told[0]} is for kind = "dqn"; leave it out of kind = "turn"')
        return self

    @property
    def meets_itself(self) -> bool:
        """Whether past selves are among its opponents."""
        return SELF in self.opponents

    def with_known_players(self, players: Names) -> Learner:
        """The same learner with the players' own names in place of other spellings.

        Raises:
            InputError: a name stands for nobody or for several players.
        """
        known = {}
        for field in ("decks", "opponents"):
            with error_place(f"learner {self.name!r}: {field}"):
                named = (
                    name if name == SELF and field == "opponents" else players.find(name)
                    for name in getattr(self, field)
                )
                known[field] = tuple(dict.fromkeys(named))
        return self.model_copy(update=known)


class Pairing(NamedTuple):
    """A learner's deck against a player of the contest, the learner in one seat."""

    deck: int  # the player whose deck it pilots
    opponent: int
    seat: int


def check_learner(contest: CardContest, learner: Learner) -> None:
    """Refuse a learner that names players the contest does not have, or that may mean two.

    Raises:
        InputError: names the learner, the field and the name.
    """
    names = contest.player_names
    for field, known in (("decks", names), ("opponents", (*names, SELF))):
        for name in getattr(learner, field):
            known_word("player", name, known, f"learner {learner.name!r}: {field}")
    if SELF in names and learner.meets_itself:
        raise InputError(
            f"learner {learner.name!r}: opponents: {SELF!r} is its own past; "
            "the player of that name needs another `name`"
        )


def pairings(contest: CardContest, learner: Learner) -> list[Pairing]:
    """The pairings that a learner is measured in; in place of itself it meets the deck's player.

    Raises:
        InputError: as `check_learner`.
    """
    check_learner(contest, learner)
    positions = {player.name: position for position, player in enumerate(contest.players)}
    found = [
        Pairing(positions[deck], positions[deck if opponent == SELF else opponent], seat)
        for deck, opponent, seat in product(learner.decks, learner.opponents, SEATS[learner.seat])
    ]
    return list(dict.fromkeys(found))  # itself may be met by its own name too


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
        chosen: ``R`` pairings.
        agent: who pilots the learner's decks.
        n_games: games per pairing.
        run_seed: the run's seed.
        purpose: names the stream of game seeds.
        keep: see `sim.play.batch.play`.
        threads: threads to use; default all cores.

    Returns:
        Outcomes of ``R`` rows.

    Raises:
        InputError: an argument is none of these, there are no pairings, or one is of players or a
            seat that there are not.
    """
    n_players = len(contest.players)
    if not chosen:
        raise InputError("chosen: no pairing to play; `pairings` finds a learner's")
    for pairing in chosen:
        limits = (n_players, n_players, N_SEATS)
        if any(not 0 <= place < n for place, n in zip(pairing, limits, strict=True)):
            raise InputError(
                f"{pairing}: deck and opponent must be 0 to {n_players - 1}, seat 0 to "
                f"{N_SEATS - 1}"
            )
    seats = np.array([[pairing.opponent, pairing.opponent] for pairing in chosen])
    for row, pairing in zip(seats, chosen, strict=True):
        row[pairing.seat] = n_players + pairing.deck
    nothing = np.zeros(len(chosen), dtype=np.int64)
    batch = Batch(
        decks=np.concatenate([contest.deck_rows, contest.deck_rows]),
        variant=nothing,
        seats=seats,
        n_games=nothing + n_games,
        first_game=nothing,
        stream=stream_seed(run_seed, purpose),
    )
    agents = [*contest.agents, *[agent] * n_players]
    return play(batch, contest.table, agents, keep=keep, threads=threads)
