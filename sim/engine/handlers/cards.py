"""Actions that create cards, move them and change their costs."""

from __future__ import annotations

from functools import partial
from typing import Any

from sim.cards.action import Action
from sim.cards.effect import Effect
from sim.cards.phrase import Say
from sim.cards.vocabulary import PLAYABLE, Kind, Opcode, Selector, receivers
from sim.engine import layout as at
from sim.engine.draws import draw_card, search_deck
from sim.engine.faults import add, bounded, spend_steps
from sim.engine.general.groups import (
    is_alive,
    is_in_deck,
    is_minion,
    is_player,
    number_of,
    slot_of_member,
)
from sim.engine.general.measures import roll
from sim.engine.general.moves import clone, discard, exchange, give, offer_top_cards, summon, wield
from sim.engine.handlers.picking import pick_absent_card, pick_card, pick_enemy_card
from sim.engine.zones import hand, make_record
from sim.errors import InputError


def _check_draw(row: Effect) -> None:
    """Check that a row does not draw from the enemy's deck.

    Raises:
        InputError: the row draws from the enemy's deck.
    """
    if row.to.selector is Selector.ENEMY_DECK:
        problem = f"{row.to!r}: a card cannot be drawn from the enemy's deck"
        raise InputError(problem, place="to", separator=" = ", value=str(row.to))


@partial(
    Action,
    "draw",
    phrase=("draw {deck_cards}", "{does:draw} {count:card}"),
    reads=(
        "{doers} <draw|draws> {number as amount} [cards]",
        "draws {count:card}",
        "<draw|draws> cards equal to {measure as times}",
        Say("draw cards until you have as many in hand as your opponent", {"times": "hand_gap"}),
        Say(
            "you have a 50% chance to draw {few as amount} [extra] <card|cards>",
            {"when": "coin_flip"},
        ),
    ),
    number=2,
    acts_on=receivers.PLAYER | receivers.DECK,
    tunable=("amount",),
    is_plain=True,
    check=_check_draw,
)
def _draw(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Draw cards from the top of a player's deck, or the deck card that the row has selected.

    From the top, drawing stops when the game ends.
    """
    if is_in_deck(target):
        slot = slot_of_member(target)
        state[at.PREVIOUS] = search_deck(state, table, state[source + at.OWNER], slot)
        return
    for _ in range(state[at.NOW_AMOUNT]):
        if state[at.RESULT] == at.RUNNING:
            spend_steps(state, table, 1)
            state[at.PREVIOUS] = draw_card(state, table, state[target + at.OWNER])


def _check_summon(row: Effect) -> None:
    """Check that a summoning row has either a token or cards, not both.

    Raises:
        InputError: the row has both or neither.
    """
    if (row.token is None) == (not row.cards):
        raise InputError(
            "summon needs a token, such as { attack = 1, health = 1 }, or cards, not both"
        )


@partial(
    Action,
    "summon",
    phrase="summon {cards}{for_player}",
    reads=(
        "summon {cards}",
        Say("summon {cards} for your opponent", {"to": "enemy_player"}),
        Say("your opponent summons {cards}", {"to": "enemy_player"}),
        Say("summon {cards} for each player", {"to": "players"}),
        Say("summon {cards} until your <side of the battlefield|board> is full", {"amount": 7}),
    ),
    number=Opcode.SUMMON,
    acts_on=receivers.PLAYER,
    may_take=("token", "cards"),
    brings=("minion",),
    is_plain=True,
    check=_check_summon,
)
def _summon(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Summon minions one after the other; those for which the board has no space are lost."""
    state[at.PREVIOUS] = 0
    seat = state[target + at.OWNER]
    for nth in range(state[at.NOW_AMOUNT]):
        spend_steps(state, table, 1)
        if state[at.RESULT] == at.FAULTED:
            return
        if table[row + at.ROW_ABSENT]:
            card = pick_absent_card(state, table, row, source, seat)
        else:
            card = pick_card(state, table, row, source)
        if card != at.BLANK:
            summon(state, table, source, seat, card, nth)


@partial(
    Action,
    "equip",
    phrase="{does:equip} {cards}",
    reads=("{doers} <equip|equips> {cards}",),
    number=8,
    acts_on=receivers.PLAYER,
    has_amount=False,
    takes=("cards",),
    brings=("weapon",),
)
def _equip(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + at.OWNER]
    card = pick_card(state, table, row, source)
    state[at.PREVIOUS] = make_record(state, table, card, state[source + at.SLOT], seat)
    wield(state, seat, state[at.PREVIOUS])


@partial(
    Action,
    "give",
    phrase="add {cards} to {hand}",
    reads=(
        "<put|add> {cards} <into|to|in> {hand}",
        Say("give your opponent {cards}", {"to": "enemy_player"}),
        Say("give <each player|both players> {cards}", {"to": "players"}),
    ),
    number=17,
    acts_on=receivers.PLAYER,
    takes=("cards",),
    may_take=("of_enemy_hero",),
    brings=PLAYABLE,
)
def _give(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[at.PREVIOUS] = 0
    for _ in range(state[at.NOW_AMOUNT]):
        spend_steps(state, table, 1)
        if state[at.RESULT] == at.FAULTED:
            return
        if table[row + at.ROW_FLAGS] & at.OF_ENEMY_HERO:
            card = pick_enemy_card(state, table, row, source)
        else:
            card = pick_card(state, table, row, source)
        if card != at.BLANK:
            give(state, table, source, state[target + at.OWNER], card)


@partial(
    Action,
    "discard",
    phrase="{does:discard} {count:random card}",
    reads=(
        "{does:discard} {count:card}",
        "{does:discard} {count:card} <at random|from your hand>",
        "{does:discard} {count:random card} from <your|their> hand",
        Say("discard your hand", {"times": "count own_hand"}),
    ),
    number=10,
    acts_on=receivers.PLAYER,
    tunable=("amount",),
)
def _discard(state: Any, table: Any, row: int, source: int, target: int) -> None:
    seat = state[target + at.OWNER]
    for _ in range(state[at.NOW_AMOUNT]):
        spend_steps(state, table, 1)
        if state[at.RESULT] == at.FAULTED:
            return
        if state[hand(seat)] > 0:
            discard(state, seat, roll(state, source, state[hand(seat)]))


def _check_choice(row: Effect) -> None:
    """Check that a choice is made once, by the player of the card, when the card is played.

    Raises:
        InputError: the row reacts to another event, is for another player, or is repeated.
    """
    if row.on != "play":
        problem = f"{row.on!r}: players choose only when they play"
        raise InputError(problem, place="on", separator=" = ", value=row.on, limit="play")
    if row.to.selector is not Selector.OWN_PLAYER:
        raise InputError(
            f"{row.to!r}: 'choose' is only for the player that plays the card",
            place="to",
            separator=" = ",
            value=str(row.to),
            limit="own_player",
            remedy="write to = 'own_player'",
        )
    if row.repeat > 1:
        problem = f"{row.repeat}: 'choose' cannot be repeated"
        raise InputError(problem, place="repeat", separator=" = ", value=row.repeat, limit=1)


@partial(
    Action,
    "choose",
    phrase="look at the top {amount} cards of your deck, draw one and discard the others",
    reads=(
        "look at the top {number as amount} cards of your deck. draw one and discard the others",
    ),
    number=11,
    acts_on=receivers.PLAYER,
    check=_check_choice,
)
def _choose(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Offer the top cards of the deck to the target player, if that player is the active one.

    The inactive player cannot be asked during the other player's action.
    """
    if state[target + at.OWNER] == state[at.ACTIVE]:
        offer_top_cards(state, state[target + at.OWNER], state[at.NOW_AMOUNT])


def _check_cost(row: Effect) -> None:
    """Check that a row changes the cost by a number other than 0.

    Raises:
        InputError: the row's amount is 0.
    """
    if row.amount == 0:
        raise InputError("0 changes no cost", place="amount", separator=" = ", value=0)


@partial(
    Action,
    "cost",
    phrase=("make {power} cost ({loss}) less", "make {power} cost ({gain}) more"),
    standing=("{power} {cost} ({loss}) less", "{power} {cost} ({gain}) more"),
    standing_reads=(
        "{power} {cost} {number as less} [mana] less",
        "{power} {cost} {number as amount} [mana] more",
    ),
    reads=(
        Say("<it|they|that card> <cost|costs> {price as less} less", {"to": "it"}),
        Say("<it|they|that card> <cost|costs> {price as amount} more", {"to": "it"}),
        "reduce the cost of {priced} by {price as less}",
        "increase the cost of {priced} by {price as amount}",
    ),
    number=15,
    # The cost of a player is that of the hero power.
    acts_on=receivers.PLAYER | receivers.MINION | receivers.CARD,
    may_be_negative=True,
    aura=at.AURAS_GIVEN | at.AURAS_CHANGE | at.AURAS_ON_COSTS | at.AURAS_VOLATILE,
    check=_check_cost,
)
def _cost(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Change the target's cost permanently, to no less than 0.

    Auras and formulas are added at the next refresh.
    """
    add(state, target + at.COST_CHANGE, state[at.NOW_AMOUNT])
    state[target + at.COST] = max(bounded(state[target + at.COST] + state[at.NOW_AMOUNT]), 0)


@partial(
    Action,
    "copy",
    phrase="add a copy of {receivers} to {own_hand}",
    reads=(
        "<put|add> <a copy|copies> of {receivers} <into|to|in> {own_hand}",
        "copy {receivers} and add <them|it> to {own_hand}",
        "copy {receivers}",
    ),
    number=24,
    acts_on=receivers.BODY | receivers.SECRET | receivers.DECK,
    has_amount=False,
    may_take=("receiver",),
)
def _copy(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Put a copy of the target card into a hand, unless the target is a player.

    The hand is that of the source's owner, or the enemy's if the row says so.
    """
    if is_player(target) and not is_in_deck(target):
        return
    seat = state[source + at.OWNER]
    if table[row + at.ROW_FLAGS] & at.FOR_ENEMY:
        seat = 1 - seat
    give(state, table, source, seat, number_of(state, target))


@partial(
    Action,
    "clone",
    phrase="summon a copy of {receivers}",
    reads=(
        "summon <an exact copy|copies|exact copies> of {receivers}",
        "summon {number as repeat} copies of {receivers}",
        "summon a copy of {receivers} for <you|yourself>",
        "put a copy of {receivers} into the battlefield",
        "resummon {receivers}",
    ),
    number=Opcode.CLONE,
    acts_on=receivers.MINION | receivers.CARD | receivers.DECK,
    has_amount=False,
)
def _clone(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Summon a copy of the target, in any zone, if the target's card is a minion."""
    if is_in_deck(target) or not is_player(target):
        printed = at.CARDS + at.CARD_SIZE * number_of(state, target)
        if table[printed + at.CARD_KIND] == Kind.MINION:
            clone(state, table, source, target)


def _check_exchange(row: Effect) -> None:
    """Check that an exchange acts on a single minion of the own hand.

    Raises:
        InputError: the row acts on anything else.
    """
    if (row.to.selector, row.to.kind, row.pick) != (Selector.OWN_HAND, Kind.MINION, 1):
        problem = f"{row.to!r}: exchange needs to = 'own_hand(minion)', pick = 1"
        raise InputError(
            problem, place="to", separator=" = ", value=str(row.to), limit="own_hand(minion)"
        )


@partial(
    Action,
    "exchange",
    phrase="swap this card with {receivers}",
    reads=("swap this minion with {receivers}",),
    number=29,
    acts_on=receivers.CARD,
    has_amount=False,
    check=_check_exchange,
)
def _exchange(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Swap the source minion with a minion in its owner's hand, unless the source has died."""
    both = is_minion(state, table, source) and is_minion(state, table, target)
    if both and is_alive(state, source):
        exchange(state, table, source, target)
