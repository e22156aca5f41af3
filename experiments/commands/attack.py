"""`evenhand build --attack RUN`: what a balance run's decks are worth once people build decks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.registry import agent_named
from balance.decks.double_oracle import (
    MARGIN_PP,
    ROUNDS,
    Attack,
    Attacker,
    AttackRound,
    check_attack,
    deck_of_round,
    run_attack,
)
from experiments.commands.attack_words import PHASES, WHEN, conclusion, percent_between, phase_entry
from experiments.commands.metagame_words import share_text
from experiments.console import Screen, percent
from experiments.deck_file import deck_text
from experiments.experiment import Experiment
from experiments.option_errors import about_option
from experiments.results.attack import AttackRow, attack_rows
from experiments.runs.attack_progress import (
    PROGRESS,
    AttackProgress,
    keep_earlier,
    read_progress,
    write_progress,
)
from experiments.runs.finished_run import FinishedRun, open_finished_run, read_object
from experiments.runs.folder_lock import FolderLock
from experiments.runs.rebuilt_experiment import rebuild_experiment
from experiments.runs.run_folder import RunFolder, made_by, to_json
from sim.errors import InputError

SUMMARY, TABLE, FIGURE, DECKS = "attack.json", "attack.csv", "attack.png", "attackers"
CARDS_OF = {"before": "the cards before the patch", "after": "the cards of patched_pool.toml"}


class _Phase(NamedTuple):
    """With whose cards, and who attacks."""

    name: str
    experiment: Experiment
    attacker: Attacker


def attack_balance_run(
    reference: str,
    results: Path,
    screen: Screen,
    *,
    agent: str | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    resume: bool = False,
    plots: bool = True,
    threads: int | None = None,
) -> tuple[RunFolder, dict[str, Any]]:
    """Build against the decks of a finished balance run, with today's and with the patched cards.

    Args:
        reference: the run's folder, the folder's name below `results`, or the experiment's name.
        results: parent of the run folders.
        screen: where to report.
        agent: pilot of the built decks; default that of the run's `[build]`.
        rounds: most decks to build with either cards; default `ROUNDS`.
        seed: default the run's.
        resume: continue an attack that was stopped, with what it was begun with.
        plots: whether to draw the figure.
        threads: threads to use; default all cores.

    Returns:
        The run's folder, where the table, the figure and the built decks are, and the content of
        `attack.json`. What an earlier attack left there is kept in a folder of its own.

    Raises:
        InputError: there is no such run, it is not finished or damaged, another process is
            writing it, or it cannot be attacked like this; or the attack to continue is another
            one.
    """
    run = open_finished_run(reference, results, "balance")
    with FolderLock(run.path):
        return _attack_run(
            run,
            screen,
            agent=agent,
            rounds=rounds,
            seed=seed,
            resume=resume,
            plots=plots,
            threads=threads,
        )


def _attack_run(
    run: FinishedRun,
    screen: Screen,
    *,
    agent: str | None,
    rounds: int | None,
    seed: int | None,
    resume: bool,
    plots: bool,
    threads: int | None,
) -> tuple[RunFolder, dict[str, Any]]:
    """The same for a run that nobody else writes."""
    folder = RunFolder(run.path)
    rebuilt = rebuild_experiment(run)
    made = made_by(has_networks=bool(rebuilt.today.pilots))
    begun = read_progress(run.path, made) if resume else None
    if resume and begun is None and (run.path / SUMMARY).exists():
        summary = read_object(run.path / SUMMARY)
        _require_same(summary, agent=agent, rounds=rounds, seed=seed)
        screen.say("The attack is finished; without --resume it is made anew")
        return folder, summary
    progress = _asked(begun, rebuilt.today, made, agent=agent, rounds=rounds, seed=seed)
    phases = [
        _Phase(name, experiment, _attacker(experiment, progress, name, threads))
        for name, experiment in zip(PHASES, (rebuilt.today, rebuilt.patched), strict=True)
    ]
    for phase in phases:
        _check(phase)
    if begun is None:
        keep_earlier(run.path, (PROGRESS,))
    else:
        n_done = len(begun.before) + len(begun.after)
        screen.note(f"continuing after {n_done} round{'' if n_done == 1 else 's'}")
    write_progress(folder, progress)
    folder.log(f"attack by {progress.agent}, seed {progress.seed}")
    for note in rebuilt.notes:
        screen.note(note)
    attacks = list(_attacks(phases, progress, folder, screen))
    summary = _summarise(attacks, progress, is_certified=run.summary["certified"])
    earlier = _keep_another(folder, to_json(summary))
    _write_decks(attacks, folder)
    folder.write_rows(TABLE, AttackRow, attack_rows(attacks))
    if plots:
        _draw(attacks, folder, f"{rebuilt.today.settings.name}: decks built against the mix")
    folder.write_json(SUMMARY, summary)
    (folder.path / PROGRESS).unlink(missing_ok=True)
    _show(screen, attacks, summary["conclusion"])
    if earlier is not None:
        screen.say(f"The attack that was there before is now {earlier}")
    return folder, summary


def _keep_another(folder: RunFolder, text: str) -> Path | None:
    """Move an earlier attack's files aside; those of this one, stopped while writing, stay."""
    there = folder.path / SUMMARY
    if not there.exists() or there.read_text(encoding="utf-8") == text:
        return None
    return keep_earlier(folder.path, (SUMMARY, TABLE, FIGURE, DECKS))


def _summarise(
    attacks: Sequence[tuple[str, Attack]], progress: AttackProgress, *, is_certified: bool
) -> dict[str, Any]:
    """The content of `attack.json`."""
    return {
        "agent": progress.agent,
        "seed": progress.seed,
        "rounds": progress.rounds,
        "margin_pp": MARGIN_PP,
        "phases": [phase_entry(phase, attack) for phase, attack in attacks],
        "conclusion": conclusion(
            attacks, agent=progress.agent, margin=MARGIN_PP / 100, is_certified=is_certified
        ),
    }


def _asked(
    begun: AttackProgress | None,
    experiment: Experiment,
    made: dict[str, Any],
    *,
    agent: str | None,
    rounds: int | None,
    seed: int | None,
) -> AttackProgress:
    """The attack that was begun, if it is the one that is asked for, or a new one."""
    if begun is not None:
        _require_same(begun.model_dump(), agent=agent, rounds=rounds, seed=seed)
        return begun
    settings = experiment.settings
    wanted = {
        "agent": settings.build.agent if agent is None else agent,
        "rounds": ROUNDS if rounds is None else rounds,
        "seed": settings.seed if seed is None else seed,
    }
    return AttackProgress.model_validate({**wanted, **made})


def _require_same(begun: Mapping[str, Any], **given: str | int | None) -> None:
    """Refuse to continue an attack as another one."""
    for key, value in given.items():
        if value not in {None, begun.get(key)}:
            raise InputError(
                f"--{key} {value}: the attack to continue was begun with {key} "
                f"{begun.get(key)}; leave --{key} out, or run without --resume"
            )


def _attacker(
    experiment: Experiment, progress: AttackProgress, phase: str, threads: int | None
) -> Attacker:
    settings = experiment.with_seed(progress.seed).settings
    with about_option("agent"):
        pilot = agent_named(progress.agent)
    build = settings.build.model_copy(update={"agent": progress.agent})
    return Attacker(
        settings.model_copy(update={"build": build}),
        pilot,
        phase,
        rounds=progress.rounds,
        threads=threads,
    )


def _check(phase: _Phase) -> None:
    try:
        check_attack(phase.experiment.contest(), phase.attacker)
    except InputError as error:
        raise InputError(f"{phase.experiment.path}: {error}") from None


def _attacks(
    phases: Iterable[_Phase], progress: AttackProgress, folder: RunFolder, screen: Screen
) -> Iterable[tuple[str, Attack]]:
    """Attack in both phases; every round that ends is kept."""
    for phase, experiment, attacker in phases:
        generations = attacker.settings.build.generations + 1

        def on_round(entry: AttackRound, phase: str = phase) -> None:
            nonlocal progress
            progress = progress.with_round(phase, entry)
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


def _write_decks(attacks: Sequence[tuple[str, Attack]], folder: RunFolder) -> None:
    """The built decks as files, those that did not join too."""
    (folder.path / DECKS).mkdir(exist_ok=True)
    for phase, attack in attacks:
        for entry in attack.rounds:
            deck = deck_of_round(entry, attack.contest)
            rate = percent_between((entry.win_rate, entry.low, entry.high))
            said = f"{entry.name} wins {rate} against the mix of round {entry.round} {WHEN[phase]}."
            text = deck_text(deck, said, f"It was built for {CARDS_OF[phase]}.")
            folder.write_text(f"{DECKS}/{phase}_{entry.name}.toml", text)


def _draw(attacks: Sequence[tuple[str, Attack]], folder: RunFolder, title: str) -> None:
    from experiments.plots import attack_plot, figure_png  # noqa: PLC0415 (loads matplotlib)

    figure = attack_plot(attacks, margin_pp=MARGIN_PP, title=title)
    folder.write_bytes(FIGURE, figure_png(figure))


def _show(screen: Screen, attacks: Sequence[tuple[str, Attack]], sentences: Sequence[str]) -> None:
    for phase, attack in attacks:
        screen.table(
            f"Decks built {WHEN[phase]}, each against the mix of those before it "
            "(± half of the 95 % interval)",
            ("deck", "wins, %", "games", "joins", "share in the end, %"),
            [
                (
                    entry.name,
                    percent(entry.win_rate, entry.low, entry.high),
                    f"{entry.n:,}",
                    "yes" if entry.added else "no",
                    _share_in_the_end(entry.name, attack),
                )
                for entry in attack.rounds
            ],
        )
        screen.say()
    for sentence in sentences:
        screen.say(sentence)


def _share_in_the_end(name: str, attack: Attack) -> str:
    names = [player.name for player in attack.contest.players]
    if name not in names:
        return "-"
    return share_text(*map(float, attack.metagame.shares.at(names.index(name))))
