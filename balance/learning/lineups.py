"""Line-ups of a learner's episodes: who sits where, with which decks, how often.

Apart from the learner itself, of which experiment files tell: episodes need the extra `[rl]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from balance.card_contest import CardContest, DeckRows
from balance.learning.learner import SEATS, SELF, Learner
from sim.environments.episodes import Lineup
from sim.play.batch import without


def lineups(
    contest: CardContest, learner: Learner, n_past_selves: int = 0, rivals: Sequence[int] = ()
) -> list[Lineup]:
    """How the learner's episodes are made up.

    Every pair of a deck and an opponent is equally frequent, and so is every seat.

    Args:
        contest: cards and players.
        learner: who learns.
        n_past_selves: places for past selves among the opponents, behind the contest's players.
        rivals: players whose decks others pilot too, equally often; these others come behind the
            past selves among the opponents.
    """
    positions = {player.name: position for position, player in enumerate(contest.players)}
    n_players, found = len(contest.players), []
    for deck, opponent, seat in product(learner.decks, learner.opponents, SEATS[learner.seat]):
        names = (deck, deck if opponent == SELF else opponent)
        sides = [contest.deck_rows[positions[name]] for name in names]
        if opponent == SELF:
            pilots = [n_players + past for past in range(n_past_selves)]
        else:
            others = [k for k, rival in enumerate(rivals) if rival == positions[opponent]]
            first = n_players + n_past_selves
            pilots = [positions[opponent], *(first + k for k in others)]
        for (own, share), (enemy, other_share) in product(
            *(_with_absences(row, learner.leave_out) for row in sides)
        ):
            weight = share * other_share / len(pilots)
            found += [Lineup(own, enemy, pilot, seat, weight) for pilot in pilots]
    return found


def with_share(found: Sequence[Lineup], opponents: Collection[int], share: float) -> list[Lineup]:
    """The same line-ups, so weighted that some opponents are met in a share of the games.

    Args:
        found: with these opponents among others, or with no others.
        opponents: positions.
        share: of all games; within it, and within the rest, all is as frequent as it was.
    """
    chosen = [one for one in found if one.opponent in opponents]
    others = [one for one in found if one.opponent not in opponents]
    weighted = []
    for some, part in ((chosen, share), (others, 1 - share)):
        total = sum(one.weight for one in some)
        weighted += [replace(one, weight=part * one.weight / total) for one in some if part]
    return weighted


def _with_absences(row: DeckRows, leave_out: float) -> Iterator[tuple[DeckRows, float]]:
    """The deck whole and without each of its kinds of cards, and how often each is played."""
    kinds = np.unique(row[1 : 1 + row[0]]).tolist()
    if leave_out < 1:
        yield row, 1 - leave_out
    if leave_out > 0:
        for card in kinds:
            yield without(row, card), leave_out / len(kinds)
