"""The command line. Heavy imports happen inside the commands that need them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sim.errors import InputError

if TYPE_CHECKING:
    from experiments.console import Screen
    from experiments.experiment import Experiment
    from experiments.run_folder import RunFolder

app = typer.Typer(
    name="evenhand",
    help="Balance trading card games: from cards to a certified patch.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

SEED_MAX = 2**63 - 1  # as in `sim.seeds`, which is slow to import
GAME_MAX = 2**63 - 1
STEPS_MAX = 10**11  # as in `agents.dqn.settings`
EXIT_NOT_CERTIFIED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130
_INTERRUPTED = (
    "interrupted; balance, build, study and train continue with --resume where they stopped"
)
_COMPILED = (
    "sim.batch",
    "sim.episodes",
    "sim.replay",
    "sim.table",
    "agents.dqn.exploration",
    "agents.dqn.sampler",
    "agents.search.rollout",
)
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # versions keep it in several places


def _whole_number(low: int, high: int) -> Callable[[str | int], int]:
    """A parser of option values, whose messages name the value and the limits."""

    def parse(given: str | int) -> int:
        text = str(given)  # an option's default comes as a number
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and low <= int(text) <= high:
            return int(text)
        raise typer.BadParameter(f"{text!r} must be a whole number from {low} to {high}")

    return parse


def _number(low: float, high: float) -> Callable[[str | float], float]:
    """The same for numbers with a decimal point."""

    def parse(given: str | float) -> float:
        try:
            number = float(given)
        except ValueError:
            number = float("nan")
        if low <= number <= high:  # which NaN is not
            return number
        raise typer.BadParameter(f"{str(given)!r} must be a number from {low:g} to {high:g}")

    return parse


ExperimentName = Annotated[
    str, typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name.")
]
Results = Annotated[Path, typer.Option(help="Parent of the run folders.")]
Seed = Annotated[
    int | None,
    typer.Option(
        parser=_whole_number(0, SEED_MAX),
        metavar="INTEGER",
        help="Run seed instead of the file's.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print summary.json on standard output.")]
Plots = Annotated[bool, typer.Option("--plots/--no-plots", help="Draw the figures.")]
Threads = Annotated[
    int | None,
    typer.Option(parser=_whole_number(1, 1024), metavar="INTEGER", help="Default: all cores."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run that was stopped.")]

DEFAULT_RESULTS = Path("results")


def _open(
    name: str,
    command: str,
    results: Path,
    seed: int | None,
    check: Callable[[Experiment], Experiment | None],
    *,
    resume: bool = False,
) -> tuple[Experiment, RunFolder]:
    """The experiment and its run folder; a refused experiment leaves the results as they were.

    Where `check` finds out more about the experiment, it returns it anew.
    """
    from experiments.experiment import load_experiment  # noqa: PLC0415
    from experiments.run_folder import open_run_folder  # noqa: PLC0415

    experiment = load_experiment(name, results).with_seed(seed)
    try:
        experiment = check(experiment) or experiment
    except InputError as error:
        raise InputError(f"{experiment.path}: {error}") from None
    folder = open_run_folder(results, experiment, command, resume=resume)
    folder.log(f"{command}, seed {experiment.settings.seed}")
    for agent, pilot in experiment.pilots.items():
        folder.log(f"{agent} is {pilot.path} (sha256 {pilot.content[:12]})")
    return experiment, folder


def _screen(*, json: bool) -> Screen:
    from experiments.console import Screen  # noqa: PLC0415

    return Screen(json=json)


def _finish(screen: Screen, folder: RunFolder, summary: dict[str, Any], *, json: bool) -> None:
    from experiments.run_folder import to_json  # noqa: PLC0415

    folder.log("done")
    if json:
        sys.stdout.write(to_json(summary))
    screen.say(f"Tables and plots: {folder.path}")
    if folder.earlier is not None:
        screen.say(f"The run that was there before is now {folder.earlier}")


def _refuse_beside(option: str, others: dict[str, Any]) -> None:
    """Refuse what a command is told beside an option that leaves it no meaning."""
    for name, value in others.items():
        if value is not None:
            said = f"{value!r}" if name.isupper() else f"--{name} {value}"
            raise InputError(f"{said}: has no meaning beside --{option}; leave it out")


def _version_callback(wanted: bool) -> None:  # noqa: FBT001 (typer calls it)
    if wanted:
        from sim import __version__  # noqa: PLC0415

        sys.stdout.write(f"evenhand {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version_callback, is_eager=True, help="Print it."),
    ] = False,
) -> None:
    """Balance trading card games: from cards to a certified patch."""


@app.command()
def matchups(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Win rates of every pair of decks, with intervals, and a table per card."""
    from experiments.experiment import check_contest  # noqa: PLC0415
    from experiments.matchups_command import run_matchups  # noqa: PLC0415

    loaded, folder = _open(experiment, "matchups", results, seed, check_contest)
    screen = _screen(json=json)
    summary = run_matchups(loaded, folder, screen, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)


@app.command()
def metagame(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Which decks people would play, which never, and whether strength goes in circles."""
    from experiments.experiment import check_contest  # noqa: PLC0415
    from experiments.metagame_command import run_metagame  # noqa: PLC0415

    loaded, folder = _open(experiment, "metagame", results, seed, check_contest)
    screen = _screen(json=json)
    summary = run_metagame(loaded, folder, screen, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)


@app.command()
def power(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    field: Annotated[
        bool, typer.Option("--field", help="Against the other decks, not the mirror.")
    ] = False,
    exploit: Annotated[
        bool,
        typer.Option("--exploit/--no-exploit", help="Train learners against trained agents."),
    ] = True,
    exploit_steps: Annotated[
        int | None,
        typer.Option(
            parser=_whole_number(1, STEPS_MAX),
            metavar="INTEGER",
            help="Steps of those learners; default as many as the agents were trained for.",
        ),
    ] = None,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Leave-one-out power of every card in every deck, with both baselines."""
    from experiments.power_command import run_power  # noqa: PLC0415
    from experiments.power_pilots import find_power_pilots  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return find_power_pilots(loaded, results)

    loaded, folder = _open(experiment, "power", results, seed, check)
    screen = _screen(json=json)
    summary = run_power(
        loaded,
        folder,
        screen,
        versus="field" if field else "mirror",
        plots=plots,
        threads=threads,
        exploit=exploit,
        exploit_steps=exploit_steps,
    )
    _finish(screen, folder, summary, json=json)


@app.command()
def balance(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Search for a small patch that brings every matchup into its band, and certify it."""
    from experiments.balance_command import check_stages, run_balance  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return check_stages(loaded, results)

    loaded, folder = _open(experiment, "balance", results, seed, check, resume=resume)
    screen = _screen(json=json)
    summary = run_balance(loaded, folder, screen, resume=resume, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)
    if not summary["certified"]:
        raise typer.Exit(EXIT_NOT_CERTIFIED)


@app.command()
def build(
    experiment: Annotated[
        str | None,
        typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name."),
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Who pilots the deck.")] = None,
    improve: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Improve this player's deck instead.")
    ] = None,
    swaps: Annotated[
        int | None,
        typer.Option(
            parser=_whole_number(1, 60), metavar="INTEGER", help="Most cards to replace in it."
        ),
    ] = None,
    collection: Annotated[
        Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            parser=_number(0, 1e9),
            metavar="NUMBER",
            help="Most that copies beyond the collection may cost.",
        ),
    ] = None,
    goal: Annotated[
        float | None,
        typer.Option(
            parser=_number(0, 1), metavar="NUMBER", help="Win rate to reach for certain, 0 to 1."
        ),
    ] = None,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Build against the decks of a balance run, before and after."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=_whole_number(1, 100),
            metavar="INTEGER",
            help="Most decks that an attack builds.",
        ),
    ] = None,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Build a strong deck against the players, or improve one by a few swaps, and certify it.

    With --attack, see whether the decks of a finished balance run stay balanced once people build
    against them; --agent, --rounds and --seed say how.
    """
    if attack is not None:
        other = {
            "EXPERIMENT": experiment, "improve": improve, "swaps": swaps, "collection": collection,
            "budget": budget, "goal": goal,
        }  # fmt: skip
        _refuse_beside("attack", other)
        from experiments.attack_command import attack_balance_run  # noqa: PLC0415

        screen = _screen(json=json)
        folder, summary = attack_balance_run(
            attack,
            results,
            screen,
            agent=agent,
            rounds=rounds,
            seed=seed,
            resume=resume,
            plots=plots,
            threads=threads,
        )
        _finish(screen, folder, summary, json=json)
        return
    if experiment is None:
        raise InputError("build needs an EXPERIMENT, or --attack RUN; see --help")
    if rounds is not None:
        raise InputError(f"--rounds {rounds}: only an attack has rounds; add --attack RUN")
    from experiments.build_command import ask_build, run_build  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return ask_build(
            loaded,
            agent=agent,
            improve=improve,
            swaps=swaps,
            collection=collection,
            budget=budget,
            goal=goal,
        )

    loaded, folder = _open(experiment, "build", results, seed, check, resume=resume)
    screen = _screen(json=json)
    summary = run_build(loaded, folder, screen, resume=resume, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)
    if not summary["certified"]:
        raise typer.Exit(EXIT_NOT_CERTIFIED)


@app.command()
def study(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Run every combination of an experiment's [study] table and compare them."""
    from experiments.study_command import check_study, run_study  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return check_study(loaded, results)

    loaded, folder = _open(experiment, "study", results, None, check, resume=resume)
    screen = _screen(json=json)
    summary = run_study(loaded, folder, screen, resume=resume, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)


@app.command()
def train(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    resume: Resume = False,
    json: Json = False,
    plots: Plots = True,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write event files for TensorBoard.")
    ] = False,
) -> None:
    """Train an agent for each [[learner]] of an experiment, several at once."""
    from experiments.train_command import check_train, run_train  # noqa: PLC0415

    def check(loaded: Experiment) -> None:
        check_train(loaded, tensorboard=tensorboard)

    loaded, folder = _open(experiment, "train", results, seed, check, resume=resume)
    screen = _screen(json=json)
    summary = run_train(
        loaded,
        folder,
        screen,
        resume=resume,
        plots=plots,
        threads=threads,
        tensorboard=tensorboard,
    )
    _finish(screen, folder, summary, json=json)


@app.command()
def evaluate(
    experiment: ExperimentName,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Measure the agents that `train` made, and tell how their play differs from scripts."""
    from experiments.evaluate_command import find_trained, run_evaluate  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return find_trained(loaded, results)

    loaded, folder = _open(experiment, "evaluate", results, seed, check)
    screen = _screen(json=json)
    summary = run_evaluate(loaded, folder, screen, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)


@app.command()
def replay(
    experiment: ExperimentName,
    game: Annotated[
        int,
        typer.Option(
            parser=_whole_number(0, GAME_MAX),
            metavar="INTEGER",
            help="Index of the game in its stream.",
        ),
    ] = 0,
    first: Annotated[str | None, typer.Option(help="Player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Player who moves second.")] = None,
    purpose: Annotated[str, typer.Option(help="Stream of game seeds.")] = "matchups",
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
) -> None:
    """Print one game, move by move; by default the first one that `matchups` plays."""
    from experiments.replay_command import run_replay  # noqa: PLC0415

    text = run_replay(
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=seed,
        results=results,
    )
    sys.stdout.write(text)


@app.command()
def substitute(
    experiment: ExperimentName,
    deck: Annotated[str | None, typer.Option(help="Player whose deck lacks cards.")] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(help="A missing card, by id or name; may be given several times."),
    ] = None,
    collection: Annotated[
        Path | None, typer.Option(help="CSV of the cards that are owned, and how many.")
    ] = None,
    results: Results = DEFAULT_RESULTS,
    seed: Seed = None,
    threads: Threads = None,
    *,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Against the intact deck, not the other decks.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            parser=_whole_number(4, GAME_MAX),
            metavar="INTEGER",
            help="Games against each opponent that measure what is shown; even.",
        ),
    ] = None,
    shown: Annotated[
        int | None,
        typer.Option(parser=_whole_number(1, 1000), metavar="INTEGER", help="Length of the lists."),
    ] = None,
    json: Json = False,
    plots: Plots = True,
) -> None:
    """Rank what to play instead of a card that one lacks."""
    from experiments.substitute_command import ask, run_substitute  # noqa: PLC0415

    def check(loaded: Experiment) -> Experiment:
        return ask(
            loaded,
            deck=deck,
            cards=card or (),
            collection=collection,
            mirror=mirror,
            games=games,
            shown=shown,
        )

    loaded, folder = _open(experiment, "substitute", results, seed, check)
    screen = _screen(json=json)
    summary = run_substitute(loaded, folder, screen, plots=plots, threads=threads)
    _finish(screen, folder, summary, json=json)


@app.command()
def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run folder of balance, or an experiment's name.")
    ],
    results: Results = DEFAULT_RESULTS,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Default: report.html in the run folder.")
    ] = None,
    *,
    open_page: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
) -> None:
    """One HTML page about a finished balance run, which opens without a network."""
    from experiments.report_command import run_report  # noqa: PLC0415

    run_report(run, results, _screen(json=False), output=output, open_page=open_page)


@app.command()
def bench(*, json: Json = False) -> None:
    """Measure speed on this machine, as rates and as ratios within this process."""
    from experiments.bench_command import run_bench  # noqa: PLC0415
    from experiments.run_folder import to_json  # noqa: PLC0415

    summary = run_bench(_screen(json=json))
    if json:
        sys.stdout.write(to_json(summary))


@app.command()
def warm() -> None:
    """Compile the engine ahead of its first use."""
    import time  # noqa: PLC0415

    from agents.registry import agent_names, compiled_agent_named  # noqa: PLC0415

    began_s = time.process_time()
    for module in _COMPILED:
        import_module(module)  # engine code is compiled as its module loads
    for name in agent_names():
        _ = compiled_agent_named(name).address
    _screen(json=False).say(f"Engine ready ({time.process_time() - began_s:.1f} s of CPU time)")


def _add_cards_commands() -> None:
    from experiments.cards_command import app as cards_app  # noqa: PLC0415

    app.add_typer(cards_app, name="cards")


_add_cards_commands()


def main() -> None:
    """Run the command line and turn every foreseen failure into one line and a status."""
    try:
        status = app(standalone_mode=False)
    except InputError as error:
        _stop(str(error), EXIT_BAD_INPUT)
    except _USAGE_ERROR as error:
        _stop(_usage(error), EXIT_BAD_INPUT)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        _stop(f"{named}{error.strerror or error}", EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        _stop(_INTERRUPTED, EXIT_INTERRUPTED)
    if status == EXIT_INTERRUPTED:  # what typer makes of Ctrl-C inside a command
        _stop(_INTERRUPTED, EXIT_INTERRUPTED)
    sys.exit(status)


def _usage(error: Exception) -> str:
    """What was wrong with the command line; the whole help where no command was given."""
    message: str = error.format_message()  # type: ignore[attr-defined]
    is_help = "\n" in message
    return f"which command?\n\n{message}" if is_help else f"{message.rstrip('.')}; see --help"


def _stop(message: str, status: int) -> NoReturn:
    sys.stderr.write(f"evenhand: {message}\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
