"""Columns of a table of results: their meanings, and the titles by which they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.errors import InputError, listed
from sim.names import Names, packed

SYNONYMS: dict[str, tuple[str, ...]] = {
    "player_a": (
        *("player a", "a", "player 1", "player", "p1", "deck a", "deck 1", "deck", "my deck"),
        *("own deck", "player deck", "archetype", "archetype a", "archetype 1", "class", "hero"),
        *("class a", "player class", "player archetype", "agent", "agent a", "name a"),
    ),
    "player_b": (
        *("player b", "b", "player 2", "opponent", "opp", "p2", "deck b", "deck 2", "opp deck"),
        *("opponent deck", "opposing deck", "enemy deck", "enemy", "versus", "vs", "against"),
        *("archetype b", "archetype 2", "class b", "opponent class", "opponent archetype"),
        *("opponent hero", "opposing class", "agent b", "opponent agent", "name b"),
    ),
    "winner": ("winner", "result", "outcome", "won by", "winning deck", "winning player"),
    "wins": ("wins", "wins a", "won games", "games won", "w", "n wins", "victories"),
    "losses": ("losses", "losses a", "lost", "lost games", "games lost", "l", "n losses", "wins b"),
    "draws": ("draws", "ties", "d", "n draws", "drawn", "drawn games"),
    "games": (
        *("games", "n", "n games", "matches", "played", "games played", "total", "total games"),
        *("sample size", "sample", "count", "number of games", "match count", "matches played"),
    ),
    "win_rate": (
        *("win rate", "win rate a", "wr", "win pct", "win rate pct", "winning pct", "rate"),
        *("win percentage", "win percent", "win rate percent", "pct", "percent", "percentage"),
    ),
    "low": ("low", "lower", "band low", "lower bound", "at least", "least", "from"),
    "high": ("high", "upper", "band high", "upper bound", "at most", "most", "to"),
    "first": (
        *("first", "first seat", "first player", "goes first", "went first", "starting player"),
        *("starter", "starts", "started", "on the play", "play first", "who went first"),
        *("play draw", "play or draw", "moves first", "moved first"),
    ),
    "turns": (
        *("turns", "n turns", "number of turns", "rounds", "length", "game length"),
        *("mean turns", "average turns", "avg turns", "turn count"),
    ),
    "patch": ("patch", "version", "game version", "season", "build", "release", "balance patch"),
    "date": ("date", "time", "datetime", "timestamp", "day", "played at", "played on"),
    "bracket": (
        *("bracket", "rank", "rank bracket", "league", "tier", "division", "skill"),
        *("skill bracket", "elo bracket", "mmr bracket"),
    ),
    "game": ("game", "game id", "match", "match id", "id", "replay", "replay id"),
}
"""Titles of each column, in any case and with any signs between words; `%` reads as `pct`."""

_EITHER = ("win", "won")  # a number of games next to one of games or losses, else who won
_COUNTS = ("games", "losses", "draws")
_BAND = ("low", "high")  # bounds of a rate that is known only by a band
_SUMS = ("wins", "win_rate", *_BAND, *_COUNTS)  # columns of rows that sum several games
_FIRST_LOW = packed("first_low")  # next to it, `first_seat` is a rate, and names no player
_HELP = "name it by --columns, such as --columns player_a=Deck,player_b=Opponent"


def find_columns(titles: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, int]:
    """Return the positions of the columns of a table of results, by meaning.

    Args:
        titles: titles of the table's columns.
        chosen: titles by meaning, which take precedence over the synonyms.

    Raises:
        InputError: a chosen title or meaning is unknown, two titles have the same meaning, or the
            table lacks the players or the results.
    """
    # Next to results, columns such as `low` and `high` are bounds of intervals.
    without_bands = {role: () if role in _BAND else words for role, words in SYNONYMS.items()}
    found = named_columns(titles, chosen, without_bands)
    _add_either(found, {k: title for k, title in enumerate(titles) if k not in found.values()})
    if _FIRST_LOW in map(_key, titles):  # a table that `evenhand matchups` has written
        found.pop("first", None)
    if not {"winner", "wins", "win_rate"} & {*found}:
        _add_titled(found, titles, {role: SYNONYMS[role] for role in _BAND})
    _check_complete(found, titles)
    if "wins" in found:
        found.pop("win_rate", None)  # it follows from the wins
    return found


def named_columns(
    titles: Sequence[str],
    chosen: Mapping[str, str] | None,
    synonyms: Mapping[str, tuple[str, ...]],
) -> dict[str, int]:
    """Return the positions of the columns of a table by meaning, without those that it lacks.

    Args:
        titles: titles of the table's columns.
        chosen: titles by meaning, which take precedence over the synonyms.
        synonyms: titles of each meaning.

    Raises:
        InputError: a chosen title or meaning is unknown, or two titles have the same meaning.
    """
    found = {role: _titled(title, titles, role, synonyms) for role, title in (chosen or {}).items()}
    _add_titled(found, titles, synonyms)
    return found


def require_columns(
    needed: Sequence[str],
    found: Mapping[str, int],
    titles: Sequence[str],
    known: Mapping[str, object],
) -> None:
    """Check that a table has the columns that it needs.

    Args:
        needed: meanings of these columns.
        found: positions of the table's columns by meaning.
        titles: titles of the table's columns.
        known: all meanings that columns may have.

    Raises:
        InputError: a column is missing.
    """
    for role in needed:
        if role not in found:
            raise InputError(
                f"no column {role}",
                value=titles,
                limit=tuple(known),
                remedy=f"name it by --columns, such as --columns {role}=TITLE",
            )


def _add_titled(
    found: dict[str, int], titles: Sequence[str], synonyms: Mapping[str, tuple[str, ...]]
) -> None:
    """Add the columns that are found by their titles.

    Args:
        found: positions of columns by meaning, to which others are added.
        titles: titles of the table's columns.
        synonyms: titles of each meaning.

    Raises:
        InputError: two titles have the same meaning.
    """
    free = {k: title for k, title in enumerate(titles) if k not in found.values()}
    for role, words in synonyms.items():
        if role in found:
            continue
        known = {packed(word) for word in words}
        matches = [k for k, title in free.items() if _key(title) in known]
        if len(matches) > 1:
            shown = listed(repr(titles[k]) for k in matches)
            raise InputError(
                f"the columns {shown} have the same meaning, {role}",
                value=tuple(titles[k] for k in matches),
                limit=role,
                remedy=f"choose one: --columns {role}={titles[matches[0]]}",
            )
        if matches:
            found[role] = matches[0]


def _key(title: str) -> str:
    """Return a title in the form in which it is compared with synonyms."""
    return packed(title.replace("%", " pct "))


def _titled(title: str, titles: Sequence[str], role: str, known: Mapping[str, object]) -> int:
    """Return the position of the column with a chosen title.

    Raises:
        InputError: the meaning or the title is unknown, or several columns have the title.
    """
    if role not in known:
        raise Names("meaning of a column", known).unknown_name_error(role).at("--columns")
    if titles.count(title) > 1:
        raise InputError(f"{titles.count(title)} columns have the title {title!r}", value=title)
    return titles.index(Names("column", titles).find(title))


def _add_either(found: dict[str, int], free: Mapping[int, str]) -> None:
    """Add a column titled `win` or `won`; its meaning depends on the other columns."""
    matches = [k for k, title in free.items() if _key(title) in _EITHER]
    role = "wins" if any(count in found for count in _COUNTS) else "winner"
    if len(matches) == 1 and role not in found:
        found[role] = matches[0]


def _check_complete(found: Mapping[str, int], titles: Sequence[str]) -> None:
    """Check that a table has two players and results in one form.

    Raises:
        InputError: a column is missing, or results are given in two forms.
    """
    shown = ", ".join(map(repr, titles[:_SHOWN_MAX])) + ", ..." * (len(titles) > _SHOWN_MAX)
    for role in ("player_a", "player_b"):
        if role not in found:
            raise InputError(
                f"no column {role}; there are {shown}",
                value=tuple(titles),
                limit=role,
                remedy=f"{_HELP} (a sheet of cards: evenhand init FOLDER --from FILE)",
            )
    if not {"winner", "wins", "win_rate"} & {*found} and not {*_BAND} <= {*found}:
        raise InputError(
            f"no column with results (winner, wins, win_rate, or low and high); there are {shown}",
            value=tuple(titles),
            limit=("winner", "wins", "win_rate", *_BAND),
            remedy="name it by --columns, such as --columns winner=TITLE",
        )
    forms = [role for role in ("winner", *_SUMS) if role in found]
    if "winner" in found and len(forms) > 1:
        raise InputError(
            "results of single games and sums of games: "
            f"{listed(repr(titles[found[form]]) for form in forms)}",
            value=tuple(forms),
            remedy="delete one of the columns, or rename it",
        )
    if "wins" in found and not {"games", "losses"} & {*found}:
        raise InputError(
            "a column of wins, but none of games or losses",
            value="wins",
            limit=("games", "losses"),
            remedy="name it by --columns, such as --columns games=TITLE",
        )


_SHOWN_MAX = 12  # titles in a message, about two lines of a terminal
