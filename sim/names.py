"""Names as people type them: letter case, spaces, hyphens, underscores and accents do not matter.

Whatever a person may name (a card, a deck, a player, a field, a word of the vocabulary) is looked
up here, so that all commands and files take the same spellings and refuse in the same words.
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
"""Left out of a word (`hunter's` is `hunters`), where other signs divide words."""

_LONGEST = 1_000  # characters of what may be a name: several times those of the longest names
_PART_MIN = 3  # letters: fewer are a part of many names
_PARTS_SHOWN = 3


def folded(text: str) -> str:
    """Words of lower-case letters and digits without accents, one space between two of them."""
    letters = _without_accents(_without_accents(text).upper().casefold())
    kept = ("" if sign in _APOSTROPHES else sign if sign.isalnum() else " " for sign in letters)
    return " ".join("".join(kept).split())


def packed(text: str) -> str:
    """`folded` without spaces: what all spellings of a name have in common."""
    return folded(text).replace(" ", "")


def lowered(text: str) -> str:
    """In lower case and with single spaces; signs stay, so that `A+` is not `A-`."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


class Names:
    """The things of one kind that a person may name, each by its id and by other names.

    An exact id goes before an exact name, which goes before a name in other letter case, and that
    before a name whose letters alone agree.
    """

    def __init__(
        self, what: str, known: Mapping[str, Iterable[str]] | Iterable[str], unknown: str = ""
    ) -> None:
        """Learn the names.

        Args:
            what: the things are, in the singular.
            known: their ids, each with its other names if it has any.
            unknown: how the refusal of a name begins; default `unknown WHAT`.
        """
        self.what = what
        self.unknown = unknown or f"unknown {what}"
        names = dict(known) if isinstance(known, Mapping) else dict.fromkeys(known, ())
        self._names = {one: tuple(dict.fromkeys(others)) for one, others in names.items()}
        self._ranks: list[dict[str, dict[str, None]]] | None = None

    @property
    def ids(self) -> list[str]:
        """The ids, in their order."""
        return list(self._names)

    @property
    def spellings(self) -> list[str]:
        """All names, the ids last."""
        return [name for others in self._names.values() for name in others] + self.ids

    def matches(self, text: str) -> list[str]:
        """The ids that `text` may stand for, by the first rule that finds any."""
        if text in self._names:
            return [text]
        if len(text) > _LONGEST:
            return []
        for key, rank in zip(_KEYS, self._by_rank(), strict=True):
            if found := rank.get(key(text)):
                return list(found)
        return []

    def exactly(self, text: str) -> str | None:
        """The id that `text` is, or whose name it is but for letter case; `None` for several."""
        if text in self._names:
            return text
        if len(text) > _LONGEST:
            return None
        for key, rank in zip(_KEYS[:2], self._by_rank(), strict=False):
            if found := rank.get(key(text)):
                return next(iter(found)) if len(found) == 1 else None
        return None

    def get(self, text: str) -> str | None:
        """The id that `text` stands for; `None` if it stands for none.

        Raises:
            InputError: it stands for several; names their ids.
        """
        found = self.matches(text)
        if len(found) > 1:
            shown = listed(map(repr, found), "or")
            problem = f"{cut(text)!r} may mean the {self.what} {shown}"
            raise InputError(problem, value=text, limit=tuple(found), remedy="give the id")
        return found[0] if found else None

    def find(self, text: str) -> str:
        """The id that `text` stands for.

        Raises:
            InputError: it stands for none or for several; names the nearest, or those.
        """
        found = self.get(text)
        if found is None:
            raise self.unknown_name_error(text)
        return found

    def unknown_name_error(self, text: str) -> InputError:
        """Return the error for a name that nothing has: the nearest name, or the known ids."""
        near = ""
        if len(text) <= _LONGEST:
            near = self._nearest(text) or self._holding(text)
        remedy = f"{near}{short_list(self.ids)}" if near else known_help("", (), self.ids)
        problem = f"{self.unknown} {cut(text)!r}"
        return InputError(problem, value=text, limit=tuple(self.ids), remedy=remedy)

    def _nearest(self, text: str) -> str:
        """The nearest spelling: an id where it is as near as a name, which may be foreign."""
        found = [nearest_spelling(text, self.ids), nearest_spelling(text, self.spellings)]
        near = [one for one in found if one is not None]
        lowered_text = text.lower()
        likeness = [SequenceMatcher(None, lowered_text, one.lower()).ratio() for one in near]
        if not near:
            return ""
        return f"; did you mean {near[likeness.index(max(likeness))]!r}?"

    def _holding(self, text: str) -> str:
        """The first names that hold what was written, which may be a part of one."""
        part = packed(text)
        if len(part) < _PART_MIN:
            return ""
        found = {packed(name): name for name in self.spellings if part in packed(name)}
        shown = [*found.values()][:_PARTS_SHOWN]
        return f"; did you mean {listed(map(repr, shown), 'or')}?" if shown else ""

    def _by_rank(self) -> Sequence[Mapping[str, Mapping[str, None]]]:
        """For each of `_KEYS`, the ids by what it makes of their names."""
        if self._ranks is None:
            self._ranks = [{} for _ in _KEYS]
            for one, others in self._names.items():
                for key, rank in zip(_KEYS, self._ranks, strict=True):
                    names = others if key is str else (one, *others)
                    for made in filter(None, map(key, names)):
                        rank.setdefault(made, {})[one] = None
        return self._ranks


_KEYS: tuple[Callable[[str], str], ...] = (str, lowered, folded, packed)
"""What two spellings of one name have in common, from the strictest rule to the mildest."""


def named_word(what: str, word: str, known: Iterable[str], place: str = "") -> str:
    """The known word that `word` spells.

    Raises:
        InputError: there is none; names the place, if one is given, and the nearest that is.
    """
    words = list(known)
    if word in words:
        return word
    with error_place(place):
        return Names(what, words).find(word)
