"""Deeds: what each action of a view does, whatever stands in the places that it names."""

from __future__ import annotations

from typing import NamedTuple

from sim.engine.duel_view import BOARD_PLACES
from sim.observation.general_view import GeneralView
from sim.observation.view import View

PLAYER, OWN_PLAYER = "the player", "the own player"


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
