"""Writing of decks as deck codes, plain lists, `.cod` and `.dck` files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from experiments.deck_files.cockatrice import read_cockatrice, text_of_cockatrice
from experiments.deck_files.deck_reading import card_meant
from experiments.deck_files.text_list import read_text_list, text_of_dck, text_of_list
from experiments.deck_files.written_deck import Reading, WrittenDeck
from sim import Deck, InputError, Pool
from sim.cards.names import card_names
from sim.errors import listed
from sim.names import Names
from sim.real_cards.deck_code import write_deck_code

CODE: Final = "code"


class _Format(NamedTuple):
    """Functions that write and read a format of deck lists."""

    write: Callable[[str, str, Sequence[Reading]], str]
    read: Callable[[str], WrittenDeck]


_LISTS: Mapping[str, _Format] = {
    "text": _Format(text_of_list, read_text_list),
    "cod": _Format(text_of_cockatrice, read_cockatrice),
    "dck": _Format(text_of_dck, read_text_list),
}
FORMATS = (CODE, *_LISTS)
"""Names of the formats in which decks are written; the first is the default."""


def write_deck(deck: Deck, pool: Pool, form: str = CODE) -> str:
    """Return a deck in a format of other programs, which is read back as an equal deck.

    Cards are written by their printed names, or by their ids if a name would not be read back as
    the same card. Lists contain the name of the deck and the id of its hero; a deck code contains
    the hero, but neither the name nor the order of the cards.

    Args:
        deck: deck to write.
        pool: pool with the deck's cards.
        form: one of `FORMATS`.

    Raises:
        InputError: a card or the hero is not in the pool; or the deck has no code.
    """
    deck.slots(pool)  # refuses cards that the pool does not have
    if form == CODE:
        try:
            return f"{write_deck_code(deck, pool)}\n"
        except InputError as error:
            others = f"add --format {listed(_LISTS, 'or')}"
            remedy = "; ".join(filter(None, (error.remedy, others)))
            raise error.with_fields(remedy=remedy) from None
    names = card_names(pool)
    cards = [
        Reading(copies, _spelling(card_id, pool.card(card_id).name, names, _LISTS[form]))
        for card_id, copies in deck.cards.items()
    ]
    return _LISTS[form].write(deck.name, deck.hero, cards)


def _spelling(card_id: str, name: str, names: Names, form: _Format) -> str:
    """Return the name of a card if the format's reader finds the card by it, else its id.

    Args:
        card_id: id of the card.
        name: printed name of the card.
        names: index of the pool's cards.
        form: format in which the card is written.
    """
    if len(names.matches(name)) != 1:
        return card_id
    written = form.read(form.write("", "", [Reading(1, name)]))
    is_found = [card_meant(card, names) for card in written.cards] == [Reading(1, card_id)]
    return name if is_found else card_id
