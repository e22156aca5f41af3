"""The general view, which can show games with any cards under any rules.

The number of values and actions follows from the ruleset and the cards that can appear
(`general_size`). `columns` names the values in their order. `sim.engine.general.view` writes the
values and numbers the actions.

Each value is a whole number divided by its scale, at most 1. The last values are texts: for each
place that may contain a card, the number of the card's text, or 0 if it has no text. Cards that
differ only in cost, attack, health and keywords share a text, since other values show these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sim import Card, Deck, InputError
from sim.cards.vocabulary import BODY_KEYWORDS
from sim.engine import layout as at
from sim.observation.parallel_games import Values
from sim.observation.view_size import ViewSize
from sim.play.packing import filled_words
from sim.play.table import Table
from sim.ruleset import BOARD_CAPACITY, Ruleset

# Scales, the numbers that values are divided by. Values above 1 are cut to 1, so each scale is a
# little above the usual maximum of its number. Chosen by hand, not tuned.
FLAG = 1  # for values that are 0 or 1
BODY_SCALE = 12  # for attack, health and durability; few cards have more
FEW_SCALE = 10  # for the number of cards played in a turn, and for fatigue damage
RARE_SCALE = 5  # for spell damage and overload
READY_SCALE = 2  # for the number of attacks that a body may still make; two with windfury
BODY_WORDS = tuple((keyword.name or "").lower() for keyword in BODY_KEYWORDS)
TEXT = 0  # takes the place of a scale if the value is the number of a text
SIDES = ("own", "enemy")
HAND_KINDS = ("minion", "spell", "weapon", "secret")
_PHASES = ("in the main phase", "in the mulligan", "at a choice")
_OF_TEXT = {"effects", "target", "target_when", "needs", "spell_damage", "overload", "tribe"}
"""Fields of a card that make up its text."""


_Scales = Mapping[str, int | str]
"""Scale of each value, by name: a number, or the name of the ruleset's field with the scale."""
_PLAYER: _Scales = {  # in the order of `sim.engine.general.view._see_player`
    "life": "life",
    "max life": "life",
    "armour": "life",
    "attack": BODY_SCALE,
    "ready": READY_SCALE,
    "frozen": FLAG,
    "immune": FLAG,
    "weapon attack": BODY_SCALE,
    "weapon durability": BODY_SCALE,
    "power used": FLAG,
    "mana": "mana_max",
    "mana cap": "mana_max",
    "overload owed": RARE_SCALE,
    "overload locked": RARE_SCALE,
    "cards played": FEW_SCALE,
    "spell damage": RARE_SCALE,
    "minions played": FEW_SCALE,
    "fatigue": FEW_SCALE,
    "deck": "deck_limit",
    "hand": "hand_limit",
    "board": BOARD_CAPACITY,
    "has a weapon": FLAG,
    "has a power": FLAG,
    "secrets": at.SECRET_CAPACITY,
}
_CARD: _Scales = {  # in the order of `sim.engine.general.view._see_card`
    **dict.fromkeys(HAND_KINDS, FLAG),
    "cost": "mana_max",
    "attack": BODY_SCALE,
    "health": BODY_SCALE,
    "playable": FLAG,
    "to be replaced": FLAG,
    "spell damage": RARE_SCALE,
    "overload": RARE_SCALE,
    **dict.fromkeys(BODY_WORDS, FLAG),
}
_MINION: _Scales = {  # in the order of `sim.engine.general.view._see_minion`
    "attack": BODY_SCALE,
    "health": BODY_SCALE,
    "max health": BODY_SCALE,
    "ready": READY_SCALE,
    "frozen": FLAG,
    "silenced": FLAG,
    "new": FLAG,
    "spell damage": RARE_SCALE,
    **dict.fromkeys(BODY_WORDS, FLAG),
}


class Column(NamedTuple):
    """Description of one value of an observation.

    Attributes:
        name: name of the value, such as `hand 1 cost`. Places are counted from 1, which is the
            oldest card of the hand or the leftmost minion.
        scale: number that the value is divided by; `TEXT` if the value is the number of a text.
    """

    name: str
    scale: int


def columns(ruleset: Ruleset, n_choices: int) -> tuple[Column, ...]:
    """Return the descriptions of all values of an observation, in their order.

    Args:
        ruleset: rules of the games.
        n_choices: maximum number of cards that an effect lets a player choose from; 0 if no effect
            does.
    """
    hands = [f"hand {place + 1}" for place in range(_hand_places(ruleset, n_choices))]
    boards = [f"{side} minion {k + 1}" for side in SIDES for k in range(ruleset.board_limit)]
    choices = [f"choice {place + 1}" for place in range(n_choices)]
    singles = [f"{side} {kind}" for kind in ("weapon", "power") for side in SIDES]
    groups = ((SIDES, _PLAYER), (hands, _CARD), (boards, _MINION), (choices, _CARD))
    return (
        *(Column(phase, FLAG) for phase in _PHASES),
        Column("turn", ruleset.turn_cap),
        Column("moved second", FLAG),
        *(
            Column(f"{place} {name}", getattr(ruleset, scale) if isinstance(scale, str) else scale)
            for places, scales in groups
            for place in places
            for name, scale in scales.items()
        ),
        *(Column(f"{place} text", TEXT) for place in (*hands, *boards, *singles, *choices)),
    )


def _hand_places(ruleset: Ruleset, n_choices: int) -> int:
    """Return the hand limit or `n_choices`, whichever is greater.

    Actions refer to cards of the hand and of a choice by the same places.
    """
    return max(ruleset.hand_limit, n_choices)


def general_size(ruleset: Ruleset, cards: Sequence[Card]) -> ViewSize:
    """Return the shape of the general view of games with given cards.

    The shape includes options, targets and choices only if a card needs them.

    Args:
        ruleset: rules of the games.
        cards: all cards that can appear in the games; texts are numbered in their order.
    """
    by_id = {card.id: card for card in cards}
    lets_choose = any(row.do == "choose" for card in cards for row in card.effects)
    ids_of_text: dict[str, list[str]] = {}
    for card in cards:
        ids_of_text.setdefault(_text(card, by_id), []).append(card.id)
    ids_of_text.pop("", None)
    return _view_size(
        ruleset,
        n_options=3 if any(card.options for card in cards) else 1,
        n_targets=3 + 2 * ruleset.board_limit if any(card.target for card in cards) else 1,
        n_choices=at.CHOICE_CAPACITY if lets_choose else 0,
        texts=tuple(map(tuple, ids_of_text.values())),
    )


def _view_size(
    ruleset: Ruleset,
    *,
    n_options: int,
    n_targets: int,
    n_choices: int,
    texts: tuple[tuple[str, ...], ...],
) -> ViewSize:
    """Return the shape of a general view from the ruleset and the fields that depend on cards.

    Args:
        ruleset: rules of the games.
        n_options: number of ways to play a card.
        n_targets: number of possible targets of an action, including no target.
        n_choices: maximum number of cards that an effect lets a player choose from.
        texts: ids of the cards that share each text, in the order of the texts' numbers.
    """
    named = columns(ruleset, n_choices)
    n_plays = _hand_places(ruleset, n_choices) * n_options * n_targets
    n_attacks = (1 + ruleset.board_limit) ** 2
    n_powers = n_targets if ruleset.hero_powers else 0
    return ViewSize(
        name="general",
        n_values=len(named),
        n_actions=n_plays + n_attacks + n_powers + 1,
        n_indices=sum(column.scale == TEXT for column in named),
        n_options=n_options,
        n_targets=n_targets,
        n_choices=n_choices,
        texts=texts,
    )


def _text(card: Card, by_id: Mapping[str, Card]) -> str:
    """Return a string that identifies the text of a card; `""` if the card has no text.

    It consists of the fields `_OF_TEXT` of the card and of its options as JSON, so it does not
    depend on the card's name, cost, attack, health and keywords.

    Args:
        card: card that has the text.
        by_id: cards by id, including all options of the card.
    """
    written = card.model_dump_json(include=_OF_TEXT, exclude_defaults=True)
    own = "" if written == "{}" else written
    return own + "".join(f"|{_text(by_id[option], by_id)}" for option in card.options)


@dataclass(frozen=True)
class GeneralView:
    """The general view of the games of a card table.

    Attributes:
        table: card table of the games.
        size: shape of the view, including the texts that it distinguishes.
    """

    table: Table
    size: ViewSize

    @staticmethod
    def fits(ruleset: Ruleset, size: ViewSize) -> bool:
        """Return whether a general view of a given shape can show games under a ruleset.

        The cards of the games are checked by `check_cards`.
        """
        of_cards = size.model_dump(include={"n_options", "n_targets", "n_choices", "texts"})
        return size == _view_size(ruleset, **of_cards)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Descriptions of all values of an observation, in their order."""
        return columns(self.table.ruleset, self.size.n_choices)

    @cached_property
    def text_numbers(self) -> list[int]:
        """Number of the text of each card and token of the pool, by the number of the card.

        It is 0 if the card has no text or its text is unknown to the view. Texts are looked up by
        the id of the card, so that they keep their numbers if a patch changes an amount.
        """
        known = {name: k for k, names in enumerate(self.size.texts, start=1) for name in names}
        return [known.get(card.id, 0) for card in self._everything]

    @cached_property
    def scales(self) -> npt.NDArray[np.float32]:
        """Factors that turn values into whole numbers (1 for texts), shape ``[n_values]``."""
        return np.array([max(column.scale, 1) for column in self.columns], dtype=np.float32)

    @property
    def bounds(self) -> tuple[Values, Values]:
        """Lowest and highest possible value at each place, both of shape ``[n_values]``.

        Scaled values are from 0 to 1; numbers of texts are from 0 to `n_texts`.
        """
        high = np.ones(self.size.n_values, dtype=np.float32)
        high[self.size.n_values - self.size.n_indices :] = self.size.n_texts
        return np.zeros_like(high), high

    @property
    def _everything(self) -> tuple[Card, ...]:
        """All cards and tokens of the pool, in the order of their numbers."""
        return self.table.pool.everything

    @property
    def n_hand_places(self) -> int:
        """Number of places of a hand or a choice that actions can refer to."""
        return _hand_places(self.table.ruleset, self.size.n_choices)

    @cached_property
    def words(self) -> npt.NDArray[np.int16]:
        """Words of the view for the engine, in the layout of `sim.engine.layout.VIEW_*`, int16.

        The first access compiles the functions that write observations.
        """
        from sim.engine.general.view import view_entry_words  # noqa: PLC0415 (compiles)

        n_plain_tokens = sum(
            row.token is not None for card in self._everything for row in card.effects
        )
        texts = [*self.text_numbers, *[0] * n_plain_tokens]  # numbered as `sim.play.packing` does
        scales = [column.scale for column in self.columns]
        words = {
            at.VIEW_LENGTH: at.VIEW_CODES + len(texts) + len(scales),
            at.VIEW_GENERAL: 1,
            at.VIEW_N_VALUES: self.size.n_values,
            at.VIEW_N_ACTIONS: self.size.n_actions,
            **dict(enumerate(view_entry_words(), at.VIEW_SEE)),
            at.VIEW_HAND_PLACES: self.n_hand_places,
            at.VIEW_OPTIONS: self.size.n_options,
            at.VIEW_TARGETS: self.size.n_targets,
            at.VIEW_CHOICES: self.size.n_choices,
            at.VIEW_SCALES: at.VIEW_CODES + len(texts),
        }
        header = filled_words(at.VIEW_CODES, words)
        return np.concatenate([header, np.array([*texts, *scales], dtype=np.int16)])

    def check_cards(self, cards: Iterable[int]) -> None:
        """Check that the view has a number for the text of each given card.

        Args:
            cards: numbers in the pool of the cards to check; cards without a text always pass.

        Raises:
            InputError: a card has a text that is unknown to the view; the message names the card.
        """
        by_id = {card.id: card for card in self._everything}
        for number in cards:
            card = self._everything[number]
            if _text(card, by_id) and not self.text_numbers[number]:
                raise InputError(
                    "its text was not met in training",
                    place=f"card {card.id!r}",
                    value=card.id,
                    remedy="train the agent with decks that hold this card",
                )

    def check_decks(self, decks: Iterable[Deck]) -> None:
        """Accept all decks, since the shape of a general view is derived from its decks' cards."""
