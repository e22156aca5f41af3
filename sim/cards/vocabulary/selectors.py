"""Selectors: named sets of cards and players from which the groups of effect rows are filtered."""

from __future__ import annotations

from typing import NamedTuple

from sim.cards.vocabulary.events import GOING_ON, HAPPENED, Word
from sim.cards.vocabulary.receivers import (
    BODY,
    CARD,
    CHARACTER,
    DECK,
    MINION,
    NOTHING,
    PLAYER,
    SECRET,
    WEAPON,
    Receiver,
)
from sim.cards.vocabulary.sides import Body, Side


class Members(NamedTuple):
    """Properties of a selector, for checks and phrases of groups.

    Attributes:
        finds: kinds of receivers that the members can be; for `self`, `subject` and `target` they
            depend on the row and its card.
        one: noun for one member.
        many: noun for several members; `""` for a selector with at most one member.
        owner: word before the noun for the side of the members, such as `own`; `""` if the phrase
            has no such word.
        where: words after the noun for the location of the members; `""` if the phrase has none.
        doer: phrase for players as the subject of a verb, such as `you`; `""` if the members are
            not players.
        possessive: possessive for players, such as `your`; `""` if the members are not players.
        in_auras: whether rows on the event `aura` may use the selector.
    """

    finds: Receiver
    one: str
    many: str = ""
    owner: str = ""
    where: str = ""
    doer: str = ""
    possessive: str = ""
    in_auras: bool = True


class Selector(Word):
    """Named sets of cards and players, as groups in files begin (`to = "..."`).

    `own` and `enemy` are from the view of the owner of the row's card.
    """

    about: Members

    OWN_PLAYER = 0, Members(PLAYER, "your hero", doer="you", possessive="your")
    ENEMY_PLAYER = (
        1,
        Members(PLAYER, "the enemy hero", doer="your opponent", possessive="your opponent's"),
    )
    PLAYERS = 2, Members(PLAYER, "hero", "heroes", doer="each player", possessive="each player's")
    OWN_MINIONS = 3, Members(MINION, "minion", "minions", "friendly")
    ENEMY_MINIONS = 4, Members(MINION, "minion", "minions", "enemy")
    MINIONS = 5, Members(MINION, "minion", "minions")
    OWN_CHARACTERS = 6, Members(CHARACTER, "character", "characters", "friendly")
    ENEMY_CHARACTERS = 7, Members(CHARACTER, "character", "characters", "enemy")
    CHARACTERS = 8, Members(CHARACTER, "character", "characters")
    OWN_WEAPON = 9, Members(WEAPON, "your weapon")
    ENEMY_WEAPON = 10, Members(WEAPON, "your opponent's weapon")
    OWN_HAND = 11, Members(CARD, "card", "cards", where="in your hand")
    ENEMY_HAND = 12, Members(CARD, "card", "cards", where="in your opponent's hand")
    HANDS = 13, Members(CARD, "card", "cards", where="in both hands")
    # For the subject of an event only: a card that a player plays.
    OWN_CARDS = 14, Members(NOTHING, "card", "cards", "friendly")
    ENEMY_CARDS = 15, Members(NOTHING, "card", "cards", "enemy")
    CARDS = 16, Members(NOTHING, "card", "cards")
    # The character that the player chose when playing the card.
    TARGET = 17, Members(CHARACTER, "the target", in_auras=False)
    # The card that has the row.
    SELF = 18, Members(NOTHING, "this card")
    # The card or player that the event happened to.
    SUBJECT = 19, Members(NOTHING, HAPPENED, in_auras=False)
    # The cards that the row before this one made, drew or moved.
    PREVIOUS = 20, Members(PLAYER | BODY, "the new card", in_auras=False)
    # The minions next to the card.
    NEIGHBOURS = 21, Members(MINION, "minion", "minions", where="next to this card")
    # The minions next to the target.
    TARGET_NEIGHBOURS = (
        22,
        Members(MINION, "minion", "minions", where="next to the target", in_auras=False),
    )
    OWN_SECRETS = 23, Members(SECRET, "secret", "secrets", "friendly")
    ENEMY_SECRETS = 24, Members(SECRET, "secret", "secrets", "enemy")
    OWN_DECK = 25, Members(DECK, "card", "cards", where="in your deck")
    ENEMY_DECK = 26, Members(DECK, "card", "cards", where="in your opponent's deck")
    # The target of the attack or the spell that is being carried out.
    AIM = 27, Members(CHARACTER, f"the target of {GOING_ON}", in_auras=False)

    @property
    def side(self) -> Side:
        """Side of the members, from the selector's name; `BOTH` if the name has no side."""
        first = self.name.partition("_")[0]
        return Side[first] if first in Side.__members__ else Side.BOTH

    @property
    def body(self) -> Body:
        """Kind of character of the members, from the selector's name; `ANY` for other names."""
        last = self.name.rpartition("_")[2].rstrip("S")
        return Body[last] if last in Body.__members__ else Body.ANY

    @property
    def is_single(self) -> bool:
        """Whether the selector has at most one member."""
        return not self.about.many
