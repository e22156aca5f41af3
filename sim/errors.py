"""Errors of bad input: exceptions with fields, suggestions, and all problems of a file at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

ECHO_MAX = 80  # characters of a quoted value of the user; a message stays about one line
_LISTED_MAX = 600  # characters of a list of known words: all keywords fit, a large pool does not
_EXAMPLES = 12  # words of a list that is too long: enough to see how they are written
_SHORT_LIST = 60  # characters: a list that is shown next to a near spelling, which may be wrong
_PATH_PART_MAX = 255  # bytes of a file's name on common systems; a longer word is no file
_MESSAGE_MAX = 2000  # characters of a message: some 25 lines of a terminal
_SHOWN_MAX = 20  # problems of one file; more would scroll out of view

_QUOTED = re.compile(r"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.)*)\1(?!\w)""", re.DOTALL)
_LONG_WORD = re.compile(rf"[^\s/\\]{{{_PATH_PART_MAX + 1},}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class InputError(ValueError):
    """Bad input: what is wrong, where it stands, and how to fix it.

    The command line prints the message on one line and exits with status 2. The message names the
    place, the problem and the suggested fix, in that order. Programs read the attributes and never
    the message.

    Attributes:
        problem: what is wrong, without place and remedy.
        place: what must change, outermost first and joined by `": "`: a file, a table, a card, a
            field. Empty if not known yet.
        value: the value that was given, as it was read; `None` if no single value is at fault.
        limit: the bound that the value breaks, or the permitted values; `None` if there is none.
        remedy: the suggested fix; empty if the problem itself says it.
        is_complete: whether the place names all that must change, so that `error_place` adds none.
        problems: the errors of a file that has several; empty for a single one.
        separator: what stands between place and problem, such as `" = "` before a value.
    """

    def __init__(
        self,
        problem: object,
        *,
        place: object = "",
        value: object = None,
        limit: object = None,
        remedy: str = "",
        is_complete: bool = False,
        problems: Sequence[InputError] = (),
        separator: str = ": ",
    ) -> None:
        """Compose the message from the place, the problem and the remedy."""
        self.problem = str(problem)
        self.place = str(place)
        self.value = value
        self.limit = limit
        self.remedy = remedy.removeprefix("; ")
        self.is_complete = is_complete
        self.problems = tuple(problems)
        self.separator = separator
        super().__init__(self._message())

    def _message(self) -> str:
        """Return the message: one line, or one line per problem of a file with several."""
        place = f"{self.place}{self.separator}" if self.place else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        head = readable(f"{place}{self.problem}{remedy}")
        n_more = len(self.problems) - _SHOWN_MAX
        more = [f"and {n_more:,} more"] if n_more > 0 else []
        return "\n  ".join([head, *map(str, self.problems[:_SHOWN_MAX]), *more])

    def at(self, place: object, *, is_complete: bool = False) -> InputError:
        """Return the same error with an outer place put in front of its own.

        Args:
            place: the outer place, such as a file or an option.
            is_complete: whether the place now names all that must change.
        """
        return self.with_fields(
            place=": ".join(part for part in (str(place), self.place) if part),
            is_complete=is_complete,
            separator=self.separator if self.place else ": ",
        )

    def with_fields(self, **changes: Any) -> InputError:
        """Return the same error with some of its attributes changed."""
        attributes = {
            "problem": self.problem,
            "place": self.place,
            "value": self.value,
            "limit": self.limit,
            "remedy": self.remedy,
            "is_complete": self.is_complete,
            "problems": self.problems,
            "separator": self.separator,
        }
        return InputError(**{**attributes, **changes})


@contextmanager
def error_place(place: object, *, is_complete: bool = False) -> Iterator[None]:
    """Put a place in front of the place of each `InputError` raised in the block.

    Args:
        place: what must change: a file, a part of it, a name. Empty for none.
        is_complete: whether it names all that must change, so that outer blocks add nothing.
    """
    try:
        yield
    except InputError as error:
        if error.is_complete:
            raise
        raise error.at(place, is_complete=is_complete) from None


@contextmanager
def system_error_place(path: object, action: Literal["read", "written", "made"]) -> Iterator[None]:
    """Raise an `InputError` with a path as its place for each `OSError` of the block."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        remedy = ""
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "a file has that name, or one of the folders above it"
            remedy = "name another folder"
        elif isinstance(error, FileNotFoundError) and action != "read":
            reason = "there is no such folder"
        problem = f"cannot be {action}: {reason}"
        raise InputError(problem, place=path, remedy=remedy) from error


def readable(message: str) -> str:
    """Return a message on one line, with at most `ECHO_MAX` characters of each quoted value.

    Quoted text is cut, and so is an unbroken word that is too long for a part of a path; paths stay
    whole, since people copy them. Line ends and other control characters are escaped.
    """
    text = _QUOTED.sub(lambda quoted: f"{quoted[1]}{cut(quoted[2])}{quoted[1]}", message)
    text = _LONG_WORD.sub(lambda word: cut(word[0]), text)
    text = _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    half = _MESSAGE_MAX // 2
    return text if len(text) <= _MESSAGE_MAX else f"{text[:half]} ... {text[-half:]}"


def cut(text: str, most: int = ECHO_MAX) -> str:
    """Return `text`, cut to at most `most` characters with `...` as its end."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


class CardFault(InputError):  # noqa: N818 - the name that its users know it by
    """A card that a game cannot carry out: its effects never end, or find no space left.

    Attributes:
        card: id of the card at fault, or a description of several where no single one is known.
        what: what the card does.
        turn: turn of the game in which it did so.
        game_seed: seed of that game.
        variant: row of the played table.
    """

    def __init__(self, card: str, what: str, turn: int, game_seed: int, variant: int = 0) -> None:
        """Describe the fault of one game."""
        super().__init__(f"{what} (turn {turn}, game seed {game_seed})", place=card)
        self.card = card
        self.what = what
        self.turn = turn
        self.game_seed = game_seed
        self.variant = variant

    def __reduce__(self) -> tuple[type[CardFault], tuple[str, str, int, int, int]]:
        """Return the class and its arguments, so that the error passes between processes."""
        return CardFault, (self.card, self.what, self.turn, self.game_seed, self.variant)


def nearest_spelling(word: object, known: Iterable[str]) -> str | None:
    """Return the known word that `word` most likely means, ignoring case, or `None`."""
    if not isinstance(word, str):
        return None
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    nearest = difflib.get_close_matches(word.lower(), list(by_lower_case), n=1, cutoff=0.6)
    return by_lower_case[nearest[0]] if nearest else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `"; did you mean 'x'?"` for the nearest known spelling, or `""`."""
    nearest = nearest_spelling(word, known)
    return f"; did you mean {nearest!r}?" if nearest else ""


def known_word(what: str, word: str, known: Iterable[str], place: str = "") -> str:
    """Return `word` if it is a known word.

    Args:
        what: singular name of the known words, such as `keyword`.
        word: the word that was given.
        known: the permitted words.
        place: place of the word, for the message.

    Raises:
        InputError: the word is unknown; names the place and the nearest known spelling.
    """
    known = list(known)
    if word not in known:
        raise unknown_word_error(what, word, known, place=place)
    return word


def unknown_word_error(
    what: str, word: str, known: Iterable[str], *, place: str = ""
) -> InputError:
    """Return the error for a word that is not a known one, with the nearest as its remedy."""
    known = list(known)
    remedy = known_help(word, known, known)
    return InputError(
        f"unknown {what} {word!r}", place=place, value=word, limit=tuple(known), remedy=remedy
    )


def unknown_word(what: str, word: str, known: Iterable[str]) -> str:
    """Return a message such as `"unknown keyword 'hast'; did you mean 'haste'?"`.

    It lists the known words if none is near.
    """
    known = list(known)
    return f"unknown {what} {word!r}{known_help(word, known, known)}"


def known_help(word: str, spellings: Iterable[str], known: Iterable[str]) -> str:
    """Return the suggestion for an unknown word: the nearest spelling, else the known words.

    Args:
        word: the word that was given.
        spellings: all permitted spellings.
        known: the words that are listed where no spelling is near; only the first ones of a long
            list.
    """
    words = list(dict.fromkeys(known))
    if help_text := did_you_mean(word, spellings):
        return f"{help_text}{short_list(words)}"
    whole = ", ".join(words)
    if len(whole) <= _LISTED_MAX:
        return f"; known: {whole}" if words else ""
    some = ", ".join(map(cut, words[:_EXAMPLES]))
    n_more = len(words) - _EXAMPLES
    return f"; known: {some}{f' and {n_more:,} more' if n_more > 0 else ''}"


def short_list(words: Iterable[str]) -> str:
    """Return `" (known: a, b)"` if that is short, else `""`: a near spelling may be wrong."""
    text = ", ".join(dict.fromkeys(words))
    return f" (known: {text})" if 0 < len(text) <= _SHORT_LIST else ""


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return `"a, b and c"` for one or more words."""
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end


class Problems:
    """The problems of one file, in the order in which they were found."""

    def __init__(self, path: Path) -> None:
        """Start without problems.

        Args:
            path: the file.
        """
        self._path = path
        self._found: list[InputError] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(
        self,
        problem: str,
        *,
        place: object = "",
        value: object = None,
        limit: object = None,
        remedy: str = "",
    ) -> None:
        """Record one problem; the arguments are those of `InputError`."""
        self.add_error(InputError(problem, place=place, value=value, limit=limit, remedy=remedy))

    def add_error(self, error: InputError) -> None:
        """Record one problem that was raised or returned as an error."""
        self._found.append(error)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Record an `InputError` of the block with a place in front of its own, then continue."""
        try:
            yield
        except InputError as error:
            if error.is_complete:
                raise
            self.add_error(error.at(place))

    def check(self) -> None:
        """Raise an error if any problem was recorded.

        Raises:
            InputError: names the file and every problem.
        """
        if len(self._found) == 1:
            raise self._found[0].at(self._path, is_complete=True)
        if self._found:
            summary = f"{len(self._found):,} problems"
            raise InputError(summary, place=self._path, is_complete=True, problems=self._found)
