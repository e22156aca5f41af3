"""An independent, slow computation of attack, health, keywords, costs and readiness of a position.

The effects of auras are computed from the effect rows of the pool's file, not from the packed
table. The numbers that rules keep in a record (those without auras, and granted or lent ones) are
taken from the state.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from operator import or_

from sim import Card, Effect, Pool, Ruleset
from sim.cards.notation import Group, Reading
from sim.cards.vocabulary import Keyword, Kind, Selector, Stat, State
from sim.engine import layout as at
from tests.laws.things import Side, Thing, Words16, sides_of

_CAST = {Kind.SPELL, Kind.SECRET}
_OWN_SIDE = {
    Selector.OWN_PLAYER,
    Selector.OWN_MINIONS,
    Selector.OWN_CHARACTERS,
    Selector.OWN_HAND,
    Selector.OWN_WEAPON,
    Selector.OWN_SECRETS,
}
_ENEMY_SIDE = {
    Selector.ENEMY_PLAYER,
    Selector.ENEMY_MINIONS,
    Selector.ENEMY_CHARACTERS,
    Selector.ENEMY_HAND,
    Selector.ENEMY_WEAPON,
    Selector.ENEMY_SECRETS,
}


def _keywords(words: tuple[str, ...]) -> Keyword:
    """Return the set of keywords for their words."""
    return reduce(or_, (Keyword[word.upper()] for word in words))


@dataclass
class Position:
    """A position with auras computed from the pool's rows.

    Attributes:
        pool: the cards.
        ruleset: the rules.
        state: ``[STATE_SIZE]`` words of the game.
        sides: both seats' records, with the results of the computation.
    """

    pool: Pool
    ruleset: Ruleset
    state: Words16
    sides: list[Side] = field(init=False)

    def __post_init__(self) -> None:
        self.sides = sides_of(self.pool, self.state)
        self._price_hands()
        # In this order, since buffs may depend on which minions are damaged, so on health.
        for work in ("grant", "health", "buff cost", "set"):
            for source, row in self._standing_rows():
                if row.do in work or (work == "health" and row.health):
                    self._apply(source, row, work)
            if work == "health":
                self._settle_health()
        for side in self.sides:  # costs may be below zero only while they are added up
            for card in side.hand:
                card.cost = max(card.cost, 0)

    # --- groups and measures ---

    def _selected(self, selector: Selector, source: Thing) -> list[Thing]:
        """Return the records where a selector looks, for rows without target and subject."""
        if selector == Selector.SELF:
            return [source]
        if selector == Selector.NEIGHBOURS:
            pairs = list(pairwise(self.sides[source.seat].board))
            left = [minion for minion, right in pairs if right is source]
            return left + [right for minion, right in pairs if minion is source]
        own = self.sides[source.seat]
        enemy = self.sides[1 - source.seat]
        sides = [own] if selector in _OWN_SIDE else [own, enemy]
        sides = [enemy] if selector in _ENEMY_SIDE else sides
        word = selector.name.lower().removesuffix("s")
        return [thing for side in sides for thing in side.records(word)]

    def _stat(self, thing: Thing, stat: Stat) -> int:
        side = self.sides[thing.seat]
        is_player = thing.card is None
        return {
            Stat.ATTACK: thing.attack,
            Stat.HEALTH: thing.health,
            Stat.DURABILITY: thing.health,
            Stat.COST: thing.cost,
            Stat.DAMAGE: thing.max_health + thing.aura_health - thing.health,
            Stat.ARMOR: side.armor if is_player else 0,
            Stat.CRYSTALS: side.crystals if is_player else 0,
        }[stat]

    def _states(self, thing: Thing, source: Thing) -> State:
        is_hurt = self._stat(thing, Stat.DAMAGE) > 0
        holds = {
            State.UNTARGETED: True,
            State.FROZEN: thing.status & at.IS_FROZEN,
            State.SILENCED: thing.status & at.IS_SILENCED,
            State.DAMAGED: is_hurt,
            State.UNDAMAGED: not is_hurt,
            State.DEAD: thing.health <= 0 or thing.status & at.IS_DOOMED,
            State.OTHER: thing is not source,
            State.OVERLOAD: isinstance(thing.card, Card) and thing.card.overload,
            State.OWN: thing.seat == source.seat,
            State.HERO: thing.card is None,
        }
        return reduce(or_, (state for state, is_held in holds.items() if is_held))

    def _fits(self, thing: Thing, group: Group, source: Thing) -> bool:
        kinds = _CAST if group.kind == Kind.SPELL else {group.kind}
        return (
            group.keywords in thing.keywords
            and group.states in self._states(thing, source)
            and (not group.tribe or getattr(thing.card, "tribe", "") == group.tribe)
            and (group.kind is None or thing.kind in kinds)
            and (not group.without or getattr(thing.card, "id", "") != group.without)
            and (group.stat is None or group.low <= self._stat(thing, group.stat) <= group.high)
        )

    def _members(self, group: Group, source: Thing) -> list[Thing]:
        candidates = self._selected(group.selector, source)
        return [thing for thing in candidates if self._fits(thing, group, source)]

    def _measured(self, reading: Reading, source: Thing) -> int:
        side = self.sides[source.seat]
        other = self.sides[1 - source.seat]
        if reading.measure == "count":
            return len(self._members(reading.group, source))
        if reading.measure == "stat":
            members = self._members(reading.group, source)
            return sum(self._stat(thing, reading.stat) for thing in members)
        return {
            "one": 1,
            "cards_played": side.n_played - (source not in side.hand),
            "minions_played": side.n_minions_played,
            "attacking": 0,  # no character attacks between actions
            "hand_gap": max(len(other.hand) - len(side.hand), 0),
        }[reading.measure]

    # --- auras ---

    def _price_hands(self) -> None:
        for side in self.sides:
            for card in side.hand:
                card.cost += self._discount(card)
                for row in card.rows:
                    if row.on == "own_cost":
                        self._apply(card, row, "buff cost")

    def _discount(self, card: Thing) -> int:
        """Return the change of a card's cost by its player's discounts."""
        leader = self.sides[card.seat].player.at
        words = [at.NEXT_SPELL, at.SPELLS_NOW] if card.kind in _CAST else []
        words += [at.NEXT_SECRET] if card.kind == Kind.SECRET else []
        return sum(int(self.state[leader + word]) for word in words)

    def _standing_rows(self) -> Iterator[tuple[Thing, Effect]]:
        for side in self.sides:
            for source in side.in_play:
                for row in source.rows:
                    if row.on == "aura":
                        yield source, row

    def _apply(self, source: Thing, row: Effect, work: str) -> None:
        condition = row.when
        if not condition.low <= self._measured(condition.reading, source) <= condition.high:
            return
        times = self._measured(row.times, source) if row.times else 1
        for thing in self._members(row.to, source):
            if row.do == "grant":
                thing.keywords |= _keywords(row.keywords)
            elif row.do == "set":
                thing.attack = times * (row.attack or 0)
            elif work == "health":
                thing.aura_health += times * (row.health or 0)
            elif row.do == "buff":
                thing.attack += times * (row.attack or 0)
            else:  # `at_least` limits how far a cost falls, but never raises it
                floor = min(thing.cost, row.at_least) if row.at_least else -math.inf
                thing.cost = int(max(thing.cost + times * row.amount, floor))

    def _settle_health(self) -> None:
        """Add the health from auras to each maximum."""
        for side in self.sides:
            for thing in side.in_play:
                thing.max_health += thing.aura_health
                thing.aura_health = 0

    # --- readiness and spell damage ---

    def spell_damage(self, seat: int) -> int:
        """Return the spell damage of a seat's board."""
        return sum(int(self.state[thing.at + at.SPELL_POWER]) for thing in self.sides[seat].board)

    def hero_attack(self, seat: int) -> int:
        """Return the attack of a player; the weapon counts in its owner's turn only."""
        side = self.sides[seat]
        armed = side.weapon.attack if side.weapon and self.state[at.ACTIVE] == seat else 0
        return side.player.attack + armed

    def attacks_left(self, thing: Thing) -> int:
        """Return the number of attacks that a character may still make."""
        is_player = thing.card is None
        attack = self.hero_attack(thing.seat) if is_player else thing.attack
        keywords = thing.keywords
        weapon = self.sides[thing.seat].weapon
        if is_player and weapon:
            keywords |= weapon.keywords & Keyword.WINDFURY
        needs_attack = is_player or not self.ruleset.idle_attackers
        if (
            self.state[at.ACTIVE] != thing.seat
            or (needs_attack and attack <= 0)
            or thing.status & at.IS_FROZEN
            or Keyword.CANNOT_ATTACK in keywords
            or (thing.status & at.IS_NEW and Keyword.HASTE not in keywords)
        ):
            return 0
        return max((2 if Keyword.WINDFURY in keywords else 1) - thing.n_made, 0)


def disagreements(pool: Pool, ruleset: Ruleset, state: Words16) -> list[str]:
    """Return a line for each number of a state that differs from the independent computation."""
    position = Position(pool, ruleset, state)
    differences: list[str] = []

    def compare(what: str, thing: Thing, word: int, expected: int) -> None:
        stands = int(state[thing.at + word])
        if stands != expected:
            name = getattr(thing.card, "id", "player" if thing.card is None else "token")
            differences.append(
                f"{what} of {name} (seat {thing.seat}): {stands}, must be {expected}"
            )

    for seat, side in enumerate(position.sides):
        for thing in side.in_play:
            compare("attack", thing, at.ATTACK, thing.attack)
            compare("most health", thing, at.MAX_HEALTH, thing.max_health)
            compare("keywords", thing, at.KEYWORDS, int(thing.keywords))
        for thing in side.board:
            compare("attacks left", thing, at.READY, position.attacks_left(thing))
        for thing in side.hand:
            compare("cost", thing, at.COST, thing.cost)
        player = side.player
        compare("attack", player, at.ATTACK, position.hero_attack(seat))
        compare("keywords", player, at.KEYWORDS, int(player.keywords))
        compare("attacks left", player, at.READY, position.attacks_left(player))
        compare("spell damage", player, at.SPELL_DAMAGE, position.spell_damage(seat))
    return differences
