"""Declared actions: from the engine, from installed packages and from the program."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from string import Formatter

from sim.cards.action import WORD, Action, all_actions
from sim.cards.phrase import said
from sim.cards.text.row_phrases import PARTS, is_part
from sim.engine.handlers import BUILT_IN
from sim.engine.layout import MAX_OPCODES
from sim.errors import InputError, error_place, known_word
from sim.plugins import installed, plugin_error_place

ENTRY_POINT_GROUP = "evenhand.actions"


def declared_actions() -> dict[str, Action]:
    """Return the declarations of actions by word, in the order of their numbers.

    The engine's actions come first, then actions of installed packages, sorted by word. Packages
    declare actions as entry points of the group `evenhand.actions`; each entry point has the word
    of its action as its name. Cards look actions up in `sim.cards.action.all_actions`, which calls
    this function once and to which `register_action` adds.

    Raises:
        InputError: an entry point does not load, is not an `Action`, has another name than its
            action, or declares an action that `check_declaration` or the registry refuses.
    """
    actions = dict(BUILT_IN)
    for entries in installed(ENTRY_POINT_GROUP).values():
        for entry in entries:
            with plugin_error_place(f"action {entry.name!r}", entry):
                _add(actions, _load(entry))
    return actions


def register_action(action: Action) -> Action:
    """Register an action for use in card files, and return a copy of it with its number.

    Raises:
        InputError: the word is taken or malformed, the phrase names an unknown part, or all
            numbers are taken.
    """
    with error_place(f"action {action.word!r}"):
        return _add(all_actions(), action)


def check_declaration(action: Action) -> None:
    """Raise an error if an action's word or phrase is malformed.

    Raises:
        InputError: the word does not match `sim.cards.action.WORD`, or the phrase is a text that
            names a part which `RowPhrases` does not have.
    """
    if not WORD.fullmatch(action.word):
        raise InputError(
            "the word must begin with a letter and contain only lower-case letters, digits and _",
            value=action.word,
        )
    if callable(action.phrase):
        return
    for phrase in (*said(action.phrase), *said(action.standing)):
        for _, part, _, _ in Formatter().parse(phrase.text):
            if part is not None and not is_part(part.partition(".")[0]):
                known_word("part", part, PARTS, "phrase")


def _add(actions: dict[str, Action], action: Action) -> Action:
    check_declaration(action)
    if action.word in actions:
        raise InputError("the word is taken", value=action.word, remedy="use another word")
    if len(actions) >= MAX_OPCODES:
        raise InputError(
            f"{MAX_OPCODES} actions are registered already, which is the limit",
            limit=MAX_OPCODES,
        )
    # Numbers are positions in the engine's tables, so each new action takes the next one.
    actions[action.word] = replace(action, number=len(actions))
    return actions[action.word]


def _load(entry: EntryPoint) -> Action:
    action = entry.load()
    if not isinstance(action, Action):
        raise InputError(
            f"the entry point names an object of type {type(action).__name__}; it must name an "
            "Action",
            value=action,
            limit=Action,
        )
    if action.word != entry.name:
        raise InputError(
            f"declares the word {action.word!r}; the entry point must have the same name",
            value=action.word,
            limit=entry.name,
        )
    return action
