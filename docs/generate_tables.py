"""Rewrite the tables of docs/rules.md that are generated from the code."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from textwrap import fill

from agents.registry import agent_names
from balance.search.optimisers import OPTIMISERS
from sim.cards.measure import measures
from sim.cards.vocabulary import Event, Keyword, Kind, Lasting, Selector, Stat, State
from sim.cards.vocabulary.receivers import receiver_words
from sim.engine import layout as at
from sim.engine.handlers import BUILT_IN

DOCS = Path(__file__).parent
WIDTH = 100  # characters of a line, as in the pages around the lists


def vocabulary_list() -> str:
    """Return the words of card files, by part of a row, with their numbers in the engine."""
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
    return "".join(
        _item(group, [f"`{word}` {number}" for word, number in words])
        for group, words in groups.items()
    )


def _members(vocabulary: type[Enum]) -> list[tuple[str, int]]:
    return [(member.name.lower(), member.value) for member in vocabulary]


def receivers_list() -> str:
    """Return the actions by what they act on."""
    words_by_receivers: dict[str, list[str]] = {}
    for word, action in BUILT_IN.items():
        words_by_receivers.setdefault(receiver_words(action.acts_on), []).append(f"`{word}`")
    return "".join(_item(receivers, words) for receivers, words in words_by_receivers.items())


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


def registry_list() -> str:
    """Return the names that experiments may give to agents and optimisers."""
    agents = _item("agent", [f"`{name}`" for name in agent_names()])
    return agents + _item("optimiser", [f"`{name}`" for name in OPTIMISERS])


def _item(title: str, words: Iterable[str]) -> str:
    """Return a list item, wrapped at the width of a page."""
    text = f"- {title}: {', '.join(words)}"
    return fill(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False) + "\n"


def _table(header: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


GENERATED = {
    DOCS / "rules.md": {
        "receivers": receivers_list,
        "vocabulary": vocabulary_list,
        "capacity": capacity_table,
        "registry": registry_list,
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
