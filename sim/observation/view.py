"""Views: how learned agents see the games of a table, and what they may do there.

Games of the duel's cards under rules that fit are seen through the duel's view
(`sim.observation.duel_view`), all others through the general one (`sim.observation.general_view`).
Which it is, and what the general one can tell apart, follows from the rules and from the cards that
the decks reach (`sim.play.table`), never from what else stands in the pool. A trained agent keeps
the view that it was trained with, in whatever company it plays.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sim import Deck, InputError, blaming
from sim.engine.viewing import BOARD_PLACES
from sim.observation.duel_view import DUEL_SIZE, DuelView, fits_rules
from sim.observation.general_view import GeneralView, general_size
from sim.observation.side_by_side import ViewSize
from sim.play import Agent, CompiledAgent, Table
from sim.play.packing import is_plain_card
from sim.play.table import reach_of_decks

View = DuelView | GeneralView

PLAYER, OWN_PLAYER = "the player", "the own player"


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
        InputError: it cannot see these games; names the card, or what there is to see.
    """
    usual, own = view_of(table, cards), _size_of(agent)
    view = usual
    if own is not None and own != usual.size:
        if own == DUEL_SIZE or not GeneralView.fits(table.ruleset, own):
            raise _unfit(agent, own, usual.size)
        view = GeneralView(table, own)
    with blaming(f"agent {agent.name!r}"):
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
        own = None if isinstance(agent, CompiledAgent) else _size_of(agent)
        if own is not None and own != view.size:
            raise _unfit(agent, own, view.size)


def _size_of(agent: Agent) -> ViewSize | None:
    size: ViewSize | None = getattr(agent, "view", None)
    return size


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


def deeds_of(view: View) -> tuple[Deed, ...]:
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
