"""`evenhand balance`: from cards to a certified patch, and everything a person wants to see."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

from balance import pipeline
from balance.patch import apply_patch, patch_notes
from balance.pipeline import BalanceRun
from balance.result_tables import (
    MatchupRow,
    NarrowingRow,
    PowerRow,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from balance.search import SearchState
from experiments.commands.balance_report import (
    headline,
    not_shown,
    patch_text,
    summarise,
    why_not,
)
from experiments.console import Screen, percent
from experiments.experiment import Experiment
from experiments.file_names import retrained_file_name
from experiments.guard_words import advice, verdict_words
from experiments.learning.power_pilots import are_scripts, find_power_pilots, power_contest
from experiments.pilots import is_pilot
from experiments.results import front
from experiments.results.convergence import ConvergenceRow, convergence_rows
from experiments.results.stages import GuardRow, StageRow, guard_rows, stage_rows
from experiments.runs.checkpoint import load_checkpoint, remove_checkpoint, save_checkpoint
from experiments.runs.run_folder import RunFolder
from sim.cards.pool import REAL_POOL
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.errors import InputError
from sim.files.toml_file import find_data_file


def check_stages(experiment: Experiment, results: Path) -> Experiment:
    """Refuse what the stages would refuse, before anything is written.

    Args:
        experiment: what to balance.
        results: parent of the run folders, where trained agents are looked for.

    Returns:
        The experiment with all the trained agents that it depends on.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    found = find_power_pilots(experiment, results)
    contest = found.contest()
    pipeline.check_balance(contest, found.settings)
    if found.settings.drift.steps:
        _check_drift(found)
    return found


def _check_drift(experiment: Experiment) -> None:
    """Refuse a drift in which nobody learns, or two pilots would be kept in one file."""
    players = zip(experiment.contest().players, experiment.settings.players, strict=True)
    learning = [player.name for player, entry in players if is_pilot(entry.agent)]
    if not learning:
        raise InputError("drift.steps: no player has a trained agent that could go on learning")
    taken: dict[str, str] = {}
    for name in learning:
        file = retrained_file_name(name)
        if file in taken:
            raise InputError(
                f"drift.steps: {file} would be the file of player {taken[file]!r} and of player "
                f"{name!r}; give one of them another name"
            )
        taken[file] = name


def run_balance(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    resume: bool,
    plots: bool,
    threads: int | None,
) -> dict[str, Any]:
    """Balance an experiment and fill its run folder; returns what `--json` prints."""
    began_s = time.perf_counter()
    state = load_checkpoint(folder, SearchState) if resume else None
    run = _run_with_progress(experiment, folder, screen, state, threads)
    folder.log("certified" if run.certificate.certified else "not certified")
    _write_tables(experiment, run, folder)
    _write_patch(experiment, run, folder)
    if plots:
        from experiments.commands.balance_figures import draw_balance  # noqa: PLC0415 (loads matplotlib)

        draw_balance(experiment, run, folder)
    _show(experiment, run, screen)
    drift = _drift(experiment, run, folder, screen, threads)
    summary = summarise(experiment, run, seconds=time.perf_counter() - began_s) | drift
    folder.write_json("summary.json", summary)
    remove_checkpoint(folder.path)
    return summary


def _drift(
    experiment: Experiment, run: BalanceRun, folder: RunFolder, screen: Screen, threads: int | None
) -> dict[str, Any]:
    """What is added to the summary once the pilots went on learning, if they shall."""
    if not experiment.settings.drift.steps:
        return {}
    from experiments.commands.drift_stage import run_drift  # noqa: PLC0415 (loads torch)

    folder.log("drift")
    return {"drift": run_drift(experiment, run, folder, screen, threads=threads)}


def _run_with_progress(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    state: SearchState | None,
    threads: int | None,
) -> BalanceRun:
    generations = experiment.settings.search.generations
    if state is not None:
        screen.note(f"continuing after generation {state.generation} of {generations}")
    with screen.progress("balance", generations) as advance:

        def on_stage(stage: str) -> None:
            folder.log(stage)
            advance(state.generation if state else 0, stage)

        def on_generation(reached: SearchState) -> None:
            save_checkpoint(folder, reached)
            _, imbalance, _, change, _ = reached.history[-1]
            advance(reached.generation, f"imbalance {imbalance:.1f} pp, change {change:g}")

        return pipeline.run_balance(
            experiment.contest(),
            experiment.settings,
            threads=threads,
            power_contest=power_contest(experiment),
            state=state,
            on_stage=on_stage,
            on_generation=on_generation,
        )


def _write_tables(experiment: Experiment, run: BalanceRun, folder: RunFolder) -> None:
    contest, measured = run.contest, run.measurement
    stages = stage_rows(run, experiment.settings.target.band_pp)
    folder.write_rows("stages.csv", StageRow, stages)
    folder.write_rows("front.csv", front.FrontRow, front.front_rows(run))
    folder.write_rows("front_matchups.csv", front.FrontMatchupRow, front.front_matchup_rows(run))
    folder.write_rows("front_edits.csv", front.FrontEditRow, front.front_edit_rows(run))
    folder.write_rows("guards.csv", GuardRow, guard_rows(run))
    sides = {"today": measured.matchups, "patched": run.certified_counts}
    for side, counts in sides.items():
        folder.write_rows(f"matchups_{side}.csv", MatchupRow, matchup_rows(contest, counts))
    folder.write_rows("convergence.csv", ConvergenceRow, convergence_rows(run))
    folder.write_rows("narrowing.csv", NarrowingRow, narrowing_rows(contest, measured.narrowing))
    if measured.powers:
        powers = power_rows(measured.power_contest, measured.powers)
        folder.write_rows("power.csv", PowerRow, powers)
    _write_evaluations(run, folder)


def _write_evaluations(run: BalanceRun, folder: RunFolder) -> None:
    """Every genome that the search saw, with its pooled results, as parquet."""
    import pandas as pd  # noqa: PLC0415 (slow to load)

    cards = run.contest.table.pool.cards
    state = run.state
    columns: dict[str, Any] = {
        f"{cards[gene.owner].id}.{gene.field}": state.seen[:, k]
        for k, gene in enumerate(run.measurement.narrowing.space.genes)
    }
    for m, matchup in enumerate(run.contest.matchups):
        columns[f"points: {run.contest.matchup_name(matchup)}"] = state.seen_points[:, m]
    columns["evaluations"] = state.seen_times
    content = io.BytesIO()
    pd.DataFrame(columns).to_parquet(content, compression="zstd")
    folder.write_bytes("evaluations.parquet", content.getvalue())


def _write_patch(experiment: Experiment, run: BalanceRun, folder: RunFolder) -> None:
    """Patch notes, and the patched pool as a file that loads."""
    folder.write_text("patch_notes.txt", patch_text(experiment, run))
    target = folder.path / "patched_pool.toml"
    edits = [(edit.card, edit.field, edit.after) for edit in run.patch]
    if experiment.settings.pool == REAL_POOL:  # has no file of its own
        write_pool(apply_patch(experiment.pool, run.patch), target)
    else:
        source = find_data_file("pools", experiment.settings.pool, near=experiment.path)
        edit_pool_file(source, target, edits)


def _show(experiment: Experiment, run: BalanceRun, screen: Screen) -> None:
    confidence = 100 * run.certificate.confidence
    screen.table(
        f"Win rate of the first-named, % (± half of the interval: {confidence:.2f} % for today "
        f"and certified with {run.certificate.n_games:,} games each, else 95 %)",
        ("matchup", "target", "today", "claimed", "selected", "certified"),
        [
            (
                row.matchup,
                f"{100 * row.target:.0f} ±{row.band_pp:g}",
                *(percent(*map(float, one.rate)) for one in (row.today, row.claimed, row.selected)),
                percent(*map(float, row.certified.rate)) + ("" if row.inside else " OUT"),
            )
            for row in stage_rows(run, experiment.settings.target.band_pp)
        ],
    )
    _show_guards(run, screen)
    narrowing = run.measurement.narrowing
    screen.say(
        f"Narrowed by {narrowing.by}: {len(narrowing.full.genes)} -> "
        f"{len(narrowing.space.genes)} numbers, search space 10^{narrowing.full.log10_size:.0f} "
        f"-> 10^{narrowing.space.log10_size:.0f}"
    )
    if narrowing.by == "power" and not are_scripts(run.measurement.power_contest):
        screen.say("Trained agents measured power; `evenhand power` says how exploitable they are")
    screen.say()
    screen.say(headline(experiment, run) + ":")
    for line in patch_notes(run.patch).splitlines():
        screen.say(f"  {line}")
    if not run.selection.has_room.any():
        screen.say(
            f"No patch was found with {run.selection.room_pp:.1f} pp of room inside the band and "
            "with room for the guards, which a certificate needs to be likely; this is the one "
            "nearest to the target"
        )
    if not run.certificate.certified:
        screen.say(f"Not certified because of: {', '.join(why_not(run))}")
        if open_guards := not_shown(run.certificate):
            screen.say(advice(open_guards, run.certificate.n_games_played))


def _show_guards(run: BalanceRun, screen: Screen) -> None:
    for name in run.certificate.not_watched:
        screen.say(f"Guard {name}: not watched")
    shown = {
        "max_draw_rate": ("draws", " %", 100, 0, 2),
        "max_first_seat_pp": ("first seat wins", " %", 1, 50, 1),
        "median_turns": ("median length", " turns", 1, 0, 1),
    }
    for guard in run.certificate.guards:
        what, unit, scale, shift, digits = shown[guard.name]
        before, after = (
            f"{scale * float(reading.estimate) + shift:.{digits}f}{unit}"
            for reading in (guard.before, guard.after)
        )
        state, reach = verdict_words(guard)
        screen.say(f"Guard {state}: {what} {before} -> {after} ({reach})")
