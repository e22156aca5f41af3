"""Findings on a patch of any contest: tables, figures, and lines for the screen."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from balance import FoundPatch, GuardVerdict, SearchState, patch_notes
from balance.run.context import RunContext
from balance.run.question import Question
from balance.run.stages import run_stages
from balance.search.methods import method_named
from balance.verdict.edit_effects import EditEffects
from balance.verdict.edit_reasons import EditReason
from balance.verdict.guards import GUARDS
from experiments import plots
from experiments.commands.balance_report import (
    explanation_lines,
    failed_guards,
    headline,
    patch_text,
    smaller_patches_entry,
    verdict_sentence,
    why_not,
)
from experiments.commands.second_opinion import OpinionReport
from experiments.game import AnyExperiment
from experiments.results.first_seat import (
    GUARD,
    FirstSeats,
    allows_everything,
    first_seats,
)
from experiments.results.front_rows import (
    FrontEditRow,
    FrontMatchupRow,
    FrontRow,
    front_edit_rows,
    front_matchup_rows,
    front_rows,
    verdict_of,
)
from experiments.results.printed import PrintedPatch
from experiments.results.stages import (
    REASONS,
    SMALLER,
    ConvergenceRow,
    EditRow,
    SmallerRow,
    StageRow,
    convergence_rows,
    edit_rows,
    effects_of,
    smaller_rows,
    stage_rows,
)
from experiments.runs.ledger import Attempt, counted_try
from experiments.runs.run import Findings, Rows, RunOf, search_progress
from experiments.screen import (
    BAND_LEGEND,
    GUARD_WORDS,
    Advance,
    Shown,
    Table,
    level,
    marked,
    percent,
    reach_of,
    smaller_words,
    state_of,
    wanted_words,
    widened_words,
)

WIN_RATES = "Win rate of the first-named"


FoundT = TypeVar("FoundT", bound=FoundPatch)


def search_in(
    run: RunOf[Any],
    question: Question[FoundT],
    attempt: Attempt,
    advance: Advance,
    begin: Callable[[str], None] = lambda _: None,
) -> tuple[FoundT, EditEffects | None]:
    """Search for a patch, certify it, and measure its edits; save the progress in the run folder.

    Args:
        run: run with the folder in which the search is saved.
        question: question of the run.
        attempt: the same question as the ledger of attempts counts it; this search is one attempt.
        advance: called with the progress of the search.
        begin: called with the name of each stage when the stage begins.

    Returns:
        The result, and the measured effect of each edit; `None` if the effects were not measured.
    """
    games = question.settings.games
    kind = method_named(question.settings.search.method).kind
    with counted_try(run.folder.path.parent, attempt) as number:
        # Each attempt at a question counts as a try, which lowers the risk allowed to the next try.
        progress = search_progress(run, kind, _round_words, advance)

        def on_stage(stage: str) -> None:
            progress.on_stage(stage)
            begin(stage)

        context = RunContext(
            state=progress.state,
            try_number=number,
            on_stage=on_stage,
            on_generation=progress.on_generation,
        )
        result = run_stages(question, context)
        on_stage("edits")
        effects = effects_of(result, games)
    run.folder.log("certified" if result.certificate.certified else "not certified")
    run.folder.write("evaluations.parquet", _evaluations(result))
    return result, effects


def _round_words(reached: SearchState) -> str:
    """Return a text on the last round of a search: its number, imbalance and change."""
    _, imbalance, _, change, _ = reached.history[-1]
    return f"round {reached.generation}: imbalance {imbalance:.1f} pp, change {change:g}"


def patch_findings(
    experiment: AnyExperiment,
    result: FoundPatch,
    effects: EditEffects | None,
    extra_lines: Sequence[Shown] = (),
    *,
    opinion: OpinionReport,
    rates: str = WIN_RATES,
) -> Findings:
    """Return the findings on a patch: tables, patch notes, figures, and lines for the screen.

    Args:
        experiment: the experiment that was balanced.
        result: result of the search.
        effects: measured effect of each edit; `None` if the effects were not measured.
        extra_lines: lines to show between the verdict and the patch.
        opinion: second opinion of other pilots on the patch.
        rates: name of the rates, for the title of the table.
    """
    edits = edit_rows(result, effects)
    return Findings(
        tables=_tables(result, edits, effects),
        texts={"patch_notes.txt": patch_text(experiment, result, edits, effects, opinion)},
        figures=_figures(experiment.settings.name, result),
        shown=_shown(experiment, result, effects, extra_lines, opinion, rates),
    )


def _tables(
    result: FoundPatch, edits: Sequence[EditRow], effects: EditEffects | None
) -> dict[str, Rows]:
    """Return the rows of each table on a patch, by file name; tables without rows are left out."""
    smaller = smaller_rows(result)
    reasons = result.edit_reasons(effects)
    tables: dict[str, Rows] = {
        "stages.csv": (StageRow, stage_rows(result)),
        "front.csv": (FrontRow, front_rows(result)),
        "front_matchups.csv": (FrontMatchupRow, front_matchup_rows(result)),
        "front_edits.csv": (FrontEditRow, front_edit_rows(result)),
        "convergence.csv": (ConvergenceRow, convergence_rows(result)),
    }
    if smaller:
        tables[SMALLER] = (SmallerRow, smaller)
    if reasons:
        tables[REASONS] = (EditReason, reasons)
    return tables | ({"edits.csv": (EditRow, edits)} if edits else {})


def _figures(name: str, result: FoundPatch) -> dict[str, Callable[[], Any]]:
    """Return functions that draw the figures on a patch, by file name."""
    verdict = verdict_of(result)
    return {
        "front.png": lambda: plots.front_plot(
            front_rows(result), verdict, title=f"{name}: smallest patches"
        ),
        "before_after.png": lambda: plots.before_after(verdict, title=f"{name}: before and after"),
        "convergence.png": lambda: plots.convergence_plot(
            convergence_rows(result),
            n_select=result.selection.n_games,
            band_pp=verdict.band_pp,
            title=f"{name}: search",
        ),
    }


def _evaluations(result: FoundPatch) -> bytes:
    """Return a Parquet file of all candidates of the search, with their steps and points."""
    import pandas as pd  # noqa: PLC0415 (slow to load)

    space = result.evaluator.space
    state = result.state
    contest = result.evaluator.contest
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


def _shown(
    experiment: AnyExperiment,
    result: FoundPatch,
    effects: EditEffects | None,
    extra_lines: Sequence[Shown],
    opinion: OpinionReport,
    rates: str,
) -> list[Shown]:
    """Return the lines and tables on a patch, to show on the screen."""
    certificate = result.certificate
    seats = first_seats(experiment, result)
    shown: list[Shown] = [
        _stages_table(result, rates),
        "Claimed: in the games by which the search found the patch, so it looks better than it "
        "is. Selected: in other games, which chose it among the best. Certified: in games that "
        f"chose nothing; only these count. {BAND_LEGEND}",
        verdict_sentence(certificate),
        *(f"Guard {name}: not watched" for name in _unwatched_guards(result)),
        *(_guard_line(guard, seats) for guard in _limiting_guards(result)),
        *_first_seat_lines(seats),
        *extra_lines,
        *("", headline(experiment, result) + ":", *opinion.headline),
        *(f"  {line}" for line in patch_notes(result.patch).splitlines()),
        *map(str, PrintedPatch.of_run(result).largest),
        *filter(None, (_smaller_words(result), widened_words(result.widened))),
    ]
    if not (certificate.certified or result.selection.has_room.any()):
        shown.append(
            f"No patch was found with a margin of {result.selection.room_pp:.1f} pp inside the "
            "band and with a margin for the guards, which makes a certificate likely; this is "
            + ("the nearest" if result.is_nearest else "the likeliest by all games played")
        )
    if not certificate.certified:
        shown += [
            f"Not certified because of: {', '.join(why_not(result))}",
            *failed_guards(certificate),
            *explanation_lines(result, effects),
        ]
    return shown


def _smaller_words(result: FoundPatch) -> str:
    """Return sentences on the search for smaller patches."""
    return smaller_words(smaller_patches_entry(result), certified=result.certificate.certified)


def _stages_table(result: FoundPatch, rates: str) -> Table:
    """Return a table of rates before the patch, and with the patch in the games of each stage."""
    confidence = level(result.certificate.confidence)
    return Table(
        f"{rates}, % (± half of the interval: {confidence} for today "
        f"and certified with {result.certificate.n_games:,} games each, else 95 %)",
        ("matchup", "target", "today", "claimed", "selected", "certified"),
        [
            (
                row.matchup,
                wanted_words(row.least, row.most),
                *(percent(stage.rate) for stage in (row.today, row.claimed, row.selected)),
                marked(percent(row.certified.rate), row.verdict),
            )
            for row in stage_rows(result)
        ],
    )


def _limiting_guards(result: FoundPatch) -> list[GuardVerdict]:
    """Return the guards with a limit that a patch could break."""
    is_demanded = result.reported_demands.with_first_seat
    return [
        guard
        for guard in result.certificate.guards
        if not allows_everything(guard.name, guard.limit, is_demanded=is_demanded)
    ]


def _unwatched_guards(result: FoundPatch) -> list[str]:
    """Return the keys of the guards with a limit on something that the games do not report."""
    guards = result.evaluator.guards
    return [
        name
        for name in result.certificate.not_watched
        if not allows_everything(name, GUARDS[name].limit(guards), is_demanded=False)
    ]


def _guard_line(guard: GuardVerdict, seats: FirstSeats | None) -> str:
    """Return a line on a guard: its state, its value before and after the patch, and its limit."""
    words = GUARD_WORDS[guard.name]
    readings = [words.reading(float(rate.estimate)) for rate in (guard.before, guard.after)]
    if seats and guard.name == GUARD:
        readings = [marked(text, seat.verdict) for text, seat in zip(readings, seats, strict=True)]
    before, after = readings
    state = state_of(guard.estimate, guard.limit, holds=guard.holds)
    reach = reach_of(guard.name, guard.estimate, guard.bound, guard.limit)
    return f"Guard {state}: {words.what} {before} -> {after} ({reach})"


def _first_seat_lines(seats: FirstSeats | None) -> list[str]:
    """Return a line on the first seat's share of wins, if it is not inside its band with the patch.

    The line is needed because the guard of the first seat limits only the growth of that share.
    """
    if seats is None or seats.patched.verdict == "inside":
        return []
    return [
        f"First seat with the patch: {seats.patched.words}, n = {seats.patched.n:,}; its guard "
        "limits only the growth"
    ]
