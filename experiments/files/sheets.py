"""Sheets and the folders next to them: pool and deck files made from a sheet, decks to export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import sim
from experiments.files.output_file import counted, deck_text, file_label
from experiments.files.understood_lines import size_remarks, understood_lines
from sim import Deck, Pool, Ruleset, check_deck
from sim.cards.pool_file import write_pool
from sim.cards.spreadsheet.deck_list import DeckList
from sim.cards.spreadsheet.identifiers import card_id_from_name
from sim.cards.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet
from sim.cards.spreadsheet.understood import UnderstoodColumn
from sim.errors import Problems


def deck_file(folder: Path, name: str) -> Path:
    """Return the default file of a new deck in a folder."""
    return folder / f"{card_id_from_name(name) or file_label(name)}.toml"


def _decks_in(pool_name: str, folder: Path) -> tuple[dict[Path, Deck], list[str]]:
    """Return the decks of a pool in a folder.

    Args:
        pool_name: name of the pool.
        folder: the folder.

    Returns:
        The decks by file, and the errors of deck files that cannot be read.
    """
    decks = dict[Path, Deck]()
    faults = list[str]()
    for path in sorted(folder.glob("*.toml")):
        try:
            content = sim.read_toml(path)
        except sim.InputError:  # not a file of this game
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
    """Return the decks in a folder that fit a pool, and why others do not.

    Args:
        pool: the pool.
        folder: the folder.

    Returns:
        The decks, and error messages.
    """
    found, faults = _decks_in(pool.name, folder)
    decks = []
    for path, deck in found.items():
        try:
            deck.slots(pool)
        except sim.InputError as error:
            faults.append(f"{path}: {error}")
        else:
            decks.append(deck)
    return decks, faults


def _is_pool(named: str, pool_name: str, folder: Path) -> bool:
    """Return whether a deck's pool, a name or a path, is the pool of a name."""
    if not named.endswith(".toml"):
        return named == pool_name
    try:
        return sim.load_pool(named, near=folder).name == pool_name
    except sim.InputError:
        return False


@dataclass(frozen=True)
class DeckFolder:
    """Folder for the decks of a spreadsheet.

    Attributes:
        folder: folder of the deck files.
        pool_name: name of the decks' pool.
        ruleset: name or path of the rules; default those of the existing files, for a new deck the
            most frequent of these, else `duel`.
        reserved: names of files that are to hold something else.
    """

    folder: Path
    pool_name: str
    ruleset: str | None = None
    reserved: Collection[str] = ()

    @cached_property
    def _existing(self) -> dict[Path, Deck]:
        """The existing decks by file; decks with errors are replaced as if they did not exist."""
        return _decks_in(self.pool_name, self.folder)[0]

    def rules_of(self, deck_name: str) -> Ruleset:
        """Return the rules of a deck.

        Raises:
            InputError: there are no such rules.
        """
        return sim.load_ruleset(
            self._ruleset_of(self._find_existing(deck_name)[1]), near=self.folder
        )

    def decks_of(self, lists: Sequence[DeckList], pool: Pool, source: Path) -> dict[Path, Deck]:
        """Return the decks of a spreadsheet by the files that they are to be written to.

        Missing information is taken from the file that is replaced: the hero, and the order of the
        cards that stay. Without such a file, the cards determine the hero.

        Args:
            lists: decks in the spreadsheet.
            pool: its cards.
            source: the spreadsheet, for messages.

        Raises:
            InputError: the rules do not permit a deck, or two decks would have the same file.
        """
        problems = Problems(source)
        decks: dict[Path, Deck] = {}
        for deck_list in lists:
            path, old = self._find_existing(deck_list.name)
            with problems.at(deck_list.place):
                if path in decks:
                    names = f"{decks[path].name!r} and {deck_list.name!r}"
                    raise sim.InputError(
                        f"decks {names} would both be {path.name}",
                        value=deck_list.name,
                        remedy="rename one",
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
        """Return the file of a deck, and its current content; `None` for a new deck."""
        for path, deck in self._existing.items():
            if deck.name == deck_name:
                return path, deck
        return deck_file(self.folder, deck_name), None

    def _check_free(self, path: Path, deck_name: str) -> None:
        """Check that a deck's file holds no other content, and is not reserved.

        Raises:
            InputError: names the file and its content.
        """
        rename = f"rename the deck, for example to '{deck_name} deck'"
        if path.name in self.reserved:
            raise sim.InputError(
                f"would be {path.name}, which is reserved for another file",
                place=f"deck {deck_name!r}",
                value=path.name,
                remedy=rename,
                separator=" ",
            )
        if path in self._existing or not path.is_file():
            return
        try:
            content = sim.read_toml(path)
        except sim.InputError:  # nothing that a game reads; only --force replaces it
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
        """Return the rules of a deck: the requested ones, its own, or most other decks'."""
        if self.ruleset is not None:
            return self.ruleset
        if old is not None:
            return old.ruleset
        others = Counter(deck.ruleset for deck in self._existing.values())
        return others.most_common(1)[0][0] if others else "duel"

    def _deck(self, deck_list: DeckList, old: Deck | None, pool: Pool) -> Deck:
        """Return a deck of the spreadsheet.

        Args:
            deck_list: the deck in the spreadsheet.
            old: the deck that it replaces; `None` for a new deck.
            pool: the cards.
        """
        cards = deck_list.cards
        if old is not None:
            # The order numbers the slots, and slots decide which card a seed draws: cards that stay
            # keep their order, so that an edit changes few games.
            cards = {card: cards[card] for card in (*old.cards, *cards) if card in cards}
        data = {
            "name": deck_list.name,
            "pool": pool.name if old is None else old.pool,
            "ruleset": self._ruleset_of(old),
            "hero": deck_list.hero or _hero(cards, pool) or ("" if old is None else old.hero),
            "cards": cards,
        }
        return sim.validate(Deck, data, source="")


def _hero(cards: Mapping[str, int], pool: Pool) -> str:
    """Return the hero of a deck's cards; `""` if there is none or more than one."""
    heroes = {pool.card(card).hero for card in cards} - {""}
    return heroes.pop() if len(heroes) == 1 else ""


class SheetOptions(NamedTuple):
    """Options for reading a sheet.

    Attributes:
        page: title of the page with the cards, in a workbook.
        notes: titles of columns that are notes, whatever they resemble.
        columns: meanings of columns, such as `"Mana_Cost=cost"`.
        kinds: kinds of cards that words mean, such as `"Instant=spell"`.
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
        """Read a sheet with these options (`read_pool_sheet`).

        Args:
            sheet: the sheet.
            name: name of the pool.
            over: pool from which tokens and heroes are taken.
            rules_of: function that returns the rules of a deck.
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
        """The first option of the command line that was given; `""` if none was."""
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
    """Result of reading a sheet; nothing is written before `write`.

    Attributes:
        target: file of the pool.
        pool: the pool.
        decks: decks by file.
        remarks: how the sheet was read, where it was ambiguous.
        understood: meaning of each column.
    """

    target: Path
    pool: Pool
    decks: dict[Path, Deck]
    remarks: tuple[str, ...]
    understood: tuple[UnderstoodColumn, ...] = ()

    @property
    def left_decks(self) -> list[Path]:
        """Files of the pool's decks that the sheet no longer has."""
        existing, _ = _decks_in(self.pool.name, self.target.parent)
        return [path for path in existing if path not in self.decks]

    @property
    def changed_decks(self) -> list[Path]:
        """Deck files with a content that would change."""
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
        """Yield lines about the import, for the screen."""
        n_cards = counted(len(self.pool.cards), "card")
        coin = "" if self.pool.coin is None else f" and the coin {self.pool.coin!r}"
        yield f"{self.target}: wrote pool {self.pool.name!r}, {n_cards}{coin}"
        for path, deck in self.decks.items():
            yield f"{path}: deck {deck.name!r}, {counted(deck.n_cards, 'card')}"
        yield from understood_lines(self.understood)
        yield from self.remarks
        yield from size_remarks({deck.name: deck.n_cards for deck in self.decks.values()})
        for path in self.left_decks if self.decks else ():
            yield f"{path}: is no deck of the sheet any more; delete it, or keep it as it is"


def import_sheet(
    sheet: Path,
    target: Path,
    *,
    name: str | None = None,
    over: str | None = None,
    ruleset: str | None = None,
    options: SheetOptions = NO_OPTIONS,
) -> SheetImport:
    """Read a spreadsheet from which a pool file, and deck files next to it, are to be written.

    Args:
        sheet: a CSV file or a workbook.
        target: file of the pool, which need not exist.
        name: name of the pool; default that of the replaced file, because decks refer to it, else
            the sheet's.
        over: pool from which tokens and heroes are taken, and the coin if the sheet has none;
            default the replaced file.
        ruleset: rules of the decks; default those of the replaced files, or of most of the pool's
            decks in the folder, else `duel`.
        options: options for reading the sheet.

    Raises:
        InputError: names all errors of the sheet, or what is missing.
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
            f"deck {decks[target].name!r} would be the pool's file {target}",
            place=sheet,
            value=decks[target].name,
            remedy="rename the deck, or write the pool to another file",
        )
    return SheetImport(target, content.pool, decks, content.remarks, content.understood)


def _load_existing(load: Callable[[str], LoadedT], path: Path) -> LoadedT | None:
    """Return the content of a file that is about to be replaced; `None` if it cannot be loaded."""
    try:
        return load(str(path.absolute()))
    except sim.InputError:
        return None
