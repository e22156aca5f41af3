"""How the spreadsheet that a pool came from calls its columns, kinds and decks."""

from __future__ import annotations

from pydantic import Field

from sim.files.validation import StrictModel


class SheetLayout(StrictModel):
    """What an export gives back, and what the next import need not be given again.

    Nothing is computed from it, so that no dump and no hash of a pool has it.

    Attributes:
        columns: what stands below each title, in the sheet's order, as `--column` takes it
            (`sim.cards.spreadsheet.meanings`).
        kinds: what the sheet's own words for kinds of cards mean, as `--type` takes it.
        decks: names of the decks, in the sheet's order.
    """

    columns: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, str] = Field(default_factory=dict)
    decks: tuple[str, ...] = ()
