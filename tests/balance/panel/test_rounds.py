"""Rounds of attack: which decks join, when rounds end, and which patch is the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from balance.panel.attack import Attack
from balance.panel.attackers import AttackingDeck
from balance.panel.rounds import LAST, RoundsResult, search_in_rounds
from balance.settings.robust import Robust


def deck(attack: int, rate: float, *, joins: bool) -> AttackingDeck:
    return AttackingDeck(
        name=f"attacker_{attack}_{rate}",
        attack=attack,
        pilot="own",
        hero="",
        cards={"guard": 2},
        win_rate=rate,
        low=rate,
        high=rate,
        n=100,
        joins=joins,
    )


@dataclass
class Scripted:
    """Searches and attacks with given results, which record what they were asked.

    Attributes:
        fails_at: number of the search from which on no patch is certified.
        harmless_at: number of the attack from which on no deck joins.
        searched: names of the joined decks of each search.
        attacked: numbers of the attacks, with the numbers of decks that had joined.
        of_today: whether the attacks are on the unchanged decks.
    """

    fails_at: int = 99
    harmless_at: int = 99
    searched: list[list[str]] = field(default_factory=list)
    attacked: list[tuple[int, int]] = field(default_factory=list)
    of_today: list[bool] = field(default_factory=list)

    def search(self, joined: Sequence[AttackingDeck]) -> SimpleNamespace:
        self.searched.append([one.name for one in joined])
        number = max((one.attack for one in joined), default=0) + 1
        certificate = SimpleNamespace(certified=number < self.fails_at)
        return SimpleNamespace(certificate=certificate, number=number)

    def attack(
        self, _: SimpleNamespace, attack: Attack, joined: Sequence[AttackingDeck]
    ) -> list[AttackingDeck]:
        self.attacked.append((attack.number, len(joined)))
        self.of_today.append(attack.is_of_today)
        joins = attack.number < self.harmless_at
        return [deck(attack.number, 0.7, joins=joins), deck(attack.number, 0.5, joins=False)]

    def run(self, rounds: int, known: Sequence[AttackingDeck] = ()) -> RoundsResult:
        saved = list[int]()
        robust = Robust(rounds=rounds)
        result = search_in_rounds(
            self.search,
            self.attack,
            robust,
            attackers=known,
            on_round=lambda decks: saved.append(len(decks)),
        )
        assert saved == sorted(saved)
        return result


def test_without_rounds_nothing_is_attacked() -> None:
    scripted = Scripted()
    result = scripted.run(0)
    assert scripted.searched == [[]]
    assert not scripted.attacked
    assert (result.attackers, result.last, result.today, result.resists) == ((), (), (), ())
    assert result.nearest is None


def test_rounds_end_when_no_deck_joins_and_the_last_attack_chooses_nothing() -> None:
    scripted = Scripted(harmless_at=3)
    result = scripted.run(8)
    assert [len(names) for names in scripted.searched] == [0, 1, 2]
    assert scripted.attacked == [(1, 0), (2, 1), (3, 2), (LAST, 0), (LAST, 0)]
    assert scripted.of_today == [False] * 4 + [True]
    assert {one.attack for one in result.last} == {LAST}
    assert result.patch.number == 3
    assert len(result.attackers) == 6  # those that do not join are recorded, too


def test_no_deck_joins_after_the_last_round() -> None:
    scripted = Scripted()
    result = scripted.run(2)
    assert [number for number, _ in scripted.attacked] == [1, 2, LAST, LAST]
    assert result.patch.number == 3
    assert not result.resists


@pytest.mark.parametrize("continued", [False, True])
def test_if_decks_resist_the_patch_before_is_the_result(*, continued: bool) -> None:
    scripted = Scripted(fails_at=3)
    known = [deck(1, 0.7, joins=True), deck(2, 0.7, joins=True)] if continued else []
    result = scripted.run(8, known)
    assert result.patch.number == 2
    assert result.resists == ("attacker_2_0.7",)
    assert result.nearest is not None
    assert result.nearest.number == 3
    assert scripted.attacked[-1] == (LAST, 0)


def test_a_first_patch_that_is_not_certified_is_not_attacked() -> None:
    scripted = Scripted(fails_at=1)
    result = scripted.run(8)
    assert not scripted.attacked
    assert not result.last
