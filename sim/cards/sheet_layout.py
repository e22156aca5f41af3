"""Layout of the spreadsheet that a pool was imported from: its titles and words."""

from __future__ import annotations

from pydantic import Field

from sim.files.validation import StrictModel


class SheetLayout(StrictModel):
    """The layout that an export restores, and that the next import takes as known.

    Nothing is computed from it, so dumps and hashes of a pool leave it out.

    Attributes:
        columns: the meaning of the column under each title, in the sheet's order, as `--column`
            takes it (`sim.cards.spreadsheet.meanings`).
        kinds: the kind of card that each of the sheet's own words means, as `--type` takes it.
        decks: names of the decks, in the sheet's order.
    """

    columns: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, str] = Field(default_factory=dict)
    decks: tuple[str, ...] = ()
