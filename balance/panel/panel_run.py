"""Result of a balancing run for a panel of pilots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, cast

from balance.cards.narrowing import Narrowing
from balance.cards.printed_patch import PrintedPatch
from balance.panel.panel_contest import Hand, PanelContest
from balance.result.result import ResultTable
from balance.run.found_patch import FoundPatch
from balance.run.patch_rows import StageRow
from balance.run.result_tables import NarrowingRow, narrowing_rows
from balance.statistics.intervals import Interval
from balance.verdict.first_seat_guard import FirstSeatGuard
from sim.files.row_file import entry


class PanelRow(NamedTuple):
    """A demanded rate in the hands of one pilot, before and after the patch.

    Attributes:
        pilot: name of the pilot.
        rate: name of the rate: a matchup, a player against the field, or the first seat.
        least: lower bound of the rate, as a share.
        most: upper bound of the rate, as a share.
        before: rate without the patch, in the games of the certificate.
        after: rate with the patch, in the games of the certificate.
        n: number of games per matchup behind each of both rates.
        verdict: verdict on `after` and the bounds, a word of `balance.contest.band.BandVerdict`.
    """

    pilot: str
    rate: str
    least: float
    most: float
    before: Annotated[Interval, ("before", "before_low", "before_high")]
    after: Annotated[Interval, ("after", "after_low", "after_high")]
    n: int
    verdict: str  # not `BandVerdict`, which tables cannot read back from a column


@dataclass(frozen=True, repr=False)
class PanelRun(FoundPatch):
    """Complete result of a balancing run for a panel of pilots.

    Attributes:
        contest: contest of the panel with the baseline cards.
        narrowing: search space of the patch, which keeps all cards.
    """

    parts: ClassVar[str] = "cards"

    contest: PanelContest
    narrowing: Narrowing

    @property
    def total_games(self) -> int | None:
        """Total number of games of the run, of all pilots."""
        counted = super().total_games
        return None if counted is None else self.contest.all_games(counted)

    @property
    def demands_first_seat(self) -> bool:
        """Whether demands concern the first seat's win rate with every pilot."""
        return self.contest.with_first_seats

    @property
    def n_guarded(self) -> int:
        """Number of matchups that a guard reads together: those of one pilot."""
        return len(self.contest.base.matchups)

    @property
    def first_seats(self) -> None:
        """`None`: the first seat's rates of all pilots are among the rates of the panel."""
        return

    @property
    def panel(self) -> tuple[PanelRow, ...]:
        """Demanded rates of every pilot before and after the patch, pilot by pilot."""
        return tuple(self.rows(PanelRow))

    @property
    def holds_for(self) -> dict[str, bool]:
        """Whether all rates are verified inside their bounds, by pilot."""
        rows = self.panel
        return {
            hand.name: all(row.verdict == "inside" for row in rows if row.pilot == hand.name)
            for hand in self.contest.hands
        }

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Tables of a found patch, then the cards that may change, and the rates of every pilot."""
        tables = super().tables
        stages = cast("Sequence[StageRow]", tables["stages"].rows)
        narrowed = narrowing_rows(self.contest.base, self.narrowing)
        return {
            **tables,
            "narrowing": ResultTable(NarrowingRow, narrowed),
            "panel": ResultTable(PanelRow, panel_rows(self.contest.hands, stages)),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` for `balance --robust`, as plain data."""
        pool = self.contest.base.table.pool
        holds = self.holds_for
        entries = super().to_dict()
        if self.contest.with_first_seats:  # demands limit it instead of the guard
            entries["guards"].pop(FirstSeatGuard.name, None)
        return {
            **entries,
            **PrintedPatch.of(pool, self.patch).as_entries(),
            "narrowing": self.narrowing.as_entry(),
            "panel": list(map(entry, self.panel)),
            "panel_pilots": [
                {
                    "name": hand.name,
                    "band_pp": hand.band_pp,
                    "repeats": hand.repeats,
                    "holds": holds[hand.name],
                }
                for hand in self.contest.hands
            ],
        }


def panel_rows(hands: Sequence[Hand], stages: Iterable[StageRow]) -> list[PanelRow]:
    """Return the rates of every pilot, pilot by pilot.

    Args:
        hands: pilots of the panel.
        stages: rates of all pilots in each stage.
    """
    rates = list(stages)
    return [
        PanelRow(
            hand.name,
            row.matchup.removeprefix(hand.named("")),
            row.least,
            row.most,
            row.today.rate,
            row.certified.rate,
            row.certified.n,
            row.verdict,
        )
        for hand in hands
        for row in rates
        if row.matchup.startswith(hand.named(""))
    ]
