"""The list of all actions: those of the engine, of installed packages and of a program's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import EntryPoint

from sim.cards.action import Action
from sim.errors import InputError
from sim.plugins import blaming, installed

ENTRY_POINT_GROUP = "evenhand.actions"


class Actions(Mapping[str, Action]):
    """The actions by word, in the order of their numbers.

    The engine's own come first, then those of installed packages (entry points of the group
    `evenhand.actions`, each named like its `Action`) by word, then those that a program
    registers. All are loaded when a word is first looked up, since handlers stand on compiled code.
    """

    @cached_property
    def by_word(self) -> dict[str, Action]:
        """All of them.

        Raises:
            InputError: a package declares what is no action or what no card could use.
        """
        from sim.engine.handlers import BUILT_IN  # noqa: PLC0415 (see the class)

        actions = dict(BUILT_IN)
        for entries in installed(ENTRY_POINT_GROUP).values():
            for entry in entries:
                with blaming(f"action {entry.name!r}", entry):
                    _add(actions, _loaded(entry))
        return actions

    def __getitem__(self, word: str) -> Action:
        return self.by_word[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_word)

    def __len__(self) -> int:
        return len(self.by_word)


def register_action(action: Action) -> Action:
    """Make `action` what card files mean by its word; returns it with its number.

    Raises:
        InputError: the word is taken or no word, its phrase names an unknown part, or there is
            no number left.
    """
    try:
        return _add(ACTIONS.by_word, action)
    except InputError as error:
        raise InputError(f"action {action.word!r}: {error}") from None


def _add(actions: dict[str, Action], action: Action) -> Action:
    from sim.engine.layout import MAX_OPCODES  # noqa: PLC0415 (see `Actions`)

    action.check_declaration()
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


ACTIONS = Actions()
