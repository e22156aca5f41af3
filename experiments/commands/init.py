"""`evenhand init`: a folder with a game that can be balanced, to begin with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from math import ceil
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

import tomlkit

import sim
from experiments.commands.pilots import find_weak_pilots, weak_pilot_lines
from experiments.files.output_file import deck_text, is_there
from experiments.files.sheets import DeckFolder, deck_file
from experiments.loading import load_experiment
from sim.cards.pool import Pool, bound_numbers, check_pool
from sim.cards.pool_file import write_pool
from sim.cards.spreadsheet.deck_list import DeckList
from sim.cards.spreadsheet.pool_sheet import read_pool_sheet, write_pool_sheet
from sim.files.made_folder import made_folder
from sim.files.sheet import is_workbook
from sim.play.packing import plays_plain_games

TEMPLATES = Path(str(resources.files("experiments").joinpath("starter")))
POOL, RULES, GAME, README = "cards", "rules", "game.toml", "README.md"
_NO_EFFECTS = (
    "no card has effects: a column 'effects' would say what one does, such as 'play: damage 2' or "
    "'play: draw 1'"
)
PILOT = "light"
"""Who plays the decks: of cheap pilots, patches balanced with it are nearest to 50 % in the hands
of stronger ones (docs/log.md, "Which pilot `init` should choose")."""
ABOUT_PILOTS = (
    f"Every deck is played by the pilot {PILOT}, a quick search of each turn; what is found holds "
    "for that play, and balance also shows it in the hands of others",
    f"To change who plays: agent = ... in {GAME} (evenhand agents lists them), or --agent NAME for "
    "one run",
)
# Games of all stages of a balance: one to two CPU minutes of games by `PILOT`, which take 0.2 ms
# with plain rules and some 0.5 ms with the others, of cards such as sheets hold.
TOTAL_OF_PLAIN_GAMES = 300_000
TOTAL_OF_RICH_GAMES = 200_000
_ROOM = 2  # steps that numbers may go beyond the largest of today
_N_DECKS = 2  # at least, for there to be a matchup
_SHARE = 2 / 3  # of the cards that a made-up deck may hold, so that the two overlap


def run_init(
    folder: Path,
    sheet: Path | None,
    ruleset: str | None,
    page: str | None = None,
    notes: Collection[str] = (),
) -> list[str]:
    """Write the files of a game into a folder, and nothing over anything.

    Args:
        folder: where; it may be there.
        sheet: the cards, see `make_starter`, likewise the others.
        ruleset: the rules.
        page: of a workbook, the title of the sheet with the cards.
        notes: titles of columns that are notes, whatever they resemble.

    Returns:
        What to tell of it, by lines.

    Raises:
        InputError: a file is there already, the folder cannot be made, or the sheet is wrong.
    """
    if sheet is None and (page is not None or notes):
        raise sim.InputError(f"--{'note' if page is None else 'sheet'}: is for a sheet, see --from")
    starter = make_starter(sheet, ruleset, page, notes)
    if taken := [name for name in starter.files if is_there(folder / name)]:
        raise sim.InputError(
            f"{folder / taken[0]}: is already there; init overwrites nothing, name another folder"
        )
    with made_folder(folder, starter.files):
        for name, content in starter.files.items():
            sim.write_atomically(folder / name, content)
    enter = "" if folder == Path() else f"cd {folder} && "
    return [
        f"{folder}: wrote {', '.join(starter.files)}",
        *starter.remarks,
        *ABOUT_PILOTS,
        f"Next: {enter}evenhand balance {GAME}",
    ]


def pilot_warnings(game: Path) -> list[str]:
    """A line for each deck of a game whose pilot is weak, measured in some seconds.

    Args:
        game: an experiment file that was just written.
    """
    try:
        experiment = load_experiment(str(game))
    except sim.InputError:  # which the command that plays the game will say
        return []
    return weak_pilot_lines(find_weak_pilots(experiment))


@dataclass(frozen=True)
class Starter:
    """Files that make a game, by name.

    Attributes:
        files: their contents, the experiment last.
        remarks: how a sheet was read, and what was made up for it.
    """

    files: dict[str, bytes]
    remarks: tuple[str, ...]


def make_starter(
    sheet: Path | None = None,
    ruleset: str | None = None,
    page: str | None = None,
    notes: Collection[str] = (),
) -> Starter:
    """The files of a game that can be balanced.

    Args:
        sheet: the cards, and decks if it has any; default a small game of ours.
        ruleset: name or path of the rules; default those of a short duel, with limits that
            leave the cards room.
        page: of a workbook, the title of the sheet with the cards.
        notes: titles of columns that are notes, whatever they resemble.

    Raises:
        InputError: names what is wrong with the sheet, or what the rules refuse.
    """
    source = TEMPLATES / "cards.csv" if sheet is None else sheet
    found = read_pool_sheet(source, POOL, sheet=page, notes=notes)
    pool, remarks = found.pool, list(found.remarks) if sheet else []
    copy = f"{POOL}{'.xlsx' if is_workbook(source) else '.csv'}"
    with TemporaryDirectory() as made:
        folder = Path(made)
        rules = _rules(pool, found.decks, ruleset, remarks)
        (folder / f"{RULES}.toml").write_text(rules, encoding="utf-8")
        check_pool(pool, sim.load_ruleset(RULES, near=folder))
        write_pool(pool, folder / f"{POOL}.toml")
        decks = DeckFolder(folder, POOL, RULES).decks_of(found.decks, pool, source)
        if is_short := len(decks) < _N_DECKS:
            decks, remark = _with_made_up(decks, pool, folder)
            remarks.append(
                f"{remark}; a deck of yours is a column 'deck: NAME' of {copy}, with the copies of "
                "each card"
            )
        if not any(card.effects for card in pool.cards):
            remarks.append(_NO_EFFECTS)
        for path, deck in decks.items():
            path.write_text(deck_text(deck), encoding="utf-8")
        # A pipe cannot be read a second time.
        if not is_short and page is None and source.is_file():
            (folder / copy).write_bytes(source.read_bytes())
        else:
            write_pool_sheet(pool, folder / copy, list(decks.values()))
        names = [copy, f"{POOL}.toml", *(path.name for path in decks), f"{RULES}.toml"]
        files = {name: (folder / name).read_bytes() for name in names}
        is_plain = plays_plain_games(pool, sim.load_ruleset(RULES, near=folder))
    total = TOTAL_OF_PLAIN_GAMES if is_plain else TOTAL_OF_RICH_GAMES
    told = _told(copy, pool, decks, total)
    for name in (README, GAME):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        files[name] = Template(text).substitute(told).encode()
    return Starter(files, tuple(remarks))


def _rules(pool: Pool, decks: Sequence[DeckList], named: str | None, remarks: list[str]) -> str:
    """The rules as a file called `RULES`, with the comments of the one that they are taken from."""
    place = TEMPLATES / f"{RULES}.toml" if named is None else sim.find_data_file("rulesets", named)
    sim.load_ruleset(str(place.absolute()))
    document: Any = tomlkit.parse(place.read_text(encoding="utf-8-sig"))
    document["name"] = RULES
    if named is None and (raised := _make_room(document, pool, decks)):
        remarks.append(f"{RULES}.toml allows what the sheet asks for: {', '.join(raised)}")
    if document.get("hero_powers"):
        document["hero_powers"] = False
        remarks.append(f"hero_powers is switched off in {RULES}.toml: a sheet has no heroes")
    _deal_coin(document, pool, remarks)
    return tomlkit.dumps(document)


def _deal_coin(rules: Any, pool: Pool, remarks: list[str]) -> None:
    """Let the rules deal a coin where the sheet has one, and only there; say so.

    A coin takes the place of the mana that the rules of a new game give the second player.
    """
    is_dealt, is_there = bool(rules.get("coin")), pool.coin is not None
    if is_dealt and not is_there:
        rules["coin"] = False
        remarks.append(f"coin is switched off in {RULES}.toml: no row of the sheet is of kind coin")
    elif is_there and not is_dealt:
        rules["coin"] = tomlkit.boolean("true").comment("the second player is given it")
        if "extra_mana_second" in rules:
            rules["extra_mana_second"] = 0
        remarks.append(f"coin is switched on in {RULES}.toml: the sheet has one, {pool.coin!r}")


def _make_room(rules: Any, pool: Pool, decks: Sequence[DeckList]) -> list[str]:
    """Raise the limits of the rules until they allow the cards and decks; say which."""
    copies = [n for deck in decks for n in deck.cards.values()]
    sizes = [min(sum(deck.cards.values()), sim.DECK_CAPACITY) for deck in decks]
    highest: dict[str, int] = {}
    for field, value in (pair for card in pool.cards for pair in bound_numbers(card)):
        kind = field.rpartition(".")[2]
        highest[kind] = max(value, highest.get(kind, 0))
    wanted = {
        "copy_limit": max(copies, default=0),
        "deck_limit": max(sizes, default=0),
        "mana_max": highest["cost"],
    }
    raised = []
    for key, value in wanted.items():
        if value > rules[key]:
            rules[key] = value
            raised.append(f"{key} {value}")
    for kind, (_, limit) in rules["limits"].items():
        if highest.get(kind, 0) > limit:
            rules["limits"][kind][1] = highest[kind] + (0 if kind == "cost" else _ROOM)
            raised.append(f"limits.{kind} {rules['limits'][kind]}")
    return raised


def _with_made_up(
    decks: dict[Path, sim.Deck], pool: Pool, folder: Path
) -> tuple[dict[Path, sim.Deck], str]:
    """Decks that can meet, where a sheet has one or none; and what was made up."""
    made = _made_up(pool, folder)
    if not decks:
        names = " and ".join(path.stem for path in made)
        return made, f"no decks in it, so {names} are made up, of the cheaper and the dearer cards"
    ((_, own),) = decks.items()
    others = {path: deck for path, deck in made.items() if path not in decks}
    path = max(others, key=lambda path: abs(others[path].mean_cost(pool) - own.mean_cost(pool)))
    remark = f"only the deck {own.name!r} in it, so {path.stem} is made up to meet it"
    return {**decks, path: others[path]}, remark


def _made_up(pool: Pool, folder: Path) -> dict[Path, sim.Deck]:
    """Two decks of a pool that has none: of its cheaper and of its dearer cards."""
    rules = sim.load_ruleset(RULES, near=folder)
    n_kinds = min(ceil(len(pool.cards) * _SHARE), rules.deck_limit // rules.copy_limit)
    by_cost = sorted(pool.cards, key=lambda card: card.cost)
    chosen = {"quick": by_cost[:n_kinds], "slow": by_cost[-n_kinds:]}
    return {
        deck_file(folder, name): sim.Deck(
            name=name,
            pool=pool.name,
            ruleset=RULES,
            cards={card.id: rules.copy_limit for card in pool.cards if card in cards},
        )
        for name, cards in chosen.items()
    }


def _told(sheet: str, pool: Pool, decks: dict[Path, sim.Deck], total: int) -> dict[str, str]:
    """What the templates leave open."""
    quickest = min(decks.values(), key=lambda deck: deck.mean_cost(pool))
    players = "".join(f'[[player]]\ndeck = "{path.stem}"\nagent = "{PILOT}"\n\n' for path in decks)
    return {
        "sheet": sheet,
        "ending": Path(sheet).suffix,
        "players": players.removesuffix("\n"),
        "total": f"{total:_}",
        "card": next(iter(quickest.cards)),
    }
