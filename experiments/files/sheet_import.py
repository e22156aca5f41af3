"""Sheets on their way into a folder: the pool file and the deck files that they become."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import sim
from experiments.files.deck_files import DeckFolder
from experiments.files.output_file import counted, deck_text
from sim import Deck, Pool
from sim.cards.pool_file import write_pool
from sim.cards.spreadsheet.pool_sheet import read_pool_sheet

LoadedT = TypeVar("LoadedT")


@dataclass(frozen=True)
class SheetImport:
    """What a sheet becomes; nothing is written before `write`.

    Attributes:
        target: the pool's file.
        pool: what goes there.
        decks: by the files they go to.
        remarks: how the sheet was read, where that needs saying.
    """

    target: Path
    pool: Pool
    decks: dict[Path, Deck]
    remarks: tuple[str, ...]

    @property
    def changed_decks(self) -> list[Path]:
        """The deck files that are not what they would become."""
        return [path for path, deck in self.decks.items() if _there(sim.load_deck, path) != deck]

    def write(self) -> None:
        """Write the pool and the changed decks.

        Raises:
            InputError: a file cannot be written.
        """
        changed = self.changed_decks
        write_pool(self.pool, self.target)
        for path in changed:
            sim.write_atomically(path, deck_text(self.decks[path]))

    def lines(self) -> Iterator[str]:
        """What to tell of it."""
        n_cards = counted(len(self.pool.cards), "card")
        yield f"{self.target}: wrote pool {self.pool.name!r}, {n_cards}"
        for path, deck in self.decks.items():
            yield f"{path}: deck {deck.name!r}, {counted(deck.n_cards, 'card')}"
        yield from self.remarks


def import_sheet(
    sheet: Path,
    target: Path,
    *,
    name: str | None = None,
    over: str | None = None,
    ruleset: str | None = None,
    page: str | None = None,
    notes: Collection[str] = (),
) -> SheetImport:
    """Read a spreadsheet that is to become the pool file `target`, and decks beside it.

    Args:
        sheet: a CSV file, or a workbook.
        target: the pool's file, which need not be there.
        name: the pool's; default that of the file it replaces, since decks refer to it, else the
            sheet's.
        over: pool whose tokens, heroes and coin are taken; default the file it replaces.
        ruleset: of the decks; default that of the files they replace, else `duel`.
        page: of a workbook, the title of the sheet with the cards.
        notes: titles of columns that are notes, whatever they resemble.

    Raises:
        InputError: names everything that is wrong with the sheet, or what is missing.
    """
    earlier = _there(sim.load_pool, target)
    kept = earlier if over is None else sim.load_pool(over)
    if name is None:
        name = sheet.stem if earlier is None else earlier.name
    folder = DeckFolder(target.parent, name, ruleset)
    found = read_pool_sheet(sheet, name, kept, sheet=page, notes=notes, rules_of=folder.rules_of)
    decks = folder.decks_of(found.decks, found.pool, sheet)
    if target in decks:
        raise sim.InputError(f"{sheet}: deck {decks[target].name!r} would be the pool's {target}")
    return SheetImport(target, found.pool, decks, found.remarks)


def _there(load: Callable[[str], LoadedT], path: Path) -> LoadedT | None:
    """What is about to be replaced, if there is something that loads."""
    try:
        return load(str(path.absolute()))
    except sim.InputError:
        return None
