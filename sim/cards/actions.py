"""The list of all actions: those of the engine, of installed packages and of a program's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points

from sim.cards.action import Action
from sim.errors import InputError

ENTRY_POINT_GROUP = "evenhand.actions"


class Actions(Mapping[str, Action]):
    """The actions by word, in the order of their numbers.

    The engine's own come first, then those of installed packages (entry points of the group
    `evenhand.actions`, each an `Action`) by word, then those that a program registers. All are
    loaded when a word is first looked up, since handlers stand on compiled code.
    """

    @cached_property
    def _by_word(self) -> dict[str, Action]:
        from sim.engine.handlers import BUILT_IN  # noqa: PLC0415 (see the class)

        actions = dict(BUILT_IN)
        points = entry_points(group=ENTRY_POINT_GROUP)
        for action, point in sorted(
            ((_loaded(point), point) for point in points), key=lambda pair: pair[0].word
        ):
            try:
                _add(actions, action)
            except InputError as error:
                raise _refused(point, str(error)) from None
        return actions

    def __getitem__(self, word: str) -> Action:
        return self._by_word[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_word)

    def __len__(self) -> int:
        return len(self._by_word)

    def register(self, action: Action) -> Action:
        """Make `action` what card files mean by its word; returns it with its number.

        Raises:
            InputError: the word is taken or no word, the phrase names an unknown part, or there
                is no number left.
        """
        return _add(self._by_word, action)


def _add(actions: dict[str, Action], action: Action) -> Action:
    from sim.engine.layout import MAX_OPCODES  # noqa: PLC0415 (see the class)

    action.check_declaration()
    if action.word in actions:
        raise InputError(f"action {action.word!r}: the word is taken")
    if len(actions) >= MAX_OPCODES:
        raise InputError(f"action {action.word!r}: is one too many; the limit is {MAX_OPCODES}")
    actions[action.word] = replace(action, number=len(actions))
    return actions[action.word]


def _loaded(point: EntryPoint) -> Action:
    try:
        action = point.load()
    except Exception as error:  # whatever somebody's module does as it is imported
        raise _refused(point, f"cannot be loaded: {error or type(error).__name__}") from error
    if not isinstance(action, Action):
        raise _refused(point, f"is {type(action).__name__}, must be sim.cards.action.Action")
    return action


def _refused(point: EntryPoint, why: str) -> InputError:
    return InputError(f"entry point {point.name} = {point.value} of {ENTRY_POINT_GROUP}: {why}")


ACTIONS = Actions()
register_action = ACTIONS.register
