"""Bad input: its exceptions, the help they give, and all that is wrong with a file at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

ECHO_MAX = 80  # characters of anything that the user gave
_LISTED_MAX = 600  # characters of a list of known words: all keywords fit, a large pool does not
_EXAMPLES = 12  # words of a list that is too long: enough to see how they are written
_SHORT_LIST = 60  # characters: a list that is shown next to a near spelling, which may be wrong
_PATH_PART_MAX = 255  # bytes of a file's name under all systems; whatever is longer names no file
_MESSAGE_MAX = 2000
_SHOWN_MAX = 20  # problems of one file; more would scroll away

_QUOTED = re.compile(r"""(?<!\w)(['"])((?:(?!\1)[^\\]|\\.)*)\1(?!\w)""", re.DOTALL)
_LONG_WORD = re.compile(rf"[^\s/\\]{{{_PATH_PART_MAX + 1},}}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class InputError(ValueError):
    """Something the user gave is wrong; the message alone must be enough to mend it.

    The command line prints the message on one line and exits with status 2. Messages name the
    file, the offender (card, field), the value and the limit, in that order. Whatever they echo,
    they are one line of readable length: see `readable`.
    """

    def __init__(self, message: object) -> None:
        super().__init__(readable(str(message)))


class PlacedError(InputError):
    """Its message names all that must change: nothing else is to blame (`blaming`)."""


class MachineError(PlacedError):
    """The machine is to blame, such as a full disk: no file that is being read need be mended."""


@contextmanager
def blaming(place: object) -> Iterator[None]:
    """Begin the message of an `InputError` with what must change: a file, its part, a name."""
    try:
        yield
    except PlacedError:
        raise
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


@contextmanager
def blaming_system(path: object, done: Literal["read", "written", "made"]) -> Iterator[None]:
    """Say in one line what the system refuses to let be done to a file or folder."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        if isinstance(error, FileExistsError | NotADirectoryError):
            why = "a file has that name, or one of the folders above it; name another folder"
        elif isinstance(error, FileNotFoundError) and done != "read":
            why = "there is no such folder"
        raise InputError(f"{path}: cannot be {done}: {why}") from error


def readable(message: str) -> str:
    """A message in one line, with at most `ECHO_MAX` characters of each thing that it echoes.

    What stands in quotes is cut, and so is an unbroken word that is too long for a part of a path;
    paths stay whole, since people copy them. Line ends and other control characters are spelt out.
    """
    text = _QUOTED.sub(lambda quoted: f"{quoted[1]}{cut(quoted[2])}{quoted[1]}", message)
    text = _LONG_WORD.sub(lambda word: cut(word[0]), text)
    text = _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    half = _MESSAGE_MAX // 2
    return text if len(text) <= _MESSAGE_MAX else f"{text[:half]} ... {text[-half:]}"


def cut(text: str, most: int = ECHO_MAX) -> str:
    """`text`, or what of it can be echoed, at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


class CardFault(InputError):  # noqa: N818 - it is what people call it
    """A card's texts ask for more than a game may take: they never end, or find no room.

    Attributes:
        card: id of the card at work, or how several are called where none can be told.
        what: what it does.
        turn: of the game in which it did.
        game_seed: that game's.
        variant: row of the table that was played.
    """

    def __init__(self, card: str, what: str, turn: int, game_seed: int, variant: int = 0) -> None:
        """Say it of a game of a variant."""
        super().__init__(f"{card}: {what} (turn {turn}, game seed {game_seed})")
        self.card, self.what, self.turn = card, what, turn
        self.game_seed, self.variant = game_seed, variant

    def __reduce__(self) -> tuple[type[CardFault], tuple[str, str, int, int, int]]:
        return CardFault, (self.card, self.what, self.turn, self.game_seed, self.variant)


def nearest_spelling(word: object, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely stands for, whatever its case, or `None`."""
    if not isinstance(word, str):
        return None
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    nearest = difflib.get_close_matches(word.lower(), list(by_lower_case), n=1, cutoff=0.6)
    return by_lower_case[nearest[0]] if nearest else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the nearest known spelling, else `""`."""
    nearest = nearest_spelling(word, known)
    return f"; did you mean {nearest!r}?" if nearest else ""


def known_word(what: str, word: str, known: Iterable[str], place: str = "") -> str:
    """`word`, if it is a known one.

    Raises:
        InputError: it is not; names the place, if one is given, and the nearest that is.
    """
    known = list(known)
    if word not in known:
        raise InputError(f"{place}: " * bool(place) + unknown_word(what, word, known))
    return word


def unknown_word(what: str, word: str, known: Iterable[str]) -> str:
    """`"unknown keyword 'hast'; did you mean 'haste'?"`, or the known words if none is near."""
    known = list(known)
    return f"unknown {what} {word!r}{known_help(word, known, known)}"


def known_help(word: str, spellings: Iterable[str], known: Iterable[str]) -> str:
    """What to add to the refusal of a word: the nearest spelling, else the words that there are.

    Args:
        word: what was written.
        spellings: all that may be written.
        known: what is listed where no spelling is near, or the first of it where it is long.
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
    """`" (known: a, b)"` where that is short: a near spelling may not be what was meant."""
    text = ", ".join(dict.fromkeys(words))
    return f" (known: {text})" if 0 < len(text) <= _SHORT_LIST else ""


def listed(words: Iterable[str], last: str = "and") -> str:
    """`"a, b and c"`, of at least one."""
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end


class FileError(PlacedError):
    """A file has problems: a line that counts them, then a line for each of the first.

    A single problem is one line, as any other `InputError` is.
    """

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        """Say what is wrong with the file at `path`."""
        if len(problems) == 1:
            super().__init__(f"{path}: {problems[0]}")
            return
        n_more = len(problems) - _SHOWN_MAX
        more = [f"and {n_more:,} more"] if n_more > 0 else []
        lines = [*problems[:_SHOWN_MAX], *more]
        head = readable(f"{path}: {len(problems):,} problems")
        ValueError.__init__(self, "\n  ".join([head, *map(readable, lines)]))


class Problems:
    """Those found so far in one file, in the order in which they were found."""

    def __init__(self, path: Path) -> None:
        """Begin with none."""
        self._path = path
        self._found: list[str] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, problem: str) -> None:
        """Note one, told by its place, the value and the limit."""
        self._found.append(problem)

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Note what is wrong with a place, and go on after the block."""
        try:
            yield
        except PlacedError:
            raise
        except InputError as error:
            self.add(f"{place}: {error}" if place else str(error))

    def check(self) -> None:
        """Refuse the file if anything is wrong with it.

        Raises:
            FileError: names everything.
        """
        if self._found:
            raise FileError(self._path, self._found)
