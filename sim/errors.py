"""The exceptions for bad input, and the help they give."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST_LIST = 12  # a longer list of known words hides the message


class InputError(ValueError):
    """Something the user gave is wrong; the message alone must be enough to mend it.

    The command line prints the message on one line and exits with status 2. Messages name the
    file, the offender (card, field), the value and the limit, in that order.
    """


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
        super().__init__(card, what, turn, game_seed, variant)
        self.card, self.what, self.turn = card, what, turn
        self.game_seed, self.variant = game_seed, variant

    def __str__(self) -> str:
        where = f"turn {self.turn}, game seed {self.game_seed}"
        return f"{self.card}: {self.what} ({where})"


def nearest_spelling(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely stands for, whatever its case, or `None`."""
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    nearest = difflib.get_close_matches(word.lower(), list(by_lower_case), n=1, cutoff=0.6)
    return by_lower_case[nearest[0]] if nearest else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` for the nearest known spelling, else `""`."""
    nearest = nearest_spelling(word, known)
    return f"; did you mean {nearest!r}?" if nearest else ""


def unknown_word(what: str, word: str, known: Iterable[str]) -> str:
    """`"unknown keyword 'hast'; did you mean 'haste'?"`, or the known words if none is near."""
    known = list(known)
    help_text = did_you_mean(word, known)
    if not help_text and 0 < len(known) <= _LONGEST_LIST:
        help_text = "; known: " + ", ".join(known)
    return f"unknown {what} {word!r}{help_text}"
