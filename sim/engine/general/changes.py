"""Changes of a record in its place: damage, healing, buffs, keywords, attached text, silence.

Handlers (`sim/engine/handlers`) and rules share these functions.

Attachments are texts that rows have given to a minion or a player in addition to the printed text.
Few games have many attachments, so all those of a game are in one list: record and card number of
each attachment, oldest first.
"""

from __future__ import annotations

from typing import Any

from sim.cards.vocabulary import Event, Keyword, Lasting
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.faults import add, bounded, fail, not_negative
from sim.engine.general.events import emit
from sim.engine.general.groups import card_of, is_player
from sim.engine.zones import add_heard_events, player

STURDY_SIDE = int(Keyword.STURDY_SIDE)
DIVINE_SHIELD = int(Keyword.DIVINE_SHIELD)
IMMUNE = int(Keyword.IMMUNE)
POISONOUS = int(Keyword.POISONOUS)
FREEZING = int(Keyword.FREEZING)


@compiled(none(Words, i64))
def restore_keywords(state: Any, record: int) -> None:
    """Set a record's keywords to its permanent and temporary keywords, without those from auras."""
    state[record + at.KEYWORDS] = (
        state[record + at.OWN_KEYWORDS]
        | state[record + at.TURN_KEYWORDS]
        | state[record + at.NEXT_KEYWORDS]
    )


@compiled(none(Words, i64, i64))
def lose_keywords(state: Any, record: int, keywords: int) -> None:
    """Remove keywords from a record, whether they are permanent or temporary."""
    for word in (at.OWN_KEYWORDS, at.TURN_KEYWORDS, at.NEXT_KEYWORDS, at.KEYWORDS):
        state[record + word] &= ~keywords


@compiled(none(Words, i64, i64))
def lose_life(state: Any, character: int, amount: int) -> None:
    """Reduce the life of a character by `amount`; a player's armour absorbs the loss first.

    Health is no less than -`NUMBER_MAX`. A minion of a sturdy side keeps at least 1 health.
    """
    min_health = -at.NUMBER_MAX
    if is_player(character):
        absorbed = min(state[character + at.ARMOR], amount)
        state[character + at.ARMOR] -= absorbed
        amount -= absorbed
    elif state[player(state[character + at.OWNER]) + at.KEYWORDS] & STURDY_SIDE:
        min_health = min(state[character + at.HEALTH], 1)
    state[character + at.HEALTH] = max(state[character + at.HEALTH] - amount, min_health)


@compiled(i64(Words, i64, i64))
def _is_guarded_from(state: Any, character: int, amount: int) -> bool:
    """Return whether a secret prevents damage that is lethal to a player in the enemy's turn."""
    if not is_player(character) or state[character + at.GUARDIAN] == 0:
        return False
    is_last = amount >= state[character + at.HEALTH] + state[character + at.ARMOR]
    return is_last and state[at.ACTIVE] != state[character + at.OWNER]


@compiled(none(Words, i64, i64, i64), apart=True)
def deal_damage(state: Any, source: int, character: int, amount: int) -> None:
    """Deal damage to a character, unless it is immune.

    Damage that a divine shield absorbs does not count: no event is emitted, and poison has no
    effect. Lethal damage to a player with a guardian secret only emits the event `LETHAL`.

    Args:
        state: words of the game.
        source: record that deals the damage.
        character: record that receives the damage.
        amount: damage; nothing happens if it is not positive.
    """
    keywords = state[character + at.KEYWORDS]
    if amount <= 0 or keywords & IMMUNE:
        return
    if keywords & DIVINE_SHIELD:
        lose_keywords(state, character, DIVINE_SHIELD)
        return
    if _is_guarded_from(state, character, amount):
        emit(state, Event.LETHAL, character, amount)
        return
    lose_life(state, character, amount)
    emit(state, Event.DAMAGE, character, amount)
    if state[source + at.KEYWORDS] & POISONOUS and not is_player(character):
        state[character + at.STATUS] |= at.IS_DOOMED
    if state[source + at.KEYWORDS] & FREEZING:
        state[character + at.STATUS] |= at.IS_FROZEN


@compiled(none(Words, i64, i64))
def heal(state: Any, character: int, amount: int) -> None:
    """Heal a character up to its maximum health; health above that is kept.

    The event is emitted only if health was restored.
    """
    healed = min(amount, state[character + at.MAX_HEALTH] - state[character + at.HEALTH])
    if healed > 0:
        state[character + at.HEALTH] += healed
        emit(state, Event.HEAL, character, healed)


@compiled(none(Words, i64, i64, i64, i64))
def buff(state: Any, record: int, attack: int, health: int, lasts: int) -> None:
    """Raise attack and health of a record, with attack clipped to at least 0.

    Only attack can be temporary, and players get no health.

    Args:
        state: words of the game.
        record: record of the character, weapon or card.
        attack: attack to add; may be negative.
        health: health to add; may be negative.
        lasts: duration of the attack, a value of `Lasting`: permanent, or for this turn.
    """
    if is_player(record):
        health = 0
    attack = not_negative(state[record + at.ATTACK] + attack) - state[record + at.ATTACK]
    health = bounded(state[record + at.MAX_HEALTH] + health) - state[record + at.MAX_HEALTH]
    state[record + at.ATTACK] += attack
    if lasts == Lasting.TURN:
        add(state, record + at.TURN_ATTACK, attack)
    state[record + at.MAX_HEALTH] += health
    add(state, record + at.HEALTH, health)


@compiled(none(Words, i64, i64, i64))
def grant(state: Any, record: int, keywords: int, lasts: int) -> None:
    """Give keywords to a record permanently, for the turn, or until the owner's next turn.

    Args:
        state: words of the game.
        record: record of the character, weapon or card.
        keywords: bits of `Keyword`.
        lasts: duration, a value of `Lasting`.
    """
    state[record + at.KEYWORDS] |= keywords
    if lasts == Lasting.TURN:
        state[record + at.TURN_KEYWORDS] |= keywords
    elif lasts == Lasting.UNTIL_OWN_TURN:
        state[record + at.NEXT_KEYWORDS] |= keywords
    else:
        state[record + at.OWN_KEYWORDS] |= keywords


@compiled(none(Words, i64, i64))
def set_attack(state: Any, record: int, attack: int) -> None:
    """Set the attack to a number plus the bonus from auras, and end temporary attack."""
    state[record + at.ATTACK] = not_negative(attack + state[record + at.AURA_ATTACK])
    state[record + at.TURN_ATTACK] = 0


@compiled(none(Words, i64, i64))
def set_health(state: Any, character: int, health: int) -> None:
    """Set a minion's current and maximum health to a number plus the bonus from auras.

    A player's life is set to the number, but to no more than its maximum.
    """
    if is_player(character):
        state[character + at.HEALTH] = min(bounded(health), state[character + at.MAX_HEALTH])
        return
    state[character + at.MAX_HEALTH] = bounded(health + state[character + at.AURA_HEALTH])
    state[character + at.HEALTH] = state[character + at.MAX_HEALTH]


@compiled(none(Words, i64, i64))
def change_max_health(state: Any, record: int, change: int) -> None:
    """Change the maximum health: a gain raises current health too, a loss only caps it."""
    add(state, record + at.MAX_HEALTH, change)
    if change > 0:
        add(state, record + at.HEALTH, change)
    else:
        state[record + at.HEALTH] = min(state[record + at.HEALTH], state[record + at.MAX_HEALTH])


# --- attachments, and silence, which removes them ---


@compiled(i64(Words, i64))
def attached_to(state: Any, k: int) -> int:
    """Return the record that the k-th attachment belongs to."""
    return state[at.ATTACHED + 2 * k]


@compiled(i64(Words, i64))
def attached_card(state: Any, k: int) -> int:
    """Return the offset in the table of the card of the k-th attachment."""
    return at.CARDS + at.CARD_SIZE * state[at.ATTACHED + 1 + 2 * k]


@compiled(none(Words, Words, i64, i64))
def attach(state: Any, table: Any, record: int, number: int) -> None:
    """Attach the text of the card `number` to a record, if that text reacts to any event in play.

    If the list of attachments is full, the game is stopped as a fault.
    """
    if table[at.CARDS + at.CARD_SIZE * number + at.CARD_EVENTS] == 0:
        return
    length = state[at.N_ATTACHED]
    if length == at.MAX_ATTACHED:
        fail(state, at.FAULT_ATTACHED)
        return
    state[at.ATTACHED + 2 * length] = record
    state[at.ATTACHED + 1 + 2 * length] = number
    state[at.N_ATTACHED] = length + 1
    card = at.CARDS + at.CARD_SIZE * number
    state[record + at.HEARS] |= table[card + at.CARD_EVENTS]
    add_heard_events(state, table, card)


@compiled(none(Words, i64))
def detach_all(state: Any, record: int) -> None:
    """Remove all attachments of a record; the caller updates the events to which it reacts."""
    n_kept = 0
    for k in range(state[at.N_ATTACHED]):
        if attached_to(state, k) != record:
            state[at.ATTACHED + 2 * n_kept] = state[at.ATTACHED + 2 * k]
            state[at.ATTACHED + 1 + 2 * n_kept] = state[at.ATTACHED + 1 + 2 * k]
            n_kept += 1
    for word in range(at.ATTACHED + 2 * n_kept, at.ATTACHED + 2 * state[at.N_ATTACHED]):
        state[word] = 0  # so that equal games have equal words
    state[at.N_ATTACHED] = n_kept


@compiled(none(Words, Words, i64, i64))
def copy_attachments(state: Any, table: Any, original: int, copy: int) -> None:
    """Attach all texts that are attached to `original` to `copy` as well."""
    for k in range(state[at.N_ATTACHED]):
        if attached_to(state, k) == original:
            attach(state, table, copy, state[at.ATTACHED + 1 + 2 * k])


@compiled(none(Words, Words, i64))
def silence(state: Any, table: Any, minion: int) -> None:
    """Remove a minion's text, attachments and changes, while auras of other cards stay.

    Freezing and the minion's own keywords end too.
    """
    card = card_of(state, minion)
    state[minion + at.STATUS] = (state[minion + at.STATUS] & ~at.IS_FROZEN) | at.IS_SILENCED
    state[minion + at.HEARS] = 0
    state[minion + at.SPELL_POWER] = 0
    detach_all(state, minion)
    state[at.BOARD_CHANGED] = at.BOARD_IS_NEW
    lose_keywords(state, minion, -1)
    state[minion + at.ATTACK] = not_negative(
        table[card + at.CARD_ATTACK] + state[minion + at.AURA_ATTACK]
    )
    state[minion + at.TURN_ATTACK] = 0
    printed = table[card + at.CARD_HEALTH] + state[minion + at.AURA_HEALTH]
    change_max_health(state, minion, printed - state[minion + at.MAX_HEALTH])
