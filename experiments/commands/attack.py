"""`evenhand build --attack RUN`: what a balance run's decks are worth once people build decks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.registry import agent_named
from balance.double_oracle import (
    MARGIN_PP,
    ROUNDS,
    Attack,
    Attacker,
    AttackRound,
    check_attack,
    deck_of_round,
    run_attack,
)
from balance.intervals import Interval
from experiments.commands.attack_progress import (
    PROGRESS,
    AttackProgress,
    keep_earlier,
    read_progress,
    write_progress,
)
from experiments.commands.attack_words import PHASES, WHEN, conclusion, percent_between, phase_entry
from experiments.commands.metagame import share_text
from experiments.console import Screen, percent
from experiments.deck_file import deck_text
from experiments.experiment import Experiment
from experiments.runs.finished_run import open_finished_run
from experiments.runs.rebuilt_experiment import rebuild_experiment
from experiments.runs.run_folder import RunFolder, engine_hash
from sim.errors import InputError

SUMMARY, TABLE, FIGURE, DECKS = "attack.json", "attack.csv", "attack.png", "attackers"
HEADER = ("phase", "round", "name", "opponent", "win_rate", "low", "high", "n", "added")
MIX = "(the mix)"


class _Front(NamedTuple):
    """One of the two phases: with whose cards, and who attacks."""

    phase: str
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
        InputError: there is no such run, it is not finished or damaged, or it cannot be attacked
            like this; or the attack to continue is another one.
    """
    run = open_finished_run(reference, results, "balance")
    rebuilt = rebuild_experiment(run)
    begun = read_progress(run.path) if resume else None
    progress = _asked(begun, rebuilt.today, agent=agent, rounds=rounds, seed=seed)
    fronts = [
        _Front(phase, experiment, _attacker(experiment, progress, phase, threads))
        for phase, experiment in zip(PHASES, (rebuilt.today, rebuilt.patched), strict=True)
    ]
    for front in fronts:
        _check(front)
    files = (SUMMARY, TABLE, FIGURE, DECKS, PROGRESS)
    earlier = keep_earlier(run.path, files) if begun is None else None
    folder = RunFolder(run.path)
    write_progress(folder, progress)
    folder.log(f"attack by {progress.agent}, seed {progress.seed}")
    for note in rebuilt.notes:
        screen.note(note)
    attacks = list(_attacks(fronts, progress, folder, screen))
    sentences = conclusion(attacks, agent=progress.agent, margin=MARGIN_PP / 100)
    summary = {
        "agent": progress.agent,
        "seed": progress.seed,
        "rounds": progress.rounds,
        "margin_pp": MARGIN_PP,
        "phases": [phase_entry(phase, attack) for phase, attack in attacks],
        "conclusion": sentences,
    }
    _write_decks(attacks, folder)
    folder.write_csv(TABLE, HEADER, attack_rows(attacks))
    if plots:
        _draw(attacks, folder, f"{rebuilt.today.settings.name}: decks built against the mix")
    folder.write_json(SUMMARY, summary)
    (folder.path / PROGRESS).unlink(missing_ok=True)
    _show(screen, attacks, sentences)
    if earlier is not None:
        screen.say(f"The attack that was there before is now {earlier}")
    return folder, summary


def _asked(
    begun: AttackProgress | None,
    experiment: Experiment,
    *,
    agent: str | None,
    rounds: int | None,
    seed: int | None,
) -> AttackProgress:
    """The attack that was begun, if it is the one that is asked for, or a new one."""
    given = {"agent": agent, "rounds": rounds, "seed": seed}
    if begun is None:
        settings = experiment.settings
        default = {"agent": settings.build.agent, "rounds": ROUNDS, "seed": settings.seed}
        wanted = default | {key: value for key, value in given.items() if value is not None}
        return AttackProgress.model_validate({**wanted, "engine_hash": engine_hash()})
    for key, value in given.items():
        if value not in {None, getattr(begun, key)}:
            raise InputError(
                f"--{key} {value}: the attack to continue was begun with {key} "
                f"{getattr(begun, key)}; leave --{key} out, or run without --resume"
            )
    return begun


def _attacker(
    experiment: Experiment, progress: AttackProgress, phase: str, threads: int | None
) -> Attacker:
    settings = experiment.with_seed(progress.seed).settings
    try:
        pilot = agent_named(progress.agent)
    except InputError as error:
        raise InputError(f"--agent: {error}") from None
    build = settings.build.model_copy(update={"agent": progress.agent})
    return Attacker(
        settings.model_copy(update={"build": build}),
        pilot,
        phase,
        rounds=progress.rounds,
        threads=threads,
    )


def _check(front: _Front) -> None:
    try:
        check_attack(front.experiment.contest(), front.attacker)
    except InputError as error:
        raise InputError(f"{front.experiment.path}: {error}") from None


def _attacks(
    fronts: Iterable[_Front], progress: AttackProgress, folder: RunFolder, screen: Screen
) -> Iterable[tuple[str, Attack]]:
    """Attack on both fronts; every round that ends is kept."""
    for phase, experiment, attacker in fronts:
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


def attack_rows(attacks: Sequence[tuple[str, Attack]]) -> list[list[Any]]:
    """One row per round for the mix and for each deck in it, in the columns of `HEADER`."""
    rows = []
    for phase, attack in attacks:
        for entry in attack.rounds:
            about = [phase, entry.round, entry.name]
            rate = [entry.win_rate, entry.low, entry.high, entry.n, entry.added]
            rows.append([*about, MIX, *rate])
            rows += [
                [*about, other.name, other.win_rate, other.low, other.high, other.n, entry.added]
                for other in entry.opponents
            ]
    return rows


def _write_decks(attacks: Sequence[tuple[str, Attack]], folder: RunFolder) -> None:
    """The built decks as files, those that did not join too."""
    (folder.path / DECKS).mkdir(exist_ok=True)
    for phase, attack in attacks:
        for entry in attack.rounds:
            deck = deck_of_round(entry, attack.contest)
            rate = percent_between((entry.win_rate, entry.low, entry.high))
            said = f"{entry.name} wins {rate} against the mix of round {entry.round} {WHEN[phase]}."
            folder.write_text(f"{DECKS}/{phase}_{entry.name}.toml", deck_text(deck, said))


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
    share = Interval(*(bound[names.index(name)] for bound in attack.metagame.shares))
    return share_text(*map(float, share))
