"""Rewrites the tables of docs/rules.md that are generated from the code."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from agents.registry import agent_names
from balance.optimisers import OPTIMISERS
from sim.cards.receivers import RECEIVERS, receiver_words
from sim.cards.vocabulary import (
    ACTIONS,
    Event,
    Keyword,
    Kind,
    Lasting,
    Measure,
    Selector,
    Stat,
    State,
)
from sim.engine import layout as at

RULES = Path(__file__).parent / "rules.md"


def vocabulary_table() -> str:
    """The words of card files with the numbers that the engine knows them by."""
    groups: dict[str, type[Enum]] = {
        "event (`on`)": Event,
        "selector (`to`, `of`)": Selector,
        "kind": Kind,
        "keyword": Keyword,
        "state": State,
        "number": Stat,
        "measure (`when`, `times`)": Measure,
        "duration (`lasts`)": Lasting,
    }
    rows = [
        (group, f"`{member.name.lower()}`", member.value)
        for group, words in groups.items()
        for member in words
    ]
    rows += [("action (`do`)", f"`{name}`", ACTIONS.number(name)) for name in ACTIONS]
    return _table(("part of a row", "word", "number"), rows)


def receivers_table() -> str:
    """What each action acts on."""
    rows: list[tuple[object, ...]] = [(f"`{name}`", receiver_words(name)) for name in RECEIVERS]
    return _table(("action", "acts on"), rows)


def capacity_table() -> str:
    """What the engine's state has room for."""
    names = {
        "cards in a deck": at.DECK_CAPACITY,
        "cards in a hand": at.HAND_CAPACITY,
        "units on a board": at.BOARD_CAPACITY,
        "turns of a game": at.TURN_BINS - 1,
        "events waiting": at.MAX_EVENTS,
        "rows waiting to be carried out": at.MAX_TASKS,
        "attachments": at.MAX_ATTACHED,
        "cards in hands, in play, waiting, and gone in the action": at.MAX_RECORDS,
        "actions in the vocabulary": at.MAX_OPCODES,
        "bytes of a state (of which a clone copies)": (
            f"{2 * at.STATE_SIZE:,} ({2 * at.CLONE_SIZE:,})"
        ),
    }
    return _table(("what", "at most"), list(names.items()))


def registry_table() -> str:
    """Names that experiments may give to agents and optimisers."""
    names = [("agent", f"`{name}`") for name in agent_names()]
    names += [("optimiser", f"`{name}`") for name in OPTIMISERS]
    return _table(("what", "name"), names)


def _table(header: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def with_tables(text: str) -> str:
    """`text` with what stands between its markers made anew."""
    tables = {
        "receivers": receivers_table,
        "vocabulary": vocabulary_table,
        "capacity": capacity_table,
        "registry": registry_table,
    }
    for name, make in tables.items():
        mark = f"<!-- {name} -->\n"
        start = text.index(mark) + len(mark)
        text = text[:start] + make() + text[text.index("<!-- end -->", start) :]
    return text


if __name__ == "__main__":
    RULES.write_text(with_tables(RULES.read_text()))
