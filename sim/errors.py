"""Errors of bad input: exceptions with fields, suggestions, and all problems of a file at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

# Limits of messages, chosen by hand.
ECHO_MAX = 80  # characters of a quoted value of the user, so that a message is about one line
_LISTED_MAX = 600  # characters of a list of known words: all keywords fit, a large pool does not
_EXAMPLES = 12  # words shown of a longer list: enough to see how the words are written
_SHORT_LIST = 60  # characters of a list shown next to a suggested spelling, which may be wrong
_PATH_PART_MAX = 255  # bytes of a file's name on common systems; a longer word is not a path
_MESSAGE_MAX = 2000  # characters of a message: about 25 lines of a terminal
_SHOWN_MAX = 20  # problems of one file; more would scroll out of view

_QUOTED = re.compile(r"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.)*)\1(?!\w)""", re.DOTALL)
_LONG_WORD = re.compile(rf"[^\s/\\]{{{_PATH_PART_MAX + 1},}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class InputError(ValueError):
    """Error of bad input, with the problem, its place and a suggested fix.

    The command line prints the message on one line and exits with status 2. The message names the
    place, the problem and the suggested fix, in that order. Programs read the attributes and never
    the message.

    Attributes:
        problem: description of the problem, without place and suggested fix.
        place: place that must change, as parts joined by `": "` from the outermost on: a file, a
            table, a card, a field. Empty if not known yet.
        value: the value that was given, as it was read; `None` if no single value is at fault.
        limit: the bound that the value exceeds, or the permitted values; `None` if neither applies.
        remedy: the suggested fix; empty if the problem itself implies it.
        is_complete: whether the place is complete, so that `error_place` adds no outer part.
        problems: errors of a file with several problems; empty for a single error.
        separator: text between place and problem, such as `" = "` before a value.
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
        """Set the attributes, and compose the message from place, problem and suggested fix.

        The arguments are the attributes of the class; a leading `"; "` of the remedy is removed.
        """
        self.problem: str = str(problem)
        self.place: str = str(place)
        self.value = value
        self.limit = limit
        self.remedy: str = remedy.removeprefix("; ")
        self.is_complete = is_complete
        self.problems: tuple[InputError, ...] = tuple(problems)
        self.separator = separator
        super().__init__(self._message())

    def _message(self) -> str:
        """Return the message: one line, or a heading and one line per problem of a file.

        At most `_SHOWN_MAX` problems are listed, followed by the number of further problems.
        """
        place = f"{self.place}{self.separator}" if self.place else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        head = readable(f"{place}{self.problem}{remedy}")
        n_more = len(self.problems) - _SHOWN_MAX
        more = [f"and {n_more:,} more"] if n_more > 0 else []
        return "\n  ".join([head, *map(str, self.problems[:_SHOWN_MAX]), *more])

    def at(self, place: object, *, is_complete: bool = False) -> InputError:
        """Return a copy of the error with an outer place put in front of its own.

        Args:
            place: the outer place, such as a file or an option.
            is_complete: whether the place is complete now.
        """
        return self.with_fields(
            place=": ".join(part for part in (str(place), self.place) if part),
            is_complete=is_complete,
            separator=self.separator if self.place else ": ",
        )

    def with_fields(self, **changes: Any) -> InputError:
        """Return an `InputError` with some of the attributes changed.

        Args:
            changes: new values of attributes by name.
        """
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

    Errors with a complete place pass unchanged.

    Args:
        place: place that must change, such as a file, a part of a file, or a name; may be empty.
        is_complete: whether the place is complete then, so that outer blocks add nothing.
    """
    try:
        yield
    except InputError as error:
        if error.is_complete:
            raise
        raise error.at(place, is_complete=is_complete) from None


@contextmanager
def system_error_place(path: object, action: Literal["read", "written", "made"]) -> Iterator[None]:
    """Raise an `InputError` with a path as its place for each `OSError` of the block.

    Args:
        path: path of the file or folder.
        action: participle for the message: the path cannot be `read`, `written` or `made`.

    Raises:
        InputError: the block raised an `OSError`.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        remedy = ""
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "a file has the name of this folder or of a folder above it"
            remedy = "name another folder"
        elif isinstance(error, FileNotFoundError) and action != "read":
            reason = "the folder does not exist"
            remedy = "create the folder first, or name another"
        problem = f"cannot be {'created' if action == 'made' else action}: {reason}"
        raise InputError(problem, place=path, remedy=remedy) from error


def readable(message: str) -> str:
    """Return a message on one line, with at most `ECHO_MAX` characters of each quoted value.

    Quoted text is cut, and so is an unbroken word that is too long for a part of a path. Paths stay
    whole, since people copy them. Line ends and other control characters are escaped. A message of
    more than `_MESSAGE_MAX` characters is shortened in the middle.
    """
    text = _QUOTED.sub(lambda quoted: f"{quoted[1]}{cut(quoted[2])}{quoted[1]}", message)
    text = _LONG_WORD.sub(lambda word: _cut_word(word[0]), text)
    text = _CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)
    half = _MESSAGE_MAX // 2
    return text if len(text) <= _MESSAGE_MAX else f"{text[:half]} ... {text[-half:]}"


def _cut_word(word: str) -> str:
    """Return a long word cut as by `cut`, but with the punctuation mark at its end."""
    end = word[-1] if word[-1] in ":,;" else ""
    return cut(word.removesuffix(end)) + end


def cut(text: str, most: int = ECHO_MAX) -> str:
    """Return `text`, or its beginning and `...` in `most` characters if it is longer than that."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


class CardFault(InputError):  # noqa: N818 - the name that its users know it by
    """Error for a card that a game cannot carry out: its effects never end, or exceed a capacity.

    Attributes:
        card: id of the card at fault, or a description of several cards if no single card is known.
        what: description of what the card does.
        turn: turn of the game in which the fault occurred.
        game_seed: seed of that game.
        variant: row of the played card table.
    """

    def __init__(self, card: str, what: str, turn: int, game_seed: int, variant: int = 0) -> None:
        """Set the attributes, which the class describes, and compose the message.

        Args:
            card: id or description of the card at fault.
            what: description of what the card does.
            turn: turn of the game in which the fault occurred.
            game_seed: seed of the game.
            variant: row of the played card table.
        """
        super().__init__(f"{what}, in turn {turn} of the game with seed {game_seed}", place=card)
        self.card = card
        self.what = what
        self.turn = turn
        self.game_seed = game_seed
        self.variant = variant

    def __reduce__(self) -> tuple[type[CardFault], tuple[str, str, int, int, int]]:
        """Return the class and its arguments, so that the error can be passed between processes."""
        return CardFault, (self.card, self.what, self.turn, self.game_seed, self.variant)


def nearest_spelling(word: object, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to `word`, ignoring case.

    The result is `None` if no known word is similar, or if `word` is not a string.
    """
    if not isinstance(word, str):
        return None
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    nearest = difflib.get_close_matches(word.lower(), list(by_lower_case), n=1, cutoff=0.6)
    return by_lower_case[nearest[0]] if nearest else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `"; did you mean 'x'?"` for the known word most similar to `word`, else `""`."""
    nearest = nearest_spelling(word, known)
    return f"; did you mean {nearest!r}?" if nearest else ""


def known_word(what: str, word: str, known: Iterable[str], place: str = "") -> str:
    """Return `word` if it is a known word.

    Args:
        what: singular noun for the known words, such as `keyword`.
        word: the word that was given.
        known: the permitted words.
        place: place of the word, for the message.

    Raises:
        InputError: the word is unknown; the message names the place and the most similar known
            word.
    """
    known = list(known)
    if word not in known:
        raise unknown_word_error(what, word, known, place=place)
    return word


def unknown_word_error(
    what: str, word: str, known: Iterable[str], *, place: str = ""
) -> InputError:
    """Return the error for an unknown word, which suggests a similar word or lists the known words.

    Args:
        what: singular noun for the known words, such as `keyword`.
        word: the word that was given.
        known: the permitted words.
        place: place of the word, for the message.
    """
    known = list(known)
    remedy = known_help(word, known, known)
    return InputError(
        f"unknown {what} {word!r}", place=place, value=word, limit=tuple(known), remedy=remedy
    )


def unknown_word(what: str, word: str, known: Iterable[str]) -> str:
    """Return a message such as `"unknown keyword 'hast'; did you mean 'haste'?"`.

    If no known word is similar, the message lists the known words.

    Args:
        what: singular noun for the known words, such as `keyword`.
        word: the word that was given.
        known: the permitted words.
    """
    return str(unknown_word_error(what, word, known))


def known_help(word: str, spellings: Iterable[str], known: Iterable[str]) -> str:
    """Return the suggestion for an unknown word: the most similar spelling, else the known words.

    Args:
        word: the word that was given.
        spellings: all permitted spellings.
        known: words to list if no spelling is similar; if they take more than `_LISTED_MAX`
            characters, only the first `_EXAMPLES` words are listed.
    """
    words = list(dict.fromkeys(known))
    if help_text := did_you_mean(word, spellings):
        return f"{help_text}{short_list(words)}"
    whole = ", ".join(words)
    if len(whole) <= _LISTED_MAX:
        return f"; known: {whole}" if words else ""
    examples = ", ".join(map(cut, words[:_EXAMPLES]))
    n_more = len(words) - _EXAMPLES
    return f"; known: {examples}{f' and {n_more:,} more' if n_more > 0 else ''}"


def short_list(words: Iterable[str]) -> str:
    """Return `" (known: a, b)"` if the words take at most `_SHORT_LIST` characters, else `""`.

    The list is added to a suggested spelling, since the suggestion may be wrong. The result is `""`
    if there are no words.
    """
    text = ", ".join(dict.fromkeys(words))
    return f" (known: {text})" if 0 < len(text) <= _SHORT_LIST else ""


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return one or more words as text such as `"a, b and c"`.

    Args:
        words: the words, at least one.
        last: the conjunction before the last word.
    """
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


class Problems:
    """Collection of the problems of one file, in the order in which they were found."""

    def __init__(self, path: Path) -> None:
        """Create an empty collection.

        Args:
            path: the file, named in the error of `check`.
        """
        self._path = path
        self._errors: list[InputError] = []

    def __len__(self) -> int:
        return len(self._errors)

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
        self._errors.append(error)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Record an `InputError` of the block, with a place in front, instead of raising it.

        The block ends at the error. An error with a complete place is raised unchanged.

        Args:
            place: place to put in front of the error's own place.
        """
        try:
            yield
        except InputError as error:
            if error.is_complete:
                raise
            self.add_error(error.at(place))

    def check(self) -> None:
        """Raise an error if any problem was recorded.

        Raises:
            InputError: at least one problem was recorded; the message names the file and the
                problems.
        """
        if len(self._errors) == 1:
            raise self._errors[0].at(self._path, is_complete=True)
        if self._errors:
            summary = f"{len(self._errors):,} problems"
            raise InputError(summary, place=self._path, is_complete=True, problems=self._errors)
