"""Rounds of attack: patches of a panel that are searched until built decks do not win too often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from balance.panel.attack import Attack
from balance.panel.attackers import AttackingDeck
from balance.settings.robust import Robust
from balance.verdict.certificate import Certificate

LAST = 0
"""Number of the last attack, which chooses nothing."""


class Certified(Protocol):
    """Patch with a certificate."""

    @property
    def certificate(self) -> Certificate:
        """Verdict on the patch."""


PatchT = TypeVar("PatchT", bound=Certified)


@dataclass(frozen=True)
class RoundsResult(Generic[PatchT]):
    """Patch after all rounds of attack.

    Attributes:
        patch: the last certified patch; the first patch if none is certified.
        attackers: built decks of the attacks that chose something, in the order of the attacks.
        last: decks of the last attack on the patch, which chose nothing, the strongest first; empty
            if the patch is not certified, or without rounds.
        today: decks of the same attack on the unchanged decks; empty as `last`.
        resists: names of the built decks with demands on which no further patch was certified.
        nearest: the patch that is nearest to these demands, not certified; `None` without any.
    """

    patch: PatchT
    attackers: tuple[AttackingDeck, ...]
    last: tuple[AttackingDeck, ...]
    today: tuple[AttackingDeck, ...]
    resists: tuple[str, ...]
    nearest: PatchT | None


def search_in_rounds(
    search: Callable[[Sequence[AttackingDeck]], PatchT],
    attack: Callable[[PatchT, Attack, Sequence[AttackingDeck]], Sequence[AttackingDeck]],
    robust: Robust,
    *,
    attackers: Sequence[AttackingDeck] = (),
    on_round: Callable[[Sequence[AttackingDeck]], None] = lambda _: None,
) -> RoundsResult[PatchT]:
    """Search for a patch, and attack it, until an attack finds no deck that wins too often.

    Decks that win too often, or nearly so, join the demands of all further searches. The last
    attack has seeds of its own, and nothing is chosen by it.

    Args:
        search: function that searches for a patch with limits on built decks.
        attack: function that attacks a patch; it receives the decks that have joined.
        robust: settings of the panel with the limits on rounds and decks.
        attackers: built decks so far of a run that is continued.
        on_round: callback, called with all built decks before each further search.
    """
    most = robust.attacker_most
    known = [*attackers]
    before: PatchT | None = None
    nearest: PatchT | None = None
    resists: tuple[str, ...] = ()
    while True:
        joined = [deck for deck in known if deck.joins]
        done = max((deck.attack for deck in known), default=0)
        found = search(joined)
        if not found.certificate.certified:
            if joined:
                newest = {deck.name for deck in joined if deck.attack == done}
                # A continued run has not searched for the patch before.
                kept = [deck for deck in joined if deck.name not in newest]
                nearest = found
                found = before or search(kept)
                resists = tuple(sorted(newest))
            break
        if done >= robust.rounds:
            break
        judged = attack(found, Attack(done + 1, most, robust.attackers), joined)
        known += judged
        if not any(deck.joins for deck in judged):
            break
        on_round(known)
        before = found
    last: Sequence[AttackingDeck] = ()
    today: Sequence[AttackingDeck] = ()
    if robust.rounds and found.certificate.certified:
        last = attack(found, Attack(LAST, most, 1), ())
        today = attack(found, Attack(LAST, most, 1, is_of_today=True), ())
    return RoundsResult(found, tuple(known), tuple(last), tuple(today), resists, nearest)
