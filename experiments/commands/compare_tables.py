"""What a person reads of cards beside today's: edits side by side, rates and changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from balance.pool_edits import SizedPatch
from experiments.results.compared import ChangeRow, edit_table
from experiments.screen.console import Shown, Table
from experiments.screen.wording import OFF_LEGEND, Bounds, off_mark, percent, wanted_words

_LISTED = 15  # rates of a kind; of more those that move most
_EXPLORED = (
    "Explored, not certified: of many edits tried on the same games the best looks better than it "
    "is. `evenhand matchups` plays other games; `evenhand balance` certifies"
)
_TITLES = {
    "matchup": "Win rate of the first-named",
    "deck": "Win rate of each deck against all others",
    "else": "What else is demanded",
}


def edits_shown(
    letters: Sequence[str], names: Sequence[str], patches: Sequence[SizedPatch | None]
) -> list[Shown]:
    """What is compared: of one the patch notes, of several all edits side by side."""
    sizes = [_size(patch) for patch in patches]
    if len(letters) == 1 and letters[0] == names[0]:
        (patch,) = patches
        edits = [str(edit) for edit in patch.edits] if patch else []
        return [*edits, f"{'' if edits else f'{names[0]}: '}{sizes[0]}", ""]
    said = [f"{a}: {name} ({size})" for a, name, size in zip(letters, names, sizes, strict=True)]
    _, rows = edit_table(letters, patches)
    cells = [(f"{card} {field}", *map(_cell, values)) for card, field, *values in rows]
    table = Table("Edits side by side", ("number", "today", *letters), cells)
    shown = list[Shown]([*said, ""])
    return [*shown, table, ""] if rows else shown


def _size(patch: SizedPatch | None) -> str:
    if patch is None:
        return "differs in more than numbers"
    if not patch.edits:
        return "no number differs from today's"
    n_cards = patch.cards_touched
    cards = f" on {n_cards} card{'' if n_cards == 1 else 's'}" if n_cards else ""
    return f"change {patch.change:g}{cards}"


def _cell(value: Any) -> str:
    return "?" if value is None else str(value)


def rates_shown(
    letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]], *, is_weighted: bool
) -> list[Shown]:
    """A table for each kind of rates, and how to read them.

    Args:
        letters: what is compared.
        patches: of each its rates.
        is_weighted: whether some decks count more in the field than others.
    """
    shown = list[Shown]()
    for kind, title in _TITLES.items():
        of_kind = [[row for row in rows if row.of == kind] for rows in patches]
        more = ", as [field] weights them" if is_weighted and kind == "deck" else ""
        if of_kind[0]:
            shown += [*_of_kind(title + more, letters, of_kind), ""]
    marks = {mark for rows in patches for row in rows for mark in (_mark(row), _mark_today(row))}
    return [*shown, *([OFF_LEGEND] if marks - {""} else []), _EXPLORED]


def _of_kind(
    title: str, letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]
) -> list[Shown]:
    rates = [*zip(*patches, strict=True)]
    most = sorted(range(len(rates)), key=lambda n: -_largest(rates[n]))[:_LISTED]
    listed = [rates[n] for n in sorted(most)]
    n_games, header, cells = rates[0][0].n, _header(letters, patches), [*map(_row, listed)]
    if not any(row[1] for row in cells):  # nothing of it is wanted
        header, *cells = ([name, *rest] for name, _, *rest in (header, *cells))
    how = f"{n_games:,} games per matchup, on equal seeds; ± half of the 95 % interval"
    table = Table(f"{title} ({how})", header, cells)
    if len(listed) == len(rates):
        return [table]
    n_fixed = sum(not any(row.can_change for row in rate) for rate in rates)
    return [
        table,
        f"The {_LISTED} of {len(rates)} that move most; {n_fixed} cannot have changed at all. "
        "changes.csv has all",
    ]


def _largest(rate: Sequence[ChangeRow]) -> float:
    """The largest change of a rate, whatever its sign."""
    return max(abs(float(row.change.estimate)) for row in rate)


def _header(letters: Sequence[str], patches: Sequence[Sequence[ChangeRow]]) -> list[str]:
    what = {"matchup": "matchup", "deck": "deck"}.get(patches[0][0].of, "rate")
    header = [what, "wanted", "today, %"]
    for letter in letters:
        header += [f"{letter}, %", "change, pp"]
    return header + [f"{letter} - {letters[0]}, pp" for letter in letters[1:]]


def _row(rate: Sequence[ChangeRow]) -> list[str]:
    first = rate[0]
    name = first.rate.removesuffix(" vs the field") if first.of == "deck" else first.rate
    cells = [name, wanted_words(first.least, first.most), _marked(first.today, _mark_today(first))]
    for row in rate:
        cells += [_marked(row.patched, _mark(row)), _points(row.change)]
    return cells + [_points(row.beyond_first) for row in rate if row.beyond_first is not None]


def _points(difference: Iterable[Any]) -> str:
    """`+3.1 ±1.1`, of percentage points; `same` of games none of which can be another."""
    estimate, low, high = map(float, difference)
    return f"{estimate:+.1f} ±{(high - low) / 2:.1f}" if low < high else "same"


def _marked(rate: Bounds, mark: str) -> str:
    return f"{percent(rate)} {mark}".rstrip()


def _mark(row: ChangeRow) -> str:
    return off_mark(row.patched, row.least, row.most)


def _mark_today(row: ChangeRow) -> str:
    return off_mark(row.today, row.least, row.most)
