"""`evenhand init`: create a folder with a game that can be balanced."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

import sim
from experiments.cli.options import Columns, Kinds, Notes, SheetTitle
from experiments.cli.session import Session, Work, session_command
from experiments.commands.init_simulator import init_simulator
from experiments.commands.pilots import find_weak_pilots, weak_pilot_lines
from experiments.commands.starter_rules import N_DECKS, RULES, TEMPLATES, make_rules
from experiments.files.new_folder import write_new_folder
from experiments.files.option_errors import option_error
from experiments.files.output_file import deck_text
from experiments.files.sheets import NO_OPTIONS, DeckFolder, SheetOptions, deck_file
from experiments.files.understood_lines import size_remarks, text_lines, understood_lines
from experiments.loading import load_experiment
from experiments.spreadsheet.card_texts import ReadText
from experiments.spreadsheet.pool_sheet import write_pool_sheet
from experiments.spreadsheet.sheet_file import has_sheets, is_json
from experiments.spreadsheet.understood import UnderstoodColumn
from sim.cards.pool import Pool
from sim.cards.pool_file import write_pool
from sim.play.packing import plays_plain_games

POOL = "cards"
GAME = "game.toml"
README = "README.md"
_NO_EFFECTS = (
    "no card has effects; to give it some, add a column 'text' with texts such as 'Battlecry: Draw "
    "a card.'"
)
PILOT = "light"
"""Pilot of all decks. Of the fast pilots, it finds patches with win rates that stay nearest to 50 %
when stronger pilots play (docs/log.md, "Which pilot `init` should choose").
"""
ABOUT_PILOTS = (
    f"Every deck is played by the pilot {PILOT}, a quick search of each turn; results hold for "
    "this pilot, and balance also shows how the patch does with other pilots",
    f"To choose another pilot: change agent = ... in {GAME}, or add --agent NAME to a command "
    "(evenhand agents lists the names)",
)
# Default number of games of a balance run with up to three matchups: one to two CPU minutes of
# games by `PILOT`, which take 0.2 ms with plain rules and about 0.5 ms with other rules, measured
# with cards of typical sheets. Each further matchup gets as many: with fewer, a patch of four to
# six decks would have to lie so far inside its bands that none suffices (docs/log.md).
TOTAL_OF_PLAIN_GAMES = 300_000
TOTAL_OF_RICH_GAMES = 200_000
_MATCHUPS_OF_TOTAL = 3
# Share of a pool's cards in each of two generated decks, chosen by hand, not tuned. It is above one
# half, so that the decks share cards.
_SHARE = 2 / 3


@session_command()
def init(
    session: Session,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder of the game; it is created if it does not exist."
        ),
    ] = Path("my_game"),
    *,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="SHEET",
            help="Your cards as a .csv, .xlsx, .ods or .json file; default a small example game.",
        ),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(
            help="The ruleset: legacy (spells, weapons, heroes), another shipped one, or a file; "
            "default the rules of a short duel."
        ),
    ] = None,
    page: SheetTitle = None,
    note: Notes = None,
    column: Columns = None,
    kind: Kinds = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=VALUE",
            help="Change a rule, such as copy_limit=3; may be given several times.",
        ),
    ] = None,
    simulator: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Make a game without cards, which your own code plays: python (a function) or "
            "program (a program in any language).",
        ),
    ] = None,
) -> Work:
    """Make a folder with a game of your own that can be balanced.

    The folder contains cards, decks, rules and an experiment.
    """
    options = SheetOptions(page, note or (), column or (), kind or ())
    if simulator is not None:
        if sheet or ruleset or options.first or rule:
            raise option_error(
                "simulator",
                "makes a game without cards, so no option may describe cards or rules",
                value=simulator,
                remedy="leave the other options out",
            )
        lines = init_simulator(folder, simulator)
        return lambda: session.screen.show(*lines)
    *lines, what_next = run_init(folder, sheet, ruleset, options, rule or ())

    def report() -> None:
        session.screen.show(*lines)
        session.screen.stage("comparing the pilots with light")
        session.screen.show(*pilot_warnings(folder / GAME), what_next)

    return report


def run_init(
    folder: Path,
    sheet: Path | None,
    ruleset: str | None,
    options: SheetOptions = NO_OPTIONS,
    changes: Collection[str] = (),
) -> list[str]:
    """Write the files of a new game into a folder, without overwriting any file.

    Args:
        folder: folder to write into; created if it does not exist.
        sheet: file of the cards, as in `make_starter`.
        ruleset: name or path of the rules, as in `make_starter`.
        options: options for reading the sheet.
        changes: changes of the rules, such as `"copy_limit=3"`.

    Returns:
        Lines that report the written files, the meaning of the sheet's columns, and the next step.

    Raises:
        InputError: a file exists already, the folder cannot be created, or the sheet, the rules or
            the options are invalid.
    """
    if sheet is None and options.first:
        raise sim.InputError(
            "describes a sheet, but no sheet was given",
            place=options.first,
            remedy="add --from SHEET, or leave the option out",
        )
    starter = make_starter(sheet, ruleset, options, changes)
    write_new_folder(folder, starter.files)
    enter = "" if folder == Path() else f"cd {folder} && "
    return [
        f"{folder}: wrote {', '.join(starter.files)}",
        *understood_lines(starter.understood),
        *text_lines(starter.texts),
        *starter.remarks,
        *ABOUT_PILOTS,
        f"Next: {enter}evenhand balance {GAME}",
    ]


def pilot_warnings(game: Path) -> list[str]:
    """Return a warning for each deck with a weak pilot; the test games take some seconds.

    If the experiment cannot be loaded, no warning is returned.

    Args:
        game: path of the experiment file that `run_init` wrote.
    """
    try:
        experiment = load_experiment(str(game))
    except sim.InputError:  # the first command that plays the game reports the error in full
        return []
    return weak_pilot_lines(find_weak_pilots(experiment))


@dataclass(frozen=True)
class Starter:
    """Files of a new game, and remarks on how they were made.

    Attributes:
        files: content of each file, by file name; the experiment is last.
        remarks: lines on how a sheet was read, and on additions to it.
        understood: meaning of each column of the sheet; empty if there is no sheet.
        texts: texts of cards that were read as effects.
    """

    files: dict[str, bytes]
    remarks: tuple[str, ...]
    understood: tuple[UnderstoodColumn, ...] = ()
    texts: tuple[ReadText, ...] = ()


def make_starter(
    sheet: Path | None = None,
    ruleset: str | None = None,
    options: SheetOptions = NO_OPTIONS,
    changes: Collection[str] = (),
) -> Starter:
    """Return the files of a game that can be balanced; write nothing.

    Args:
        sheet: file of the cards, and of decks if it has any; `None` for a small example game.
        ruleset: name or path of the rules; `None` for the rules of a short duel, with limits wide
            enough for the numbers of the cards.
        options: options for reading the sheet.
        changes: changes of the rules, such as `"copy_limit=3"`.

    Raises:
        InputError: the sheet cannot be read, or its cards or decks break the rules.
    """
    source = TEMPLATES / "cards.csv" if sheet is None else sheet
    pool_sheet = options.read(source, POOL)
    pool = pool_sheet.pool
    remarks = list(pool_sheet.remarks) if sheet else []
    copy = f"{POOL}{_ending_of_copy(source)}"
    with TemporaryDirectory() as made:
        folder = Path(made)
        rules = make_rules(pool_sheet, ruleset, changes, source)
        remarks += rules.remarks
        (folder / f"{RULES}.toml").write_text(rules.text, encoding="utf-8")
        reserved = {f"{POOL}.toml", f"{RULES}.toml", GAME}
        decks = DeckFolder(folder, POOL, RULES, reserved).decks_of(pool_sheet.decks, pool, source)
        remarks += size_remarks({deck.name: deck.n_cards for deck in decks.values()})
        if is_short := len(decks) < N_DECKS:
            with sim.error_place(source):
                decks, remark = _add_decks(decks, pool, folder)
            remarks.append(
                f"{remark}; to add a deck, add a column 'deck: NAME' to {copy} with the copies of "
                'each card, or name a column by --column "NAME=deck"'
            )
            pool = _with_decks(pool, [deck.name for deck in decks.values()])
        write_pool(pool, folder / f"{POOL}.toml")
        if not any(card.effects for card in pool.cards):
            remarks.append(_NO_EFFECTS)
        for path, deck in decks.items():
            path.write_text(deck_text(deck), encoding="utf-8")
        # A plain table file is copied unchanged, so that the designer's layout is kept. A pipe
        # cannot be read a second time.
        is_kept = options.page is None and not is_json(source) and source.is_file()
        if not is_short and is_kept:
            (folder / copy).write_bytes(source.read_bytes())
        else:
            write_pool_sheet(pool, folder / copy, list(decks.values()))
        names = [copy, f"{POOL}.toml", *(path.name for path in decks), f"{RULES}.toml"]
        files = {name: (folder / name).read_bytes() for name in names}
        is_plain = plays_plain_games(pool, sim.load_ruleset(RULES, near=folder))
    fields = _template_fields(copy, pool, decks, _total_of(len(decks), is_plain=is_plain))
    for name in (README, GAME):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        files[name] = Template(text).substitute(fields).encode()
    read = pool_sheet.understood if sheet else ()
    return Starter(files, tuple(remarks), read, pool_sheet.texts)


def _ending_of_copy(source: Path) -> str:
    """Return the ending of the copy of a sheet; only `.xlsx` and `.ods` files keep several tables.

    Args:
        source: path of the sheet.
    """
    if not has_sheets(source):
        return ".csv"
    return ".ods" if source.suffix.lower() == ".ods" else ".xlsx"


def _with_decks(pool: Pool, names: Sequence[str]) -> Pool:
    """Return the pool with deck names in its sheet's layout; unchanged if it has no layout."""
    if pool.sheet is None:
        return pool
    layout = pool.sheet.model_copy(update={"decks": tuple(names)})
    return pool.model_copy(update={"sheet": layout})


def _add_decks(
    decks: dict[Path, sim.Deck], pool: Pool, folder: Path
) -> tuple[dict[Path, sim.Deck], str]:
    """Return two decks for a sheet with fewer, and a remark on the generated decks.

    A sheet with one deck gets the generated deck with the most different mean cost.
    """
    made = _make_decks(pool, folder)
    if not decks:
        names = " and ".join(path.stem for path in made)
        (n_cards,) = {deck.n_cards for deck in made.values()}
        return made, (
            f"the sheet has no decks, so {names} are made up, of the cheaper and of the more "
            f"expensive cards ({n_cards} cards each)"
        )
    ((_, own),) = decks.items()
    others = {path: deck for path, deck in made.items() if path not in decks}
    path = max(others, key=lambda path: abs(others[path].mean_cost(pool) - own.mean_cost(pool)))
    remark = (
        f"the sheet has only the deck {own.name!r}, so {path.stem} ({others[path].n_cards} cards) "
        "is made up as its opponent"
    )
    return {**decks, path: others[path]}, remark


def _make_decks(pool: Pool, folder: Path) -> dict[Path, sim.Deck]:
    """Return two generated decks: one of the pool's cheaper cards, one of its more expensive cards.

    Each has the maximum number of copies of every card that it contains.

    Raises:
        InputError: the pool has too few cards for an opening hand.
    """
    rules = sim.load_ruleset(RULES, near=folder)
    n_to_deal = max(rules.opening_hand)
    # Enough kinds of cards for an opening hand, but no more than the deck and the pool allow.
    n_kinds = max(ceil(len(pool.cards) * _SHARE), ceil(n_to_deal / rules.copy_limit))
    n_kinds = min(n_kinds, rules.deck_limit // rules.copy_limit, len(pool.cards))
    n_copies = n_kinds * rules.copy_limit
    if n_copies < n_to_deal:
        raise sim.InputError(
            f"with copy_limit = {rules.copy_limit}, the {len(pool.cards)} cards of the sheet make "
            f"a deck of only {n_copies} cards, but opening_hand = {n_to_deal}",
            value=n_copies,
            limit=n_to_deal,
            remedy="add cards to the sheet, or raise copy_limit with --rule",
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


def _total_of(n_decks: int, *, is_plain: bool) -> int:
    """Return the number of games of all stages of a balance run.

    Args:
        n_decks: number of decks, each of which meets all others.
        is_plain: whether all games are plain.
    """
    total = TOTAL_OF_PLAIN_GAMES if is_plain else TOTAL_OF_RICH_GAMES
    n_matchups = n_decks * (n_decks - 1) // 2
    return total * max(n_matchups, _MATCHUPS_OF_TOTAL) // _MATCHUPS_OF_TOTAL


def _template_fields(
    sheet: str, pool: Pool, decks: dict[Path, sim.Deck], total: int
) -> dict[str, str]:
    """Return the text of each field of the templates, by field name.

    Args:
        sheet: file name of the sheet.
        pool: the card pool.
        decks: the decks, by path of their file.
        total: number of games of all stages of a balance run.
    """
    quickest = min(decks.values(), key=lambda deck: deck.mean_cost(pool))
    players = "".join(f'[[player]]\ndeck = "{path.stem}"\nagent = "{PILOT}"\n\n' for path in decks)
    return {
        "sheet": sheet,
        "ending": Path(sheet).suffix,
        "players": players.removesuffix("\n"),
        "total": f"{total:_}",
        "card": next(iter(quickest.cards)),
    }
