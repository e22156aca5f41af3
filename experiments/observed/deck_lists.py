"""Lists of the decks of observed games: a table of cards, or a folder of deck files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import sim
from balance.statistics.intervals import Counts, Positions
from experiments.deck_files.deck_reading import written_deck
from experiments.deck_files.deck_source import file_source
from experiments.observed.spellings import spelling_key
from experiments.spreadsheet.deck_list import DeckList, Spellings, deck_sheet
from experiments.spreadsheet.sheet import Sheet
from experiments.spreadsheet.sheet_file import read_sheets
from sim.errors import InputError, Problems, error_place
from sim.names import lowered
from sim.real_cards.deck_code import read_deck_code

_TITLES = {"player": "deck", "archetype": "hero", "class": "hero"}  # titles that are also accepted
_ENDINGS = (".toml", ".txt", ".cod", ".dck")
_RULES = "legacy"  # ruleset of decks with codes; the counts of cards do not depend on it


@dataclass(frozen=True)
class DeckLists:
    """Lists of the decks of ``D`` players.

    Attributes:
        cards: names of the ``C`` cards, sorted.
        copies: number of copies of each card in each player's deck; a row of zeros stands for a
            player without a list, shape [D, C].
        archetypes: archetype, class or hero of each player's deck; `""` if not known.
        unknown: names of lists that belong to no player.
    """

    cards: tuple[str, ...]
    copies: Counts
    archetypes: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def archetype_numbers(self) -> Positions:
        """Number of each player's archetype, shape [D]."""
        known = {name: k for k, name in enumerate(sorted({*self.archetypes}))}
        return np.array([known[name] for name in self.archetypes], dtype=np.intp)

    @property
    def knows_archetypes(self) -> bool:
        """Whether the lists name archetypes."""
        return any(self.archetypes)


def read_deck_lists(path: Path, players: Sequence[str]) -> DeckLists:
    """Read the lists of decks from a table or a folder.

    A table has the columns `player` (or `deck`), `card` and `copies`, and optionally `archetype`;
    or a card, followed by one column of copies for each deck. In a folder, each file is a deck with
    the name of the file: a TOML file of a deck, a `.cod` or `.dck` file, or a text file with lines
    such as `2 Fireball` or a deck code.

    Args:
        path: path of the table or the folder.
        players: names of the players of the results.

    Raises:
        InputError: a list cannot be read, two lists are of one player, or no list is of a player.
    """
    lists = _lists_in_folder(path) if path.is_dir() else _lists_in_table(path)
    ids = {card: card for deck in lists for card in deck.cards}
    cards = sorted({lowered(card): card for card in sorted(ids, reverse=True)}.values())
    place_of = {lowered(card): k for k, card in enumerate(cards)}
    player_of = {spelling_key(name): k for k, name in enumerate(players)}
    copies = np.zeros((len(players), len(cards)), dtype=np.int64)
    archetypes = [""] * len(players)
    unknown = []
    for deck in lists:
        player = player_of.get(spelling_key(deck.name))
        if player is None:
            unknown.append(deck.name)
            continue
        if copies[player].any():
            raise InputError(
                f"{deck.name!r} is a second list of the player {players[player]!r}",
                place=deck.place if path.is_dir() else f"{path}: {deck.place}",
                value=deck.name,
                remedy="keep one list",
            )
        for card, n in deck.cards.items():
            copies[player, place_of[lowered(card)]] += n
        archetypes[player] = deck.hero
    if not copies.any():
        raise InputError(
            "no list has the name of a player of the results",
            place=path,
            value=tuple(unknown),
            limit=tuple(players),
            remedy=f"name the lists like the players, such as {players[0]!r}",
        )
    return DeckLists(tuple(cards), copies, tuple(archetypes), tuple(unknown))


def _lists_in_table(path: Path) -> list[DeckList]:
    """Return the lists in the first filled sheet of a table.

    Raises:
        InputError: the table cannot be read, or is not a table of decks.
    """
    sheets = [sheet for sheet in read_sheets(path).sheets if sheet.rows]
    if not sheets:
        raise InputError(
            "is empty", place=path, remedy="add a line of titles: player, card, copies"
        )
    (number, titles), *rows = sheets[0].rows
    known = [_TITLES.get(" ".join(title.lower().split()), title) for title in titles]
    sheet = Sheet([(number, known), *rows], sheets[0].title)
    problems = Problems(path)
    place = known.index("card") if "card" in known else 0
    cards = dict.fromkeys(cells[place] for _, cells in rows if place < len(cells) and cells[place])
    spellings: dict[str, list[str]] = {}
    for card in cards:
        spellings.setdefault(lowered(card), []).append(card)
    known_cards = Spellings.of_rows({some[0]: some for some in spellings.values()})
    lists = deck_sheet(sheet, known_cards, problems)
    problems.check()
    return lists


def _lists_in_folder(folder: Path) -> list[DeckList]:
    """Return the lists in the deck files of a folder.

    Raises:
        InputError: the folder has no deck file, or a file is not a deck.
    """
    files = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in _ENDINGS]
    if not files:
        raise InputError(
            "has no deck file", place=folder, limit=_ENDINGS, remedy="add a file per deck"
        )
    return [
        _list_in_toml(path) if path.suffix == ".toml" else _list_in_text(path) for path in files
    ]


def _list_in_toml(path: Path) -> DeckList:
    """Return the list in a deck file.

    Raises:
        InputError: the file is not a deck.
    """
    deck = sim.validate(sim.Deck, sim.read_toml(path), source=str(path))
    return DeckList(deck.name, str(path), cards=dict(deck.cards), hero=deck.hero)


def _list_in_text(path: Path) -> DeckList:
    """Return the list in a file of another program: lines of copies and cards, or a deck code.

    Raises:
        InputError: the file cannot be read, a line has no number of copies, a card is listed twice,
            or a deck code is invalid.
    """
    deck = DeckList(path.stem, str(path))
    written = written_deck(file_source(path))
    if written.code:
        pool = sim.load_pool(sim.REAL_POOL)
        with error_place(path):
            code = read_deck_code(written.code, pool, name=path.stem, ruleset=_RULES)
        deck.cards.update(code.cards)
    for card in written.cards:
        if card.may_be_heading:
            continue
        with error_place(f"{path}: {card.place}"):
            if not card.is_counted:
                raise InputError(
                    "must be a number of copies and a card, such as '2 Fireball', or a deck code",
                    value=card.plain.name,
                )
            deck.add(card.plain.name, str(card.plain.copies), card.place)
    return deck
