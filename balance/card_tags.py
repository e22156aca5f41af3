"""Tags for the cards that settings speak of by a column of their sheet.

Settings name groups of cards as `tag:rare`, or by a value in any column, `Rarity: mythic`. The
latter become tags, which cards and settings then carry: whatever is done with the cards afterwards,
and whatever is written of them, knows tags alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sim import Card, InputError, did_you_mean
from sim.cards.labels import TAG, Label, Labels, tag_of
from sim.names import Names

TAG_MARK = f"{TAG}:"
"""How names of tags begin, among those of cards, decks and fields."""


class CardTags:
    """Cards, with tags in place of the labels that were asked for."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Take the cards of a pool, in its order."""
        self._cards = list(cards)

    @cached_property
    def _labels(self) -> Labels:
        """Those of the cards as they were given; most settings name none."""
        return Labels(self._cards)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, with the tags that were made."""
        return tuple(self._cards)

    def known(self, text: str) -> str | None:
        """The tag, as `tag:TAG`, of a label `COLUMN: VALUE`; `None` if `text` names no column.

        Raises:
            InputError: no card has that value; says which column has it, or the nearest value.
        """
        if text.startswith(TAG_MARK):
            return self.of_value(TAG, text.removeprefix(TAG_MARK).strip())
        found = self._labels.split(text)
        return None if found is None else self._tagged(self._labels.find(*found))

    def find(self, text: str) -> str:
        """As `known`, of what can be nothing but a label.

        Raises:
            InputError: likewise, or `text` is no label; says how to write one.
        """
        found = self.known(text)
        if found is not None:
            return found
        title, colon, _ = text.partition(":")
        if colon:
            raise self._labels.columns.unknown_name_error(title.strip())
        hint = self.hint(text) or "; write it as COLUMN: VALUE, such as tag: rare"
        raise InputError(f"{text!r} is no column with a value{hint}")

    def of_value(self, title: str, value: str) -> str:
        """The tag of a value in a column.

        Raises:
            InputError: there is no such column, or no card has the value.
        """
        if title == TAG and self._labels.columns.get(TAG) is None:
            raise InputError(f"no card has tag {value!r}{self.hint(value)}")
        return self._tagged(self._labels.find(self._labels.columns.find(title), value))

    def of_column(self, title: str) -> tuple[str, ...]:
        """The tags of all values of a column.

        Raises:
            InputError: there is no such column.
        """
        column = self._labels.columns.find(title)
        return tuple(self._tagged(Label(column, value)) for value in self._labels.values(column))

    def holders(self, tag: str) -> list[str]:
        """The ids of the cards that have a tag, given as `tag:TAG`."""
        word = tag.removeprefix(TAG_MARK)
        return [card.id for card in self._cards if word in card.tags]

    def hint(self, value: str) -> str:
        """How to write what may be the value of a column; `""` if none has it."""
        found = self._labels.having(value)
        return f'; column {found[0].column!r} has that value: write "{found[0]}"' if found else ""

    def refused(self, text: str, names: Names) -> InputError:
        """What to say of `text`, which is no label and none of the other names that it may be."""
        title, colon, _ = text.partition(":")
        if hint := self.hint(text):
            return InputError(f"{names.unknown} {text!r}{hint}")
        if colon and not did_you_mean(text, names.spellings):
            return self._labels.columns.unknown_name_error(title.strip())
        return names.unknown_name_error(text)

    def _tagged(self, label: Label) -> str:
        """The tag of a label, which its cards get if they have it not yet."""
        positions = self._labels.values(label.column)[label.value]
        if label.column == TAG and positions == self._with_tag(label.value):
            return TAG_MARK + label.value
        taken = [tag for tag in self._all_tags() if self._with_tag(tag) != positions]
        tag = tag_of(label, taken)
        for position in positions:
            card = self._cards[position]
            if tag not in card.tags:
                self._cards[position] = card.model_copy(update={"tags": (*card.tags, tag)})
        return TAG_MARK + tag

    def _with_tag(self, tag: str) -> list[int]:
        return [position for position, card in enumerate(self._cards) if tag in card.tags]

    def _all_tags(self) -> list[str]:
        return list(dict.fromkeys(tag for card in self._cards for tag in card.tags))
