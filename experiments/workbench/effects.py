"""Effects: how far the next step of every number would move the demand that is worst off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np

from balance import Demands
from balance.whatif import Exploration, Step
from experiments.workbench.answers import worst_of
from experiments.workbench.board import Board, Place
from experiments.workbench.draft import Draft
from sim.errors import InputError
from sim.ruleset import RULES


@dataclass(frozen=True)
class Effects:
    """The effects of all next steps, as they become known.

    Attributes:
        board: whose numbers.
        draft: from which the steps lead on.
        rate: of the worst demand with the draft, as well as it is known.
        worst: the position of that demand.
    """

    board: Board
    draft: Draft
    rate: float
    worst: int
    _found: dict[tuple[Place, int], float] = field(default_factory=dict)

    @classmethod
    def beginning(cls, board: Board, draft: Draft, rates: Any) -> Effects:
        """None is known yet.

        Args:
            board: whose numbers.
            draft: from which the steps lead on.
            rates: ``[N]`` of all demands.
        """
        worst = worst_of(board.told[0], rates)
        return cls(board, draft, float(rates[worst]), worst)

    @property
    def demand(self) -> Demands:
        """The worst one."""
        return self.board.told[0].take(np.array([self.worst]))

    @property
    def n_matchups(self) -> int:
        """How many matchups are part of it."""
        n = len(self.board.contest.matchups)
        return int((self.demand.touched(np.eye(n, dtype=np.bool_)) > 0).sum())

    def steps(self) -> Iterator[tuple[Place, int]]:
        """All that can be taken, if nothing were locked."""
        values = self.draft.values
        for place, number in self.board.numbers.items():
            present = values.get(place, number.today)
            for by in (1, -1):
                if not number.least <= present + by <= number.most:
                    continue
                if place[0] != RULES or self._are_rules(place[1], present + by):
                    yield place, by

    def _are_rules(self, field_name: str, to: int) -> bool:
        """Whether there can be such rules with what else is edited of them."""
        told = {name: value for (card, name), value in self.draft.values.items() if card == RULES}
        try:
            self.board.contest.table.ruleset.with_numbers({**told, field_name: to})
        except InputError:
            return False
        return True

    def play(self, exploration: Exploration, steps: list[tuple[Place, int]], n_games: int) -> None:
        """Find the effects of some steps, from so many games per matchup each."""
        edits, numbers = self.board.edits(self.draft.values), self.board.numbers
        taken = [Step(numbers[place].gene, by) for place, by in steps]
        change = exploration.changes_by_steps(edits, taken, self.demand, n_games)
        before_pp = self.demand.distance_pp(np.array([self.rate]))
        after_pp = self.demand.distance_pp((self.rate + change)[:, np.newaxis])
        moved_pp = (after_pp - before_pp)[:, 0].tolist()
        told = {step: pp for step, pp in zip(steps, moved_pp, strict=True) if not isnan(pp)}
        self._found.update(told)

    def told(self, draft: Draft, revision: int, n_games: int) -> dict[str, Any]:
        """The event `effects`.

        Args:
            draft: with the same edits, whose locks count.
            revision: of the session.
            n_games: per matchup of each step.
        """
        return {
            "revision": revision,
            "n_games": n_games,
            "worst": self.board.told[0].names[self.worst],
            "effects": [
                {
                    "card": card,
                    "field": name,
                    "up_pp": self._of((card, name), 1, draft),
                    "down_pp": self._of((card, name), -1, draft),
                }
                for card, name in self.board.numbers
            ],
        }

    def _of(self, place: Place, by: int, draft: Draft) -> float | None:
        return None if draft.is_locked(*place) else self._found.get((place, by))
