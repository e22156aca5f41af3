"""Sheets and the folders beside them: pool and deck files that a sheet becomes, decks to export."""

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
    """Where the deck of this name goes, if no file of the folder holds it yet."""
    return folder / f"{card_id_from_name(name) or file_label(name)}.toml"


def _decks_beside(pool_name: str, folder: Path) -> tuple[dict[Path, Deck], list[str]]:
    """The decks in a folder that name a pool, by their files; and what is wrong with others."""
    decks = dict[Path, Deck]()
    faults = list[str]()
    for path in sorted(folder.glob("*.toml")):
        try:
            told = sim.read_toml(path)
        except sim.InputError:  # whatever else may lie there
            continue
        is_deck = isinstance(told.get("cards"), dict) and isinstance(told.get("pool"), str)
        if not is_deck or not _is_of(told["pool"], pool_name, folder):
            continue
        try:
            decks[path] = sim.validate(Deck, told, source=str(path))
        except sim.InputError as error:
            faults.append(str(error))
    return decks, faults


def decks_for_sheet(pool: Pool, folder: Path) -> tuple[list[Deck], list[str]]:
    """The decks in a folder that can stand beside a pool's cards, and why others cannot."""
    beside, faults = _decks_beside(pool.name, folder)
    decks = []
    for path, deck in beside.items():
        try:
            deck.slots(pool)
        except sim.InputError as error:
            faults.append(f"{path}: {error}")
        else:
            decks.append(deck)
    return decks, faults


def _is_of(named: str, pool_name: str, folder: Path) -> bool:
    if not named.endswith(".toml"):
        return named == pool_name
    try:
        return sim.load_pool(named, near=folder).name == pool_name
    except sim.InputError:
        return False


@dataclass(frozen=True)
class DeckFolder:
    """Where the decks of a spreadsheet go.

    Attributes:
        folder: that of their files.
        pool_name: whose decks they are.
        ruleset: name or path of the rules; `None` for those of the files, of which a new deck has
            the most usual, else `duel`.
        reserved: names of files that are to hold something else.
    """

    folder: Path
    pool_name: str
    ruleset: str | None = None
    reserved: Collection[str] = ()

    @cached_property
    def _there(self) -> dict[Path, Deck]:
        """What is there already; a deck that does not fit is not missed."""
        return _decks_beside(self.pool_name, self.folder)[0]

    def rules_of(self, deck_name: str) -> Ruleset:
        """The rules that a deck is made for.

        Raises:
            InputError: there are no such rules.
        """
        return sim.load_ruleset(self._ruleset_of(self._old(deck_name)[1]), near=self.folder)

    def decks_of(self, lists: Sequence[DeckList], pool: Pool, source: Path) -> dict[Path, Deck]:
        """The decks that a spreadsheet holds, by the files that they go to.

        What a list does not say is as in the file that it replaces: the hero, and the order of
        the cards that stay. Where there is none, the cards tell the hero.

        Args:
            lists: what the spreadsheet says.
            pool: its cards.
            source: the spreadsheet, for messages.

        Raises:
            InputError: the rules do not allow a deck, or two decks would go to one file.
        """
        problems = Problems(source)
        decks: dict[Path, Deck] = {}
        for told in lists:
            path, old = self._old(told.name)
            with problems.at(told.place):
                if path in decks:
                    both = f"{decks[path].name!r} and {told.name!r}"
                    raise sim.InputError(f"decks {both} would both be {path.name}")
                self._check_free(path, told.name)
                deck = self._deck(told, old, pool)
                rules = self.rules_of(told.name)
                played = deck.model_copy(update={"pool": pool.name, "ruleset": rules.name})
                check_deck(played, pool, rules)
                decks[path] = deck
        problems.check()
        return decks

    def _old(self, deck_name: str) -> tuple[Path, Deck | None]:
        """The file of a deck, and the deck that it holds so far."""
        for path, deck in self._there.items():
            if deck.name == deck_name:
                return path, deck
        return deck_file(self.folder, deck_name), None

    def _check_free(self, path: Path, deck_name: str) -> None:
        """Refuse to put a deck where something else is, or is to be.

        Raises:
            InputError: names the file, and what is in it.
        """
        rename = f"call the deck otherwise, such as '{deck_name} deck'"
        if path.name in self.reserved:
            raise sim.InputError(
                f"deck {deck_name!r} would be {path.name}, which is taken; {rename}"
            )
        if path in self._there or not path.is_file():
            return
        try:
            told = sim.read_toml(path)
        except sim.InputError:  # nothing that a game reads; only --force replaces it
            return
        if not isinstance(told.get("cards"), dict):
            raise sim.InputError(
                f"deck {deck_name!r} would replace {path}, which holds no deck; {rename}"
            )
        named = told.get("pool", self.pool_name)
        if not _is_of(str(named), self.pool_name, self.folder):
            raise sim.InputError(
                f"deck {deck_name!r} would replace {path}, a deck of pool {named!r}, not of "
                f"{self.pool_name!r}; import the sheet over that pool (--out {named}.toml), or "
                f"{rename}"
            )

    def _ruleset_of(self, old: Deck | None) -> str:
        """The rules of a deck: those asked for, its own, or those of the other decks there."""
        if self.ruleset is not None:
            return self.ruleset
        if old is not None:
            return old.ruleset
        others = Counter(deck.ruleset for deck in self._there.values())
        return others.most_common(1)[0][0] if others else "duel"

    def _deck(self, told: DeckList, old: Deck | None, pool: Pool) -> Deck:
        cards = told.cards
        if old is not None:
            cards = {card: cards[card] for card in (*old.cards, *cards) if card in cards}
        data = {
            "name": told.name,
            "pool": pool.name if old is None else old.pool,
            "ruleset": self._ruleset_of(old),
            "hero": told.hero or _hero(cards, pool) or ("" if old is None else old.hero),
            "cards": cards,
        }
        return sim.validate(Deck, data, source="")


def _hero(cards: Mapping[str, int], pool: Pool) -> str:
    """The one hero whose cards are in the deck; `""` where there is none, or too many."""
    heroes = {pool.card(card).hero for card in cards} - {""}
    return heroes.pop() if len(heroes) == 1 else ""


class SheetOptions(NamedTuple):
    """What somebody says of a sheet that is to be read.

    Attributes:
        page: of a workbook, the title of the sheet with the cards.
        notes: titles of columns that are notes, whatever they resemble.
        columns: which column is what, such as `"Mana_Cost=cost"`.
        kinds: which kind of cards a word means, such as `"Instant=spell"`.
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
        """What the sheet holds, see `read_pool_sheet`."""
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
        """The option of the command line that is there first; `""` if none is."""
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
    """What a sheet becomes; nothing is written before `write`.

    Attributes:
        target: the pool's file.
        pool: what goes there.
        decks: by the files they go to.
        remarks: how the sheet was read, where that needs saying.
        understood: what each column was understood to be.
    """

    target: Path
    pool: Pool
    decks: dict[Path, Deck]
    remarks: tuple[str, ...]
    understood: tuple[UnderstoodColumn, ...] = ()

    @property
    def left_decks(self) -> list[Path]:
        """The files of decks of the pool that the sheet no longer has."""
        there, _ = _decks_beside(self.pool.name, self.target.parent)
        return [path for path in there if path not in self.decks]

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
    """Read a spreadsheet that is to become the pool file `target`, and decks beside it.

    Args:
        sheet: a CSV file, or a workbook.
        target: the pool's file, which need not be there.
        name: the pool's; default that of the file it replaces, since decks refer to it, else the
            sheet's.
        over: pool whose tokens and heroes are taken, and whose coin if the sheet has none;
            default the file it replaces.
        ruleset: of the decks; default that of the files they replace, or of most of the pool's
            decks in the folder, else `duel`.
        options: what is said of the sheet.

    Raises:
        InputError: names everything that is wrong with the sheet, or what is missing.
    """
    earlier = _there(sim.load_pool, target)
    kept = earlier if over is None else sim.load_pool(over)
    if name is None:
        name = sheet.stem if earlier is None else earlier.name
    folder = DeckFolder(target.parent, name, ruleset)
    found = options.read(sheet, name, kept, folder.rules_of)
    decks = folder.decks_of(found.decks, found.pool, sheet)
    if target in decks:
        raise sim.InputError(f"{sheet}: deck {decks[target].name!r} would be the pool's {target}")
    return SheetImport(target, found.pool, decks, found.remarks, found.understood)


def _there(load: Callable[[str], LoadedT], path: Path) -> LoadedT | None:
    """What is about to be replaced, if there is something that loads."""
    try:
        return load(str(path.absolute()))
    except sim.InputError:
        return None
