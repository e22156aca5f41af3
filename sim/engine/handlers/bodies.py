"""Actions on characters and weapons: damage, healing, numbers, keywords."""

from __future__ import annotations

from functools import partial
from typing import Any

from sim.cards.action import Action
from sim.cards.effect import Effect
from sim.cards.phrase import Say
from sim.cards.vocabulary import Keyword, Lasting, Opcode, receivers
from sim.engine import layout as at
from sim.engine.faults import add
from sim.engine.general.changes import (
    buff,
    deal_damage,
    grant,
    heal,
    lose_keywords,
    set_attack,
    set_health,
)
from sim.engine.general.groups import is_in_play, is_minion, is_player
from sim.engine.zones import player
from sim.errors import InputError

HARMFUL_HEALING = int(Keyword.HARMFUL_HEALING)


@partial(
    Action,
    "damage",
    phrase=(
        Say("deal {amount:damage} to {receivers}", {"by": "self"}),
        Say("the target deals {amount:damage} to {receivers}", {"by": "target"}),
    ),
    reads=(
        Say("deal {amount:damage}", {"to": "anyone"}),
        Say("deal {number as amount}", {"to": "anyone"}),
        "{number as amount} damage to {receivers}",
        "deal {number as amount} to {receivers}",
        "{receivers} <take|takes> {amount:damage}",
        "deals {amount:damage} to {receivers}",
        "<damage|hit> {receivers} for {number as amount}",
        "{doers} <lose|loses> {number as amount} <life|health>",
        Say("<lose|you lose> {number as amount} <life|health>", {"to": "own_player"}),
        Say("take {amount:damage}", {"to": "own_player"}),
        Say(
            "deal {number as repeat} damage <randomly split|split randomly> <among|between> "
            "{receivers}",
            {"amount": 1, "pick": 1},
        ),
        "deal {possessed as times} [damage] to {receivers}",
        Say("deal that much damage to {receivers}", {"times": "event"}),
        Say(
            "[also] deal <as much damage|that amount|that amount of damage> to {receivers}",
            {"times": "event"},
        ),
        Say(
            "force {reference as choose} to deal its damage to {receivers}",
            {"by": "target", "times": "attack of target"},
        ),
    ),
    number=Opcode.DAMAGE,
    acts_on=receivers.CHARACTER,
    default_to="enemy_player",
    tunable=("amount",),
    is_plain=True,
)
def _damage(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):  # an earlier row may have returned the target to a hand
        deal_damage(state, source, target, state[at.NOW_AMOUNT])


@partial(
    Action,
    "heal",
    phrase="restore {amount:health} to {receivers}",
    reads=(
        Say("restore {amount:health}", {"to": "anyone"}),
        "heal {receivers} <for|by> {number as amount} [health]",
        Say("<restore|heal> {receivers} to full health", {"times": "damage of {to}"}),
        Say("fully heal {receivers}", {"times": "damage of {to}"}),
        "heals {receivers} <for|by> {number as amount} [health|damage]",
        "<heal|heals> {number as amount} [health|damage|life] <to|on|from> {receivers}",
        "<restore|restores> {number as amount} [health|damage|life] to {receivers}",
        Say("heal {number as amount} [health|damage|life]", {"to": "anyone"}),
        "{doers} <gain|gains> {number as amount} life",
        Say("gain {number as amount} life", {"to": "own_player"}),
    ),
    number=Opcode.HEAL,
    acts_on=receivers.CHARACTER,
    tunable=("amount",),
    is_plain=True,
)
def _heal(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Heal the target, or damage it if the source's side has harmful healing.

    A target that is no longer in play is left unchanged.
    """
    if not is_in_play(state, target):
        return
    if state[player(state[source + at.OWNER]) + at.KEYWORDS] & HARMFUL_HEALING:
        deal_damage(state, source, target, state[at.NOW_AMOUNT])
    else:
        heal(state, target, state[at.NOW_AMOUNT])


def _check_loan(row: Effect) -> None:
    """Check that a buff for a limited time gives no health, since health cannot be taken back.

    Raises:
        InputError: the row gives health and does not last permanently.
    """
    if row.lasts != "always" and row.health:
        problem = f"{row.lasts!r}: {_buff.kept}"
        raise InputError(problem, place="lasts", separator=" = ", value=row.lasts, limit="always")


@partial(
    Action,
    "buff",
    phrase="give {receivers} {bonus}{lasting}",
    standing="{receivers} {have} {bonus}{lasting}",
    reads=(
        Say("double {owned:attack}", {"attack": 1, "times": "attack of {to}"}),
        Say("double {possessive:health}", {"health": 1, "times": "health of {to}"}),
        Say("{receivers} <loses|lose> {number as durability_lost} durability"),
        Say("remove {number as durability_lost} durability from {receivers}"),
        Say("gain attack equal to {measure as times}", {"to": "bearer", "attack": 1}),
        Say("gain health equal to {measure as times}", {"to": "bearer", "health": 1}),
    ),
    number=Opcode.BUFF,
    acts_on=receivers.PLAYER | receivers.BODY,
    has_amount=False,
    tunable=("attack", "health"),
    may_be_negative=True,
    takes=("attack or health",),
    lasts=("always", "turn"),
    kept="only attack can be given for a limited time, with 'turn'",
    aura=at.AURAS_GIVEN | at.AURAS_CHANGE,
    check=_check_loan,
)
def _buff(state: Any, table: Any, row: int, source: int, target: int) -> None:
    buff(state, target, state[at.NOW_ATTACK], state[at.NOW_HEALTH], table[row + at.ROW_LASTS])


@partial(
    Action,
    "grant",
    phrase="give {receivers} {keywords}{lasting}",
    standing="{receivers} {have} {keywords}{lasting}",
    number=Opcode.GRANT,
    acts_on=receivers.PLAYER | receivers.BODY,
    has_amount=False,
    takes=("keywords",),
    lasts=("always", "turn", "until_own_turn"),
    kept="leave it out to keep the keywords for good, or write 'turn' or 'until_own_turn'",
    aura=at.AURAS_GIVEN | at.AURAS_GRANT,
)
def _grant(state: Any, table: Any, row: int, source: int, target: int) -> None:
    grant(state, target, table[row + at.ROW_KEYWORDS], table[row + at.ROW_LASTS])


@partial(
    Action,
    "strip",
    phrase="remove {keywords} from {receivers}",
    reads=("{receivers} <lose|loses> {keywords}", "take {keywords} from {receivers}"),
    number=20,
    acts_on=receivers.PLAYER | receivers.BODY,
    has_amount=False,
    takes=("keywords",),
)
def _strip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    lose_keywords(state, target, table[row + at.ROW_KEYWORDS])


@partial(
    Action,
    "set",
    phrase=(
        Say("set the attack of {receivers} to {attack}", {"health": None}),
        Say("set the {second} of {receivers} to {health}", {"attack": None}),
        "set the attack and {second} of {receivers} to {attack} and {health}",
    ),
    standing=(
        Say("the attack of {receivers} is {attack}", {"health": None}),
        Say("the {second} of {receivers} is {health}", {"attack": None}),
        "the attack and {second} of {receivers} are {attack} and {health}",
    ),
    standing_reads=(
        Say(
            "{owned:attack} is [always] equal to its health",
            {"attack": 1, "times": "health of {to}"},
        ),
        Say(
            "{owned:health} is [always] equal to its attack",
            {"health": 1, "times": "attack of {to}"},
        ),
    ),
    reads=(
        "<change|set|reduce|increase> {owned:attack} to {number as attack}",
        "{owned:attack} becomes {number as attack}",
        "{owned:health} becomes {number as health}",
        Say("{owned:attack} becomes equal to its health", {"attack": 1, "times": "health of {to}"}),
        "<change|set|reduce|increase> {owned:health} to {number as health}",
        "<change|set> {owned:remaining health} to {number as health}",
        "<change|set> {owned:attack and health} to {number as both}",
        Say(
            "<change|set> {owned:attack} to be equal to its health",
            {"attack": 1, "times": "health of {to}"},
        ),
        Say(
            "<change|set> {owned:health} to be equal to its attack",
            {"health": 1, "times": "attack of {to}"},
        ),
    ),
    number=Opcode.SET,
    acts_on=receivers.PLAYER | receivers.BODY,
    has_amount=False,
    takes=("attack or health",),
    aura=at.AURAS_GIVEN | at.AURAS_SET | at.AURAS_VOLATILE,
)
def _set(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if table[row + at.ROW_GIVEN] & at.GIVES_ATTACK:
        set_attack(state, target, state[at.NOW_ATTACK])
    if table[row + at.ROW_GIVEN] & at.GIVES_HEALTH:
        set_health(state, target, state[at.NOW_HEALTH])


@partial(
    Action,
    "swap",
    phrase="swap the attack and health of {receivers}",
    reads=("swap {owned:attack and health}", "swap attack and health of {receivers}"),
    number=21,
    acts_on=receivers.BODY,
    has_amount=False,
)
def _swap(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        attack = state[target + at.ATTACK]
        health = state[target + at.HEALTH]
        set_attack(state, target, health)
        set_health(state, target, attack)


@partial(
    Action,
    "double",
    phrase="double the health of {receivers}",
    number=30,
    acts_on=receivers.BODY,
    has_amount=False,
)
def _double(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if not is_player(target):
        buff(state, target, 0, state[target + at.HEALTH], Lasting.ALWAYS)


@partial(
    Action,
    "wound",
    phrase="leave {receivers} with {amount} health",
    number=34,
    acts_on=receivers.CHARACTER,
)
def _wound(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + at.HEALTH] = min(state[target + at.MAX_HEALTH], state[at.NOW_AMOUNT])


@partial(
    Action,
    "voice",
    phrase="give {receivers} spell damage +{amount}",
    number=31,
    acts_on=receivers.MINION | receivers.CARD,
)
def _voice(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_minion(state, table, target):
        add(state, target + at.SPELL_POWER, state[at.NOW_AMOUNT])
        state[at.BOARD_CHANGED] = at.BOARD_IS_NEW


@partial(
    Action,
    "freeze",
    phrase="freeze {receivers}",
    number=13,
    acts_on=receivers.CHARACTER,
    has_amount=False,
)
def _freeze(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_in_play(state, target):
        state[target + at.STATUS] |= at.IS_FROZEN
