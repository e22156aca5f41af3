"""Views: how learned agents see the games of a table, and what they may do there.

Games of the duel's cards under rules that fit are seen through the duel's view, whose 67 values and
40 actions `sim.engine.viewing` has, all others through the general one
(`sim.observation.general_view`).
Which it is, and what the general one can tell apart, follows from the rules and from the cards that
the decks reach (`sim.play.table`), never from what else stands in the pool. A trained agent keeps
the view that it was trained with, in whatever company it plays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from sim import DECK_CAPACITY, Card, Deck, InputError, Pool, Ruleset, error_place
from sim.engine import layout as at
from sim.engine.viewing import (
    ABLE_TO_ATTACK,
    BOARD_PLACES,
    CARDS_LEFT,
    HAND_PLACES,
    LIVES,
    MANAS,
    N_ACTIONS,
    N_VALUES,
)
from sim.observation.general_view import GeneralView, general_size
from sim.observation.side_by_side import Values
from sim.observation.view_size import ViewSize
from sim.play import Agent, CompiledAgent
from sim.play.agent import require_agent
from sim.play.packing import filled_words, is_plain_card
from sim.play.reach import reach_of_decks
from sim.play.table import Table

DUEL_SIZE = ViewSize(name="duel", n_values=N_VALUES, n_actions=N_ACTIONS)

NO_CODE = -1
HASTE_CODE = 5
VALUE_MAX = 127  # values are kept as bytes
CARD_NUMBER_MAX = 5

_EFFECT_CODES = {
    ("summon", "own_player", 1): 1,
    ("heal", "own_player", 2): 2,
    ("damage", "enemy_player", 2): 3,
    ("draw", "own_player", 1): 4,
}
_MOST = {
    "hand_limit": HAND_PLACES,
    "board_limit": BOARD_PLACES,
    "most_life": VALUE_MAX,
    "most_mana": VALUE_MAX,
}
_MEANING = "nothing, haste, or one of: summon a plain 1/1, heal 2, strike 2, draw 1"


def card_codes(pool: Pool) -> npt.NDArray[np.int16]:
    """``[C]`` effect code of each card, tokens too.

    0 none, 1 summon, 2 heal, 3 strike, 4 draw, 5 haste; `NO_CODE` marks a card whose effects the
    view cannot tell apart from others.
    """
    return np.array([_code(card) for card in pool.everything], dtype=np.int16)


def _code(card: Card) -> int:
    if card.kind != "minion" or len(card.effects) + len(card.keywords) > 1:
        return NO_CODE
    if card.keywords:
        return HASTE_CODE if card.keywords == ("haste",) else NO_CODE
    if not card.effects:
        return 0
    (effect,) = card.effects
    token = effect.token
    if token and (token.attack, token.health, token.keywords) != (1, 1, ()):
        return NO_CODE
    return _EFFECT_CODES.get((effect.do, str(effect.to), effect.amount), NO_CODE)


def fits_rules(ruleset: Ruleset) -> bool:
    """Whether the positions of these rules fit the view."""
    return all(getattr(ruleset, field) <= most for field, most in _MOST.items())


@dataclass(frozen=True)
class DuelView:
    """The duel's view of a table's games.

    Attributes:
        table: whose games.
        size: how large it is.
        scales: none, since its values are whole numbers in -128..127 as they are.
        n_hand_places: how many cards actions can name.
    """

    size: ClassVar[ViewSize] = DUEL_SIZE
    scales: ClassVar[None] = None
    n_hand_places: ClassVar[int] = HAND_PLACES

    table: Table

    @property
    def bounds(self) -> tuple[Values, Values]:
        """The least and the most that its values are."""
        low = np.zeros(N_VALUES, dtype=np.float32)
        low[LIVES : LIVES + 2] = -128  # the last blow may go far below zero
        high = np.full(N_VALUES, max(CARD_NUMBER_MAX, HASTE_CODE), dtype=np.float32)
        rules = self.table.ruleset
        high[LIVES : LIVES + 2] = rules.most_life
        high[MANAS : MANAS + 2] = rules.most_mana
        high[ABLE_TO_ATTACK : ABLE_TO_ATTACK + BOARD_PLACES] = 1
        high[CARDS_LEFT : CARDS_LEFT + 2] = DECK_CAPACITY
        return low, high

    @cached_property
    def words(self) -> npt.NDArray[np.int16]:
        """The view as the engine has it (`sim.engine.layout.VIEW_*`)."""
        codes = card_codes(self.table.pool)
        words = {
            at.VIEW_LENGTH: at.VIEW_CODES + len(codes),
            at.VIEW_N_VALUES: N_VALUES,
            at.VIEW_N_ACTIONS: N_ACTIONS,
        }
        return np.concatenate([filled_words(at.VIEW_CODES, words), codes])

    def check_cards(
        self, cards: Iterable[int], *, whose: str = "", most: int | None = None
    ) -> None:
        """Refuse cards, by their positions in the pool, that the view cannot show.

        Args:
            cards: positions among the cards and tokens.
            whose: begins messages about a card.
            most: how large its numbers may be; default any number will do.

        Raises:
            InputError: names the card and its field.
        """
        codes = card_codes(self.table.pool)
        for position in cards:
            card = self.table.pool.everything[position]
            refused = f"{whose}card {card.id!r}: learned agents cannot see"
            if codes[position] == NO_CODE:
                raise InputError(f"{refused} its effects; a card may have {_MEANING}")
            for field in ("cost", "attack", "health"):
                if most is not None and card.number(field) > most:
                    raise InputError(
                        f"{refused} {field} = {card.number(field)}; the most is {most}"
                    )

    def check_decks(self, decks: Iterable[Deck]) -> None:
        """Refuse decks that a learner could not see in full.

        Raises:
            InputError: names the deck, its card and the card's field; or see `check_cards`.
        """
        for deck in decks:
            positions = dict.fromkeys(deck.slots(self.table.pool))
            self.check_cards(positions, whose=f"deck {deck.name!r}: ", most=CARD_NUMBER_MAX)


# --- whichever view it is ---

View = DuelView | GeneralView

PLAYER = "the player"
OWN_PLAYER = "the own player"


def view_of(table: Table, cards: Collection[int]) -> View:
    """The view of games that reach `cards`, numbers of the table's pool."""
    everything = table.pool.everything
    is_plain = not table.is_always_general and all(is_plain_card(everything[k]) for k in cards)
    if is_plain and fits_rules(table.ruleset):
        return DuelView(table)
    return GeneralView(table, general_size(table.ruleset, [everything[k] for k in sorted(cards)]))


def view_for(table: Table, agent: Agent, cards: Collection[int]) -> View:
    """The view by which an agent sees games that reach `cards`: its own, if it has one.

    Raises:
        InputError: it cannot see these games; names the card, or what there is to see. Or there
            is no such card, or no agent.
    """
    require_agent(agent)
    last = len(table.pool.everything) - 1
    for number in cards:
        if number not in range(last + 1):
            raise InputError(f"card {number!r}: must be a number of the pool's cards, 0 to {last}")
    usual = view_of(table, cards)
    own = getattr(agent, "view", None)
    view = usual
    if own is not None and own != usual.size:
        if own == DUEL_SIZE or not GeneralView.fits(table.ruleset, own):
            raise _unfit(agent, own, usual.size)
        view = GeneralView(table, own)
    with error_place(f"agent {agent.name!r}"):
        view.check_cards(cards)
    return view


def check_view(table: Table, decks: Sequence[Deck]) -> None:
    """Refuse decks that a learner could not see in full.

    Raises:
        InputError: names the deck, its card and the card's field.
    """
    view_of(table, reach_of_decks(table.pool, table.ruleset, decks)).check_decks(decks)


def check_agents(view: View, agents: Sequence[Agent]) -> None:
    """Refuse learned agents that see by another view.

    One that has no attribute `view`, a `ViewSize`, is taken at its word.

    Raises:
        InputError: names the agent, what it sees, and what there is to see.
    """
    for agent in agents:
        own = None if isinstance(agent, CompiledAgent) else getattr(agent, "view", None)
        if own is not None and own != view.size:
            raise _unfit(agent, own, view.size)


def _unfit(agent: Agent, own: ViewSize, there: ViewSize) -> InputError:
    return InputError(
        f"agent {agent.name!r}: sees by the view {own}, not by {there}; train one for this game"
    )


# --- deeds: what each action does, whatever stands in the places that it names ---


class Deed(NamedTuple):
    """What one action does.

    Attributes:
        verb: `play`, `attack`, `power` or `end`.
        place: of the card or minion that acts, from 1, the oldest; 0 for the player, 1 where
            nothing acts.
        option: which of a card's options is taken, from 1; 0 for none.
        target: whom it is done to, such as `the player` or `own minion 2`; `""` for nobody.
    """

    verb: str
    place: int = 1
    option: int = 0
    target: str = ""


def action_descriptions(view: View) -> tuple[Deed, ...]:
    """The actions of a view, in the order of their numbers."""
    is_general = isinstance(view, GeneralView)
    n_places = view.table.ruleset.board_limit if is_general else BOARD_PLACES
    enemies, own = (
        [f"{side} minion {place}" for place in range(1, n_places + 1)] for side in ("enemy", "own")
    )
    targets = ["", PLAYER, *enemies, OWN_PLAYER, *own][: view.size.n_targets]  # nobody first
    victims = [PLAYER, *enemies] if is_general else [*enemies, PLAYER]
    has_powers = is_general and view.table.ruleset.hero_powers
    return (
        *(
            Deed("play", place, option, target)
            for place in range(1, view.n_hand_places + 1)
            for option in range(view.size.n_options)
            for target in targets
        ),
        *(
            Deed("attack", place, target=victim)
            for place in range(0 if is_general else 1, n_places + 1)
            for victim in victims
        ),
        *(Deed("power", target=target) for target in targets if has_powers),
        Deed("end"),
    )
