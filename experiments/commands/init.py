"""`evenhand init`: a folder with a game that can be balanced, to begin with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

import sim
from experiments.commands.pilots import find_weak_pilots, weak_pilot_lines
from experiments.commands.starter_rules import N_DECKS, RULES, TEMPLATES, make_rules
from experiments.files.output_file import deck_text, is_there
from experiments.files.sheets import NO_OPTIONS, DeckFolder, SheetOptions, deck_file
from experiments.files.understood_lines import size_remarks, understood_lines
from experiments.loading import load_experiment
from sim.cards.pool import Pool
from sim.cards.pool_file import write_pool
from sim.cards.spreadsheet.pool_sheet import write_pool_sheet
from sim.cards.spreadsheet.understood import UnderstoodColumn
from sim.files.made_folder import made_folder
from sim.files.sheet import is_json, is_workbook
from sim.play.packing import plays_plain_games

POOL = "cards"
GAME = "game.toml"
README = "README.md"
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
_SHARE = 2 / 3  # of the cards that a made-up deck may hold, so that the two overlap


def run_init(
    folder: Path,
    sheet: Path | None,
    ruleset: str | None,
    options: SheetOptions = NO_OPTIONS,
    changes: Collection[str] = (),
) -> list[str]:
    """Write the files of a game into a folder, and nothing over anything.

    Args:
        folder: where; it may be there.
        sheet: the cards, see `make_starter`, likewise the others.
        ruleset: the rules.
        options: what is said of the sheet.
        changes: of the rules, such as `"copy_limit=3"`.

    Returns:
        What to tell of it, by lines.

    Raises:
        InputError: a file is there already, the folder cannot be made, or the sheet is wrong.
    """
    if sheet is None and options.first:
        raise sim.InputError(f"{options.first}: is for a sheet, see --from")
    starter = make_starter(sheet, ruleset, options, changes)
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
        *understood_lines(starter.understood),
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
        understood: what each column of a sheet was understood to be.
    """

    files: dict[str, bytes]
    remarks: tuple[str, ...]
    understood: tuple[UnderstoodColumn, ...] = ()


def make_starter(
    sheet: Path | None = None,
    ruleset: str | None = None,
    options: SheetOptions = NO_OPTIONS,
    changes: Collection[str] = (),
) -> Starter:
    """The files of a game that can be balanced.

    Args:
        sheet: the cards, and decks if it has any; default a small game of ours.
        ruleset: name or path of the rules; default those of a short duel, with limits that
            leave the cards room.
        options: what is said of the sheet.
        changes: of the rules, such as `"copy_limit=3"`.

    Raises:
        InputError: names what is wrong with the sheet, or what the rules refuse.
    """
    source = TEMPLATES / "cards.csv" if sheet is None else sheet
    found = options.read(source, POOL)
    pool = found.pool
    remarks = list(found.remarks) if sheet else []
    copy = f"{POOL}{'.xlsx' if is_workbook(source) else '.csv'}"
    with TemporaryDirectory() as made:
        folder = Path(made)
        rules = make_rules(found, ruleset, changes, source)
        remarks += rules.remarks
        (folder / f"{RULES}.toml").write_text(rules.text, encoding="utf-8")
        reserved = {f"{POOL}.toml", f"{RULES}.toml", GAME}
        decks = DeckFolder(folder, POOL, RULES, reserved).decks_of(found.decks, pool, source)
        remarks += size_remarks({deck.name: deck.n_cards for deck in decks.values()})
        if is_short := len(decks) < N_DECKS:
            with sim.error_place(source):
                decks, remark = _with_made_up(decks, pool, folder)
            remarks.append(
                f"{remark}; a deck of yours is a column 'deck: NAME' of {copy}, with the copies of "
                'each card, or one that --column "NAME=deck" names'
            )
            pool = _with_decks(pool, [deck.name for deck in decks.values()])
        write_pool(pool, folder / f"{POOL}.toml")
        if not any(card.effects for card in pool.cards):
            remarks.append(_NO_EFFECTS)
        for path, deck in decks.items():
            path.write_text(deck_text(deck), encoding="utf-8")
        # A pipe cannot be read a second time.
        is_kept = options.page is None and not is_json(source) and source.is_file()
        if not is_short and is_kept:
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
    return Starter(files, tuple(remarks), found.understood if sheet else ())


def _with_decks(pool: Pool, names: Sequence[str]) -> Pool:
    """The pool, whose sheet has these decks."""
    if pool.sheet is None:
        return pool
    layout = pool.sheet.model_copy(update={"decks": tuple(names)})
    return pool.model_copy(update={"sheet": layout})


def _with_made_up(
    decks: dict[Path, sim.Deck], pool: Pool, folder: Path
) -> tuple[dict[Path, sim.Deck], str]:
    """Decks that can meet, where a sheet has one or none; and what was made up."""
    made = _made_up(pool, folder)
    if not decks:
        names = " and ".join(path.stem for path in made)
        (n_cards,) = {deck.n_cards for deck in made.values()}
        return made, (
            f"no decks in it, so {names} are made up, of the cheaper and the dearer cards "
            f"({n_cards} cards each)"
        )
    ((_, own),) = decks.items()
    others = {path: deck for path, deck in made.items() if path not in decks}
    path = max(others, key=lambda path: abs(others[path].mean_cost(pool) - own.mean_cost(pool)))
    remark = (
        f"only the deck {own.name!r} in it, so {path.stem} ({others[path].n_cards} cards) is made "
        "up to meet it"
    )
    return {**decks, path: others[path]}, remark


def _made_up(pool: Pool, folder: Path) -> dict[Path, sim.Deck]:
    """Two decks of a pool that has none: of its cheaper and of its dearer cards."""
    rules = sim.load_ruleset(RULES, near=folder)
    to_deal = max(rules.opening_hand)
    n_kinds = max(ceil(len(pool.cards) * _SHARE), ceil(to_deal / rules.copy_limit))
    n_kinds = min(n_kinds, rules.deck_limit // rules.copy_limit, len(pool.cards))
    if n_kinds * rules.copy_limit < to_deal:
        raise sim.InputError(
            f"{len(pool.cards)} cards fill no deck: {rules.copy_limit} copies of each (copy_limit) "
            f"are {n_kinds * rules.copy_limit}, must be at least {to_deal} (opening_hand); add "
            "cards to the sheet, or raise copy_limit by --rule"
        )
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
