"""Text about cards: one card in words, the cards of a pool, and the coverage of real cards."""

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

_POOL_HEAD = 10_000  # bytes; in a pool file, the text before the first card is far shorter


def card_page(pool: Pool, card_id: str) -> str:
    """Return a text on a card's numbers and effects, followed by the cards that it creates.

    Args:
        pool: the card pool.
        card_id: id or name of a card or token of the pool, in any spelling.

    Raises:
        InputError: the pool has no such card. The message suggests the nearest spelling, or says
            that the real card has no effects yet.
    """
    card = _find(pool, card_id)
    names = {known.id: known.name for known in pool.everything}
    lines = [f"{card.name} ({card.id})", *_card_lines(card, names)]
    for other in _created_cards(pool, card):
        lines += ["", f"{other.name} ({other.id})", *_card_lines(other, names)]
    return "\n".join(lines) + "\n"


def _find(pool: Pool, card_id: str) -> Card:
    """Return the card or token with an id or name; cards that decks may hold have precedence.

    Raises:
        InputError: the pool has no card or token of this id or name.
    """
    names = card_names(pool, with_tokens=True)
    known_id = card_names(pool).get(card_id) or names.get(card_id)
    if known_id is not None:
        return pool.everything[pool.number(known_id)]
    name = real_card_name(card_id.lower()) if pool.name == REAL_POOL else None
    if name is not None:
        raise InputError(
            f"card {card_id.lower()!r} ({name}) cannot be played yet: it has no effects",
            value=card_id,
            remedy="to count the cards that can be played, run: evenhand cards coverage",
        )
    if pool.name == REAL_POOL:
        raise InputError(f"{names.unknown} {card_id!r}", value=card_id, remedy=_other_pools())
    raise names.unknown_name_error(card_id)


def _other_pools() -> str:
    """Return a suggestion of `--pool`, with a pool file of the current folder if there is one."""
    here = sorted(str(path) for path in Path().glob("*.toml") if _is_pool(path))
    return f"for your own cards add --pool {here[0] if here else 'FILE.toml'}"


def _is_pool(path: Path) -> bool:
    """Return whether the first `_POOL_HEAD` bytes of a file contain a `[[card]]` table."""
    with suppress(OSError), path.open("rb") as file:
        return b"[[card]]" in file.read(_POOL_HEAD)
    return False


def _card_lines(card: Card, names: dict[str, str]) -> Iterator[str]:
    """Yield indented lines on a card: its kind, its numbers, its effects, its limits and its notes.

    Args:
        card: card to describe.
        names: name of each card of the pool, by its id.
    """
    hero = f"{card.hero} only" if card.hero else ""
    yield f"  {', '.join(filter(None, [card.kind, card.tribe, hero]))}"
    if card.kind not in ("attachment", "option"):
        yield f"  {listed([f'{field} {card.number(field)}' for field in card.printed])}"
    yield from (f"  {line}" for line in card_lines(card, names))
    if amounts := [f"{field} ({card.label(field)})" for field in card.fields if field in AMOUNTS]:
        yield f"  Numbers of its effects that balancing may change: {', '.join(amounts)}"
    if card.tunable is not None:
        ranges = [f"{field} {low} to {high}" for field, (low, high) in card.tunable.items()]
        yield f"  Balancing may change: {', '.join(ranges) or 'nothing'}"
    for title, text in card.notes.items():
        if text:
            yield f"  {title}: {' / '.join(text.splitlines())}"


def _created_cards(pool: Pool, card: Card) -> list[Card]:
    """Return the options and tokens that a card creates, directly or through other tokens.

    Created cards that decks may hold are left out.
    """
    tokens = {token.id: token for token in pool.tokens}
    created: dict[str, Card] = {}
    waiting = [card]
    while waiting:
        creator = waiting.pop(0)
        of_effects = (name for row in creator.effects for name in row.cards)
        for token_id in [*creator.options, *of_effects]:
            if token_id in tokens and token_id not in created and token_id != card.id:
                created[token_id] = tokens[token_id]
                waiting.append(tokens[token_id])
    return list(created.values())


COLUMNS = ("cards", "implemented", "scenario_checked", "missing")


def coverage(scenarios: Path | None = None) -> dict[str, Any]:
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


def print_cards(pool: Pool, title: str) -> None:
    """Print a table of the cards of a pool, without its tokens."""
    names = {card.id: card.name for card in pool.everything}
    # Pools of minions alone have columns for attack and health; other kinds have other numbers.
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
        # Cells are `Text`, because a name such as `[red]` would be interpreted as markup.
        table.add_row(*map(Text, [*cells, " ".join(card.keywords), effects_in_words(card, names)]))
    Console().print(table)


def print_coverage(counts: dict[str, Any], *, missing: bool) -> None:
    """Print a table of the coverage of real cards.

    Args:
        counts: result of `coverage`.
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
