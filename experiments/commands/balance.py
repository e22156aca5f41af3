"""`evenhand balance`: from cards to a certified patch; before that, what it may take."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from balance import BalanceRun, CardContest, pipeline
from balance.edit_effects import EditEffects
from balance.estimate import RunEstimate, estimate_run
from balance.narrowing import Narrowing
from balance.pipeline import Measurement
from balance.result_tables import (
    MatchupRow,
    NarrowingRow,
    PowerRow,
    matchup_rows,
    narrowing_rows,
    power_rows,
)
from experiments import plots
from experiments.agents import are_scripts, find_power_pilots, power_contest
from experiments.commands.balance_report import summarise
from experiments.commands.found_patch import patch_findings, search_in
from experiments.commands.pilots import (
    find_weak_pilots,
    weak_pilot_entries,
    weak_pilot_lines,
)
from experiments.commands.power import draw_power
from experiments.commands.second_opinion import OpinionReport, ask_others, with_other_pilots
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX
from experiments.files.option_errors import option_error
from experiments.files.output_file import retrained_file_name
from experiments.game import game_of
from experiments.loading import load_experiment
from experiments.results.front import verdict_of
from experiments.results.stages import GuardRow, guard_rows
from experiments.runs.ledger import question_of
from experiments.runs.run import Findings, Rows, Run
from experiments.screen import Screen, Shown, Table, estimate_words
from sim import InputError, error_place


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
    found = with_other_pilots(find_power_pilots(experiment, results), results)
    pipeline.check_balance(found.contest(), found.settings)
    if found.settings.drift.steps:
        _check_drift(found)
    return found


def _check_drift(experiment: Experiment) -> None:
    """Refuse a drift in which nobody learns, or two pilots would be kept in one file."""
    players = zip(experiment.contest().players, experiment.settings.players, strict=True)
    learning = [player.name for player, entry in players if entry.agent.startswith(PREFIX)]
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
    experiment = run.experiment
    found, effects = _balanced(run)
    experiment.write_patched(found.patch, run.folder.path)
    opinion = ask_others(run, found)
    run.screen.stage("comparing the pilots with light")
    weak = find_weak_pilots(experiment, run.threads)
    findings = _findings(experiment, found, effects, opinion)
    run.publish(replace(findings, shown=[*findings.shown, *weak_pilot_lines(weak)]))
    drift = _drift(run, found)
    summary = summarise(experiment, found, effects, seconds=run.seconds)
    summary["second_opinion"] = opinion.summary
    summary |= weak_pilot_entries(weak)
    run.closing.append(_attack_line(run))
    return replace(drift, summary=summary | (drift.summary or {}))


def _attack_line(run: Run) -> str:
    """The question that a balance run leaves open, and the command that answers it."""
    command = shlex.join(["evenhand", "build", "--attack", str(run.folder.path)])
    return f"Does it stay balanced once people build decks? {command}"


def _balanced(run: Run) -> tuple[BalanceRun, EditEffects | None]:
    """What the search comes to, and why each edit, with a progress bar of games."""
    experiment = run.experiment
    contest = run.experiment.contest()
    with run.screen.games("balance", _expected_games(run, contest)) as bar:
        on_games = bar.played if run.screen.is_watched else None
        find = partial(
            pipeline.run_balance,
            replace(contest, on_games=on_games),
            experiment.settings,
            power_contest=replace(power_contest(experiment), on_games=on_games),
        )
        question = question_of(experiment)
        return search_in(
            run, experiment.settings, question, find, lambda _, said: bar.say(said), bar.begin
        )


def _expected_games(run: Run, contest: CardContest) -> dict[str, int]:
    """The games that each stage may take, told with the time to whoever watches."""
    if not run.screen.is_watched:
        return {}
    estimate = estimate_run(contest, run.experiment.settings, threads=run.threads)
    run.screen.stage(f"expected: {estimate_words(estimate.n_games, estimate.seconds)}")
    stages = {stage.stage: stage.n_games for stage in estimate.stages}
    return stages | {"measure": stages["measure"] + stages.pop("narrow")}


def _drift(run: Run, found: BalanceRun) -> Findings:
    """What is found once the pilots went on learning, if they shall."""
    if not run.experiment.settings.drift.steps:
        return Findings()
    from experiments.commands.drift_stage import run_drift  # noqa: PLC0415 (loads torch)

    run.folder.log("drift")
    return run_drift(run, found)


def _findings(
    experiment: Experiment, run: BalanceRun, effects: EditEffects | None, opinion: OpinionReport
) -> Findings:
    """Those of any contest, and what cards have besides."""
    found = patch_findings(experiment, run, effects, _besides(run.measurement), opinion=opinion)
    return replace(
        found,
        tables={**found.tables, **_tables(run), **opinion.tables},
        figures={**found.figures, **_figures(experiment, run)},
        shown=[*found.shown, *_restless(run.contest), *opinion.shown],
    )


def _tables(run: BalanceRun) -> dict[str, Rows]:
    contest = run.contest
    measurement = run.measurement
    tables: dict[str, Rows] = {
        "guards.csv": (GuardRow, guard_rows(run)),
        "matchups_today.csv": (MatchupRow, matchup_rows(contest, measurement.matchups)),
        "matchups_patched.csv": (MatchupRow, matchup_rows(contest, run.certified_counts)),
        "narrowing.csv": (NarrowingRow, narrowing_rows(contest, measurement.narrowing)),
    }
    if measurement.powers:
        tables["power.csv"] = (PowerRow, power_rows(measurement.power_contest, measurement.powers))
    return tables


def _figures(experiment: Experiment, run: BalanceRun) -> dict[str, Callable[[], Any]]:
    """What draws each figure, by file; a matrix before and after only where it is more than a row.

    Args:
        experiment: what was balanced.
        run: what was found.
    """
    settings = experiment.settings
    contest = run.contest
    narrowing = run.measurement.narrowing
    name = settings.name
    games = settings.games
    verdict = verdict_of(run)
    bounds = verdict.bounds[:, : len(contest.matchups)]
    figures: dict[str, Callable[[], Any]] = {
        "matchups_today.png": lambda: plots.matchup_heatmap(
            contest, run.measurement.matchups, title=f"{name}: win rates today", bounds=bounds
        ),
        "matchups_patched.png": lambda: plots.matchup_heatmap(
            contest, run.certified_counts, title=f"{name}: win rates with the patch", bounds=bounds
        ),
    }
    if narrowing.by != "none":
        figures["narrowing.png"] = lambda: plots.narrowing_plot(
            contest,
            narrowing,
            title=f"{name}: cards that may move",
            n_games={"power": games.power, "lever": games.lever}.get(narrowing.by),
        )
    if len(contest.players) > 2:
        figures["before_after_matrix.png"] = lambda: plots.before_after_matrix(
            contest, verdict, title=f"{name}: before and after"
        )
    if run.measurement.powers:
        figures["power.png"] = partial(
            draw_power,
            run.measurement.power_contest,
            run.measurement.powers,
            name,
            settings.narrow.baseline,
            kept=narrowing.kept,
        )
    return figures


def _besides(measurement: Measurement) -> list[Shown]:
    narrowing = measurement.narrowing
    besides: list[Shown] = [_narrowing_line(narrowing)]
    if narrowing.by == "power" and not are_scripts(measurement.power_contest):
        besides.append(
            "Trained agents measured power; `evenhand power --exploit` measures their weaknesses"
        )
    return besides


def _restless(contest: CardContest) -> list[Shown]:
    """Which trained pilots are not known to be at rest."""
    if are_scripts(contest):
        return []
    from balance.learning.training import unconverged_pilots  # noqa: PLC0415 (loads torch)

    return list(unconverged_pilots(contest))


def _narrowing_line(narrowing: Narrowing) -> str:
    full = narrowing.full
    space = narrowing.space
    if narrowing.by == "none":
        return f"All {len(full.genes)} numbers may move: 10^{full.log10_size:.0f} patches"
    return (
        f"Narrowed by {narrowing.by}: {len(full.genes)} -> {len(space.genes)} numbers, "
        f"10^{full.log10_size:.0f} -> 10^{space.log10_size:.0f} patches"
    )


_TOLD_TO_PEOPLE = {"explain", "edits"}  # stages that a grid goes without


def estimate_balance(
    screen: Screen,
    *,
    name: str,
    results: Path,
    seed: int | None,
    preset: str | None,
    agent: str | None = None,
    total: int | None = None,
    threads: int | None,
) -> Findings:
    """What a balance run of an experiment may take; leaves nothing in `results`."""
    if (game := game_of(name)[1]) is not None:
        raise option_error("estimate", f"is not told for the game {game.name!r}")
    experiment = load_experiment(name, results, preset, agent, total).with_seed(seed)
    with error_place(experiment.path):
        experiment = check_stages(experiment, results)
    screen.stage("playing a few games to tell how long they take")
    found = estimate_run(experiment.contest(), experiment.settings, threads=threads)
    wider = [f"It may have to widen: {' and '.join(found.widened)}."] if found.widened else []
    return Findings(
        summary=_estimate_summary(found),
        shown=[
            f"Expected: {estimate_words(found.n_games, found.seconds)}",
            *wider,
            _estimate_table(found),
        ],
    )


def tell_runs(run: Run, asked: Iterable[tuple[Experiment, float]], truth_games: int) -> None:
    """Tell whoever watches what the balance runs of a grid may take.

    Args:
        run: of the grid.
        asked: questions, and how many runs there are of each.
        truth_games: per matchup, that tell the truth of each.
    """
    if not run.screen.is_watched:
        return
    n_runs = 0.0
    n_games = 0.0
    seconds = 0.0
    for question, n in asked:
        contest = question.contest()
        found = estimate_run(contest, question.settings, threads=run.threads)
        of_truth = 2 * truth_games * len(contest.matchups)
        less = sum(stage.n_games for stage in found.stages if stage.stage in _TOLD_TO_PEOPLE)
        n_runs = n_runs + n
        n_games = n_games + n * (found.n_games + of_truth - less)
        seconds += n * (found.seconds + (of_truth - less) * found.game_s)
    run.screen.stage(f"expected: {n_runs:.0f} runs, {estimate_words(n_games, seconds)}")


def _estimate_summary(found: RunEstimate) -> dict[str, Any]:
    return {
        "command": "estimate",
        "stages": [stage._asdict() for stage in found.stages],
        "n_games": found.n_games,
        "most": found.most,
        "widened": list(found.widened),
        "seconds": round(found.seconds, 1),
        "game_s": found.game_s,
    }


def _estimate_table(found: RunEstimate) -> Table:
    rows = [(stage.stage, f"{stage.n_games:,}", f"{stage.most:,}") for stage in found.stages]
    return Table(
        "Games of each stage, all matchups together; at most, if nothing else has to be widened",
        ("stage", "games", "at most"),
        [*rows, ("all", f"{found.n_games:,}", f"{found.most:,}")],
    )
