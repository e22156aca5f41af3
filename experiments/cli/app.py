"""The command line: which commands there are, and what becomes of failures.

Those about the games themselves, which leave no run folder, are written here. Heavy imports happen
inside the commands that need them, so that `--help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from experiments.cli import run_commands
from experiments.cli.card_commands import cards_app, deck_app
from experiments.cli.entry import EXIT_BAD_INPUT, EXIT_INTERRUPTED
from experiments.cli.session import (
    GAME_MAX,
    MEASURING,
    SEED_MAX,
    ExperimentName,
    Session,
    Work,
    integer,
    offering,
)
from experiments.cli.suite_commands import suite_app
from experiments.cli.usage import usage_message
from experiments.cli.whatif_commands import compare, whatif, workbench
from experiments.cli.workers_commands import workers_app
from experiments.files.option_errors import given
from experiments.runs import RESUMABLE
from sim.errors import InputError, readable


@offering("results", "seed", "agent", "json")
def replay(
    session: Session,
    experiment: ExperimentName,
    *,
    game: Annotated[
        int | None, integer(0, GAME_MAX, "Index of the game in its stream; default 0.")
    ] = None,
    first: Annotated[str | None, typer.Option(help="Player who moves first.")] = None,
    second: Annotated[str | None, typer.Option(help="Player who moves second.")] = None,
    purpose: Annotated[
        str | None, typer.Option(help="Stream of game seeds; default matchups.")
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Say what agents compared.")] = False,
    turn: Annotated[int | None, integer(0, GAME_MAX, "Tell only this one, at length.")] = None,
) -> Work:
    """Print one game, move by move.

    By default the first one that `matchups` plays.
    """
    from experiments.commands.replay import Wanted, run_replay  # noqa: PLC0415

    text = partial(
        run_replay,
        experiment,
        game=game,
        first=first,
        second=second,
        purpose=purpose,
        seed=session.seed,
        agent=session.agent,
        results=session.results,
        wanted=Wanted(why=why, turn=turn, json=session.json),
    )
    return lambda: sys.stdout.write(text())


@offering("results", "seed")
def play(
    session: Session,
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT", help="An experiment file, a shipped name, or a saved game."
        ),
    ],
    *,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Yours: first (the default), second ...")
    ] = None,
    own: Annotated[
        str | None, typer.Option("--as", metavar="PLAYER", help="Whose deck is yours.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Whose deck is the opponent's.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(help="Who plays it; default that player's agent.")
    ] = None,
    game: Annotated[
        int | None, integer(0, GAME_MAX, "Index of the game; default the next one.")
    ] = None,
) -> Work:
    """Play a game yourself, at the terminal.

    By default the first matchup's first deck is yours. The game is saved after every action.
    """
    from experiments.commands.conversation import Terminal  # noqa: PLC0415
    from experiments.commands.play import open_game  # noqa: PLC0415
    from experiments.game import Place  # noqa: PLC0415

    terminal = Terminal()
    place = Place(seat, own, against, agent)
    opened = open_game(
        experiment,
        place,
        index=game,
        seed=session.seed,
        results=session.results,
        width=terminal.width,
    )
    return partial(opened.hold, terminal)


@offering(*MEASURING)
def agents(
    session: Session,
    *,
    measure: Annotated[
        str | None,
        typer.Option(metavar="EXPERIMENT", help="Play all against all in mirrors of its decks."),
    ] = None,
    named: Annotated[
        str | None,
        typer.Option("--agents", metavar="NAME,NAME", help="Whom to measure; default all."),
    ] = None,
    games: Annotated[
        int | None, integer(4, GAME_MAX, "Games of a pair in each mirror; even; default 200.")
    ] = None,
) -> Work:
    """List the agents that experiments may name, or measure them.

    The measure is a round robin in mirrors, with ratings and the time that a turn takes.
    """
    from experiments.commands.agents import (  # noqa: PLC0415
        GAMES_OF_A_PAIR,
        ask_agents,
        list_agents,
        measured_names,
        run_agents,
    )

    if measure is None:
        asked = given(
            agents=named, games=games, seed=session.seed, workers=session.workers,
            threads=session.threads,
        )  # fmt: skip
        if not session.plots:
            asked["no-plots"] = ""
        if session.results != Session.results:
            asked["results"] = session.results
        for name, value in asked.items():
            said = f"--{name} {value}".rstrip()
            raise InputError(f"{said}: has a meaning only with --measure EXPERIMENT")
        return partial(session.measure, list_agents)
    if games is not None and games % 2:
        raise InputError(f"--games {games}: must be even, for both seatings")
    check = partial(
        ask_agents,
        names=measured_names(named),
        n_games=games or GAMES_OF_A_PAIR,
        results=session.results,
    )
    return partial(session.run, "agents", measure, check, run_agents)


@offering("json")
def bench(
    session: Session,
    against: Annotated[
        str | None,
        typer.Option(metavar="COMMIT", help="Also play the duel by another commit's code."),
    ] = None,
) -> Work:
    """Measure speed here, as rates and as ratios."""
    from experiments.commands.bench import run_bench  # noqa: PLC0415

    return partial(session.measure, partial(run_bench, against=against))


@offering("json")
def conformance(
    session: Session,
    scenarios: Annotated[
        Path, typer.Argument(metavar="SCENARIOS", help="A file with one scenario a line.")
    ],
    *,
    pool: Annotated[str, typer.Option(help="The cards: a name, or a file.")] = "hearthstone",
    ruleset: Annotated[str, typer.Option(help="The rules: a name, or a file.")] = "legacy",
    seeds: Annotated[int, integer(1, 100_000, "Games of each scenario.")] = 25,
    seed: Annotated[int, integer(0, SEED_MAX, "Run seed.")] = 0,
) -> Work:
    """Check cards and rules against scenarios."""
    from experiments.commands.conformance import run_conformance  # noqa: PLC0415

    work = partial(
        run_conformance, path=scenarios, pool=pool, ruleset=ruleset, n_seeds=seeds, seed=seed
    )
    return partial(session.measure, work)


@offering()
def init(
    session: Session,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where; made if it is not there.")
    ] = Path("my_game"),
    *,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="SHEET", help="Your cards, .csv, .xlsx or .json; default ours."
        ),
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(help="The rules: a name, or a file; default a short duel.")
    ] = None,
    page: Annotated[
        str | None,
        typer.Option("--sheet", metavar="TITLE", help="Of a workbook, the sheet with the cards."),
    ] = None,
    note: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Keep this column as a note, whatever it resembles."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TITLE=MEANING",
            help='What a column is, such as "Mana_Cost=cost", "Power=attack+health" or '
            '"Force=attack/100".',
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="WORD=KIND", help='What a kind is, such as "Rite=spell".'),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE=VALUE", help="Change a rule, such as copy_limit=3."),
    ] = None,
) -> Work:
    """Begin a game of your own in a folder: cards, decks, rules, an experiment that runs."""
    from experiments.commands.init import GAME, pilot_warnings, run_init  # noqa: PLC0415
    from experiments.files.sheets import SheetOptions  # noqa: PLC0415

    options = SheetOptions(page, note or (), column or (), kind or ())
    *lines, what_next = run_init(folder, sheet, ruleset, options, rule or ())

    def tell() -> None:
        session.screen.show(*lines)
        session.screen.stage("comparing the pilots with light")
        session.screen.show(*pilot_warnings(folder / GAME), what_next)

    return tell


@offering()
def warm(session: Session) -> Work:
    """Compile all code ahead of its first use."""
    from experiments.commands.warm import compile_everything  # noqa: PLC0415

    cpu_s = compile_everything()
    return lambda: session.screen.say(f"All compiled ({cpu_s:.1f} s of CPU time)")


_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # versions keep it in several places

app = typer.Typer(
    name="evenhand",
    help="Balance trading card games: from cards to a certified patch.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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


for command in (
    init,
    run_commands.matchups,
    whatif,
    compare,
    workbench,
    run_commands.metagame,
    run_commands.power,
    run_commands.substitute,
    run_commands.balance,
    run_commands.report,
    run_commands.build,
    run_commands.outliers,
    run_commands.study,
    run_commands.train,
    run_commands.evaluate,
    run_commands.exploit,
    replay,
    play,
    agents,
    conformance,
    bench,
    warm,
):
    app.command()(command)
app.add_typer(cards_app, name="cards")
app.add_typer(deck_app, name="deck")
app.add_typer(suite_app, name="suite")
app.add_typer(workers_app, name="workers")


def main() -> None:
    """Run the command line and turn every foreseen failure into one line and a status."""
    try:
        status = _whole()(standalone_mode=False)
    except InputError as error:
        _stop(str(error), EXIT_BAD_INPUT)
    except _USAGE_ERROR as error:
        _stop(usage_message(error), EXIT_BAD_INPUT)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        _stop(readable(f"{named}{error.strerror or error}"), EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        _stop(_interrupted(), EXIT_INTERRUPTED)
    if status == EXIT_INTERRUPTED:  # what typer makes of Ctrl-C inside a command
        _stop(_interrupted(), EXIT_INTERRUPTED)
    sys.exit(status)


@cache
def _whole() -> Callable[..., int | None]:
    """All commands with their options, put together once a process."""
    return get_command(app)


def _interrupted() -> str:
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    if command not in RESUMABLE:
        return "interrupted"
    return f"interrupted; {command} continues where it stopped with --resume"


def _stop(message: str, status: int) -> NoReturn:
    sys.stderr.write(f"evenhand: {message}\n")
    sys.exit(status)
