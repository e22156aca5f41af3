"""Tags for groups of cards that settings name by a column of the cards' spreadsheet.

Settings name a group of cards as `tag:rare`, or by a value in any column, such as
`Rarity: mythic`. Groups of the second form are turned into tags of cards and settings, so that all
later code and all written files contain tags only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sim import Card, InputError, did_you_mean
from sim.cards.labels import TAG, Label, Labels, tag_of
from sim.names import Names

TAG_MARK = f"{TAG}:"
"""Prefix that distinguishes tags from cards, decks and fields in settings that accept all four."""


class CardTags:
    """Cards of a pool, which receive a tag for every label (`COLUMN: VALUE`) that is requested."""

    def __init__(self, cards: Sequence[Card]) -> None:
        """Copy a list of cards, so that tags can be added.

        Args:
            cards: cards of a pool, in the pool's order.
        """
        self._cards = list(cards)

    @cached_property
    def _labels(self) -> Labels:
        """Labels of the cards; built on first use, since most settings name no label."""
        return Labels(self._cards)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards in the pool's order, with all tags that were added so far."""
        return tuple(self._cards)

    def tag_of_label(self, text: str) -> str | None:
        """Return the tag (`tag:TAG`) of a label; `None` if the text does not begin with a column.

        Args:
            text: label as `COLUMN: VALUE`, or `tag:TAG`.

        Raises:
            InputError: no card has that value in that column.
        """
        if text.startswith(TAG_MARK):
            return self.of_value(TAG, text.removeprefix(TAG_MARK).strip())
        label = self._labels.split(text)
        return None if label is None else self._tag_cards(self._labels.find(*label))

    def find(self, text: str) -> str:
        """Return the tag (`tag:TAG`) of a label; unlike `tag_of_label`, refuse any other text.

        Args:
            text: label as `COLUMN: VALUE`, or `tag:TAG`.

        Raises:
            InputError: no card has that value in that column, or `text` is not a label.
        """
        tag = self.tag_of_label(text)
        if tag is not None:
            return tag
        title, colon, _ = text.partition(":")
        if colon:
            raise self._labels.columns.unknown_name_error(title.strip())
        remedy = self.hint(text) or "write it as COLUMN: VALUE, such as tag: rare"
        raise InputError(f"{text!r} must name a column and a value", value=text, remedy=remedy)

    def of_value(self, title: str, value: str) -> str:
        """Return the tag (`tag:TAG`) of a value in a column.

        Args:
            title: title of the column, in any spelling.
            value: value in that column.

        Raises:
            InputError: no column has the title, or no card has the value.
        """
        if title == TAG and self._labels.columns.get(TAG) is None:
            raise InputError(f"no card has tag {value!r}", value=value, remedy=self.hint(value))
        return self._tag_cards(self._labels.find(self._labels.columns.find(title), value))

    def of_column(self, title: str) -> tuple[str, ...]:
        """Return the tags (`tag:TAG`) of all values of a column.

        Args:
            title: title of the column, in any spelling.

        Raises:
            InputError: no column has the title.
        """
        column = self._labels.columns.find(title)
        return tuple(self._tag_cards(Label(column, value)) for value in self._labels.values(column))

    def holders(self, tag: str) -> list[str]:
        """Return the ids of the cards with a tag, given as `tag:TAG`."""
        word = tag.removeprefix(TAG_MARK)
        return [card.id for card in self._cards if word in card.tags]

    def hint(self, value: str) -> str:
        """Return the part of an error message that explains how to write a value as a label.

        Returns:
            Text that names the first column with the value; `""` if no column has the value.
        """
        labels = self._labels.having(value)
        return (
            f'; {value!r} is a value of column {labels[0].column!r}, so write "{labels[0]}"'
            if labels
            else ""
        )

    def unknown_name_error(self, text: str, names: Names) -> InputError:
        """Return the error for a text that is neither a label nor a permitted name.

        Args:
            text: text from a setting.
            names: other names that the setting permits, such as those of cards.
        """
        title, colon, _ = text.partition(":")
        if hint := self.hint(text):
            return InputError(f"{names.unknown} {text!r}", value=text, remedy=hint)
        if colon and not did_you_mean(text, names.spellings):
            return self._labels.columns.unknown_name_error(title.strip())
        return names.unknown_name_error(text)

    def _tag_cards(self, label: Label) -> str:
        """Add the tag of a label to all cards with the label, and return the tag (`tag:TAG`)."""
        positions = self._labels.values(label.column)[label.value]
        # No card changes if exactly these cards already have the tag.
        if label.column == TAG and positions == self._with_tag(label.value):
            return TAG_MARK + label.value
        # A tag of other cards is not used for this label, since it would then denote both groups.
        other_tags = [tag for tag in self._all_tags() if self._with_tag(tag) != positions]
        tag = tag_of(label, other_tags)
        for position in positions:
            card = self._cards[position]
            if tag not in card.tags:
                self._cards[position] = card.model_copy(update={"tags": (*card.tags, tag)})
        return TAG_MARK + tag

    def _with_tag(self, tag: str) -> list[int]:
        """Return the positions of the cards with a tag, given without the prefix `tag:`."""
        return [position for position, card in enumerate(self._cards) if tag in card.tags]

    def _all_tags(self) -> list[str]:
        """Return the distinct tags of all cards, without the prefix `tag:`."""
        return list(dict.fromkeys(tag for card in self._cards for tag in card.tags))
