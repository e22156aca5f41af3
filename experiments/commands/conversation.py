"""Conversation with a person who plays a game in a terminal: prompts, choices and error replies."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import Literal

with suppress(ImportError):  # Windows has no such module
    import readline  # noqa: F401 - its import lets people edit the lines that they type

from sim.errors import InputError, cut, readable
from sim.game_log.game_session import Choice, GameSession

# Minimum and maximum width of lines in characters: narrower lines would break names of cards, and
# wider lines are hard to read.
_WIDTHS = (60, 100)
_USUAL = 80  # width of lines in characters if the output is not a terminal


class Terminal:
    """Terminal at which a person plays, or files in place of its input and output.

    Attributes:
        width: maximum width of lines in characters.
    """

    def __init__(self) -> None:
        """Check that standard input and output are open, and measure the width of the terminal.

        Raises:
            InputError: standard input or output is closed.
        """
        if sys.stdin is None or sys.stdout is None or sys.stdin.closed:
            raise InputError(
                "this command needs a terminal",
                remedy="run it in one, or give a file as its input",
            )
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Invalid bytes must not raise an error: they become an unknown word with a reply.
            sys.stdin.reconfigure(errors="replace")
        self._is_person = sys.stdin.isatty() and sys.stdout.isatty()
        columns = get_terminal_size().columns if self._is_person else _USUAL
        self.width = min(max(columns, _WIDTHS[0]), _WIDTHS[1])

    def say(self, lines: Iterable[str]) -> None:
        """Print lines and flush the output."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str | None:
        """Print a prompt, and return the next line without surrounding space.

        At the end of the input, return `None`. If the input is a file, the line is printed too.
        """
        if self._is_person:
            return self._read_from_person(prompt)
        line = _read_line()
        self.say([f"{prompt}{readable(line.rstrip())}".rstrip()])
        return line.strip() if line else None

    def _read_from_person(self, prompt: str) -> str | None:
        """Return a line that a person typed; `None` at the end of the input."""
        try:
            return input(prompt).strip()
        except EOFError:
            self.say([""])
            return None


_LINE_MAX = 10_000  # maximum number of characters that are kept; a useful line has about 50
_ENDLESS = 2**20  # characters after which a line is taken as endless, such as from /dev/zero


def _read_line() -> str:
    """Return the first `_LINE_MAX` characters of the next line of standard input.

    At the end of the input, or if a line is longer than `_ENDLESS`, return an empty text.
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


_MANY = 9  # lists with more entries are printed in columns
_HELP = (
    ("NUMBER", "take the choice with that number in the list; `3 2` also picks its second option"),
    ("NAME", "take a choice by the beginning of its name, if no other name begins like it"),
    ("show", "show the whole position and the list again"),
    ("undo", "take back your last action; `undo turn` goes back to the start of your turn"),
    ("concede", "give up the game"),
    ("quit", "leave; the game is saved and can be continued later"),
    ("help", "show this list"),
)
_UNDONE = "Random draws belong to the game: the same actions lead to the same draws again."
_LEAST_LETTERS = 3  # minimum length of a name's beginning; shorter words may be typing errors
_LEAVES = {"quit", "concede", "undo", "show"}  # words that end the choice among options
_SHORT = {"?": "help", "h": "help", "u": "undo", "s": "show", "q": "quit", "exit": "quit"}


Ending = Literal["over", "quit", "conceded"]
"""Reason for the end of a conversation: the game is over, or the person left or conceded it."""


class Conversation:
    """Conversation that requests actions from a person until the game is over or the person leaves.

    Attributes:
        n_undone: total number of actions that were taken back.
    """

    def __init__(
        self, session: GameSession, terminal: Terminal, on_action: Callable[[], None]
    ) -> None:
        """Prepare a conversation; `hold` begins it.

        Args:
            session: game session, which has begun.
            terminal: terminal at which the person reads and types.
            on_action: called after each action, and after actions were taken back.
        """
        self._session = session
        self._terminal = terminal
        self._on_action = on_action
        self._typed: list[str] = []  # words of the last line that are not used yet
        self.n_undone = 0

    def hold(self) -> Ending:
        """Request actions until the game is over or the person leaves; return how it ended."""
        while not self._session.is_over:
            choices = self._session.choices()
            self._show(choices, whole=False)
            if (ending := self._ask_until_change(choices)) is not None:
                return ending
        return "over"

    def _ask_until_change(self, choices: Sequence[Choice]) -> Ending | None:
        """Handle typed words until the game has changed or ends.

        Returns:
            `None` if the game has changed; else the reason for the end. The end of the input
            counts as `quit`.
        """
        while True:
            typed = self._next_word()
            if typed is None or typed == "quit":
                return "quit"
            if typed == "concede":
                if self._confirm_concession():
                    return "conceded"
            elif typed == "show":
                self._show(choices, whole=True)
            elif self._apply(typed, choices):
                return None

    def _apply(self, typed: str, choices: Sequence[Choice]) -> bool:
        """Take back actions or carry out the choice that a word names.

        Returns:
            Whether the game has changed.
        """
        if typed == "undo":
            return self._undo()
        action = self._find_action(typed, choices)
        if action is None or self._refuse_rest():
            return False
        log = self._session.act(action)
        self._terminal.say(["", *(log[1:] if log and not log[0] else log)])
        self._on_action()
        return True

    def _find_action(self, typed: str, choices: Sequence[Choice]) -> int | None:
        """Return the action that a word names; if needed, first request one of its options.

        If the word names no action, or the person goes back, print a reply and return `None`.
        """
        if (named := self._action_by_words(typed, choices)) is not None:
            return named
        position = self._find_position(typed, [choice.words for choice in choices])
        if position is None:
            return None
        choice = choices[position]
        return self._ask_option(choice) if len(choice.options) > 1 else choice.options[0].action

    def _ask_option(self, choice: Choice) -> int | None:
        """Request one of several options of a choice, and return the action of that option.

        If the person goes back, leaves or types a word that ends the question, return `None`.
        """
        words = [option.words for option in choice.options]
        while True:
            if not self._typed:
                lines = _numbered(words, self._terminal.width)
                self._terminal.say([f"{choice.words}:", *lines, "  0  back"])
            typed = self._next_word()
            if typed is None or typed in _LEAVES:
                # The word is kept for the list of choices, which handles it.
                self._typed = [] if typed is None else [typed, *self._typed]
                return None
            if typed in {"0", "back", "b"}:
                return None
            if (named := self._action_by_words(typed, [choice])) is not None:
                return named
            if (position := self._find_position(typed, words)) is not None:
                return choice.options[position].action

    def _action_by_words(self, typed: str, choices: Sequence[Choice]) -> int | None:
        """Return the action with words equal to the whole typed line; `None` if there is none."""
        line = " ".join([typed, *self._typed]).lower()
        for choice in choices:
            for option in choice.options:
                is_choice = len(choice.options) == 1 and choice.words.lower() == line
                if is_choice or (option.words and option.words.lower() == line):
                    self._typed = []
                    return option.action
        return None

    # --- typed words ---

    def _find_position(self, typed: str, words: Sequence[str]) -> int | None:
        """Return the index of the list entry that a number or the beginning of a name stands for.

        If there is no such entry, or more than one, print a reply and return `None`.

        Args:
            typed: first word of the typed line, in lower case.
            words: text of each entry of the list.
        """
        if (position := _position(typed, len(words))) is not None:
            return position
        if typed == "help" or typed in self._session.more():
            self._answer(typed, len(words))
            return None
        name, rest = self._split_name(typed)
        matches = [k for k, entry in enumerate(words) if _begins_in(name, entry)]
        if len(matches) == 1:
            self._typed = rest
            return matches[0]
        if matches:
            self._typed = []
            entries = ", ".join(f"{k + 1} ({words[k]})" for k in matches)
            line = f"{cut(name)!r} may stand for {entries}; type more of the name, or the number."
            self._terminal.say(wrap(line, self._terminal.width))
            return None
        self._answer(typed, len(words))
        return None

    def _split_name(self, typed: str) -> tuple[str, list[str]]:
        """Return the words of a line before its first number as a name, and the other words."""
        is_number = (k for k, word in enumerate(self._typed) if word.isdigit())
        n_words = next(is_number, len(self._typed))
        return " ".join([typed, *self._typed[:n_words]]).lower(), self._typed[n_words:]

    def _next_word(self) -> str | None:
        """Return the next word, from a new line if needed; `None` at the end of the input."""
        while not self._typed:
            if (line := self._terminal.ask("> ")) is None:
                return None
            self._typed = line.split()
            if not self._typed:
                self._terminal.say(["Type a number of the list, or help."])
        word = self._typed.pop(0)
        return _SHORT.get(word.lower(), word.lower())

    def _answer(self, typed: str, n_choices: int) -> None:
        """Print the help, a view of the game, or an error message, as a reply to a word.

        Args:
            typed: word that stands for no entry of the list.
            n_choices: number of entries of the list.
        """
        self._typed = []
        more = self._session.more()
        if typed == "help":
            self._help()
        elif typed in more:
            self._terminal.say(more[typed][1])
        else:
            self._terminal.say(
                [
                    f"{cut(typed)!r} is neither a number from 1 to {n_choices} nor a known word; "
                    "type help."
                ]
            )

    def _refuse_rest(self) -> bool:
        """Return whether words are left after a complete choice, and print an error message if so.

        The choice is then not carried out: the person may have meant another choice.
        """
        rest = " ".join(self._typed)
        self._typed = []
        if rest:
            self._terminal.say(
                [f"{cut(rest)!r} is too much, so nothing was done. Repeat the line without it."]
            )
        return bool(rest)

    def _confirm_concession(self) -> bool:
        """Return whether the person confirms to give up the game; the end of the input means no."""
        if not self._typed:
            self._terminal.say(
                ["Give up the game? It cannot be continued. Type yes, or anything else for no."]
            )
        is_sure = self._next_word() in {"yes", "y"}
        self._typed = []
        if not is_sure:
            self._terminal.say(["The game continues."])
        return is_sure

    def _undo(self) -> bool:
        """Take back the last action, or after `undo turn` all actions of the turn.

        Returns:
            Whether an action was taken back.
        """
        is_turn = self._typed[:1] == ["turn"]
        self._typed = self._typed[is_turn:]
        if self._refuse_rest():
            return False
        n_undone = self._session.undo(None if is_turn else 1)
        self.n_undone += n_undone
        if not n_undone:
            self._terminal.say(["There is nothing to take back: your turn begins here."])
            return False
        result = "Back at the start of your turn" if is_turn else "Your last action is undone"
        self._terminal.say(wrap(f"{result}. {_UNDONE}", self._terminal.width))
        self._on_action()
        return True

    # --- printed output ---

    def _show(self, choices: Sequence[Choice], *, whole: bool) -> None:
        """Print the position and the numbered list of choices.

        Args:
            choices: choices to list; a choice with several options ends with `...`.
            whole: whether to print the whole position, not only the parts that changed.
        """
        words = [choice.words + (" ..." if len(choice.options) > 1 else "") for choice in choices]
        self._terminal.say(
            ["", *self._session.position(whole=whole), "", *_numbered(words, self._terminal.width)]
        )

    def _help(self) -> None:
        """Print the list of words that can be typed."""
        looks = ((word, f"show {what}") for word, (what, _) in self._session.more().items())
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
    """Return whether typed letters, at least `_LEAST_LETTERS`, begin a word of a list's entry."""
    is_long = len(name) >= _LEAST_LETTERS
    return is_long and re.search(rf"(?<!\w){re.escape(name)}", words.lower()) is not None


def _position(typed: str, most: int) -> int | None:
    """Return the index in a list, from 0, for a typed number from 1 to `most`; else `None`."""
    # The length is limited, because Python refuses to convert numbers with thousands of digits.
    if typed.isascii() and typed.isdigit() and len(typed) < 5 and 1 <= int(typed) <= most:
        return int(typed) - 1
    return None


def _numbered(words: Sequence[str], width: int) -> Iterator[str]:
    """Yield the lines of a numbered list; more than `_MANY` entries are printed in columns."""
    lines = [f"{number:3}  {entry}" for number, entry in enumerate(words, start=1)]
    cell = max(map(len, lines), default=0) + 2
    n_columns = max(width // cell, 1) if len(lines) > _MANY else 1
    # Rounded up, so that every entry has a cell; the list is read down each column.
    n_rows = -(-len(lines) // n_columns)
    for row in range(n_rows):
        yield "".join(f"{line:<{cell}}" for line in lines[row::n_rows]).rstrip()
