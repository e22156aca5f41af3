"""`evenhand balance`: from cards to a certified patch, and everything a person wants to see."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from balance import (
    BalanceRun,
    CardContest,
    GuardVerdict,
    SearchState,
    apply_patch,
    patch_notes,
    pipeline,
)
from balance.edit_effects import EditEffects, measure_edits
from balance.estimate import estimate_run
from balance.methods import method_named, most_rounds
from balance.narrowing import Narrowing
from balance.patch import apply_to_rules
from balance.result_tables import (
    MatchupRow,
    NarrowingRow,
    PowerRow,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from experiments.commands.balance_report import (
    balance_figures,
    explained,
    headline,
    not_shown,
    patch_text,
    summarise,
    verdict_sentence,
    what_is_smaller,
    why_not,
)
from experiments.experiment import Experiment
from experiments.files.output_file import retrained_file_name
from experiments.files.pilots import is_pilot
from experiments.learning.power_pilots import are_scripts, find_power_pilots, power_contest
from experiments.results import front
from experiments.results.edits import EditRow, edit_rows
from experiments.results.stages import (
    ConvergenceRow,
    GuardRow,
    StageRow,
    convergence_rows,
    games_of_stages,
    guard_rows,
    stage_rows,
)
from experiments.runs.ledger import counted_try
from experiments.runs.run import Findings, Run, search_progress
from experiments.runs.run import Table as Rows
from experiments.screen.console import Shown, Table
from experiments.screen.wording import (
    advice,
    estimate_words,
    percent,
    smaller_words,
    verdict_words,
    wanted_words,
)
from sim import REAL_POOL, InputError, find_data_file
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.ruleset import RULES, write_ruleset


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
    pipeline.check_balance(found.contest(), found.settings)
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


def run_balance(run: Run) -> Findings:
    """Balance an experiment; finds everything that a person wants to see of it."""
    began_s = time.perf_counter()
    experiment = run.experiment
    found, effects = _balanced(run)
    edits = edit_rows(found, effects)
    run.folder.log("certified" if found.certificate.certified else "not certified")
    run.folder.write("evaluations.parquet", _evaluations(found))
    _write_patched_pool(experiment, found, run.folder.path / "patched_pool.toml")
    if any(edit.card == RULES for edit in found.patch):
        rules = apply_to_rules(experiment.ruleset, found.patch)
        write_ruleset(rules, run.folder.path / "patched_ruleset.toml")
    run.publish(
        Findings(
            tables=_tables(found, edits),
            texts={"patch_notes.txt": patch_text(experiment, found, edits)},
            figures=balance_figures(experiment, found),
            shown=_shown(experiment, found),
        )
    )
    drift = _drift(run, found)
    summary = summarise(experiment, found, effects, seconds=time.perf_counter() - began_s)
    return replace(drift, summary=summary | (drift.summary or {}))


def _balanced(run: Run) -> tuple[BalanceRun, EditEffects | None]:
    """The search, its selection, its certificate, and why each edit, with a progress bar."""

    def figure(reached: SearchState) -> str:
        _, imbalance, _, change, _ = reached.history[-1]
        return f"round {reached.generation}: imbalance {imbalance:.1f} pp, change {change:g}"

    experiment, contest = run.experiment, run.experiment.contest()
    search = experiment.settings.search
    kind, most = method_named(search.method).kind, most_rounds(search)
    with (
        counted_try(run.folder.path.parent, experiment) as number,
        run.screen.games("balance", _expected_games(run, contest)) as bar,
    ):
        progress = search_progress(run, most, kind, figure, lambda _, said: bar.say(said))

        def on_stage(stage: str) -> None:
            progress.on_stage(stage)
            bar.begin(stage)

        on_games = bar.played if run.screen.is_watched else None
        found = pipeline.run_balance(
            replace(contest, on_games=on_games),
            experiment.settings,
            threads=run.threads,
            power_contest=replace(power_contest(experiment), on_games=on_games),
            state=progress.state,
            try_number=number,
            on_stage=on_stage,
            on_generation=progress.on_generation,
        )
        on_stage("edits")
        genome = found.selection.genomes[found.selection.recommended]
        n_spent = sum(games_of_stages(found).values())
        games = experiment.settings.games
        return found, measure_edits(found.evaluator, genome, games, n_spent=n_spent)


def _expected_games(run: Run, contest: CardContest) -> dict[str, int]:
    """The games that each stage may take, told with the time to whoever watches."""
    if not run.screen.is_watched:
        return {}
    estimate = estimate_run(contest, run.experiment.settings, threads=run.threads)
    run.screen.stage(f"expected: {estimate_words(estimate)}")
    stages = {stage.stage: stage.n_games for stage in estimate.stages}
    return stages | {"measure": stages["measure"] + stages.pop("narrow")}


def _drift(run: Run, found: BalanceRun) -> Findings:
    """What is found once the pilots went on learning, if they shall."""
    if not run.experiment.settings.drift.steps:
        return Findings()
    from experiments.commands.drift_stage import run_drift  # noqa: PLC0415 (loads torch)

    run.folder.log("drift")
    return run_drift(run, found)


def _tables(run: BalanceRun, edits: list[EditRow]) -> dict[str, Rows]:
    contest, measurement = run.contest, run.measurement
    tables: dict[str, Rows] = {
        "stages.csv": (StageRow, stage_rows(run)),
        "front.csv": (front.FrontRow, front.front_rows(run)),
        "front_matchups.csv": (front.FrontMatchupRow, front.front_matchup_rows(run)),
        "front_edits.csv": (front.FrontEditRow, front.front_edit_rows(run)),
        "guards.csv": (GuardRow, guard_rows(run)),
        "matchups_today.csv": (MatchupRow, matchup_rows(contest, measurement.matchups)),
        "matchups_patched.csv": (MatchupRow, matchup_rows(contest, run.certified_counts)),
        "convergence.csv": (ConvergenceRow, convergence_rows(run)),
        "narrowing.csv": (NarrowingRow, narrowing_rows(contest, measurement.narrowing)),
    }
    if edits:
        tables["edits.csv"] = (EditRow, edits)
    if measurement.powers:
        tables["power.csv"] = (PowerRow, power_rows(measurement.power_contest, measurement.powers))
    return tables


def _evaluations(run: BalanceRun) -> bytes:
    """Every patch that the search saw, with its pooled results, as parquet."""
    import pandas as pd  # noqa: PLC0415 (slow to load)

    space, state = run.measurement.narrowing.space, run.state
    columns: dict[str, Any] = {
        f"{number.owner}.{number.field}": state.seen[:, k]
        for k, number in enumerate(map(run.contest.parameter, space.genes))
    }
    for m, name in enumerate(run.contest.matchup_names):
        columns[f"points: {name}"] = state.seen_points[:, m]
    columns["evaluations"] = state.seen_times
    content = io.BytesIO()
    pd.DataFrame(columns).to_parquet(content, compression="zstd")
    return content.getvalue()


def _write_patched_pool(experiment: Experiment, run: BalanceRun, target: Path) -> None:
    """The patched pool as a file that loads."""
    if experiment.settings.pool == REAL_POOL:  # has no file of its own
        write_pool(apply_patch(experiment.pool, run.patch), target)
        return
    source = find_data_file("pools", experiment.settings.pool, near=experiment.path)
    edits = [(one.card, one.field, one.after) for one in run.patch if one.card != RULES]
    edit_pool_file(source, target, edits)


def _shown(experiment: Experiment, run: BalanceRun) -> list[Shown]:
    narrowing, certificate = run.measurement.narrowing, run.certificate
    shown: list[Shown] = [
        _stages_table(run),
        "Claimed: in the games by which the search found the patch, so with luck. Selected: in "
        "other games, which chose it among the best. Certified: in games that chose nothing; only "
        "these count, and OUT is an interval that is not wholly inside its band",
        verdict_sentence(certificate),
        *(f"Guard {name}: not watched" for name in certificate.not_watched),
        *map(_guard_line, certificate.guards),
        _narrowing_line(narrowing),
    ]
    if narrowing.by == "power" and not are_scripts(run.measurement.power_contest):
        shown.append(
            "Trained agents measured power; `evenhand power` says how exploitable they are"
        )
    shown += ["", headline(experiment, run) + ":"]
    shown += [f"  {line}" for line in patch_notes(run.patch).splitlines()]
    shown += [line] if (line := smaller_words(what_is_smaller(run))) else []
    if not run.selection.has_room.any():
        shown.append(
            f"No patch was found with {run.selection.room_pp:.1f} pp of room inside the band and "
            "with room for the guards, which a certificate needs to be likely; this is the one "
            "that came closest"
        )
    if not certificate.certified:
        shown.append(f"Not certified because of: {', '.join(why_not(run))}")
        shown += explained(run)
        if open_guards := not_shown(certificate):
            shown.append(advice(open_guards, certificate.n_games_played))
    return shown


def _stages_table(run: BalanceRun) -> Table:
    confidence = 100 * run.certificate.confidence
    return Table(
        f"Win rate of the first-named, % (± half of the interval: {confidence:.2f} % for today "
        f"and certified with {run.certificate.n_games:,} games each, else 95 %)",
        ("matchup", "target", "today", "claimed", "selected", "certified"),
        [
            (
                row.matchup,
                wanted_words(row.least, row.most),
                *(percent(one.rate) for one in (row.today, row.claimed, row.selected)),
                percent(row.certified.rate) + ("" if row.inside else " OUT"),
            )
            for row in stage_rows(run)
        ],
    )


def _narrowing_line(narrowing: Narrowing) -> str:
    full, space = narrowing.full, narrowing.space
    if narrowing.by == "none":
        return f"All {len(full.genes)} numbers may move: 10^{full.log10_size:.0f} patches"
    return (
        f"Narrowed by {narrowing.by}: {len(full.genes)} -> {len(space.genes)} numbers, "
        f"10^{full.log10_size:.0f} -> 10^{space.log10_size:.0f} patches"
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
