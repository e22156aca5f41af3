"""The list of all actions: those of the engine, of installed packages and of a program's own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint
from string import Formatter

from sim.cards.action import WORD, Action
from sim.errors import InputError, error_place, known_word
from sim.plugins import blaming_package, installed

ENTRY_POINT_GROUP = "evenhand.actions"


@cache
def all_actions() -> dict[str, Action]:
    """The actions by word, in the order of their numbers.

    The engine's own come first, then those of installed packages (entry points of the group
    `evenhand.actions`, each named like its `Action`) by word, then those that a program
    registers. All are loaded when first asked for, since handlers stand on compiled code.

    Raises:
        InputError: a package declares what is no action or what no card could use.
    """
    from sim.engine.handlers import BUILT_IN  # noqa: PLC0415 (see above)

    actions = dict(BUILT_IN)
    for entries in installed(ENTRY_POINT_GROUP).values():
        for entry in entries:
            with blaming_package(f"action {entry.name!r}", entry):
                _add(actions, _loaded(entry))
    return actions


def register_action(action: Action) -> Action:
    """Make `action` what card files mean by its word; returns it with its number.

    Raises:
        InputError: the word is taken or no word, its phrase names an unknown part, or there is
            no number left.
    """
    with error_place(f"action {action.word!r}"):
        return _add(all_actions(), action)


def check_declaration(action: Action) -> None:
    """Refuse what no card could use.

    Raises:
        InputError: the word is none, or its phrase names what nobody can say of a row.
    """
    from sim.cards.text.row_phrases import PARTS  # noqa: PLC0415 (it reads rows, which name actions)

    if not WORD.fullmatch(action.word):
        raise InputError("the word must be lower-case letters, digits and _")
    if callable(action.phrase):
        return
    for _, part, _, _ in Formatter().parse(action.phrase):
        if part is not None and part.partition(".")[0] not in PARTS:
            known_word("part", part, PARTS, "phrase")


def _add(actions: dict[str, Action], action: Action) -> Action:
    from sim.engine.layout import MAX_OPCODES  # noqa: PLC0415 (see above)

    check_declaration(action)
    if action.word in actions:
        raise InputError("the word is taken")
    if len(actions) >= MAX_OPCODES:
        raise InputError(f"is one too many; the limit is {MAX_OPCODES}")
    actions[action.word] = replace(action, number=len(actions))
    return actions[action.word]


def _loaded(entry: EntryPoint) -> Action:
    action = entry.load()
    if not isinstance(action, Action):
        raise InputError(f"declared is no Action but {type(action).__name__}")
    if action.word != entry.name:
        raise InputError(f"it calls itself {action.word!r}")
    return action
