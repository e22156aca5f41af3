"""A person at a game: asked for numbers of a list, answered at the place where one is wrong."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import Literal

from sim.errors import InputError, cut, readable
from sim.game_log.game_session import Choice, GameSession

_WIDTHS = 60, 100  # the least and the most that lines are made for
_USUAL = 80


class Terminal:
    """Where a person reads lines and writes some.

    Attributes:
        width: that lines should have.
    """

    def __init__(self) -> None:
        if sys.stdin is None or sys.stdout is None or sys.stdin.closed:
            raise InputError("needs a terminal, or a file of lines in place of one")
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What is no text in the terminal's encoding is a wrong word, and answered as one.
            sys.stdin.reconfigure(errors="replace")
        self._is_person = sys.stdin.isatty() and sys.stdout.isatty()
        columns = get_terminal_size().columns if self._is_person else _USUAL
        self.width = min(max(columns, _WIDTHS[0]), _WIDTHS[1])

    def say(self, lines: Iterable[str]) -> None:
        """Print lines."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str | None:
        """A line, without its end; `None` where there are no more."""
        if self._is_person:
            return self._of_person(prompt)
        line = _read_line()
        self.say([f"{prompt}{readable(line.rstrip())}".rstrip()])
        return line.strip() if line else None

    def _of_person(self, prompt: str) -> str | None:
        with suppress(ImportError):  # not everywhere
            import readline  # noqa: F401, PLC0415 (its import lets people edit their lines)
        try:
            return input(prompt).strip()
        except EOFError:
            self.say([""])
            return None


_LINE_MAX = 10_000  # characters of a line that are looked at; any that means something has some 50
_ENDLESS = 2**20  # characters without the end of a line, as a device has them


def _read_line() -> str:
    """A line of standard input, of which the beginning will do; `""` at its end.

    A line that does not end is the end of the input.
    """
    line = sys.stdin.readline(_LINE_MAX)
    n_read = len(line)
    piece = line
    while piece and not piece.endswith("\n"):
        piece = sys.stdin.readline(_LINE_MAX)
        n_read += len(piece)
        if n_read > _ENDLESS:
            return ""
    return line


_MANY = 9  # ways to do something, from which on they stand side by side
_HELP = (
    ("NUMBER", "do what has that number in the list; `3 2` also picks the second way to do it"),
    ("NAME", "the same by the beginning of a name in the list, where no other begins so"),
    ("show", "show the whole position and the list again"),
    ("undo", "take your last action back; `undo turn` goes back to where your turn began"),
    ("concede", "give the game up"),
    ("quit", "leave; the game is saved and can go on later"),
    ("help", "show these words"),
)
_UNDONE = "What chance brings belongs to the game: the same actions meet the same draws again."
_LEAST_LETTERS = 3  # of a name's beginning: fewer are likelier a slip than meant
_LEAVES = {"quit", "concede", "undo", "show"}  # the list of ways, for the list of choices
_SHORT = {"?": "help", "h": "help", "u": "undo", "s": "show", "q": "quit", "exit": "quit"}


Left = Literal["over", "quit", "conceded"]
"""Why a conversation is over."""


class Conversation:
    """Asks a person until the game is over or is left.

    Attributes:
        n_undone: how many actions were taken back.
    """

    def __init__(
        self, sitting: GameSession, terminal: Terminal, on_action: Callable[[], None]
    ) -> None:
        """Get ready.

        Args:
            sitting: the game, which has begun.
            terminal: where the person is.
            on_action: told that the game has gone on.
        """
        self._sitting = sitting
        self._terminal = terminal
        self._on_action = on_action
        self._typed: list[str] = []  # of the last line, what has not been used
        self.n_undone = 0

    def hold(self) -> Left:
        """Ask until the game is over, or the person leaves."""
        while not self._sitting.is_over:
            choices = self._sitting.choices()
            self._show(choices, whole=False)
            if (left := self._until_done(choices)) is not None:
                return left
        return "over"

    def _until_done(self, choices: Sequence[Choice]) -> Left | None:
        """Ask until something is done, or the person leaves."""
        while True:
            typed = self._next()
            if typed is None or typed == "quit":
                return "quit"
            if typed == "concede":
                if self._is_sure():
                    return "conceded"
            elif typed == "show":
                self._show(choices, whole=True)
            elif self._is_done(typed, choices):
                return None

    def _is_done(self, typed: str, choices: Sequence[Choice]) -> bool:
        """Whether what is typed has changed where the game is."""
        if typed == "undo":
            return self._undo()
        action = self._action(typed, choices)
        if action is None or self._has_more():
            return False
        told = self._sitting.act(action)
        self._terminal.say(["", *(told[1:] if told and not told[0] else told)])
        self._on_action()
        return True

    def _action(self, typed: str, choices: Sequence[Choice]) -> int | None:
        """The action that is meant; `None` where there is none, which has been answered."""
        if (named := self._named(typed, choices)) is not None:
            return named
        number = self._number(typed, [choice.words for choice in choices])
        if number is None:
            return None
        choice = choices[number]
        return self._way(choice) if len(choice.options) > 1 else choice.options[0].action

    def _way(self, choice: Choice) -> int | None:
        """Which of several ways; `None` for none of them."""
        words = [option.words for option in choice.options]
        while True:
            if not self._typed:
                lines = _numbered(words, self._terminal.width)
                self._terminal.say([f"{choice.words}:", *lines, "  0  back"])
            typed = self._next()
            if typed is None or typed in _LEAVES:
                self._typed = [] if typed is None else [typed, *self._typed]
                return None
            if typed in {"0", "back", "b"}:
                return None
            if (named := self._named(typed, [choice])) is not None:
                return named
            if (number := self._number(typed, words)) is not None:
                return choice.options[number].action

    def _named(self, typed: str, choices: Sequence[Choice]) -> int | None:
        """The action whose words were typed instead of its number, with the rest of the line."""
        line = " ".join([typed, *self._typed]).lower()
        for choice in choices:
            for option in choice.options:
                alone = len(choice.options) == 1 and choice.words.lower() == line
                if alone or (option.words and option.words.lower() == line):
                    self._typed = []
                    return option.action
        return None

    # --- what is typed ---

    def _number(self, typed: str, words: Sequence[str]) -> int | None:
        """The place in a list that a number or a beginning of a name means.

        Where there is none, that is answered.
        """
        if (number := _number(typed, len(words))) is not None:
            return number
        if typed == "help" or typed in self._sitting.more():
            self._answer(typed, len(words))
            return None
        name, rest = self._name(typed)
        found = [k for k, one in enumerate(words) if _begins_in(name, one)]
        if len(found) == 1:
            self._typed = rest
            return found[0]
        if found:
            self._typed = []
            meant = ", ".join(f"{k + 1} ({words[k]})" for k in found)
            line = f"{cut(name)!r} may be {meant}; type more of it, or the number."
            self._terminal.say(wrap(line, self._terminal.width))
            return None
        self._answer(typed, len(words))
        return None

    def _name(self, typed: str) -> tuple[str, list[str]]:
        """The words of a line up to its first number, and what stands behind them."""
        n_words = next((k for k, one in enumerate(self._typed) if one.isdigit()), len(self._typed))
        return " ".join([typed, *self._typed[:n_words]]).lower(), self._typed[n_words:]

    def _next(self) -> str | None:
        """The next word; `None` where there are no more lines."""
        while not self._typed:
            if (line := self._terminal.ask("> ")) is None:
                return None
            self._typed = line.split()
            if not self._typed:
                self._terminal.say(["Type a number of the list, or help."])
        word = self._typed.pop(0)
        return _SHORT.get(word.lower(), word.lower())

    def _answer(self, typed: str, n_choices: int) -> None:
        """Answer what is no number of the list."""
        self._typed = []
        more = self._sitting.more()
        if typed == "help":
            self._help()
        elif typed in more:
            self._terminal.say(more[typed][1])
        else:
            self._terminal.say(
                [f"{cut(typed)!r} is neither a number from 1 to {n_choices} nor a word; see help."]
            )

    def _has_more(self) -> bool:
        """Answer what stands behind a whole choice: it may have been meant for another one."""
        rest = " ".join(self._typed)
        self._typed = []
        if rest:
            self._terminal.say(
                [f"{cut(rest)!r} is too much: nothing is done. Type what stands before it alone."]
            )
        return bool(rest)

    def _is_sure(self) -> bool:
        """Ask once more before the game is given up; the end of the input is no yes."""
        if not self._typed:
            self._terminal.say(
                ["Give the game up? It cannot go on then. Type yes, or anything else."]
            )
        is_sure = self._next() in {"yes", "y"}
        self._typed = []
        if not is_sure:
            self._terminal.say(["The game goes on."])
        return is_sure

    def _undo(self) -> bool:
        is_turn = self._typed[:1] == ["turn"]
        self._typed = self._typed[is_turn:]
        if self._has_more():
            return False
        n_undone = self._sitting.undo(None if is_turn else 1)
        self.n_undone += n_undone
        if not n_undone:
            self._terminal.say(["There is nothing to take back: your turn begins here."])
            return False
        done = "Back at the beginning of your turn" if is_turn else "Your last action is undone"
        self._terminal.say(wrap(f"{done}. {_UNDONE}", self._terminal.width))
        self._on_action()
        return True

    # --- what is shown ---

    def _show(self, choices: Sequence[Choice], *, whole: bool) -> None:
        words = [choice.words + (" ..." if len(choice.options) > 1 else "") for choice in choices]
        self._terminal.say(
            ["", *self._sitting.position(whole=whole), "", *_numbered(words, self._terminal.width)]
        )

    def _help(self) -> None:
        looks = ((word, f"show {what}") for word, (what, _) in self._sitting.more().items())
        self._terminal.say(
            line
            for word, what in (*_HELP[:3], *looks, *_HELP[3:])
            for line in wrap(
                what,
                self._terminal.width,
                initial_indent=f"  {word:<8}  ",
                subsequent_indent=" " * 12,
            )
        )


def _begins_in(name: str, words: str) -> bool:
    """Whether a word of an entry of a list begins so, and with enough letters to be meant."""
    is_long = len(name) >= _LEAST_LETTERS
    return is_long and re.search(rf"(?<!\w){re.escape(name)}", words.lower()) is not None


def _number(typed: str, most: int) -> int | None:
    """The place in a list that a number from 1 on means."""
    if typed.isascii() and typed.isdigit() and len(typed) < 5 and 1 <= int(typed) <= most:
        return int(typed) - 1
    return None


def _numbered(words: Sequence[str], width: int) -> Iterator[str]:
    """A list with numbers; many short ones stand side by side."""
    lines = [f"{number:3}  {one}" for number, one in enumerate(words, start=1)]
    cell = max(map(len, lines), default=0) + 2
    n_columns = max(width // cell, 1) if len(lines) > _MANY else 1
    n_rows = -(-len(lines) // n_columns)
    for row in range(n_rows):
        yield "".join(f"{line:<{cell}}" for line in lines[row::n_rows]).rstrip()
