"""Upper estimate of the damage that one card, or the hero power, can add in the current turn.

The estimate assumes that conditions and filters hold and that random picks hit. Actions that are
not handled here count by the cost of their card. Sums are stored in an array of words, the *work*,
with the offsets of `agents.search.turn.work`.
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import work as sums
from agents.search.turn.work import add
from sim.cards.vocabulary import Body, Event, Keyword, Kind, Lasting, Selector, Side
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import card_of, is_spell
from sim.engine.general.measures import DECLARED
from sim.engine.handlers import NUMBERS
from sim.engine.zones import player

# A card with an action that is not handled here has a harm of PER_MANA times its cost plus MORE.
PER_MANA = 3  # with MORE, an upper bound of the damage per cost of all cards of the usual sets
MORE = 4  # makes this an upper bound for cards of cost 0, too
ALL = 7  # minions that a row for a whole side acts on: the board limit of the rich rulesets

HASTE = int(Keyword.HASTE)
WINDFURY = int(Keyword.WINDFURY)
POISONOUS = int(Keyword.POISONOUS)
DOUBLING = int(Keyword.DOUBLING)
MINIONS_ONLY = int(Keyword.MINIONS_ONLY)
_BRISK = HASTE | WINDFURY
_DAMAGE = NUMBERS["damage"]
_SUMMON = NUMBERS["summon"]
_BUFF = NUMBERS["buff"]
_GRANT = NUMBERS["grant"]
_EQUIP = NUMBERS["equip"]
_MANA = NUMBERS["mana"]
_HEALING = NUMBERS["heal"]
_COST = NUMBERS["cost"]
_DRAW = NUMBERS["draw"]
_CHOOSE = NUMBERS["choose"]
_CARDS_PLAYED = DECLARED["cards_played"].number
_HARMLESS = 0  # bits of actions that add no damage
for _word in ("armor", "discard", "freeze", "crystals", "double"):
    _HARMLESS |= 1 << NUMBERS[_word]
_REMOVING = 0  # bits of actions that can remove a guard
for _word in ("destroy", "transform", "return", "silence", "steal", "strip"):
    _REMOVING |= 1 << NUMBERS[_word]
# Chosen by hand; no measured win with real cards was missed because of them (docs/turn_search.md,
# "Wins").
_SPELLS = 3  # number of spells that a minion with spell damage strengthens in its first turn
_OFTEN = 2  # number of times that an event happens in one turn, deaths apart
_TIMES = 6  # assumed value of a measure that multiplies an amount


@compiled(i64(Words, i64))
def hasty_attack(table: Any, card: int) -> int:
    """Return the damage that a minion card can do to a player by attacks in its first turn.

    The damage is 0 without haste, or if the minion may attack only minions; windfury doubles it.
    """
    keywords = table[card + at.CARD_KEYWORDS]
    if keywords & HASTE == 0 or keywords & MINIONS_ONLY:
        return 0
    return table[card + at.CARD_ATTACK] * (1 + (keywords & WINDFURY != 0))


@compiled(i64(Words, i64, i64))
def _body_of(table: Any, row: int, text: int) -> int:
    """Return the kind of characters that a row acts on, as a `Body`: players, minions or both.

    The result is -1 if the row acts on no characters.

    Args:
        table: numbers of the cards and rules.
        row: offset of the row.
        text: offset of the text that contains the row.
    """
    selector = table[row + at.ROW_SELECTOR]
    if selector == Selector.TARGET:
        return table[table[text + at.CARD_TARGET] + at.GROUP_BODY]
    return table[table[row + at.ROW_TO] + at.GROUP_BODY] if selector <= Selector.CHARACTERS else -1


@compiled(i64(Words, i64, i64))
def _side_of(table: Any, row: int, text: int) -> int:
    """Return the side of the characters that a row acts on, as a `Side`.

    Args:
        table: numbers of the cards and rules.
        row: offset of the row.
        text: offset of the text that contains the row.
    """
    if table[row + at.ROW_SELECTOR] == Selector.TARGET:
        return table[table[text + at.CARD_TARGET] + at.GROUP_SIDE]
    return table[table[row + at.ROW_TO] + at.GROUP_SIDE]


@compiled(none(Words, Words, i64, i64, i64, i64))
def _add_damage(work: Any, table: Any, row: int, text: int, is_magic: int, times: int) -> None:
    """Increase `HARM` and `CLEARING` by the damage that a row does to the enemy and its minions.

    Args:
        work: sums of the search for a win.
        table: numbers of the cards and rules.
        row: offset of the row.
        text: offset of the text that contains the row.
        is_magic: whether spell damage increases the damage.
        times: factor of the row's amount.
    """
    amount = times * max(table[row + at.ROW_AMOUNT], table[row + at.ROW_AMOUNT_TO])
    if is_magic:
        amount += work[sums.MAGIC]
    amount *= table[row + at.ROW_REPEAT]
    work[sums.EVENTS] |= sums.HURT
    body = _body_of(table, row, text)
    if body >= 0 and _side_of(table, row, text) == Side.OWN:
        return
    if body != Body.MINION:
        add(work, sums.HARM, amount)
    if body != Body.PLAYER:
        is_many = body >= 0 and table[row + at.ROW_SELECTOR] != Selector.TARGET
        add(work, sums.CLEARING, amount * (ALL if is_many else 1))


@compiled(none(Words, Words, i64, i64, i64))
def _add_buff(work: Any, table: Any, row: int, own: int, times: int) -> None:
    """Add to `HARM` the attack that a row gives, once for each attack that can still be made.

    Args:
        work: sums of the search for a win.
        table: numbers of the cards and rules.
        row: offset of the row.
        own: damage that the minion or weapon of the card can do by attacks in this turn.
        times: factor of the row's amount.
    """
    attack = times * max(table[row + at.ROW_ATTACK], 0)
    selector = table[row + at.ROW_SELECTOR]
    if selector == Selector.SELF:
        add(work, sums.HARM, attack * (own > 0))
    elif selector in (Selector.OWN_PLAYER, Selector.OWN_WEAPON):
        add(work, sums.HARM, attack * work[sums.HERO_ATTACKS])
    elif selector == Selector.TARGET:
        add(work, sums.HARM, attack * max(work[sums.MOST_ATTACKS], work[sums.HERO_ATTACKS]))
    else:
        add(work, sums.HARM, attack * (work[sums.N_ATTACKS] + work[sums.HERO_ATTACKS]))


@compiled(none(Words, Words, i64))
def _add_keywords(work: Any, table: Any, row: int) -> None:
    """Increase `HARM` and `REMOVES` by the effects of keywords that a row gives.

    Haste adds the highest attack of a minion that is not awake to `HARM`, windfury the highest of
    all minions. Poison adds 1 to `REMOVES`.
    """
    keywords = table[row + at.ROW_KEYWORDS]
    if keywords & HASTE:
        add(work, sums.HARM, work[sums.TALLEST_ASLEEP])
    if keywords & WINDFURY:
        add(work, sums.HARM, max(work[sums.TALLEST], work[sums.TALLEST_ASLEEP]))
    if keywords & POISONOUS:
        add(work, sums.REMOVES, 1)


@compiled(none(Words, Words, i64))
def _add_bodies(work: Any, table: Any, row: int) -> None:
    """Increase `HARM` by the damage that minions or a weapon of a row can do by attacks this turn.

    If the row names several cards, the card with the most damage counts.
    """
    n_cards = table[row + at.ROW_N_CARDS]
    numbers = table[row + at.ROW_ARGUMENT]
    most = 0
    for k in range(n_cards):
        number = numbers if n_cards == 1 else table[numbers + k]
        card = at.CARDS + at.CARD_SIZE * number
        if table[row + at.ROW_OPCODE] == _EQUIP:
            most = max(most, table[card + at.CARD_ATTACK] * work[sums.HERO_ATTACKS])
        else:
            most = max(most, hasty_attack(table, card))
    amount = max(table[row + at.ROW_AMOUNT], table[row + at.ROW_AMOUNT_TO], 1)
    add(work, sums.HARM, most * amount)
    work[sums.EVENTS] |= sums.SUMMONED


@compiled(none(Words, Words, i64, i64, i64, i64))
def _add_row(work: Any, table: Any, row: int, text: int, card: int, own: int) -> None:
    """Add the harm of one row to `HARM`, `CLEARING`, `REMOVES`, `DRAWS` and `EVENTS`.

    Args:
        work: sums of the search for a win.
        table: numbers of the cards and rules.
        row: offset of the row.
        text: offset of the text that contains the row.
        card: offset of the card in the table.
        own: damage that the minion or weapon of the card can do by attacks in this turn.
    """
    action = table[row + at.ROW_OPCODE]
    times = _TIMES if table[row + at.ROW_TIMES] != 0 else 1
    if action == _DAMAGE:
        _add_damage(work, table, row, text, is_spell(table, card), times)
    elif action == _BUFF:
        _add_buff(work, table, row, own, times)
    elif action == _GRANT:
        _add_keywords(work, table, row)
    elif action in (_SUMMON, _EQUIP):
        _add_bodies(work, table, row)
    elif action in (_DRAW, _CHOOSE):
        work[sums.DRAWS] += 1
    elif action == _COST:
        add(work, sums.HARM, PER_MANA * max(-table[row + at.ROW_AMOUNT], 0))
    elif action == _HEALING:
        work[sums.EVENTS] |= sums.HEAL
    elif (_REMOVING >> action) & 1 and table[row + at.ROW_LASTS] == Lasting.ALWAYS:
        is_many = _body_of(table, row, text) >= 0 and (
            table[row + at.ROW_SELECTOR] != Selector.TARGET and table[row + at.ROW_PICK] == 0
        )
        add(work, sums.REMOVES, ALL if is_many else 1)
        work[sums.EVENTS] |= sums.DEATH
    elif action != _MANA and (_HARMLESS >> action) & 1 == 0:
        add(work, sums.HARM, PER_MANA * table[card + at.CARD_COST] + MORE)
        add(work, sums.REMOVES, 1)


@compiled(i64(i64))
def _bit_of(event: int) -> int:
    """Return the bit of an event in `EVENTS`, or 0 for an event that the own turn cannot cause.

    The events `PLAY` and `AURA` have no bit.
    """
    has_bit = event not in (Event.PLAY, Event.AURA) and (
        event <= Event.ATTACK or event == Event.ARRIVAL
    )
    return (1 << (event & 15)) & sums.ANYTHING if has_bit else 0


@compiled(i64(Words, i64))
def _times_raised(work: Any, event: int) -> int:
    """Return the assumed number of times that an event happens in this turn.

    Deaths happen as often as own minions may die, all other events `_OFTEN` times.
    """
    return work[sums.OFTEN] if event == Event.DEATH else _OFTEN


@compiled(none(Words, Words, i64, i64, i64))
def _add_text(work: Any, table: Any, text: int, card: int, own: int) -> None:
    """Add the harm of the rows of a text that act on play, as an aura or on an event of this turn.

    Args:
        work: sums of the search for a win.
        table: numbers of the cards and rules.
        text: offset of the text.
        card: offset of the card in the table.
        own: damage that the minion or weapon of the card can do by attacks in this turn.
    """
    row = table[text + at.CARD_ROWS]
    for _ in range(table[text + at.CARD_N_ROWS]):
        event = table[row + at.ROW_EVENT]
        if event in (Event.PLAY, Event.AURA) or _bit_of(event) != 0:
            before = work[sums.HARM]
            _add_row(work, table, row, text, card, own)
            if _bit_of(event) != 0:
                # The first time is already counted.
                add(work, sums.HARM, (_times_raised(work, event) - 1) * (work[sums.HARM] - before))
            condition = table[row + at.ROW_WHEN]
            if condition != 0 and work[sums.HARM] > before:
                work[sums.COMBO] |= table[condition + at.CONDITION_MEASURE] == _CARDS_PLAYED
        row += at.ROW_SIZE


@compiled(none(Words, Words, Words, i64, i64))
def _add_body(work: Any, state: Any, table: Any, record: int, card: int) -> None:
    """Increase `HARM` and `CLEARING` by the attack damage of a minion or a weapon in the hand.

    A weapon adds to `HARM` only the attack by which it exceeds the current weapon. A minion adds
    nothing without haste.

    Args:
        work: sums of the search for a win.
        state: state of the game.
        table: numbers of the cards and rules.
        record: offset of the card's record.
        card: offset of the card in the table.
    """
    attack = max(state[record + at.ATTACK], 0)
    keywords = state[record + at.KEYWORDS]
    if table[card + at.CARD_KIND] == Kind.WEAPON:
        add(work, sums.HARM, max(attack - work[sums.WIELDED], 0) * work[sums.HERO_ATTACKS])
    elif keywords & HASTE:
        damage = (attack + work[sums.GAIN]) * (1 + (keywords & WINDFURY != 0))
        add(work, sums.CLEARING, damage)
        add(work, sums.HARM, damage * (keywords & MINIONS_ONLY == 0))


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def weigh_card(work: Any, state: Any, table: Any, record: int, card: int) -> None:
    """Estimate what playing a card adds, and write it to words of `work`.

    The words are `HARM` (damage to the enemy player), `CLEARING` (damage to guards), `REMOVES`
    (guards removed) and `EVENTS` (events caused). The events are also added to `ALL_EVENTS`. If
    the card offers a choice of options, all options count.

    Args:
        work: sums of the search for a win, in which the sums of the player's own characters have
            already been computed; the previous values of the four words are overwritten.
        state: state of the game.
        table: numbers of the cards and rules.
        record: offset of the record of a card in the hand, or of the player for the hero power.
        card: offset of the card in the table.
    """
    work[sums.HARM] = 0
    work[sums.CLEARING] = 0
    work[sums.REMOVES] = 0
    kind = table[card + at.CARD_KIND]
    work[sums.EVENTS] = 0 if kind == Kind.POWER else sums.CARD_PLAYED
    if kind == Kind.MINION:
        work[sums.EVENTS] |= sums.SUMMONED | sums.ARRIVAL
    elif is_spell(table, card):
        work[sums.EVENTS] |= sums.CAST
    if kind in (Kind.MINION, Kind.WEAPON):
        _add_body(work, state, table, record, card)
        add(work, sums.HARM, _SPELLS * table[card + at.CARD_SPELL_DAMAGE])
    own = work[sums.HARM]
    for option in range(3):
        text = table[card + at.CARD_TEXTS + option]
        if text != 0:
            _add_text(work, table, text, card, own)
    if table[card + at.CARD_TEXTS] == 0:
        _add_text(work, table, card, card, own)
    if state[player(state[record + at.OWNER]) + at.KEYWORDS] & DOUBLING and kind != Kind.MINION:
        add(work, sums.HARM, work[sums.HARM])
        add(work, sums.CLEARING, work[sums.CLEARING])
    work[sums.CLEARING] = max(work[sums.CLEARING], work[sums.HARM])
    work[sums.ALL_EVENTS] |= work[sums.EVENTS]


@compiled(i64(Words, Words, Words, i64), apart=True)
def weigh_listener(work: Any, state: Any, table: Any, record: int) -> int:
    """Return the harm that a text in play can do on the events of `ALL_EVENTS`, or as an aura.

    Auras count only if their effect depends on more than the characters on the boards. The events
    on which the text does harm are added to `ASKED`.

    Args:
        work: sums of the search for a win; `HARM` is overwritten.
        state: state of the game.
        table: numbers of the cards and rules.
        record: offset of the record of the minion or weapon with the text.
    """
    if state[record + at.HEARS] == 0:
        return 0
    total = 0
    card = card_of(state, record)
    row = table[card + at.CARD_ROWS]
    is_volatile = table[card + at.CARD_AURAS] & at.AURAS_VOLATILE
    for _ in range(table[card + at.CARD_N_ROWS]):
        event = table[row + at.ROW_EVENT]
        raised = _bit_of(event) & work[sums.ALL_EVENTS]
        if raised != 0 or (event == Event.AURA and is_volatile):
            work[sums.HARM] = 0
            _add_row(work, table, row, card, card, 1)
            total += work[sums.HARM] * _times_raised(work, event)
            if work[sums.HARM] > 0:
                work[sums.ASKED] |= raised
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, i64))
def attacks_of(table: Any, card: int) -> int:
    """Return the number of attacks that a card adds by its own haste and by keywords that it gives.

    A row that gives haste or windfury adds one attack for a chosen target, otherwise `ALL`.
    """
    total = 1 if table[card + at.CARD_KEYWORDS] & HASTE else 0
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if table[row + at.ROW_OPCODE] == _GRANT and table[row + at.ROW_KEYWORDS] & _BRISK:
            total += 1 if table[row + at.ROW_SELECTOR] == Selector.TARGET else ALL
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, i64))
def gain_of(table: Any, card: int) -> int:
    """Return the total attack that the auras of a minion give to another minion."""
    total = 0
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        is_buff = table[row + at.ROW_EVENT] == Event.AURA and table[row + at.ROW_OPCODE] == _BUFF
        if is_buff and table[row + at.ROW_SELECTOR] != Selector.SELF:
            total += max(table[row + at.ROW_ATTACK], 0)
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, i64))
def mana_of(table: Any, card: int) -> int:
    """Return the mana that playing a card gives if its first row gives mana, otherwise 0."""
    row = table[card + at.CARD_ROWS]
    if table[card + at.CARD_N_ROWS] == 0 or table[row + at.ROW_OPCODE] != _MANA:
        return 0
    return max(table[row + at.ROW_AMOUNT], 0)
