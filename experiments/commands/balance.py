"""`evenhand balance`: search for a patch and certify it, or estimate how long that takes."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from balance import BalanceRun, CardContest
from balance.cards.narrowing import Narrowing
from balance.run.balance_run import Measurement
from balance.run.card_question import prepare
from balance.run.estimate import estimate_run
from balance.second_opinion.opinion import PatchTrial
from experiments import plots
from experiments.agents import are_scripts, find_power_pilots, power_contest
from experiments.cli.options import ExperimentName, TotalGames
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.estimate import estimate_findings
from experiments.commands.found_patch import balance_summary, patch_findings, search_in
from experiments.commands.pilots import find_weak_pilots, weak_pilot_entries, weak_pilot_lines
from experiments.commands.power_report import draw_power
from experiments.commands.robust import check_robust, run_robust
from experiments.commands.second_opinion import OpinionReport, ask_others, with_other_pilots
from experiments.experiment import Experiment
from experiments.files.agent_files import PREFIX
from experiments.files.option_errors import option_error
from experiments.files.output_file import retrained_file_name
from experiments.game import NamedExperiment, named_experiment
from experiments.results.verdict import verdict_in
from experiments.runs.ledger import attempt_of, read_ledger
from experiments.runs.run import Findings, Run
from experiments.screen import Screen, Shown, estimate_words
from sim import InputError, error_place


@session_command(*RESUMING, "preset", "agent", "prices")
def balance(
    session: Session,
    experiment: ExperimentName,
    *,
    games: TotalGames = None,
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate", help="Only estimate how many games the run needs, and how long it takes."
        ),
    ] = False,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust", help="Search for a patch that holds with each pilot of [robust] pilots."
        ),
    ] = False,
) -> Work:
    """Search for a small patch, and certify it.

    A certified patch has every matchup inside its band.
    """
    if robust:
        _refuse_with_robust(experiment, estimate=estimate)
        read_ledger(session.results)
        check = partial(check_robust, results=session.results, total=games)
        return partial(session.run, "balance", experiment, check, run_robust)
    if estimate:
        if session.resume:
            raise option_error(
                "resume",
                "cannot be given together with --estimate, which runs nothing",
                remedy="leave one of them out",
            )
        work = partial(
            estimate_balance,
            name=experiment,
            results=session.results,
            seed=session.seed,
            preset=session.preset,
            agent=session.agent,
            total=games,
        )
        return partial(session.measure, work)
    read_ledger(session.results)  # a damaged ledger is refused before anything is written
    check = partial(check_stages, results=session.results)
    return partial(session.run, "balance", experiment, check, run_balance, total=games)


def _refuse_with_robust(name: str, *, estimate: bool) -> None:
    """Refuse options and games for which there is no run for a panel of pilots.

    Raises:
        InputError: the game is not one of cards, or an option has no meaning with `--robust`.
    """
    _require_cards(named_experiment(name), "robust")
    if estimate:
        raise option_error(
            "robust",
            "cannot be given together with --estimate",
            remedy="leave one of them out; a run with --robust begins with an estimate",
        )


def _require_cards(named: NamedExperiment, option: str) -> None:
    """Refuse an option that only card games have.

    Args:
        named: experiment with its game.
        option: name of the option, without dashes.

    Raises:
        InputError: the experiment is of a game without the option.
    """
    if option not in named.game.options:
        raise option_error(
            option,
            f"applies only to card games, not to {named.game.name!r}",
            remedy="leave the option out",
        )


def check_stages(experiment: Experiment, results: Path) -> Experiment:
    """Check that every stage of a balance run accepts the experiment, before anything is written.

    Args:
        experiment: the experiment to balance.
        results: parent of the run folders, which is searched for trained agents.

    Returns:
        The experiment with all trained agents that its stages depend on.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    complete = with_other_pilots(find_power_pilots(experiment, results), results)
    prepare(complete.contest(), complete.settings)
    if complete.settings.drift.steps:
        _check_drift(complete)
    return complete


def _check_drift(experiment: Experiment) -> None:
    """Check that the drift stage has a trained pilot, and that retrained pilots get distinct files.

    Raises:
        InputError: no player has a trained agent, or two retrained pilots would share a file.
    """
    players = zip(experiment.contest().players, experiment.settings.players, strict=True)
    learning = [player.name for player, entry in players if entry.agent.startswith(PREFIX)]
    if not learning:
        raise InputError(
            "no player has a trained agent that could continue learning",
            place="drift.steps",
            value=experiment.settings.drift.steps,
            remedy="set drift.steps to 0, or name a trained agent as a player's agent",
        )
    taken: dict[str, str] = {}
    for name in learning:
        file = retrained_file_name(name)
        if file in taken:
            raise InputError(
                f"players {taken[file]!r} and {name!r} would share the file {file}",
                place="drift.steps",
                value=name,
                remedy="give one of them another name",
            )
        taken[file] = name


def run_balance(run: Run) -> Findings:
    """Balance an experiment, publish the patch, and return the remaining findings of the run."""
    experiment = run.experiment
    result = _search(run)
    experiment.write_patched(result.patch, run.folder.path)
    trial = PatchTrial.of(result.contest, result.evaluator, result.selection.genome)
    opinion = ask_others(run, result, trial)
    run.screen.stage("comparing the pilots with light")
    weak = find_weak_pilots(experiment)
    findings = _findings(experiment, result, opinion)
    # Retraining pilots takes hours: the patch is published before it.
    run.publish(replace(findings, shown=[*findings.shown, *weak_pilot_lines(weak)]))
    drift = _drift(run, result)
    run.closing.append(_attack_line(run))
    return replace(
        drift,
        summary=balance_summary(run, result, opinion)
        | weak_pilot_entries(weak)
        | (drift.summary or {}),
    )


def _attack_line(run: Run) -> str:
    """Return the line that suggests the command `evenhand build --attack` for this run."""
    command = shlex.join(["evenhand", "build", "--attack", str(run.folder.path)])
    return f"Does it stay balanced once people build decks? {command}"


def _search(run: Run) -> BalanceRun:
    """Search for a patch, certify it, and measure its edits, with a progress bar."""
    experiment = run.experiment
    contest = run.experiment.contest()
    with run.screen.games("balance", _expected_games(run, contest)) as bar:
        on_games = bar.played if run.screen.is_watched else None
        question = prepare(
            replace(contest, on_games=on_games),
            experiment.settings,
            power_contest=replace(power_contest(experiment), on_games=on_games),
        )
        return search_in(
            run, question, attempt_of(experiment), lambda _, figure: bar.say(figure), bar.begin
        )


def _expected_games(run: Run, contest: CardContest) -> dict[str, int]:
    """Return the expected number of games of each stage, and show the expected time.

    If the screen is not watched, do nothing and return an empty dictionary.
    """
    if not run.screen.is_watched:
        return {}
    estimate = estimate_run(prepare(contest, run.experiment.settings))
    run.screen.stage(f"expected: {estimate_words(estimate.n_games, estimate.seconds)}")
    stages = {stage.stage: stage.n_games for stage in estimate.stages}
    # A run reports narrowing as a part of the stage `measure`.
    return stages | {"measure": stages["measure"] + stages.pop("narrow")}


def _drift(run: Run, result: BalanceRun) -> Findings:
    """Retrain the pilots with the patched cards; no findings if `[drift] steps` is 0."""
    if not run.experiment.settings.drift.steps:
        return Findings()
    from experiments.commands.drift_stage import run_drift  # noqa: PLC0415 (loads torch)

    run.folder.log("drift")
    return run_drift(run, result)


def _findings(experiment: Experiment, run: BalanceRun, opinion: OpinionReport) -> Findings:
    """Return the findings of a balance run, with tables and figures that only cards have."""
    findings = patch_findings(experiment, run, _narrowing_lines(run.measurement), opinion=opinion)
    return replace(
        findings,
        tables={**findings.tables, **opinion.tables},
        figures={**findings.figures, **_figures(experiment, run)},
        shown=[*findings.shown, *_unconverged_pilots(run.contest), *opinion.shown],
    )


def _figures(experiment: Experiment, run: BalanceRun) -> dict[str, Callable[[], Any]]:
    """Return functions that draw the figures which only contests of cards have, by file name.

    The matrix of win rates before and after the patch needs more than two players.

    Args:
        experiment: the experiment that was balanced.
        run: result of the balance run.
    """
    settings = experiment.settings
    contest = run.contest
    narrowing = run.measurement.narrowing
    name = settings.name
    games = settings.games
    verdict = verdict_in(run.to_dict())
    bounds = verdict.bounds[:, : len(contest.matchups)]
    figures: dict[str, Callable[[], Any]] = {
        "matchups_today.png": lambda: plots.matchup_heatmap(
            contest,
            run.measurement.matchups,
            title=f"{name}: win rates before the patch",
            bounds=bounds,
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


def _narrowing_lines(measurement: Measurement) -> list[Shown]:
    """Return lines on the result of narrowing, and on trained agents that measured power."""
    narrowing = measurement.narrowing
    lines: list[Shown] = [_narrowing_line(narrowing)]
    if narrowing.by == "power" and not are_scripts(measurement.power_contest):
        lines.append(
            "Trained agents measured power; `evenhand power --exploit` measures how exploitable "
            "they are"
        )
    return lines


def _unconverged_pilots(contest: CardContest) -> list[Shown]:
    """Return a line for each trained pilot that is not known to have converged."""
    if are_scripts(contest):
        return []
    from balance.learning.training import unconverged_pilots  # noqa: PLC0415 (loads torch)

    return list(unconverged_pilots(contest))


def _narrowing_line(narrowing: Narrowing) -> str:
    """Return a line on the size of the search space before and after narrowing."""
    full = narrowing.full
    space = narrowing.space
    if narrowing.by == "none":
        return f"All {len(full.genes)} numbers may change: 10^{full.log10_size:.0f} patches"
    return (
        f"Narrowed by {narrowing.by}: {len(full.genes)} -> {len(space.genes)} numbers, "
        f"10^{full.log10_size:.0f} -> 10^{space.log10_size:.0f} patches"
    )


def estimate_balance(
    screen: Screen,
    *,
    name: str,
    results: Path,
    seed: int | None,
    preset: str | None,
    agent: str | None = None,
    total: int | None = None,
) -> Findings:
    """Estimate the games and the time of a balance run from a few games; write no files.

    Args:
        screen: where to show the progress.
        name: the experiment's file, or the name of a shipped experiment.
        results: parent of the run folders, which is searched for trained agents.
        seed: run seed; `None` for the experiment's seed.
        preset: name of the preset with defaults for settings that the file leaves out.
        agent: name of an agent that plays all decks; `None` for each player's own agent.
        total: total number of games of all stages; `None` for the experiment's setting.

    Raises:
        InputError: the experiment is not of a card game, or cannot be balanced.
    """
    named = named_experiment(name)
    _require_cards(named, "estimate")
    experiment = named.load(results=results, preset=preset, agent=agent, total=total)
    experiment = experiment.with_seed(seed)
    with error_place(experiment.path):
        experiment = check_stages(experiment, results)
    screen.stage("playing a few games to estimate the time of a game")
    estimate = estimate_run(prepare(experiment.contest(), experiment.settings))
    return estimate_findings(estimate)
