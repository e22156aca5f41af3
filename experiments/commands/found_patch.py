"""A found patch of any contest: its tables and figures, and what people are shown of it."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from balance import FoundPatch, GuardVerdict, SearchState, patch_notes
from experiments import plots
from experiments.commands.balance_report import (
    explained,
    headline,
    not_shown,
    verdict_sentence,
    what_is_smaller,
    why_not,
)
from experiments.game import AnyExperiment
from experiments.results import front
from experiments.results.edits import EditRow
from experiments.results.stages import (
    ConvergenceRow,
    StageRow,
    convergence_rows,
    stage_rows,
)
from experiments.runs.run import Table as Rows
from experiments.screen.console import Shown, Table
from experiments.screen.wording import (
    advice,
    percent,
    smaller_words,
    verdict_words,
    wanted_words,
    widened_words,
)

WIN_RATES = "Win rate of the first-named"


def round_words(reached: SearchState) -> str:
    """What a search has come to."""
    _, imbalance, _, change, _ = reached.history[-1]
    return f"round {reached.generation}: imbalance {imbalance:.1f} pp, change {change:g}"


def patch_tables(found: FoundPatch, edits: Sequence[EditRow]) -> dict[str, Rows]:
    """Its tables, by the names of their files."""
    tables: dict[str, Rows] = {
        "stages.csv": (StageRow, stage_rows(found)),
        "front.csv": (front.FrontRow, front.front_rows(found)),
        "front_matchups.csv": (front.FrontMatchupRow, front.front_matchup_rows(found)),
        "front_edits.csv": (front.FrontEditRow, front.front_edit_rows(found)),
        "convergence.csv": (ConvergenceRow, convergence_rows(found)),
    }
    return tables | ({"edits.csv": (EditRow, edits)} if edits else {})


def patch_figures(name: str, found: FoundPatch) -> dict[str, Callable[[], Any]]:
    """What draws each of its figures, by file.

    Args:
        name: of the experiment.
        found: what was found.
    """
    verdict = front.verdict_of(found)
    return {
        "front.png": lambda: plots.front_plot(
            front.front_rows(found), verdict, title=f"{name}: smallest patches"
        ),
        "before_after.png": lambda: plots.before_after(verdict, title=f"{name}: before and after"),
        "convergence.png": lambda: plots.convergence_plot(
            convergence_rows(found),
            n_select=found.selection.n_games,
            band_pp=verdict.band_pp,
            title=f"{name}: search",
        ),
    }


def evaluations(found: FoundPatch) -> bytes:
    """Every patch that the search saw, with its pooled results, as parquet."""
    import pandas as pd  # noqa: PLC0415 (slow to load)

    space, state, contest = found.evaluator.space, found.state, found.evaluator.contest
    columns: dict[str, Any] = {
        f"{number.owner}.{number.field}": state.seen[:, k]
        for k, number in enumerate(map(contest.parameter, space.genes))
    }
    for m, name in enumerate(contest.matchup_names):
        columns[f"points: {name}"] = state.seen_points[:, m]
    columns["evaluations"] = state.seen_times
    content = io.BytesIO()
    pd.DataFrame(columns).to_parquet(content, compression="zstd")
    return content.getvalue()


def shown_patch(
    experiment: AnyExperiment,
    found: FoundPatch,
    besides: Sequence[Shown] = (),
    *,
    rates: str = WIN_RATES,
) -> list[Shown]:
    """What people are shown.

    Args:
        experiment: what was balanced.
        found: what was found.
        besides: lines between the verdict and the patch.
        rates: what its rates are.
    """
    certificate = found.certificate
    shown: list[Shown] = [
        _stages_table(found, rates),
        "Claimed: in the games by which the search found the patch, so with luck. Selected: in "
        "other games, which chose it among the best. Certified: in games that chose nothing; only "
        "these count, and OUT is an interval that is not wholly inside its band",
        verdict_sentence(certificate),
        *(f"Guard {name}: not watched" for name in certificate.not_watched),
        *map(_guard_line, certificate.guards),
        *besides,
    ]
    shown += ["", headline(experiment, found) + ":"]
    shown += [f"  {line}" for line in patch_notes(found.patch).splitlines()]
    shown += [line] if (line := smaller_words(what_is_smaller(found))) else []
    shown += [line] if (line := widened_words(found.widened)) else []
    if not found.selection.has_room.any():
        shown.append(
            f"No patch was found with {found.selection.room_pp:.1f} pp of room inside the band and "
            "with room for the guards, which a certificate needs to be likely; this is the one "
            "that came closest"
        )
    if not certificate.certified:
        shown.append(f"Not certified because of: {', '.join(why_not(found))}")
        shown += explained(found)
        if open_guards := not_shown(certificate):
            shown.append(advice(open_guards, certificate.n_games_played))
    return shown


def _stages_table(found: FoundPatch, rates: str) -> Table:
    confidence = 100 * found.certificate.confidence
    return Table(
        f"{rates}, % (± half of the interval: {confidence:.2f} % for today "
        f"and certified with {found.certificate.n_games:,} games each, else 95 %)",
        ("matchup", "target", "today", "claimed", "selected", "certified"),
        [
            (
                row.matchup,
                wanted_words(row.least, row.most),
                *(percent(one.rate) for one in (row.today, row.claimed, row.selected)),
                percent(row.certified.rate) + ("" if row.inside else " OUT"),
            )
            for row in stage_rows(found)
        ],
    )


def _guard_line(guard: GuardVerdict) -> str:
    what, unit, scale, shift, digits = {
        "max_draw_rate": ("draws", " %", 100, 0, 2),
        "max_first_seat_pp": ("first seat wins", " %", 1, 50, 1),
        "median_turns": ("median length", " turns", 1, 0, 1),
    }[guard.name]
    before, after = (
        f"{scale * float(reading.estimate) + shift:.{digits}f}{unit}"
        for reading in (guard.before, guard.after)
    )
    state, reach = verdict_words(guard)
    return f"Guard {state}: {what} {before} -> {after} ({reach})"
