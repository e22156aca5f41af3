"""Deck files beside a pool file: found for export, and made of the decks of a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import sim
from experiments.files.output_file import file_label
from sim.cards.deck import Deck, check_deck
from sim.cards.pool import Pool
from sim.cards.spreadsheet.card_rows import card_id_from_name
from sim.cards.spreadsheet.deck_list import DeckList
from sim.files.problems import Problems


def deck_file(folder: Path, name: str) -> Path:
    """Where the deck of this name goes, if no file of the folder holds it yet."""
    return folder / f"{card_id_from_name(name) or file_label(name)}.toml"


def decks_beside(pool: Pool, folder: Path) -> dict[Path, Deck]:
    """The decks in a folder that are made for a pool, by their files, in the order of their names.

    Raises:
        InputError: a file that has the keys of such a deck does not fit `Deck`.
    """
    found = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            told = sim.read_toml(path)
        except sim.InputError:  # whatever else may lie there
            continue
        is_deck = isinstance(told.get("cards"), dict) and isinstance(told.get("pool"), str)
        if is_deck and _is_of(told["pool"], pool, folder):
            found[path] = sim.validate(Deck, told, source=str(path))
    return found


def _is_of(named: str, pool: Pool, folder: Path) -> bool:
    if not named.endswith(".toml"):
        return named == pool.name
    try:
        return sim.load_pool(named, near=folder).name == pool.name
    except sim.InputError:
        return False


def decks_of_lists(
    lists: Sequence[DeckList],
    pool: Pool,
    ruleset: str | None,
    folder: Path,
    source: Path,
) -> dict[Path, Deck]:
    """The decks that a spreadsheet holds, by the files that they go to.

    What a list does not say is as in the file that it replaces: the ruleset, the hero, and the
    order of the cards that stay. Where there is none, the cards tell the hero.

    Args:
        lists: what the spreadsheet says.
        pool: its cards.
        ruleset: name or path of the rules; default those of the file, else `duel`.
        folder: of the deck files.
        source: the spreadsheet, for messages.

    Raises:
        FileError: the rules do not allow a deck, or two decks would go to one file.
    """
    there = {deck.name: (path, deck) for path, deck in decks_beside(pool, folder).items()}
    problems = Problems(source)
    decks: dict[Path, Deck] = {}
    for told in lists:
        path, old = there.get(told.name, (deck_file(folder, told.name), None))
        with problems.at(told.place):
            if path in decks:
                raise sim.InputError(
                    f"decks {decks[path].name!r} and {told.name!r} would both be {path.name}"
                )
            deck = _deck(told, old, pool, ruleset)
            _check(deck, told, pool, folder, problems)
            decks[path] = deck
    problems.check()
    return decks


def _deck(told: DeckList, old: Deck | None, pool: Pool, ruleset: str | None) -> Deck:
    cards = told.cards
    if old is not None:
        cards = {card: cards[card] for card in (*old.cards, *cards) if card in cards}
    data = {
        "name": told.name,
        "pool": pool.name if old is None else old.pool,
        "ruleset": ruleset or ("duel" if old is None else old.ruleset),
        "hero": told.hero or _hero(cards, pool) or ("" if old is None else old.hero),
        "cards": cards,
    }
    return sim.validate(Deck, data, source="")


def _hero(cards: dict[str, int], pool: Pool) -> str:
    """The one hero whose cards are in the deck; `""` where there is none, or too many."""
    heroes = {pool.card(card).hero for card in cards} - {""}
    return heroes.pop() if len(heroes) == 1 else ""


def _check(deck: Deck, told: DeckList, pool: Pool, folder: Path, problems: Problems) -> None:
    """All cards with too many copies are told, each with its place; of the rest, the first."""
    rules = sim.load_ruleset(deck.ruleset, near=folder)
    most = rules.copy_limit
    n_before = len(problems)
    for card, copies in deck.cards.items():
        if copies > most:
            problems.add(
                f"{told.places[card]}: deck {deck.name!r}: card {card!r}: {copies} copies, must be "
                f"at most {most} (copy_limit of ruleset {rules.name!r}; others by --ruleset)"
            )
    if len(problems) == n_before:
        played = deck.model_copy(update={"pool": pool.name, "ruleset": rules.name})
        check_deck(played, pool, rules)
