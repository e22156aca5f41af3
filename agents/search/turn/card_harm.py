"""The most that one card, or a hero power, can add to the damage of this turn.

An estimate from above: conditions and filters are taken to hold, and random picks to hit. What a
word of the vocabulary does that nobody here knows counts by its cost. Sums stand in the words of
the *work* (`agents.search.turn.work`).
"""

from __future__ import annotations

from typing import Any

from agents.search.turn import work as of
from agents.search.turn.work import add
from sim.cards.vocabulary import Body, Event, Keyword, Kind, Lasting, Selector, Side
from sim.engine import layout as at
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.general.groups import card_of, is_spell
from sim.engine.general.measures import DECLARED
from sim.engine.handlers import NUMBERS
from sim.engine.zones import player

# What an action that is not known here is taken to do: more than any card of the usual sets does
# for its cost.
PER_MANA = 3
MORE = 4
ALL = 7  # guards that a row for a whole side takes away: as many as a board usually holds

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
_HARMLESS = 0
for _word in ("armor", "discard", "freeze", "crystals", "double"):
    _HARMLESS |= 1 << NUMBERS[_word]
_REMOVING = 0
for _word in ("destroy", "transform", "return", "silence", "steal", "strip"):
    _REMOVING |= 1 << NUMBERS[_word]
# Guesses of how often; wins of real cards that were missed for them: none.
_SPELLS = 3  # that a minion with spell damage is taken to strengthen in its first turn
_OFTEN = 2  # times that a listener is taken to hear of something in one turn
_TIMES = 6  # what a number that is multiplied by a measure is taken to be multiplied by


@compiled(i64(Words, i64))
def hasty_attack(table: Any, card: int) -> int:
    """The attack that a card's body can use in the turn in which it is put on the board."""
    keywords = table[card + at.CARD_KEYWORDS]
    if keywords & HASTE == 0 or keywords & MINIONS_ONLY:
        return 0
    return table[card + at.CARD_ATTACK] * (1 + (keywords & WINDFURY != 0))


@compiled(i64(Words, i64, i64))
def _body_of(table: Any, row: int, text: int) -> int:
    """What a row acts on: players, minions or both, as a `Body`; -1 for something else."""
    selector = table[row + at.ROW_SELECTOR]
    if selector == Selector.TARGET:
        return table[table[text + at.CARD_TARGET] + at.GROUP_BODY]
    return table[table[row + at.ROW_TO] + at.GROUP_BODY] if selector <= Selector.CHARACTERS else -1


@compiled(i64(Words, i64, i64))
def _side_of(table: Any, row: int, text: int) -> int:
    """Whose that is, as a `Side`."""
    if table[row + at.ROW_SELECTOR] == Selector.TARGET:
        return table[table[text + at.CARD_TARGET] + at.GROUP_SIDE]
    return table[table[row + at.ROW_TO] + at.GROUP_SIDE]


@compiled(none(Words, Words, i64, i64, i64, i64))
def _add_damage(work: Any, table: Any, row: int, text: int, is_magic: int, times: int) -> None:
    """Add what a row of damage does."""
    amount = times * max(table[row + at.ROW_AMOUNT], table[row + at.ROW_AMOUNT_TO])
    if is_magic:
        amount += work[of.MAGIC]
    amount *= table[row + at.ROW_REPEAT]
    work[of.DOES] |= of.HURT
    body = _body_of(table, row, text)
    if body >= 0 and _side_of(table, row, text) == Side.OWN:
        return
    if body != Body.MINION:
        add(work, of.HARM, amount)
    if body != Body.PLAYER:
        is_many = body >= 0 and table[row + at.ROW_SELECTOR] != Selector.TARGET
        add(work, of.CLEARING, amount * (ALL if is_many else 1))


@compiled(none(Words, Words, i64, i64, i64))
def _add_buff(work: Any, table: Any, row: int, own: int, times: int) -> None:
    """Add what a row that gives attack adds to the attacks still to come.

    Args:
        work: the sums.
        table: the numbers.
        row: which.
        own: attack that the card itself can use.
        times: what its numbers are multiplied by.
    """
    attack = times * max(table[row + at.ROW_ATTACK], 0)
    selector = table[row + at.ROW_SELECTOR]
    if selector == Selector.SELF:
        add(work, of.HARM, attack * (own > 0))
    elif selector in (Selector.OWN_PLAYER, Selector.OWN_WEAPON):
        add(work, of.HARM, attack * work[of.HERO_ATTACKS])
    elif selector == Selector.TARGET:
        add(work, of.HARM, attack * max(work[of.MOST_ATTACKS], work[of.HERO_ATTACKS]))
    else:
        add(work, of.HARM, attack * (work[of.N_ATTACKS] + work[of.HERO_ATTACKS]))


@compiled(none(Words, Words, i64))
def _add_keywords(work: Any, table: Any, row: int) -> None:
    """Add what a row that gives keywords does."""
    keywords = table[row + at.ROW_KEYWORDS]
    if keywords & HASTE:
        add(work, of.HARM, work[of.TALLEST_ASLEEP])
    if keywords & WINDFURY:
        add(work, of.HARM, max(work[of.TALLEST], work[of.TALLEST_ASLEEP]))
    if keywords & POISONOUS:
        add(work, of.REMOVES, 1)


@compiled(none(Words, Words, i64))
def _add_bodies(work: Any, table: Any, row: int) -> None:
    """Add what minions or a weapon that a row brings can do at once: of several, the best."""
    n_cards = table[row + at.ROW_N_CARDS]
    numbers = table[row + at.ROW_ARGUMENT]
    most = 0
    for k in range(n_cards):
        number = numbers if n_cards == 1 else table[numbers + k]
        card = at.CARDS + at.CARD_SIZE * number
        if table[row + at.ROW_OPCODE] == _EQUIP:
            most = max(most, table[card + at.CARD_ATTACK] * work[of.HERO_ATTACKS])
        else:
            most = max(most, hasty_attack(table, card))
    amount = max(table[row + at.ROW_AMOUNT], table[row + at.ROW_AMOUNT_TO], 1)
    add(work, of.HARM, most * amount)
    work[of.DOES] |= of.SUMMONED


@compiled(none(Words, Words, i64, i64, i64, i64))
def _add_row(work: Any, table: Any, row: int, text: int, card: int, own: int) -> None:
    """Add what one row does when it is reached."""
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
        work[of.DRAWS] += 1
    elif action == _COST:
        add(work, of.HARM, PER_MANA * max(-table[row + at.ROW_AMOUNT], 0))
    elif action == _HEALING:
        work[of.DOES] |= of.HEAL
    elif (_REMOVING >> action) & 1 and table[row + at.ROW_LASTS] == Lasting.ALWAYS:
        is_many = _body_of(table, row, text) >= 0 and (
            table[row + at.ROW_SELECTOR] != Selector.TARGET and table[row + at.ROW_PICK] == 0
        )
        add(work, of.REMOVES, ALL if is_many else 1)
        work[of.DOES] |= of.DEATH
    elif action != _MANA and (_HARMLESS >> action) & 1 == 0:
        add(work, of.HARM, PER_MANA * table[card + at.CARD_COST] + MORE)
        add(work, of.REMOVES, 1)


@compiled(i64(i64))
def _bit_of(event: int) -> int:
    """The bit of an event that the own turn may bring about, 0 of any other."""
    is_one = event not in (Event.PLAY, Event.AURA) and (
        event <= Event.ATTACK or event == Event.ARRIVAL
    )
    return (1 << (event & 15)) & of.ANYTHING if is_one else 0


@compiled(i64(Words, i64))
def _times_heard(work: Any, event: int) -> int:
    """How often a listener is taken to hear of an event: of deaths, as often as minions may die."""
    return work[of.OFTEN] if event == Event.DEATH else _OFTEN


@compiled(none(Words, Words, i64, i64, i64))
def _add_text(work: Any, table: Any, text: int, card: int, own: int) -> None:
    """Add what a text does when its card is played, and what it does then in play."""
    row = table[text + at.CARD_ROWS]
    for _ in range(table[text + at.CARD_N_ROWS]):
        event = table[row + at.ROW_EVENT]
        if event in (Event.PLAY, Event.AURA) or _bit_of(event) != 0:
            before = work[of.HARM]
            _add_row(work, table, row, text, card, own)
            if _bit_of(event) != 0:
                add(work, of.HARM, (_times_heard(work, event) - 1) * (work[of.HARM] - before))
            condition = table[row + at.ROW_WHEN]
            if condition != 0 and work[of.HARM] > before:
                work[of.COMBO] |= table[condition + at.CONDITION_MEASURE] == _CARDS_PLAYED
        row += at.ROW_SIZE


@compiled(none(Words, Words, Words, i64, i64))
def _add_body(work: Any, state: Any, table: Any, record: int, card: int) -> None:
    """Add what a minion or a weapon of the hand can do in this turn by its own attack."""
    attack = max(state[record + at.ATTACK], 0)
    keywords = state[record + at.KEYWORDS]
    if table[card + at.CARD_KIND] == Kind.WEAPON:
        add(work, of.HARM, max(attack - work[of.WIELDED], 0) * work[of.HERO_ATTACKS])
    elif keywords & HASTE:
        damage = (attack + work[of.GAIN]) * (1 + (keywords & WINDFURY != 0))
        add(work, of.CLEARING, damage)
        add(work, of.HARM, damage * (keywords & MINIONS_ONLY == 0))


@compiled(none(Words, Words, Words, i64, i64), apart=True)
def weigh_card(work: Any, state: Any, table: Any, record: int, card: int) -> None:
    """Write down what playing a card adds, as `HARM`, `CLEARING` and `REMOVES`.

    Of two options both are taken to happen.

    Args:
        work: what the own characters can do; overwritten are the three sums.
        state: the game.
        table: the numbers.
        record: a card of the hand, or the player for the hero power.
        card: its offset in the table.
    """
    work[of.HARM] = 0
    work[of.CLEARING] = 0
    work[of.REMOVES] = 0
    kind = table[card + at.CARD_KIND]
    work[of.DOES] = 0 if kind == Kind.POWER else of.CARD_PLAYED
    if kind == Kind.MINION:
        work[of.DOES] |= of.SUMMONED | of.ARRIVAL
    elif is_spell(table, card):
        work[of.DOES] |= of.CAST
    if kind in (Kind.MINION, Kind.WEAPON):
        _add_body(work, state, table, record, card)
        add(work, of.HARM, _SPELLS * table[card + at.CARD_SPELL_DAMAGE])
    own = work[of.HARM]
    for option in range(3):
        text = table[card + at.CARD_TEXTS + option]
        if text != 0:
            _add_text(work, table, text, card, own)
    if table[card + at.CARD_TEXTS] == 0:
        _add_text(work, table, card, card, own)
    if state[player(state[record + at.OWNER]) + at.KEYWORDS] & DOUBLING and kind != Kind.MINION:
        add(work, of.HARM, work[of.HARM])
        add(work, of.CLEARING, work[of.CLEARING])
    work[of.CLEARING] = max(work[of.CLEARING], work[of.HARM])
    work[of.DEEDS] |= work[of.DOES]


@compiled(i64(Words, Words, Words, i64), apart=True)
def weigh_listener(work: Any, state: Any, table: Any, record: int) -> int:
    """The harm that a text in play can do as it hears of `DEEDS`, and that auras may come to do.

    What it waits for is noted in `ASKED`. Auras count if what they give hangs on more than who
    stands on the boards.
    """
    if state[record + at.HEARS] == 0:
        return 0
    total = 0
    card = card_of(state, record)
    row = table[card + at.CARD_ROWS]
    is_volatile = table[card + at.CARD_AURAS] & at.AURAS_VOLATILE
    for _ in range(table[card + at.CARD_N_ROWS]):
        event = table[row + at.ROW_EVENT]
        heard = _bit_of(event) & work[of.DEEDS]
        if heard != 0 or (event == Event.AURA and is_volatile):
            work[of.HARM] = 0
            _add_row(work, table, row, card, card, 1)
            total += work[of.HARM] * _times_heard(work, event)
            if work[of.HARM] > 0:
                work[of.ASKED] |= heard
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, i64))
def attacks_of(table: Any, card: int) -> int:
    """The attacks that playing a card brings: a hasty body's, and those that its rows give."""
    total = 1 if table[card + at.CARD_KEYWORDS] & HASTE else 0
    row = table[card + at.CARD_ROWS]
    for _ in range(table[card + at.CARD_N_ROWS]):
        if table[row + at.ROW_OPCODE] == _GRANT and table[row + at.ROW_KEYWORDS] & _BRISK:
            total += 1 if table[row + at.ROW_SELECTOR] == Selector.TARGET else ALL
        row += at.ROW_SIZE
    return total


@compiled(i64(Words, i64))
def gain_of(table: Any, card: int) -> int:
    """The attack that a minion's aura gives to others."""
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
    """The mana that playing a card gives, if that is the first thing that it does."""
    row = table[card + at.CARD_ROWS]
    if table[card + at.CARD_N_ROWS] == 0 or table[row + at.ROW_OPCODE] != _MANA:
        return 0
    return max(table[row + at.ROW_AMOUNT], 0)
