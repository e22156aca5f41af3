"""Import of spreadsheets: pool and deck files made from a sheet, and decks to export to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import sim
from experiments.files.output_file import deck_text, file_label
from experiments.files.understood_lines import size_remarks, text_lines, understood_lines
from experiments.screen import counted
from experiments.spreadsheet.card_texts import ReadText
from experiments.spreadsheet.deck_list import DeckList
from experiments.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet
from experiments.spreadsheet.understood import UnderstoodColumn
from sim import Deck, Pool, Ruleset, check_deck
from sim.cards.identifiers import card_id_from_name
from sim.cards.pool_file import write_pool
from sim.errors import Problems


def deck_file(folder: Path, name: str) -> Path:
    """Return the path of the file of a new deck in a folder, named after the deck."""
    return folder / f"{card_id_from_name(name) or file_label(name)}.toml"


def _decks_in(pool_name: str, folder: Path) -> tuple[dict[Path, Deck], list[str]]:
    """Return the decks of a pool in a folder.

    Args:
        pool_name: name of the pool.
        folder: folder with the TOML files of decks.

    Returns:
        The decks by file, and messages on deck files with errors. Files that are not valid TOML or
        not decks of the pool are ignored.
    """
    decks = dict[Path, Deck]()
    faults = list[str]()
    for path in sorted(folder.glob("*.toml")):
        try:
            content = sim.read_toml(path)
        except sim.InputError:  # not valid TOML, so not a deck
            continue
        is_deck = isinstance(content.get("cards"), dict) and isinstance(content.get("pool"), str)
        if not is_deck or not _is_pool(content["pool"], pool_name, folder):
            continue
        try:
            decks[path] = sim.validate(Deck, content, source=str(path))
        except sim.InputError as error:
            faults.append(str(error))
    return decks, faults


def decks_for_sheet(pool: Pool, folder: Path) -> tuple[list[Deck], list[str]]:
    """Return the decks in a folder that consist of cards of a pool.

    Args:
        pool: pool of the sheet.
        folder: folder with the TOML files of decks.

    Returns:
        The decks, and messages on the pool's decks with errors.
    """
    decks_by_file, faults = _decks_in(pool.name, folder)
    decks = []
    for path, deck in decks_by_file.items():
        try:
            deck.slots(pool)
        except sim.InputError as error:
            faults.append(f"{path}: {error}")
        else:
            decks.append(deck)
    return decks, faults


def _is_pool(named: str, pool_name: str, folder: Path) -> bool:
    """Return whether a deck's pool has the given name.

    Args:
        named: name or path of the deck's pool.
        pool_name: name to compare with.
        folder: folder from which a relative path is resolved.
    """
    if not named.endswith(".toml"):
        return named == pool_name
    try:
        return sim.load_pool(named, near=folder).name == pool_name
    except sim.InputError:
        return False


@dataclass(frozen=True)
class DeckFolder:
    """Folder into which the decks of a spreadsheet are written.

    Attributes:
        folder: path of the folder.
        pool_name: name of the pool of the decks.
        ruleset: name or path of the ruleset of all decks. If `None`, a deck keeps the ruleset of
            its existing file. A new deck gets the most frequent ruleset of existing files, or
            `duel` if there are none.
        reserved: names of files that are needed for another purpose.
    """

    folder: Path
    pool_name: str
    ruleset: str | None = None
    reserved: Collection[str] = ()

    @cached_property
    def _existing(self) -> dict[Path, Deck]:
        """Existing decks of the pool by file, without decks with errors, which are overwritten."""
        return _decks_in(self.pool_name, self.folder)[0]

    def rules_of(self, deck_name: str) -> Ruleset:
        """Return the ruleset of a new or existing deck.

        Args:
            deck_name: name of the deck.

        Raises:
            InputError: the ruleset does not exist.
        """
        return sim.load_ruleset(
            self._ruleset_of(self._find_existing(deck_name)[1]), near=self.folder
        )

    def decks_of(self, lists: Sequence[DeckList], pool: Pool, source: Path) -> dict[Path, Deck]:
        """Return the decks of a spreadsheet by the files to which they should be written.

        The cards of a deck keep their order in the file that is replaced. If the spreadsheet does
        not name the hero, it follows from the cards, or else from the replaced file.

        Args:
            lists: decks in the spreadsheet.
            pool: pool of the spreadsheet.
            source: path of the spreadsheet, for messages.

        Raises:
            InputError: the rules do not permit a deck, two decks would have the same file, or the
                file of a deck has other content; the message lists all errors.
        """
        problems = Problems(source)
        decks: dict[Path, Deck] = {}
        for deck_list in lists:
            path, old = self._find_existing(deck_list.name)
            with problems.at(deck_list.place):
                if path in decks:
                    names = f"{decks[path].name!r} and {deck_list.name!r}"
                    raise sim.InputError(
                        f"decks {names} would both be written to {path.name}",
                        value=deck_list.name,
                        remedy="rename one of them",
                    )
                self._check_free(path, deck_list.name)
                deck = self._deck(deck_list, old, pool)
                rules = self.rules_of(deck_list.name)
                played = deck.model_copy(update={"pool": pool.name, "ruleset": rules.name})
                check_deck(played, pool, rules)
                decks[path] = deck
        problems.check()
        return decks

    def _find_existing(self, deck_name: str) -> tuple[Path, Deck | None]:
        """Return the file of a deck, and its current content, which is `None` for a new deck."""
        for path, deck in self._existing.items():
            if deck.name == deck_name:
                return path, deck
        return deck_file(self.folder, deck_name), None

    def _check_free(self, path: Path, deck_name: str) -> None:
        """Check that writing a deck does not replace a file with other content.

        Raises:
            InputError: the name of the file is reserved, or the file is not a deck or is a deck of
                another pool.
        """
        rename = f"rename the deck, for example to '{deck_name} deck'"
        if path.name in self.reserved:
            raise sim.InputError(
                f"would be written to {path.name}, which is reserved for another file",
                place=f"deck {deck_name!r}",
                value=path.name,
                remedy=rename,
                separator=" ",
            )
        if path in self._existing or not path.is_file():
            return
        try:
            content = sim.read_toml(path)
        except sim.InputError:  # not valid TOML, so no game reads it; only --force replaces it
            return
        if not isinstance(content.get("cards"), dict):
            raise sim.InputError(
                f"would replace {path}, which holds no deck",
                place=f"deck {deck_name!r}",
                value=path.name,
                remedy=rename,
                separator=" ",
            )
        named = content.get("pool", self.pool_name)
        if not _is_pool(str(named), self.pool_name, self.folder):
            raise sim.InputError(
                f"would replace {path}, a deck of pool {named!r}, not of {self.pool_name!r}",
                place=f"deck {deck_name!r}",
                value=named,
                limit=self.pool_name,
                remedy=f"import the sheet over that pool (--out {named}.toml), or {rename}",
                separator=" ",
            )

    def _ruleset_of(self, old: Deck | None) -> str:
        """Return the name or path of a deck's ruleset.

        It is the attribute `ruleset` if that is set, or else the ruleset of the existing file, or
        else the most frequent ruleset of all existing decks, or else `duel`.

        Args:
            old: current content of the deck's file; `None` for a new deck.
        """
        if self.ruleset is not None:
            return self.ruleset
        if old is not None:
            return old.ruleset
        others = Counter(deck.ruleset for deck in self._existing.values())
        return others.most_common(1)[0][0] if others else "duel"

    def _deck(self, deck_list: DeckList, old: Deck | None, pool: Pool) -> Deck:
        """Return a deck of the spreadsheet, completed with information from its existing file.

        Args:
            deck_list: deck in the spreadsheet.
            old: current content of the deck's file; `None` for a new deck.
            pool: pool of the spreadsheet.
        """
        cards = deck_list.cards
        if old is not None:
            # The order of cards numbers the slots, and slots decide which card a seed draws. Cards
            # therefore keep their order, so that an edit changes few games.
            cards = {card: cards[card] for card in (*old.cards, *cards) if card in cards}
        data = {
            "name": deck_list.name,
            "pool": pool.name if old is None else old.pool,
            "ruleset": self._ruleset_of(old),
            "hero": deck_list.hero or pool.only_hero(cards) or ("" if old is None else old.hero),
            "cards": cards,
        }
        return sim.validate(Deck, data, source="")


class SheetOptions(NamedTuple):
    """Options for reading a sheet.

    Attributes:
        page: title of the workbook's page with the cards; `None` selects the likeliest page.
        notes: titles of columns that are read as notes, even if they resemble other columns.
        columns: meanings of columns, such as `"Mana_Cost=cost"`.
        kinds: meanings of words for kinds of cards, such as `"Instant=spell"`.
    """

    page: str | None = None
    notes: Collection[str] = ()
    columns: Collection[str] = ()
    kinds: Collection[str] = ()

    def read(
        self,
        sheet: Path,
        name: str,
        over: Pool | None = None,
        rules_of: Callable[[str], Ruleset] | None = None,
    ) -> PoolSheet:
        """Read a sheet with these options.

        Args:
            sheet: path of the CSV file or workbook.
            name: name of the pool.
            over: pool from which tokens and heroes are taken; `None` if there is none.
            rules_of: function from the name of a deck to its ruleset.

        Raises:
            InputError: the sheet has errors (see `read_pool_sheet`).
        """
        return read_pool_sheet(
            sheet,
            name,
            over,
            sheet=self.page,
            notes=self.notes,
            columns=self.columns,
            kinds=self.kinds,
            rules_of=rules_of,
        )

    @property
    def first(self) -> str:
        """First command-line option among these that has a value; `""` if none has."""
        given = {
            "--sheet": self.page,
            "--note": self.notes,
            "--column": self.columns,
            "--type": self.kinds,
        }
        return next((option for option, value in given.items() if value), "")


NO_OPTIONS = SheetOptions()

LoadedT = TypeVar("LoadedT")


@dataclass(frozen=True)
class SheetImport:
    """Pool and decks read from a sheet, which `write` writes to files.

    Attributes:
        target: file to which the pool is written.
        pool: pool of the sheet.
        decks: decks of the sheet, by the file to which each is written.
        remarks: remarks on ambiguous parts of the sheet and their interpretation.
        understood: meaning of each column of the sheet.
        texts: texts of cards that were read as effects.
    """

    target: Path
    pool: Pool
    decks: dict[Path, Deck]
    remarks: tuple[str, ...]
    understood: tuple[UnderstoodColumn, ...] = ()
    texts: tuple[ReadText, ...] = ()

    @property
    def left_decks(self) -> list[Path]:
        """Files of existing decks of the pool that the sheet does not have."""
        existing, _ = _decks_in(self.pool.name, self.target.parent)
        return [path for path in existing if path not in self.decks]

    @property
    def changed_decks(self) -> list[Path]:
        """Files of decks that are new or that `write` would change."""
        return [
            path for path, deck in self.decks.items() if _load_existing(sim.load_deck, path) != deck
        ]

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
        """Yield lines for the screen on the written files, the columns, and remarks."""
        n_cards = counted(len(self.pool.cards), "card")
        coin = "" if self.pool.coin is None else f" and the coin {self.pool.coin!r}"
        yield f"{self.target}: wrote pool {self.pool.name!r}, {n_cards}{coin}"
        for path, deck in self.decks.items():
            yield f"{path}: deck {deck.name!r}, {counted(deck.n_cards, 'card')}"
        yield from understood_lines(self.understood)
        yield from text_lines(self.texts)
        yield from self.remarks
        yield from size_remarks({deck.name: deck.n_cards for deck in self.decks.values()})
        for path in self.left_decks if self.decks else ():
            yield f"{path}: is no longer a deck of the sheet; delete it, or keep it as it is"


def import_sheet(
    sheet: Path,
    target: Path,
    *,
    name: str | None = None,
    over: str | None = None,
    ruleset: str | None = None,
    options: SheetOptions = NO_OPTIONS,
) -> SheetImport:
    """Read a spreadsheet as a pool and decks, without writing files.

    Args:
        sheet: path of a CSV file or a workbook.
        target: file of the pool, which need not exist; deck files are next to it.
        name: name of the pool; by default that of the existing target, because decks refer to it,
            or else the name of the sheet's file.
        over: name or path of the pool from which tokens and heroes are taken, and the coin if the
            sheet has none; by default the existing target.
        ruleset: name or path of the decks' ruleset; the default is that of `DeckFolder.ruleset`.
        options: options for reading the sheet.

    Raises:
        InputError: the sheet has errors, all of which the message lists; the pool `over` cannot be
            loaded; or a deck would have the file of the pool.
    """
    earlier = _load_existing(sim.load_pool, target)
    base = earlier if over is None else sim.load_pool(over)
    if name is None:
        name = sheet.stem if earlier is None else earlier.name
    folder = DeckFolder(target.parent, name, ruleset)
    content = options.read(sheet, name, base, folder.rules_of)
    decks = folder.decks_of(content.decks, content.pool, sheet)
    if target in decks:
        raise sim.InputError(
            f"deck {decks[target].name!r} would be written to the pool's file {target}",
            place=sheet,
            value=decks[target].name,
            remedy="rename the deck, or write the pool to another file",
        )
    return SheetImport(
        target, content.pool, decks, content.remarks, content.understood, content.texts
    )


def _load_existing(load: Callable[[str], LoadedT], path: Path) -> LoadedT | None:
    """Return the content of an existing file; `None` if it cannot be loaded.

    Args:
        load: function that loads the content from an absolute path.
        path: path of the file.
    """
    try:
        return load(str(path.absolute()))
    except sim.InputError:
        return None
