"""Rewrite the tables of docs/rules.md that are generated from the code."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from agents.registry import agent_names
from balance.optimisers import OPTIMISERS
from sim.cards.measure import measures
from sim.cards.vocabulary import Event, Keyword, Kind, Lasting, Selector, Stat, State
from sim.cards.vocabulary.receivers import receiver_words
from sim.engine import layout as at
from sim.engine.handlers import BUILT_IN

DOCS = Path(__file__).parent


def vocabulary_table() -> str:
    """The words of card files with the numbers that the engine knows them by."""
    groups: dict[str, Iterable[tuple[str, int]]] = {
        "event (`on`)": _members(Event),
        "selector (`to`, `of`)": _members(Selector),
        "kind": _members(Kind),
        "keyword": _members(Keyword),
        "state": _members(State),
        "number": _members(Stat),
        "measure (`when`, `times`)": [(one.word, one.number) for one in measures().values()],
        "duration (`lasts`)": _members(Lasting),
        "action (`do`)": [(one.word, one.number) for one in BUILT_IN.values()],
    }
    rows: list[tuple[object, ...]] = [
        (group, f"`{word}`", number) for group, words in groups.items() for word, number in words
    ]
    return _table(("part of a row", "word", "number"), rows)


def _members(vocabulary: type[Enum]) -> list[tuple[str, int]]:
    return [(member.name.lower(), member.value) for member in vocabulary]


def receivers_table() -> str:
    """What each action acts on."""
    rows: list[tuple[object, ...]] = [
        (f"`{word}`", receiver_words(action.acts_on)) for word, action in BUILT_IN.items()
    ]
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


GENERATED = {
    DOCS / "rules.md": {
        "receivers": receivers_table,
        "vocabulary": vocabulary_table,
        "capacity": capacity_table,
        "registry": registry_table,
    },
}
"""What is made of the code, by file and by the name in its markers."""


def made_anew(path: Path) -> str:
    """The text of one of these files with what stands between its markers made anew."""
    text = path.read_text()
    for name, make in GENERATED[path].items():
        mark = f"<!-- {name} -->\n"
        start = text.index(mark) + len(mark)
        text = text[:start] + make() + text[text.index("<!-- end -->", start) :]
    return text


if __name__ == "__main__":
    for path in GENERATED:
        path.write_text(made_anew(path))
