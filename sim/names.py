"""Look-up of names as people type them, ignoring case, spaces, hyphens, underscores and accents.

Every name that a person may type (of a card, a deck, a player, a field, a word of the vocabulary)
is looked up by this module. Therefore all commands and files accept the same spellings and print
the same messages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from sim.errors import (
    InputError,
    cut,
    error_place,
    known_help,
    listed,
    nearest_spelling,
    short_list,
)

_APOSTROPHES = frozenset("'`\u00b4\u2018\u2019\u02bc\uff07")
"""Signs that are removed from a word (`hunter's` is `hunters`); other signs separate words."""

# Limits chosen by hand.
_LONGEST = 1_000  # characters of a compared text: several times the longest names, for speed
_PART_MIN = 3  # letters of a text that is searched in names; fewer are part of many names
_PARTS_SHOWN = 3  # number of names suggested, so that the message stays on one line


def folded(text: str) -> str:
    """Return a text's words in lower case, without accents and signs, joined by single spaces."""
    letters = _without_accents(_without_accents(text).upper().casefold())
    kept = ("" if sign in _APOSTROPHES else sign if sign.isalnum() else " " for sign in letters)
    return " ".join("".join(kept).split())


def packed(text: str) -> str:
    """Return a text's words as `folded` does, but joined without spaces."""
    return folded(text).replace(" ", "")


def lowered(text: str) -> str:
    """Return a text in lower case with single spaces.

    Signs stay, so that `A+` differs from `A-`.
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _without_accents(text: str) -> str:
    """Return a text without combining marks such as accents."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


class Names:
    """Ids and other names of the objects of one kind, for looking up what a person types.

    Matches take precedence in this order: an exact id, an exact name, a name in another case, a
    name that agrees only in letters and digits.
    """

    def __init__(
        self, what: str, known: Mapping[str, Iterable[str]] | Iterable[str], unknown: str = ""
    ) -> None:
        """Store the names; they are indexed at the first look-up.

        Args:
            what: kind of the objects, in the singular.
            known: ids of the objects, or a mapping from each id to its other names.
            unknown: start of the message for an unknown name; `unknown WHAT` if empty.
        """
        self.what = what
        self.unknown: str = unknown or f"unknown {what}"
        names = dict(known) if isinstance(known, Mapping) else dict.fromkeys(known, ())
        self._names = {key: tuple(dict.fromkeys(others)) for key, others in names.items()}
        self._ranks: list[dict[str, dict[str, None]]] | None = None

    @property
    def ids(self) -> list[str]:
        """Ids of the objects, in the order given."""
        return list(self._names)

    @property
    def spellings(self) -> list[str]:
        """All names of the objects, the ids last."""
        return [name for others in self._names.values() for name in others] + self.ids

    def matches(self, text: str) -> list[str]:
        """Return the ids that `text` may mean, by the first rule of precedence that matches any id.

        The list is empty if none matches or the text has more than `_LONGEST` characters.
        """
        if text in self._names:
            return [text]
        if len(text) > _LONGEST:
            return []
        for key, rank in zip(_KEYS, self._by_rank(), strict=True):
            if ids := rank.get(key(text)):
                return list(ids)
        return []

    def exactly(self, text: str) -> str | None:
        """Return the id that has `text` as id or name, ignoring case and extra spaces.

        The result is `None` if no id matches, if several match, or if the text has more than
        `_LONGEST` characters.
        """
        if text in self._names:
            return text
        if len(text) > _LONGEST:
            return None
        for key, rank in zip(_KEYS[:2], self._by_rank(), strict=False):
            if ids := rank.get(key(text)):
                return next(iter(ids)) if len(ids) == 1 else None
        return None

    def get(self, text: str) -> str | None:
        """Return the id that `text` means, or `None` if no id matches.

        Raises:
            InputError: the text matches several ids; the message names them.
        """
        ids = self.matches(text)
        if len(ids) > 1:
            shown = listed(map(repr, ids), "or")
            problem = f"{cut(text)!r} may mean the {self.what} {shown}"
            raise InputError(
                problem, value=text, limit=tuple(ids), remedy="write the one that you mean"
            )
        return ids[0] if ids else None

    def find(self, text: str) -> str:
        """Return the id that `text` means.

        Raises:
            InputError: the text matches no id or several; the message names similar names or the
                ids.
        """
        name_id = self.get(text)
        if name_id is None:
            raise self.unknown_name_error(text)
        return name_id

    def unknown_name_error(self, text: str) -> InputError:
        """Return the error for an unknown name; its remedy is a similar name, or the known ids."""
        near = self.suggestion(text)
        remedy = f"{near}{short_list(self.ids)}" if near else known_help("", (), self.ids)
        problem = f"{self.unknown} {cut(text)!r}"
        return InputError(problem, value=text, limit=tuple(self.ids), remedy=remedy)

    def suggestion(self, text: str) -> str:
        """Return a suggestion of names similar to an unknown name; `""` if none is similar."""
        if len(text) > _LONGEST:
            return ""
        return self._nearest(text) or self._holding(text)

    def _nearest(self, text: str) -> str:
        """Return a suggestion of the most similar id or name, or `""` if none is similar.

        Ids and names are compared separately, since names may be in another language than the ids.
        An id is preferred to an equally similar name.
        """
        candidates = [nearest_spelling(text, self.ids), nearest_spelling(text, self.spellings)]
        near = [candidate for candidate in candidates if candidate is not None]
        lowered_text = text.lower()
        likeness = [SequenceMatcher(None, lowered_text, name.lower()).ratio() for name in near]
        if not near:
            return ""
        return f"; did you mean {near[likeness.index(max(likeness))]!r}?"

    def _holding(self, text: str) -> str:
        """Return a suggestion of up to `_PARTS_SHOWN` names that contain `text`, else `""`.

        Only letters and digits are compared. A text with fewer than `_PART_MIN` of them gives no
        suggestion.
        """
        part = packed(text)
        if len(part) < _PART_MIN:
            return ""
        names = {packed(name): name for name in self.spellings if part in packed(name)}
        shown = [*names.values()][:_PARTS_SHOWN]
        return f"; did you mean {listed(map(repr, shown), 'or')}?" if shown else ""

    def _by_rank(self) -> Sequence[Mapping[str, Mapping[str, None]]]:
        """Return one index for each function of `_KEYS`, from the key of a name to the ids."""
        if self._ranks is None:
            self._ranks = [{} for _ in _KEYS]
            for name_id, others in self._names.items():
                for key, rank in zip(_KEYS, self._ranks, strict=True):
                    # Exact ids are not indexed here, since `matches` checks them first.
                    names = others if key is str else (name_id, *others)
                    for name_key in filter(None, map(key, names)):
                        rank.setdefault(name_key, {})[name_id] = None
        return self._ranks


_KEYS: tuple[Callable[[str], str], ...] = (str, lowered, folded, packed)
"""Functions that return equal keys for two spellings of one name, the strictest first."""


def named_word(what: str, word: str, known: Iterable[str], place: str = "") -> str:
    """Return the known word that `word` spells.

    Args:
        what: kind of the words, in the singular.
        word: the spelling that was given.
        known: the permitted words.
        place: place of the word, for the message; may be empty.

    Raises:
        InputError: no known word, or more than one, matches; the message names the place and the
            most similar known word, or the matches.
    """
    words = list(known)
    if word in words:
        return word
    with error_place(place):
        return Names(what, words).find(word)
