"""Cards for people: one in plain words, many in a table, and which real ones can be played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from sim import AMOUNTS, REAL_POOL, Card, InputError, Pool
from sim.cards.names import card_names
from sim.cards.text.card_text import card_lines, effects_in_words
from sim.errors import listed
from sim.real_cards.hearthstone import RealCard, real_card_name, real_cards
from sim.real_cards.scenario.scenario import read_scenarios


def card_page(pool: Pool, card_id: str) -> str:
    """A card's numbers and effects in plain words, with the cards that it brings into the game.

    Args:
        pool: the cards.
        card_id: of a card or token, or its name, in any spelling.

    Raises:
        InputError: no card is called so; names the nearest, or the real card without rows.
    """
    card = _find(pool, card_id)
    names = {one.id: one.name for one in pool.everything}
    lines = [f"{card.name} ({card.id})", *_card_lines(card, names)]
    for other in _brought(pool, card):
        lines += ["", f"{other.name} ({other.id})", *_card_lines(other, names)]
    return "\n".join(lines) + "\n"


def _find(pool: Pool, card_id: str) -> Card:
    names = card_names(pool, with_tokens=True)
    found = card_names(pool).get(card_id) or names.get(card_id)
    if found is not None:
        return pool.everything[pool.number(found)]
    name = real_card_name(card_id.lower()) if pool.name == REAL_POOL else None
    if name is not None:
        raise InputError(f"card {card_id.lower()!r} ({name}) has no effect rows yet")
    if pool.name == REAL_POOL:
        raise InputError(f"{names.unknown} {card_id!r}; {_other_pools()}")
    raise names.unknown_name_error(card_id)


def _other_pools() -> str:
    """How to look among other cards, by the files that the current folder has."""
    here = sorted(str(path) for path in Path().glob("*.toml") if _is_pool(path))
    return f"for your own cards add --pool {here[0] if here else 'FILE.toml'}"


def _is_pool(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return b"[[card]]" in file.read(10_000)  # the first card stands near the beginning
    return False


def _card_lines(card: Card, names: dict[str, str]) -> Iterator[str]:
    whose = f"{card.hero} only" if card.hero else ""
    yield f"  {', '.join(filter(None, [card.kind, card.tribe, whose]))}"
    if card.kind not in ("attachment", "option"):
        yield f"  {listed([f'{field} {card.number(field)}' for field in card.printed])}"
    yield from (f"  {line}" for line in card_lines(card, names))
    if amounts := [f"{field} ({card.label(field)})" for field in card.fields if field in AMOUNTS]:
        yield f"  Numbers of its effects that balancing may move: {', '.join(amounts)}"
    if card.tunable is not None:
        ranges = [f"{field} {low} to {high}" for field, (low, high) in card.tunable.items()]
        yield f"  May move: {', '.join(ranges) or 'nothing'}"
    for title, text in card.notes.items():
        if text:
            yield f"  {title}: {' / '.join(text.splitlines())}"


def _brought(pool: Pool, card: Card) -> list[Card]:
    """The options and tokens of a card, and theirs; no cards that decks may hold."""
    tokens = {token.id: token for token in pool.tokens}
    found: dict[str, Card] = {}
    waiting = [card]
    while waiting:
        one = waiting.pop(0)
        for each in [*one.options, *(each for row in one.effects for each in row.cards)]:
            if each in tokens and each not in found and each != card.id:
                found[each] = tokens[each]
                waiting.append(tokens[each])
    return list(found.values())


COLUMNS = ("cards", "implemented", "scenario_checked", "missing")


def coverage(scenarios: Path | None = None) -> dict[str, Any]:
    """Counts by set and by class, and the missing cards.

    Args:
        scenarios: a scenario file; a card counts as checked if one of its scenarios mentions it.

    Returns:
        `all`, `by_set` and `by_class`, each with the counts of `COLUMNS` (`scenario_checked` is
        `None` without scenarios), and `missing`, a list of `id`, `name`, `set` and `class`.

    Raises:
        InputError: the card file is not installed, or the scenario file is wrong.
    """
    cards = real_cards()
    checked = None if scenarios is None else _mentioned(scenarios)
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
    return card.hero or "neutral"


def _mentioned(path: Path) -> frozenset[str]:
    """Ids of the cards that some scenario is about or uses."""
    scenarios = read_scenarios(path)
    named = [name for one in scenarios for name in (one.focus, *one.card_ids) if name]
    return frozenset(map(str.lower, named))


def _groups(
    cards: Sequence[RealCard], checked: frozenset[str] | None, group_of: Callable[[RealCard], str]
) -> dict[str, dict[str, int | None]]:
    return {
        group: _counts([card for card in cards if group_of(card) == group], checked)
        for group in sorted({group_of(card) for card in cards})
    }


def _counts(cards: Sequence[RealCard], checked: frozenset[str] | None) -> dict[str, int | None]:
    implemented = [card for card in cards if card.is_implemented]
    n_checked = None if checked is None else sum(card.id in checked for card in implemented)
    counts = (len(cards), len(implemented), n_checked, len(cards) - len(implemented))
    return dict(zip(COLUMNS, counts, strict=True))


def print_cards(pool: Pool, title: str) -> None:
    """Print a table of a pool's cards; names may hold what would be markup."""
    names = {card.id: card.name for card in pool.everything}
    is_mixed = any(card.kind != "minion" for card in pool.cards)
    kind = [Column("kind", no_wrap=True)] if is_mixed else []
    printed = ("cost", "body") if is_mixed else ("cost", "attack", "health")
    table = Table(
        Column("id", no_wrap=True),
        Column("name", overflow="fold"),
        *kind,
        *(Column(number, justify="right", no_wrap=True) for number in printed),
        Column("keywords", overflow="fold"),
        Column("effects", overflow="fold"),
        title=Text(title),
    )
    for card in pool.cards:
        numbers = [str(card.number(field)) for field in card.printed]
        kind_and_body = [card.kind, numbers[0], "/".join(numbers[1:])]
        cells = [card.id, card.name, *(kind_and_body if is_mixed else numbers)]
        table.add_row(*map(Text, [*cells, " ".join(card.keywords), effects_in_words(card, names)]))
    Console().print(table)


def print_coverage(found: dict[str, Any], *, missing: bool) -> None:
    """Print what `coverage` found, with the missing cards one by one if they are wanted."""
    columns = [column for column in COLUMNS if found["all"][column] is not None]
    counted = (Column(column.replace("_", " "), justify="right") for column in columns)
    table = Table("set or class", *counted, title="Real cards")
    for part in ("by_set", "by_class"):
        for group, counts in found[part].items():
            table.add_row(group.replace("_", " "), *(str(counts[column]) for column in columns))
        table.add_section()
    table.add_row("all", *(str(found["all"][column]) for column in columns))
    console = Console()
    console.print(table)
    for card in found["missing"] if missing else ():
        place = f"{card['set'].replace('_', ' ')}, {card['class']}"
        console.print(f"{card['id']}  {card['name']} ({place})", markup=False, highlight=False)
