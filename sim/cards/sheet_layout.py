"""Layout of the spreadsheet that a pool was imported from: column titles and words for kinds."""

from __future__ import annotations

from pydantic import Field

from sim.files.validation import StrictModel


class SheetLayout(StrictModel):
    """Layout of a spreadsheet of cards, which an export restores and the next import reuses.

    Results do not depend on the layout, so dumps and hashes of a pool omit it.

    Attributes:
        columns: meaning of each column by title, in the sheet's order, in the form that the option
            `--column` accepts (`experiments.spreadsheet.meanings`).
        kinds: kind of card by the sheet's own word for it, in the form that `--type` accepts.
        decks: names of the decks with a column of copies, in the sheet's order.
    """

    columns: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, str] = Field(default_factory=dict)
    decks: tuple[str, ...] = ()
