"""Findings on a patch of any contest: tables, figures, and lines for the screen."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from balance import BalanceSettings, FoundPatch, GuardVerdict, SearchState, patch_notes
from balance.cards.printed_patch import PrintedPatch
from balance.result.frame import load_pandas
from balance.run.context import RunContext
from balance.run.front_rows import FrontRow
from balance.run.patch_rows import ConvergenceRow, StageRow
from balance.run.question import Measured, Question
from balance.run.stages import run_stages
from balance.search.methods import method_named
from balance.verdict.evaluation import Evaluator
from balance.verdict.first_seat import FirstSeats, allows_everything
from balance.verdict.first_seat_guard import FirstSeatGuard
from balance.verdict.guards import GUARDS
from balance.verdict.room import needed_room_pp
from experiments import plots
from experiments.commands.balance_report import (
    failed_guards,
    headline,
    patch_text,
    verdict_sentence,
)
from experiments.commands.second_opinion import OpinionReport
from experiments.game import AnyExperiment
from experiments.results.verdict import verdict_in
from experiments.runs.ledger import Attempt, counted_try
from experiments.runs.run import Findings, RunOf, search_progress
from experiments.screen import (
    BAND_LEGEND,
    GUARD_WORDS,
    Advance,
    Shown,
    Table,
    explanation_words,
    few_games_words,
    level,
    marked,
    percent,
    price_tables,
    reach_of,
    smaller_words,
    state_of,
    wanted_words,
    widened_words,
)
from experiments.screen.first_seat_words import first_seat_words

WIN_RATES = "Win rate of the first-named"


FoundT = TypeVar("FoundT", bound=FoundPatch)


def search_in(
    run: RunOf[Any],
    question: Question[FoundT],
    attempt: Attempt,
    advance: Advance,
    begin: Callable[[str], None] = lambda _: None,
    measured: Measured | None = None,
) -> FoundT:
    """Search for a patch, certify it, and measure its edits; save the progress in the run folder.

    Args:
        run: run with the folder in which the search is saved.
        question: question of the run.
        attempt: the same question as the ledger of attempts counts it; this search is one attempt.
        advance: called with the progress of the search.
        begin: called with the name of each stage when the stage begins.
        measured: games of the baseline, if they were played already.

    Returns:
        The result with the measured effects of the edits.
    """
    kind = method_named(question.settings.search.method).kind
    with counted_try(run.folder.path.parent, attempt) as number:
        # Each attempt at a question counts as a try, which lowers the risk allowed to the next try.
        progress = search_progress(run, kind, _round_words, advance)

        def on_stage(stage: str) -> None:
            progress.on_stage(stage)
            begin(stage)

        if few := _few_games(question, number):
            run.screen.note(f"{few}; Ctrl-C stops this run, which then does not count as a try")
        context = RunContext(
            state=progress.state,
            try_number=number,
            on_stage=on_stage,
            on_generation=progress.on_generation,
        )
        found = run_stages(question, context, measured=measured)
        on_stage("edits")
        result = found.with_effects(question.settings.games)
        if run.prices:
            on_stage("prices")
            last = result.method
            spaces = question.spaces_without_rules(last.settings, last.evaluator.space)
            result = result.with_prices(spaces)
    run.folder.log("certified" if result.certificate.certified else "not certified")
    write_evaluations(run, result)
    return result


def write_evaluations(run: RunOf[Any], result: FoundPatch) -> None:
    """Write all candidates of a search to the run folder."""
    run.folder.write("evaluations.parquet", _evaluations(result))


def _few_games(question: Question[Any], try_number: int) -> str:
    """Return a sentence if no patch can have the margin of a likely certificate, else `""`."""
    settings = question.settings
    evaluator = Evaluator.of(
        question.contest,
        question.space,
        settings,
        demands=question.demands,
        try_number=try_number,
    )
    return _lacking_games(evaluator, settings, question.total_games)


def _lacking_games(evaluator: Evaluator, settings: BalanceSettings, total: int | None) -> str:
    """Return a sentence if a demand needs a margin wider than its band, otherwise `""`.

    Args:
        evaluator: evaluator with the demands and the risk.
        settings: settings of the search, with the games of all stages.
        total: total number of games of the run; `None` if each stage has its own number.
    """
    error, half_pp = evaluator.demands.tightest
    room_pp = needed_room_pp(evaluator, settings.games) * error
    return few_games_words(room_pp, half_pp, total) if room_pp >= half_pp else ""


def _round_words(reached: SearchState) -> str:
    """Return a text on the last round of a search: its number, imbalance and change."""
    _, imbalance, _, change, _ = reached.history[-1]
    return f"round {reached.generation}: imbalance {imbalance:.1f} pp, change {change:g}"


def patch_findings(
    experiment: AnyExperiment,
    result: FoundPatch,
    extra_lines: Sequence[Shown] = (),
    *,
    opinion: OpinionReport,
    rates: str = WIN_RATES,
    of_stages: Sequence[Shown] = (),
) -> Findings:
    """Return the findings on a patch: tables, patch notes, figures, and lines for the screen.

    Args:
        experiment: the experiment that was balanced.
        result: result of the search.
        extra_lines: lines to show between the verdict and the patch.
        opinion: second opinion of other pilots on the patch.
        rates: name of the rates, for the title of the table.
        of_stages: tables and lines to show instead of the table of the rates by stage.
    """
    of_stages = of_stages or _stages_lines(result, rates)
    return Findings(
        tables=result.files,
        texts={"patch_notes.txt": patch_text(experiment, result, opinion)},
        figures=_figures(experiment.settings.name, result),
        shown=_shown(experiment, result, extra_lines, opinion, of_stages),
    )


def balance_summary(run: RunOf[Any], result: FoundPatch, opinion: OpinionReport) -> dict[str, Any]:
    """Return the content of `summary.json` for `balance`, as documented in `docs/formats.md`."""
    return {
        "command": "balance",
        **result.to_dict(),
        "seconds": round(run.seconds, 3),
        "second_opinion": opinion.summary,
    }


def _figures(name: str, result: FoundPatch) -> dict[str, Callable[[], Any]]:
    """Return functions that draw the figures on a patch, by file name."""
    verdict = verdict_in(result.to_dict())
    return {
        "front.png": lambda: plots.front_plot(
            result.rows(FrontRow),
            verdict,
            title=f"{name}: smallest patches",
            parts=result.parts,
        ),
        "before_after.png": lambda: plots.before_after(verdict, title=f"{name}: before and after"),
        "convergence.png": lambda: plots.convergence_plot(
            result.rows(ConvergenceRow),
            n_select=result.selection.n_games.tolist(),
            band_pp=verdict.band_pp,
            title=f"{name}: search",
        ),
    }


def _evaluations(result: FoundPatch) -> bytes:
    """Return a Parquet file of all candidates of the search, with their steps and points."""
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
    load_pandas().DataFrame(columns).to_parquet(content, compression="zstd")
    return content.getvalue()


def _shown(
    experiment: AnyExperiment,
    result: FoundPatch,
    extra_lines: Sequence[Shown],
    opinion: OpinionReport,
    of_stages: Sequence[Shown],
) -> list[Shown]:
    """Return the lines and tables on a patch, to show on the screen."""
    certificate = result.certificate
    summary = result.to_dict()
    seats = result.first_seats
    smaller = smaller_words(summary)
    shown: list[Shown] = [
        *of_stages,
        verdict_sentence(certificate),
        *(f"Guard {name}: not watched" for name in _unwatched_limits(result)),
        *(_guard_line(guard, seats) for guard in _limiting_guards(result)),
        *_first_seat_lines(result),
        *extra_lines,
        *("", headline(experiment, result) + ":", *opinion.headline),
        *(f"  {line}" for line in patch_notes(result.patch).splitlines()),
        *map(str, PrintedPatch.in_summary(summary).largest),
        *filter(None, (smaller, widened_words(result.widened))),
    ]
    if not (certificate.certified or result.selection.has_room.any()):
        shown.append(_lacking_margin(result))
    if not certificate.certified:
        shown += [
            f"Not certified because of: {', '.join(result.why_not)}",
            *failed_guards(certificate),
        ]
        if explanation := summary["explanation"]:
            shown += explanation_words(explanation, summary["band_pp"])
    return [*shown, *price_tables(summary)]


def _stages_lines(result: FoundPatch, rates: str) -> list[Shown]:
    """Return the table of rates by stage, and lines on the stages and on the verdicts."""
    return [
        _stages_table(result, rates),
        "Claimed: in the games by which the search found the patch, so it looks better than it "
        "is. Selected: in other games, which chose it among the best. Certified: in games that "
        f"chose nothing; only these count. {BAND_LEGEND}",
    ]


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
            for row in result.rows(StageRow)
        ],
    )


def _lacking_margin(result: FoundPatch) -> str:
    """Return a sentence on a selection in which no patch has the margin for a certificate."""
    which = "the nearest" if result.is_nearest else "the likeliest by all games played"
    if few := _lacking_games(result.evaluator, result.method.settings, result.total_games):
        return f"{few}. This patch is {which}"
    room_pp = result.selection.room_pp
    return (
        f"No patch was found with a margin of {room_pp:.1f} pp inside the band and with a margin "
        f"for the guards, which makes a certificate likely; this is {which}"
    )


def _limiting_guards(result: FoundPatch) -> list[GuardVerdict]:
    """Return the guards with a limit that a patch could break, or that the settings name."""
    is_demanded = result.demands_first_seat
    given = result.evaluator.guards.model_fields_set
    return [
        guard
        for guard in result.certificate.guards
        if not allows_everything(guard.name, guard.limit, is_demanded=is_demanded)
        and (guard.name in given or guard.limit < GUARDS[guard.name].highest_limit)
    ]


def _unwatched_limits(result: FoundPatch) -> list[str]:
    """Return the names of guards with a limit, of which the games report no reading."""
    limits = result.evaluator.guards
    return [
        name
        for name in result.certificate.not_watched
        if getattr(limits, name) < GUARDS[name].highest_limit
    ]


def _guard_line(guard: GuardVerdict, seats: FirstSeats | None) -> str:
    """Return a line on a guard: its state, its value before and after the patch, and its limit."""
    words = GUARD_WORDS[guard.name]
    readings = [words.reading(float(rate.estimate)) for rate in (guard.before, guard.after)]
    if seats and guard.name == FirstSeatGuard.name:
        readings = [marked(text, seat.verdict) for text, seat in zip(readings, seats, strict=True)]
    before, after = readings
    state = state_of(guard.estimate, guard.limit, holds=guard.holds)
    reach = reach_of(guard.name, guard.estimate, guard.bound, guard.limit)
    return f"Guard {state}: {words.what} {before} -> {after} ({reach})"


def _first_seat_lines(result: FoundPatch) -> list[str]:
    """Return a line on the first seat's share of wins, if it is not inside its band with the patch.

    The line is needed because the guard of the first seat limits only the growth of that share.
    """
    seats = result.first_seats
    if seats is None or seats.patched.verdict == "inside":
        return []
    if result.demands_first_seat:  # shown with the other rates
        return []
    line = f"First seat with the patch: {first_seat_words(seats.patched)}, n = {seats.patched.n:,}"
    limit = result.evaluator.guards.max_first_seat_pp
    has_limit = limit < GUARDS[FirstSeatGuard.name].highest_limit
    return [f"{line}; its guard limits only the growth" if has_limit else line]
