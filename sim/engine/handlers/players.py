"""Actions on players: armour, mana, hero powers, and the interruption of attacks and spells."""

from __future__ import annotations

from functools import partial
from typing import Any

from sim.cards.action import Action
from sim.cards.effect import Effect
from sim.cards.phrase import Say
from sim.cards.vocabulary import Event, Kind, Lasting, Opcode, receivers
from sim.engine import layout as at
from sim.engine.compensation import extra_mana, starting_life
from sim.engine.faults import add
from sim.engine.general.groups import is_in_play, is_minion, is_player
from sim.engine.general.moves import leave_board, send_to_removed
from sim.engine.zones import player
from sim.errors import InputError
from sim.ruleset import NUMBER_MAX


@partial(
    Action,
    "armor",
    phrase="{does:gain} {amount:armor}",
    reads=("{doers} <gain|gains> {amount:armor}", "+{number as amount} armor"),
    number=7,
    acts_on=receivers.PLAYER,
    tunable=("amount",),
)
def _armor(state: Any, table: Any, row: int, source: int, target: int) -> None:
    if is_player(target):
        add(state, target + at.ARMOR, state[at.NOW_AMOUNT])


@partial(
    Action,
    "mana",
    phrase="{does:gain} {amount:mana} this turn",
    reads=(
        "{does:gain} {few as amount} [extra|temporary] mana [crystal|crystals] this turn [only]",
    ),
    number=19,
    acts_on=receivers.PLAYER,
    tunable=("amount",),
)
def _mana(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Add mana for this turn, up to the cap of the rules; mana already above the cap is kept.

    A negative amount removes mana, down to 0.
    """
    leader = player(state[target + at.OWNER])
    most = max(state[leader + at.MANA], table[at.MANA_MAX])
    state[leader + at.MANA] = min(max(state[leader + at.MANA] + state[at.NOW_AMOUNT], 0), most)


@partial(
    Action,
    "crystals",
    phrase=(
        "{does:gain} {gain} empty mana crystals",
        "{does:lose} {loss} empty mana crystals",
    ),
    reads=(
        "{does:gain} {few as amount} empty mana <crystal|crystals>",
        "destroy {few as less} of your mana crystals",
        "{doers} <lose|loses> {few as less} mana <crystal|crystals>",
    ),
    number=22,
    acts_on=receivers.PLAYER,
    may_be_negative=True,
)
def _crystals(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Change the number of mana crystals, between 0 and the rules' maximum mana.

    Mana above the number of crystals is lost, except the extra mana of a first turn.
    """
    seat = state[target + at.OWNER]
    leader = player(seat)
    crystals = min(max(state[leader + at.MANA_CAP] + state[at.NOW_AMOUNT], 0), table[at.MANA_MAX])
    state[leader + at.MANA_CAP] = crystals
    most = crystals + extra_mana(state, table, seat)
    state[leader + at.MANA] = min(state[leader + at.MANA], most)


def _check_discount(row: Effect) -> None:
    """Check that the amount of a discount is negative.

    Raises:
        InputError: the amount is 0 or more.
    """
    if row.amount >= 0:
        problem = f"{row.amount} must be below 0 for a discount"
        raise InputError(problem, place="amount", separator=" = ", value=row.amount, limit=-1)


@partial(
    Action,
    "discount",
    phrase=(
        Say("the next {next_card} this turn costs (0)", {"amount": -NUMBER_MAX, "lasts": "always"}),
        Say("the next {next_card} this turn costs ({loss}) less", {"lasts": "always"}),
        Say("{all_cards} cost (0) next turn", {"amount": -NUMBER_MAX, "lasts": "next_turn"}),
        Say("{all_cards} cost ({loss}) less next turn", {"lasts": "next_turn"}),
    ),
    reads=("your next {kind_word} [this turn] costs {price as less} less [this turn]",),
    number=27,
    acts_on=receivers.PLAYER,
    may_be_negative=True,
    takes=("kind",),
    lasts=("always", "next_turn"),
    kept="leave it out for a discount in this turn, or write 'next_turn'",
    check=_check_discount,
)
def _discount(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Lower the cost of the player's next spells; of several discounts the largest applies.

    Depending on the row, the discount is for the next spell or secret of this turn, or for all
    spells of the next turn. From then on, costs are recomputed after every row.
    """
    leader = player(state[target + at.OWNER])
    word = at.NEXT_SECRET if table[row + at.ROW_KIND] == Kind.SECRET else at.NEXT_SPELL
    if table[row + at.ROW_LASTS] == Lasting.NEXT_TURN:
        word = at.SPELLS_LATER
    state[leader + word] = min(state[leader + word], state[at.NOW_AMOUNT])
    state[at.HEARD] |= 1 << Event.OWN_COST  # `refresh_auras` recomputes costs only with this bit


@partial(
    Action,
    "power",
    phrase="replace {power} with {powers}",
    reads=("{power} becomes {powers}", "replace {power} by {powers}", "change {power} to {powers}"),
    number=28,
    acts_on=receivers.PLAYER,
    has_amount=False,
    takes=("cards",),
    brings=("power",),
)
def _power(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Change the hero power to the power after it in the row's list, or to the list's first.

    The last power of the list stays. A new power can be used in this turn again.
    """
    leader = player(state[target + at.OWNER])
    n_cards = table[row + at.ROW_N_CARDS]
    numbers = table[row + at.ROW_ARGUMENT]
    card = numbers if n_cards == 1 else table[numbers]
    for k in range(n_cards if n_cards > 1 else 0):
        if table[numbers + k] == state[leader + at.CARD]:
            card = table[numbers + min(k + 1, n_cards - 1)]
    if card == state[leader + at.CARD]:
        return
    state[leader + at.CARD] = card
    state[leader + at.COST] = table[at.CARDS + at.CARD_SIZE * card + at.CARD_COST]
    state[leader + at.POWER_USED] = 0


@partial(
    Action,
    "embody",
    phrase="replace {receivers} with this card, with {amount} health and no armor",
    number=35,
    acts_on=receivers.PLAYER,
)
def _embody(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Replace the target player by the source minion, which leaves the board if it is in play.

    The player's life becomes the row's amount, but at most the starting life, and armour is lost.
    """
    seat = state[target + at.OWNER]
    leader = player(seat)
    state[leader + at.HEALTH] = min(state[at.NOW_AMOUNT], starting_life(table, seat))
    state[leader + at.MAX_HEALTH] = max(state[leader + at.HEALTH], 1)
    state[leader + at.ARMOR] = 0
    if is_in_play(state, source) and is_minion(state, table, source):
        leave_board(state, source)
        send_to_removed(state, source)


@partial(
    Action,
    "aim",
    phrase="redirect {going_on} to {receivers}",
    reads=(
        "aim {going_on} [instead] at {receivers}",
        Say(
            "instead it attacks another random character",
            {"to": "characters(bystander)", "pick": 1},
        ),
    ),
    number=Opcode.AIM,
    acts_on=receivers.CHARACTER,
    has_amount=False,
    needs=("attack", "cast"),
)
def _aim(state: Any, table: Any, row: int, source: int, target: int) -> None:
    """Redirect the attack or spell in progress to the target, if that is a character in play."""
    is_character = is_player(target) or is_minion(state, table, target)
    if is_character and is_in_play(state, target):
        state[at.AIM] = target


@partial(
    Action,
    "counter",
    phrase="counter {receivers}",
    number=Opcode.COUNTER,
    acts_on=receivers.ANYTHING,  # the handler ignores the receiver: it counters the cast spell
    has_amount=False,
    needs=("cast",),
)
def _counter(state: Any, table: Any, row: int, source: int, target: int) -> None:
    state[at.IS_COUNTERED] = 1
