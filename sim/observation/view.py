"""The view of games: the observations of learned agents, and the actions they may choose.

Games with plain cards under suitable rules have the duel's view, with the 67 values and 40 actions
of `sim.engine.viewing`. All other games have the general view (`sim.observation.general_view`). The
choice, and the shape of the general view, depend on the rules and on the cards that the decks can
reach (`sim.play.reach`), but not on other cards of the pool. A trained agent keeps the view that it
was trained with, independently of the views of its opponents.
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
from sim.observation.parallel_games import Values
from sim.observation.view_size import ViewSize
from sim.play import Agent, CompiledAgent
from sim.play.agent import require_agent
from sim.play.packing import filled_words, is_plain_card
from sim.play.reach import reach_of_decks
from sim.play.table import Table

DUEL_SIZE = ViewSize(name="duel", n_values=N_VALUES, n_actions=N_ACTIONS)
"""Shape of the duel's view."""

NO_CODE = -1  # code of a card that the duel's view cannot show
HASTE_CODE = 5  # the first number after the codes of the four effects
VALUE_MAX = 127  # replay memories store values as signed bytes
CARD_NUMBER_MAX = 5  # the highest cost, attack or health of a card that the duel's pool may have

_EFFECT_CODES = {
    ("summon", "own_player", 1): 1,
    ("heal", "own_player", 2): 2,
    ("damage", "enemy_player", 2): 3,
    ("draw", "own_player", 1): 4,
}
# Highest values of the rules that fit the places and signed bytes of the duel's view.
_HIGHEST_VALUES = {
    "hand_limit": HAND_PLACES,
    "board_limit": BOARD_PLACES,
    "most_life": VALUE_MAX,
    "most_mana": VALUE_MAX,
}
_MEANING = "no effect, haste, or one of: summon a plain 1/1, heal 2, strike 2, draw 1"
"""Description of the effects that the duel's view can show, for messages."""


def card_codes(pool: Pool) -> npt.NDArray[np.int16]:
    """Return the effect code of each card and token in the duel's view.

    Returns:
        Codes, shape ``[C]``: 0 for no effect, 1 summon, 2 heal, 3 strike, 4 draw, 5 haste, and
        `NO_CODE` for a card that the view cannot show.
    """
    return np.array([_code(card) for card in pool.everything], dtype=np.int16)


def _code(card: Card) -> int:
    """Return the effect code of a card in the duel's view (`card_codes`)."""
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
    """Return whether the duel's view can show all positions under a ruleset, by its limits."""
    return all(getattr(ruleset, field) <= highest for field, highest in _HIGHEST_VALUES.items())


@dataclass(frozen=True)
class DuelView:
    """The duel's view of the games of a card table.

    Attributes:
        table: card table of the games.
        size: shape of the view.
        scales: `None`, since all values are whole numbers from -128 to 127.
        n_hand_places: number of places of the hand that actions can refer to.
    """

    size: ClassVar[ViewSize] = DUEL_SIZE
    scales: ClassVar[None] = None
    n_hand_places: ClassVar[int] = HAND_PLACES

    table: Table

    @property
    def bounds(self) -> tuple[Values, Values]:
        """Lowest and highest possible value at each place, both of shape ``[n_values]``."""
        low = np.zeros(N_VALUES, dtype=np.float32)
        low[LIVES : LIVES + 2] = -128  # the last damage of a game may exceed the remaining life
        high = np.full(N_VALUES, max(CARD_NUMBER_MAX, HASTE_CODE), dtype=np.float32)
        rules = self.table.ruleset
        high[LIVES : LIVES + 2] = rules.most_life
        high[MANAS : MANAS + 2] = rules.most_mana
        high[ABLE_TO_ATTACK : ABLE_TO_ATTACK + BOARD_PLACES] = 1
        high[CARDS_LEFT : CARDS_LEFT + 2] = DECK_CAPACITY
        return low, high

    @cached_property
    def words(self) -> npt.NDArray[np.int16]:
        """Words of the view for the engine, in the layout of `sim.engine.layout.VIEW_*`, int16."""
        codes = card_codes(self.table.pool)
        words = {
            at.VIEW_LENGTH: at.VIEW_CODES + len(codes),
            at.VIEW_N_VALUES: N_VALUES,
            at.VIEW_N_ACTIONS: N_ACTIONS,
        }
        return np.concatenate([filled_words(at.VIEW_CODES, words), codes])

    def check_cards(
        self, cards: Iterable[int], *, place: str = "", most: int | None = None
    ) -> None:
        """Check that the view can show all given cards.

        Args:
            cards: numbers in the pool of the cards and tokens to check.
            place: name of the deck that contains the cards, for messages.
            most: highest permitted cost, attack and health; by default there is no limit.

        Raises:
            InputError: the view cannot show the effects of a card, or its cost, attack or health is
                above the limit; the message names the card.
        """
        codes = card_codes(self.table.pool)
        for position in cards:
            card = self.table.pool.everything[position]
            with error_place(place):
                if codes[position] == NO_CODE:
                    raise InputError(
                        "learned agents cannot see its effects",
                        place=f"card {card.id!r}",
                        value=card.id,
                        remedy=f"a card may have {_MEANING}",
                    )
                for field in ("cost", "attack", "health"):
                    number = card.number(field)
                    if most is not None and number > most:
                        raise InputError(
                            f"learned agents cannot see {field} = {number}; the limit is {most}",
                            place=f"card {card.id!r}",
                            value=number,
                            limit=most,
                        )

    def check_decks(self, decks: Iterable[Deck]) -> None:
        """Check that the view can show all cards in the slots of the given decks.

        Cost, attack and health must be at most `CARD_NUMBER_MAX`.

        Raises:
            InputError: the view cannot show a card; the message names the deck and the card.
        """
        for deck in decks:
            positions = dict.fromkeys(deck.slots(self.table.pool))
            self.check_cards(positions, place=f"deck {deck.name!r}", most=CARD_NUMBER_MAX)


# --- functions for the duel's view and the general view ---

View = DuelView | GeneralView

PLAYER = "the player"
"""Name of the opposing player as a target of actions."""

OWN_PLAYER = "the own player"
"""Name of the acting player as an attacker and as a target of actions."""


def view_of(table: Table, cards: Collection[int]) -> View:
    """Return the view of games: the duel's view if it can show them, otherwise a general view.

    Args:
        table: card table of the games.
        cards: numbers in the pool of all cards that can appear in the games.
    """
    everything = table.pool.everything
    is_plain = not table.is_always_general and all(is_plain_card(everything[k]) for k in cards)
    if is_plain and fits_rules(table.ruleset):
        return DuelView(table)
    return GeneralView(table, general_size(table.ruleset, [everything[k] for k in sorted(cards)]))


def view_for(table: Table, agent: Agent, cards: Collection[int]) -> View:
    """Return the view through which an agent observes games.

    This is the view that the agent was trained with, if it declares one; otherwise the view that
    `view_of` returns.

    Args:
        table: card table of the games.
        agent: agent that observes the games.
        cards: numbers in the pool of all cards that can appear in the games.

    Raises:
        InputError: the agent's view cannot show these games or one of the cards, a number is not
            in the pool, or `agent` is not an agent.
    """
    require_agent(agent)
    last = len(table.pool.everything) - 1
    for number in cards:
        if number not in range(last + 1):
            raise InputError(
                f"must be a number of the pool's cards, 0 to {last}",
                place=f"card {number!r}",
                value=number,
                limit=(0, last),
            )
    usual = view_of(table, cards)
    own = getattr(agent, "view", None)
    view = usual
    # An agent that was trained with more cards has a larger general view, which also fits here.
    if own is not None and own != usual.size:
        if own == DUEL_SIZE or not GeneralView.fits(table.ruleset, own):
            raise _view_error(agent, own, usual.size)
        view = GeneralView(table, own)
    with error_place(f"agent {agent.name!r}"):
        view.check_cards(cards)
    return view


def check_view(table: Table, decks: Sequence[Deck]) -> None:
    """Check that the view of games with given decks can show all cards of these decks.

    Args:
        table: card table of the games.
        decks: decks of the games, which determine the view.

    Raises:
        InputError: the view cannot show a card; the message names the deck and the card.
    """
    view_of(table, reach_of_decks(table.pool, table.ruleset, decks)).check_decks(decks)


def check_agents(view: View, agents: Sequence[Agent]) -> None:
    """Check that learned agents were trained with a view of the same shape as `view`.

    Compiled agents, and learned agents without an attribute `view`, always pass.

    Args:
        view: view of the games.
        agents: agents that will play the games.

    Raises:
        InputError: an agent was trained with another view; the message names both views.
    """
    for agent in agents:
        own = None if isinstance(agent, CompiledAgent) else getattr(agent, "view", None)
        if own is not None and own != view.size:
            raise _view_error(agent, own, view.size)


def _view_error(agent: Agent, own: ViewSize, needed: ViewSize) -> InputError:
    """Return the error for an agent with a view that cannot show the games.

    Args:
        agent: agent that cannot play.
        own: shape of the view that the agent was trained with.
        needed: shape of the view of the games.
    """
    return InputError(
        f"was trained with the view {own}; this game needs {needed}",
        place=f"agent {agent.name!r}",
        value=own,
        limit=needed,
        remedy="train an agent for this game",
    )


# --- descriptions of actions ---


class ActionDescription(NamedTuple):
    """Meaning of one action of a view, independent of the cards in the places it refers to.

    Attributes:
        verb: `play`, `attack`, `power` or `end`.
        place: place of the card in the hand or of the attacking minion, from 1; 0 if the player
            attacks, and 1 for `power` and `end`.
        option: number of the chosen option of the card, from 1; 0 if no option is chosen.
        target: target of the action, such as `the player` or `own minion 2`; `""` if it has no
            target.
    """

    verb: str
    place: int = 1
    option: int = 0
    target: str = ""


def action_descriptions(view: View) -> tuple[ActionDescription, ...]:
    """Return the description of each action of a view, in the order of the actions' numbers."""
    is_general = isinstance(view, GeneralView)
    n_places = view.table.ruleset.board_limit if is_general else BOARD_PLACES
    enemies, own = (
        [f"{side} minion {place}" for place in range(1, n_places + 1)] for side in ("enemy", "own")
    )
    # Targets are in the order of `sim.engine.general.view`; the first entry means no target.
    targets = ["", PLAYER, *enemies, OWN_PLAYER, *own][: view.size.n_targets]
    victims = [PLAYER, *enemies] if is_general else [*enemies, PLAYER]
    has_powers = is_general and view.table.ruleset.hero_powers
    return (
        *(
            ActionDescription("play", place, option, target)
            for place in range(1, view.n_hand_places + 1)
            for option in range(view.size.n_options)
            for target in targets
        ),
        *(
            ActionDescription("attack", place, target=victim)
            for place in range(0 if is_general else 1, n_places + 1)
            for victim in victims
        ),
        *(ActionDescription("power", target=target) for target in targets if has_powers),
        ActionDescription("end"),
    )
