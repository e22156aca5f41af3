"""`evenhand build --attack RUN`: build decks against those of a finished balance run.

The attack shows whether the decks stay balanced once players build decks against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.registry import agent_named, known_spelling
from balance.decks.attack import Attack, AttackRound, AttackRow
from balance.decks.double_oracle import (
    MARGIN_PP,
    ROUNDS,
    Attacker,
    check_attack,
    deck_of_round,
    run_attack,
)
from experiments import plots
from experiments.commands.attack_words import PHASES, WHEN, conclusion
from experiments.experiment import Experiment
from experiments.files.option_errors import option_place
from experiments.files.output_file import deck_text
from experiments.results.attacks import attack_phase_in
from experiments.runs.attack_progress import (
    PROGRESS,
    AttackProgress,
    keep_earlier,
    read_progress,
    write_progress,
)
from experiments.runs.finished_run import open_finished_run
from experiments.runs.folder_lock import FolderLock
from experiments.runs.json_file import read_object, to_json
from experiments.runs.rebuilt_experiment import RebuiltExperiment, rebuild_experiment
from experiments.runs.run import Findings, Run
from experiments.runs.run_folder import RunFolder, made_by
from experiments.screen import Screen, Shown, Table, counted, percent, percent_between
from sim.errors import InputError, error_place

SUMMARY = "attack.json"
TABLE = "attack.csv"
FIGURE = "attack.png"
DECKS = "attackers"
CARDS_OF = {"before": "the cards before the patch", "after": "the cards of patched_pool.toml"}


def attack_balance_run(
    reference: str,
    results: Path,
    screen: Screen,
    options: Mapping[str, Any],
    *,
    resume: bool = False,
    draws: bool = True,
) -> tuple[Run, dict[str, Any]]:
    """Build decks against a finished balance run, both for its original and for its patched cards.

    Args:
        reference: the run's folder, the folder's name below `results`, or the experiment's name.
        results: parent of the run folders.
        screen: where to show the progress and the result.
        options: optional keys `agent`, the pilot of built decks (default: the agent of the run's
            `[build]`); `rounds`, the maximum number of rounds, each of which builds one deck
            (default: `ROUNDS`); and `seed` (default: the run's seed).
        resume: whether to continue a stopped attack, which needs the options it was started with.
        draws: whether to draw the figure.

    Returns:
        The run and the content of `attack.json`. The run's folder then contains the table, the
        figure and the built decks; files of an earlier attack are moved into a folder of their own.

    Raises:
        InputError: the run does not exist, is not finished or is damaged; another process writes
            it; the options do not fit it; or the attack to continue was started with other options.
    """
    finished = open_finished_run(reference, results, "balance")
    if "agent" in options:
        options = {**options, "agent": known_spelling(options["agent"])}
    with FolderLock(finished.path):
        rebuilt = rebuild_experiment(finished)
        folder = RunFolder(finished.path)
        run = Run(rebuilt.today, folder, screen, resume, draws)
        summary = _attack(run, rebuilt, options, is_certified=finished.summary["certified"])
        folder.log("done")
    return run, summary


def _attack(
    run: Run, rebuilt: RebuiltExperiment, options: Mapping[str, Any], *, is_certified: bool
) -> dict[str, Any]:
    """Attack a run in its locked folder, write the results, and return those in `attack.json`.

    If the attack to resume is already finished, return its stored results.
    """
    folder = run.folder
    screen = run.screen
    made = made_by(has_networks=bool(rebuilt.today.pilots))
    begun = read_progress(folder.path, made) if run.resume else None
    if run.resume and begun is None and (folder.path / SUMMARY).exists():
        summary = read_object(folder.path / SUMMARY)
        _require_same(summary, options)
        screen.say("The attack is finished already; to repeat it, leave --resume out")
        return summary
    progress = _progress_of(begun, rebuilt.today, made, options)
    phases = [
        (name, experiment, _attacker(experiment, progress, name))
        for name, experiment in zip(PHASES, (rebuilt.today, rebuilt.patched), strict=True)
    ]
    if begun is None:
        if run.resume:
            screen.note(f"no attack on {folder.path} was stopped; a new one begins")
        keep_earlier(folder.path, (PROGRESS,))
    else:
        n_done = len(begun.before) + len(begun.after)
        screen.note(f"continuing after {counted(n_done, 'round')}")
    write_progress(folder, progress)
    folder.log(f"attack by {progress.agent}, seed {progress.seed}")
    for note in rebuilt.notes:
        screen.note(note)
    attacks = list(_attacks(phases, progress, folder, screen))
    summary = {
        "agent": progress.agent,
        "seed": progress.seed,
        "rounds": progress.rounds,
        "margin_pp": MARGIN_PP,
        "phases": [attack.to_dict() for _, attack in attacks],
        "conclusion": conclusion(
            attacks, agent=progress.agent, margin=MARGIN_PP / 100, is_certified=is_certified
        ),
    }
    earlier = _move_earlier(folder, to_json(summary))
    (folder.path / DECKS).mkdir(exist_ok=True)
    rows = [row for _, attack in attacks for row in attack.rows(AttackRow)]
    drawn = [attack_phase_in(entry) for entry in summary["phases"]]
    title = f"{run.experiment.settings.name}: decks built against the mix"
    run.publish(
        Findings(
            texts=_deck_files(attacks),
            tables={TABLE: (AttackRow, rows)},
            figures={FIGURE: lambda: plots.attack_plot(drawn, margin_pp=MARGIN_PP, title=title)},
            shown=[*_tables(attacks), *summary["conclusion"]],
        )
    )
    folder.write_json(SUMMARY, summary)
    (folder.path / PROGRESS).unlink(missing_ok=True)
    if earlier is not None:
        screen.say(f"The files of the earlier attack were moved to {earlier}")
    return summary


def _move_earlier(folder: RunFolder, text: str) -> Path | None:
    """Move the files of an earlier, different attack into a new folder.

    Files of this attack are not moved: it may have been stopped while it wrote them.

    Args:
        folder: the run's folder.
        text: content of this attack's `attack.json`.

    Returns:
        The new folder, or `None` if there was nothing to move.
    """
    summary = folder.path / SUMMARY
    if not summary.exists() or summary.read_text(encoding="utf-8") == text:
        return None
    return keep_earlier(folder.path, (SUMMARY, TABLE, FIGURE, DECKS))


def _progress_of(
    begun: AttackProgress | None,
    experiment: Experiment,
    made: dict[str, Any],
    options: Mapping[str, Any],
) -> AttackProgress:
    """Return the progress of the stopped attack, or that of a new attack without any round.

    Args:
        begun: progress of the stopped attack, if any.
        experiment: the balanced experiment, for the defaults of the options.
        made: versions of the software that the attack depends on.
        options: options of the command line; those of a stopped attack must not differ.

    Raises:
        InputError: an option differs from that of the stopped attack.
    """
    if begun is not None:
        _require_same(begun.model_dump(), options)
        return begun
    settings = experiment.settings
    default = {"agent": settings.build.agent, "rounds": ROUNDS, "seed": settings.seed}
    return AttackProgress.model_validate({**default, **options, **made})


def _require_same(begun: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Check that the options equal those that the attack was started with.

    Args:
        begun: options that the attack was started with.
        options: options of the command line; options that are left out are not compared.

    Raises:
        InputError: an option differs.
    """
    for key, value in options.items():
        if value != begun.get(key):
            raise InputError(
                f"the attack to continue was begun with {key} = {begun.get(key)}",
                place=f"--{key} {value}",
                value=value,
                limit=begun.get(key),
                remedy=f"leave --{key} out, or run without --resume",
            )


def _attacker(experiment: Experiment, progress: AttackProgress, phase: str) -> Attacker:
    """Return the settings of an attack on one version of the cards.

    Raises:
        InputError: the agent is unknown, or the settings do not fit the experiment.
    """
    settings = experiment.with_seed(progress.seed).settings
    with option_place("agent"):
        pilot = agent_named(progress.agent)
    build = settings.build.model_copy(update={"agent": progress.agent})
    attacker = Attacker(
        settings.model_copy(update={"build": build}),
        pilot,
        phase,
        rounds=progress.rounds,
    )
    with error_place(experiment.path):
        check_attack(experiment.contest(), attacker)
    return attacker


def _attacks(
    phases: Iterable[tuple[str, Experiment, Attacker]],
    progress: AttackProgress,
    folder: RunFolder,
    screen: Screen,
) -> Iterable[tuple[str, Attack]]:
    """Yield the name and the attack of each phase; write the progress to disk after every round.

    Args:
        phases: name, experiment and settings of each phase.
        progress: rounds that an earlier process has finished, which are not repeated.
        folder: the run's folder.
        screen: where to show the progress.
    """
    for phase, experiment, attacker in phases:
        generations = attacker.settings.build.generations + 1

        def on_round(entry: AttackRound, phase: str = phase) -> None:
            nonlocal progress
            progress = progress.model_copy(update={phase: (*progress.rounds_of(phase), entry)})
            write_progress(folder, progress)
            folder.log(f"attack {phase}: {entry.name} wins {100 * entry.win_rate:.1f} %")

        with screen.progress(WHEN[phase], attacker.rounds * generations) as advance:

            def on_generation(number: int, state: Any, advance: Any = advance) -> None:
                done = (number - 1) * generations + state.generation + 1  # noqa: B023
                best = 100 * float(state.history[-1, 2])
                advance(done, f"round {number}: {best:.1f} % against the mix")

            attack = run_attack(
                experiment.contest(),
                attacker,
                done=progress.rounds_of(phase),
                on_generation=on_generation,
                on_round=on_round,
            )
        yield phase, attack


def _deck_files(attacks: Sequence[tuple[str, Attack]]) -> dict[str, str]:
    """Return the text of each built deck by file name, including decks outside the mix."""
    return {
        f"{DECKS}/{phase}_{entry.name}.toml": deck_text(
            deck_of_round(entry, attack.contest),
            f"{entry.name} wins {percent_between((entry.win_rate, entry.low, entry.high))} against "
            f"the mix of round {entry.round} {WHEN[phase]}.",
            f"It was built for {CARDS_OF[phase]}.",
        )
        for phase, attack in attacks
        for entry in attack.rounds
    }


def _tables(attacks: Sequence[tuple[str, Attack]]) -> Iterator[Shown]:
    """Yield a table of the built decks for each phase, each followed by an empty line."""
    for phase, attack in attacks:
        yield Table(
            f"Decks built {WHEN[phase]}, each against the mix of the decks before it "
            "(± half of the 95 % interval)",
            ("deck", "wins, %", "games", "joins", "share in the end, %"),
            [
                (
                    entry.name,
                    percent((entry.win_rate, entry.low, entry.high)),
                    f"{entry.n:,}",
                    "yes" if entry.added else "no",
                    _share_in_the_end(entry.name, attack),
                )
                for entry in attack.rounds
            ],
        )
        yield ""


def _share_in_the_end(name: str, attack: Attack) -> str:
    """Return a built deck's share of the last mix in percent, or `-` if the deck did not join."""
    names = attack.contest.player_names
    if name not in names:
        return "-"
    return percent_between(attack.metagame.shares.at(names.index(name)), unit="")
