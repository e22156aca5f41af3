"""`evenhand cards coverage`: count the real cards that can be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table

from experiments.cli.session import Session, Work, session_command
from experiments.runs.json_file import to_json
from sim.real_cards.hearthstone import RealCard, real_cards
from sim.real_cards.scenario.scenario import read_scenarios

COLUMNS = ("cards", "implemented", "scenario_checked", "missing")


@session_command()
def coverage(
    _: Session,
    scenarios: Annotated[
        Path | None,
        typer.Option(help="A scenario file; the cards that it mentions count as checked."),
    ] = None,
    *,
    missing: Annotated[
        bool, typer.Option("--missing", help="Also list the cards that cannot be played yet.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all counts and cards as JSON, for scripts.")
    ] = False,
) -> Work:
    """Count the real cards that can be played, by set and by class."""
    return partial(_show, scenarios, missing=missing, as_json=as_json)


def _show(scenarios: Path | None, *, missing: bool, as_json: bool) -> None:
    """Print the counts, as a table or as JSON; the arguments are those of the command."""
    counts = count_cards(scenarios)
    if as_json:
        typer.echo(to_json(counts), nl=False)
    else:
        _print_table(counts, missing=missing)


def count_cards(scenarios: Path | None = None) -> dict[str, Any]:
    """Count the real cards that can be played, by set and by class, and list the missing cards.

    Args:
        scenarios: file of scenarios; an implemented card counts as checked if a scenario mentions
            it. `None` to check no cards.

    Returns:
        `all`, `by_set` and `by_class`, each with the counts of `COLUMNS` (`scenario_checked` is
        `None` if `scenarios` is `None`), and `missing`, a list of `id`, `name`, `set` and
        `class`.

    Raises:
        InputError: the card file is not installed, or the scenario file cannot be read.
    """
    cards = real_cards()
    checked = None if scenarios is None else _mentioned_cards(scenarios)
    return {
        "all": _counts(cards, checked),
        "by_set": _groups(cards, checked, lambda card: card.set_name),
        "by_class": _groups(cards, checked, _class),
        "missing": [
            {"id": card.id, "name": card.name, "set": card.set_name, "class": _class(card)}
            for card in cards
            if not card.is_implemented
        ],
    }


def _class(card: RealCard) -> str:
    """Return the class of a real card, or `neutral` if it has none."""
    return card.hero or "neutral"


def _mentioned_cards(path: Path) -> frozenset[str]:
    """Return the ids, in lower case, of all cards that the scenarios of a file are about or use."""
    scenarios = read_scenarios(path)
    ids = [
        card_id
        for scenario in scenarios
        for card_id in (scenario.focus, *scenario.card_ids)
        if card_id
    ]
    return frozenset(map(str.lower, ids))


def _groups(
    cards: Sequence[RealCard], checked: frozenset[str] | None, group_of: Callable[[RealCard], str]
) -> dict[str, dict[str, int | None]]:
    """Return the counts of the cards in each group, with the keys of `COLUMNS`, by group name."""
    return {
        group: _counts([card for card in cards if group_of(card) == group], checked)
        for group in sorted({group_of(card) for card in cards})
    }


def _counts(cards: Sequence[RealCard], checked: frozenset[str] | None) -> dict[str, int | None]:
    """Return the counts of the given cards; the keys are `COLUMNS`.

    Only implemented cards count as checked. If `checked` is `None`, their count is `None`.
    """
    implemented = [card for card in cards if card.is_implemented]
    n_checked = None if checked is None else sum(card.id in checked for card in implemented)
    counts = (len(cards), len(implemented), n_checked, len(cards) - len(implemented))
    return dict(zip(COLUMNS, counts, strict=True))


def _print_table(counts: dict[str, Any], *, missing: bool) -> None:
    """Print a table of the coverage of real cards.

    Args:
        counts: result of `count_cards`.
        missing: whether to list the missing cards below the table.
    """
    columns = [column for column in COLUMNS if counts["all"][column] is not None]
    headers = (Column(column.replace("_", " "), justify="right") for column in columns)
    table = Table("set or class", *headers, title="Real cards")
    for part in ("by_set", "by_class"):
        for group, row in counts[part].items():
            table.add_row(group.replace("_", " "), *(str(row[column]) for column in columns))
        table.add_section()
    table.add_row("all", *(str(counts["all"][column]) for column in columns))
    console = Console()
    console.print(table)
    for card in counts["missing"] if missing else ():
        place = f"{card['set'].replace('_', ' ')}, {card['class']}"
        console.print(f"{card['id']}  {card['name']} ({place})", markup=False, highlight=False)
