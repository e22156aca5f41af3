"""Commands that write or read a run folder: their options and their work.

Each function imports the modules of its command only when it is called, and returns the work to do
(`session.session_command`).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from experiments.cli.session import (
    GAME_MAX,
    MATCHUP_GAMES_MAX,
    MEASURING,
    STEPS_MAX,
    Collection,
    ExperimentName,
    Session,
    Within,
    Work,
    integer,
    number,
    session_command,
    uneven_games_error,
)
from experiments.files.option_errors import given, option_error
from sim.errors import InputError

if TYPE_CHECKING:
    from experiments.experiment import Experiment

_RESUMABLE = (*MEASURING, "resume")
_TOTAL_MAX = 10**12  # copied from `balance.settings.tables.Games.total`, which is slow to import
TotalGames = Annotated[
    int | None,
    integer(
        1,
        _TOTAL_MAX,
        "Games of a run, all stages and matchups together; default as [games] sets each stage.",
    ),
]


@session_command(*MEASURING, "agent", "games")
def matchups(session: Session, experiment: ExperimentName) -> Work:
    """Measure the win rate of every pair of decks.

    The run folder also contains a table with statistics of each card.
    """
    from experiments.agents import check_contest  # noqa: PLC0415
    from experiments.commands.matchups import run_matchups  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415

    work = with_pilots_named(run_matchups)
    return partial(session.run, "matchups", experiment, check_contest, work)


@session_command(*MEASURING, "agent", "games")
def metagame(session: Session, experiment: ExperimentName) -> Work:
    """Find the mix of decks that players would settle on.

    The command also finds the decks that no one would play, and measures how much of the strength
    is cyclic, as in rock, paper, scissors.
    """
    from experiments.agents import check_contest  # noqa: PLC0415
    from experiments.commands.metagame import run_metagame  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415

    work = with_pilots_named(run_metagame)
    return partial(session.run, "metagame", experiment, check_contest, work)


@session_command(*MEASURING, "agent")
def power(
    session: Session,
    experiment: ExperimentName,
    *,
    field: Annotated[
        bool,
        typer.Option(
            "--field", help="Play against the other decks instead of against the same deck."
        ),
    ] = False,
    games: Annotated[
        int | None,
        integer(
            4,
            MATCHUP_GAMES_MAX,
            "Games per card; an even number; default the value of [games] power.",
        ),
    ] = None,
    exploit: Annotated[
        bool | None,
        typer.Option(
            "--exploit/--no-exploit",
            help="Whether to also train learners against the trained agents that measure power, "
            "which takes as long as training those agents; default no.",
        ),
    ] = None,
    exploit_steps: Annotated[
        int | None,
        integer(
            1,
            STEPS_MAX,
            "As --exploit, with this number of training steps for each learner; default as many "
            "as the agent was trained for.",
        ),
    ] = None,
) -> Work:
    """Measure how much each card contributes to its deck.

    This is the leave-one-out power of the card, measured with two baselines.
    """
    from experiments.agents import find_power_pilots  # noqa: PLC0415
    from experiments.commands.power import require_exploitable, run_power  # noqa: PLC0415

    if exploit is False and exploit_steps is not None:
        raise option_error(
            "exploit-steps",
            f"cannot be given together with --no-exploit (value: {exploit_steps})",
            value=exploit_steps,
            remedy="leave one of them out",
        )
    wants_exploits = bool(exploit) or exploit_steps is not None

    def check(loaded: Experiment) -> Experiment:
        with_pilots = find_power_pilots(loaded.with_games(games, "power"), session.results)
        if wants_exploits:
            require_exploitable(with_pilots, "exploit" if exploit else "exploit-steps")
        return with_pilots

    versus: Literal["field", "mirror"] = "field" if field else "mirror"
    work = partial(run_power, versus=versus, exploit=wants_exploits, exploit_steps=exploit_steps)
    return partial(session.run, "power", experiment, check, work)


@session_command(*MEASURING, "agent")
def substitute(
    session: Session,
    experiment: ExperimentName,
    *,
    deck: Annotated[
        str | None, typer.Option(help="Name of the player with the deck that lacks cards.")
    ] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(help="A missing card, by id or name; may be given several times."),
    ] = None,
    collection: Collection = None,
    mirror: Annotated[
        bool,
        typer.Option(
            "--mirror", help="Play against the intact deck instead of against the other decks."
        ),
    ] = False,
    games: Annotated[
        int | None,
        integer(
            4,
            GAME_MAX,
            "Games against each opponent that measure the listed substitutes; an even number.",
        ),
    ] = None,
    shown: Annotated[int | None, integer(1, 1000, "Number of substitutes in each list.")] = None,
    within: Within = None,
) -> Work:
    """Rank the cards that can replace a missing card in a deck."""
    from experiments.commands.substitute import ask_substitute, run_substitute  # noqa: PLC0415

    check = partial(
        ask_substitute,
        deck=deck,
        cards=card or (),
        collection=collection,
        mirror=mirror,
        games=games,
        shown=shown,
        within=within,
    )
    return partial(session.run, "substitute", experiment, check, run_substitute)


@session_command(*_RESUMABLE, "preset", "agent")
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
) -> Work:
    """Search for a small patch, and certify it.

    A certified patch has every matchup inside its band.
    """
    if estimate:
        if session.resume:
            raise option_error(
                "resume",
                "cannot be given together with --estimate, which runs nothing",
                remedy="leave one of them out",
            )
        from experiments.commands.balance import estimate_balance  # noqa: PLC0415

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
    from experiments.commands.balance import check_stages, run_balance  # noqa: PLC0415
    from experiments.runs.ledger import read_ledger  # noqa: PLC0415

    read_ledger(session.results)  # a damaged ledger is refused before anything is written
    check = partial(check_stages, results=session.results)
    return partial(session.run, "balance", experiment, check, run_balance, total=games)


@session_command("results")
def report(
    session: Session,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="A run folder of balance, or the experiment that was balanced."
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file to write; default report.html in the run folder."
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Also open the page in the browser.")
    ] = False,
) -> Work:
    """Make one HTML page of a finished balance run.

    The page needs no network connection.
    """
    from experiments.commands.report import run_report  # noqa: PLC0415

    return partial(
        run_report, run, session.results, session.screen, output=output, open_page=open_page
    )


@session_command(*_RESUMABLE)
def build(
    session: Session,
    experiment: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT", help="An experiment file, or the name of a shipped experiment."
        ),
    ] = None,
    *,
    agent: Annotated[str | None, typer.Option(help="Agent that plays the deck.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Hero of the deck; default the first player's hero.")
    ] = None,
    improve: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Improve this player's deck instead of building a new one."
        ),
    ] = None,
    swaps: Annotated[
        int | None, integer(1, 60, "Largest number of cards to replace in an improved deck.")
    ] = None,
    collection: Collection = None,
    budget: Annotated[
        float | None,
        number(0, 1e9, "Largest total price of the copies that the collection lacks."),
    ] = None,
    goal: Annotated[
        float | None,
        number(0, 1, "Win rate that a certified deck must reach, from 0 to 1."),
    ] = None,
    within: Within = None,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Build decks against those of a finished balance run, before and after its patch.",
        ),
    ] = None,
    rounds: Annotated[
        int | None, integer(1, 100, "Largest number of decks that an attack builds.")
    ] = None,
) -> Work:
    """Build a strong deck, or improve one, and certify it.

    With --attack, the command shows whether the decks of a finished balance run stay balanced if
    players build decks against them. An attack accepts only --agent, --rounds and --seed of these
    options.
    """
    build_options: dict[str, Any] = {
        "hero": hero, "improve": improve, "swaps": swaps, "collection": collection,
        "budget": budget, "goal": goal, "within": within,
    }  # fmt: skip
    if attack is not None:
        for name, value in {"EXPERIMENT": experiment, **build_options}.items():
            if value is not None:
                raise InputError(
                    "cannot be given together with --attack",
                    place=f"{name} {value!r}" if name.isupper() else f"--{name} {value}",
                    value=value,
                    remedy="leave one of them out",
                )
        from experiments.commands.attack import attack_balance_run  # noqa: PLC0415

        options = given(agent=agent, rounds=rounds, seed=session.seed)
        return partial(session.attack, attack_balance_run, attack, options)
    if experiment is None:
        raise InputError("build needs an EXPERIMENT, or --attack RUN", remedy="see --help")
    if rounds is not None:
        raise InputError(
            "only an attack has rounds",
            place=f"--rounds {rounds}",
            value=rounds,
            remedy="add --attack RUN, or leave the option out",
        )
    from experiments.commands.build import run_build  # noqa: PLC0415
    from experiments.commands.build_question import ask_build  # noqa: PLC0415

    check = partial(ask_build, agent=agent, **build_options)
    return partial(session.run, "build", experiment, check, run_build)


@session_command(*_RESUMABLE)
def outliers(
    session: Session,
    experiment: ExperimentName,
    *,
    agent: Annotated[str | None, typer.Option(help="Agent that plays the decks.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Hero of the decks; default the first player's hero.")
    ] = None,
    collection: Collection = None,
    within: Within = None,
) -> Work:
    """Find cards that are much stronger than the rest of a pool.

    The effect of a card is estimated from the thousands of decks that a deck search evaluates.
    """
    from experiments.commands.outliers import ask_outliers, run_outliers  # noqa: PLC0415

    check = partial(ask_outliers, agent=agent, hero=hero, collection=collection, within=within)
    return partial(session.run, "outliers", experiment, check, run_outliers)


@session_command(*_RESUMABLE, "agent")
def study(
    session: Session,
    experiment: ExperimentName,
    *,
    games: TotalGames = None,
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Search methods to compare; default those of the experiment's [study] table.",
        ),
    ] = None,
    seeds: Annotated[
        int | None, integer(1, 1000, "Number of run seeds for each combination of methods.")
    ] = None,
    truth: Annotated[
        int | None,
        integer(
            4,
            MATCHUP_GAMES_MAX,
            "Games per matchup of the high-precision reference estimate that judges each "
            "certified patch; an even number.",
        ),
    ] = None,
) -> Work:
    """Compare ways to search and to narrow, on several run seeds.

    Each combination of methods balances the experiment with each run seed. Without a [study] table
    and options, the experiment's own methods are run on ten seeds.
    """
    from experiments.commands.study import check_study, run_study  # noqa: PLC0415

    if truth is not None and truth % 2:
        raise uneven_games_error("truth", truth)
    names = None if methods is None else tuple(filter(None, methods.split(",")))
    if names == ():
        raise InputError(
            f"{methods!r} does not name a method",
            place="--methods",
            value=methods,
            remedy="give one or several, separated by commas",
        )
    options = given(method=names, run_seeds=seeds, truth_games=truth)
    check = partial(check_study, results=session.results, options=options)
    return partial(session.run, "study", experiment, check, run_study, total=games)


@session_command(*_RESUMABLE)
def train(
    session: Session,
    experiment: ExperimentName,
    *,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write event files for TensorBoard.")
    ] = False,
) -> Work:
    """Train an agent for each [[learner]] of an experiment.

    Several learners are trained at the same time.
    """
    from experiments.commands.train import check_train, run_train  # noqa: PLC0415

    check = partial(check_train, tensorboard=tensorboard)
    work = partial(run_train, tensorboard=tensorboard)
    return partial(session.run, "train", experiment, check, work)


@session_command(*MEASURING)
def evaluate(
    session: Session,
    experiment: ExperimentName,
    *,
    games: Annotated[
        int | None,
        integer(
            2,
            MATCHUP_GAMES_MAX,
            "Games that measure each win rate; default the value of [evaluate] games.",
        ),
    ] = None,
) -> Work:
    """Measure how strong trained agents are, and how they play.

    The agents are compared with scripts that play the same deck in the same seat against the same
    opponent. If training was stopped, the last checkpoint is measured.
    """
    from experiments.commands.evaluate import find_trained, run_evaluate  # noqa: PLC0415

    check = partial(find_trained, results=session.results, games=games, allows_stopped=True)
    return partial(session.run, "evaluate", experiment, check, run_evaluate)


@session_command(*MEASURING)
def exploit(
    session: Session,
    experiment: ExperimentName,
    *,
    steps: Annotated[
        int | None,
        integer(
            1,
            STEPS_MAX,
            "Training steps of each learner; default as many as the agent was trained for.",
        ),
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Learners begin untrained instead of with the weights of the agents."
        ),
    ] = False,
) -> Work:
    """Measure how much learners gain against trained agents.

    The agents no longer learn. The learners train against them in the mirror of each agent's deck,
    and in its matchups.
    """
    from experiments.commands.exploit import find_exploited, run_exploit  # noqa: PLC0415

    check = partial(find_exploited, results=session.results)
    work = partial(run_exploit, steps=steps, fresh=fresh)
    return partial(session.run, "exploit", experiment, check, work)
