"""Commands that leave a run folder, or read one: how each is asked, and what does its work.

Each loads what it needs only when it is called, and returns the work (`session.offering`).
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
    offering,
)
from experiments.files.option_errors import given, option_error
from sim.errors import InputError

if TYPE_CHECKING:
    from experiments.experiment import Experiment

_RESUMABLE = (*MEASURING, "resume")
_TOTAL_MAX = 10**12  # as `balance.settings.Games.total`
TotalGames = Annotated[
    int | None,
    integer(
        1,
        _TOTAL_MAX,
        "Of a run, all stages and matchups together; default as [games] says of each stage.",
    ),
]


@offering(*MEASURING, "agent", "games")
def matchups(session: Session, experiment: ExperimentName) -> Work:
    """Win rates of every pair of decks, and a table per card."""
    from experiments.agents import check_contest  # noqa: PLC0415
    from experiments.commands.matchups import run_matchups  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415

    work = with_pilots_named(run_matchups)
    return partial(session.run, "matchups", experiment, check_contest, work)


@offering(*MEASURING, "agent", "games")
def metagame(session: Session, experiment: ExperimentName) -> Work:
    """Which decks people would play, and which never.

    Also says how much of who beats whom goes in circles.
    """
    from experiments.agents import check_contest  # noqa: PLC0415
    from experiments.commands.metagame import run_metagame  # noqa: PLC0415
    from experiments.commands.pilots import with_pilots_named  # noqa: PLC0415

    work = with_pilots_named(run_metagame)
    return partial(session.run, "metagame", experiment, check_contest, work)


@offering(*MEASURING, "agent")
def power(
    session: Session,
    experiment: ExperimentName,
    *,
    field: Annotated[
        bool, typer.Option("--field", help="Against the other decks, not the mirror.")
    ] = False,
    games: Annotated[
        int | None,
        integer(4, MATCHUP_GAMES_MAX, "Per card; default as [games] power; even."),
    ] = None,
    exploit: Annotated[
        bool | None,
        typer.Option(
            "--exploit/--no-exploit",
            help="Also train learners against the trained agents that measure, which takes as "
            "long as training those did; default no.",
        ),
    ] = None,
    exploit_steps: Annotated[
        int | None,
        integer(
            1,
            STEPS_MAX,
            "The same, with so many steps of each learner; default as many as the agent had.",
        ),
    ] = None,
) -> Work:
    """Leave-one-out power of every card, with both baselines."""
    from experiments.agents import find_power_pilots  # noqa: PLC0415
    from experiments.commands.power import require_exploitable, run_power  # noqa: PLC0415

    if exploit is False and exploit_steps is not None:
        raise option_error("exploit-steps", f"{exploit_steps}: has no meaning beside --no-exploit")
    wants_exploits = bool(exploit) or exploit_steps is not None

    def check(loaded: Experiment) -> Experiment:
        found = find_power_pilots(loaded.with_games(games, "power"), session.results)
        if wants_exploits:
            require_exploitable(found, "exploit" if exploit else "exploit-steps")
        return found

    versus: Literal["field", "mirror"] = "field" if field else "mirror"
    work = partial(run_power, versus=versus, exploit=wants_exploits, exploit_steps=exploit_steps)
    return partial(session.run, "power", experiment, check, work)


@offering(*MEASURING, "agent")
def substitute(
    session: Session,
    experiment: ExperimentName,
    *,
    deck: Annotated[str | None, typer.Option(help="Player whose deck lacks cards.")] = None,
    card: Annotated[
        list[str] | None,
        typer.Option(help="A missing card, by id or name; may be given several times."),
    ] = None,
    collection: Collection = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Against the intact deck, not the other decks.")
    ] = False,
    games: Annotated[
        int | None,
        integer(4, GAME_MAX, "Games against each opponent that measure what is shown; even."),
    ] = None,
    shown: Annotated[int | None, integer(1, 1000, "Length of the lists.")] = None,
    within: Within = None,
) -> Work:
    """Rank what to play instead of a card that one lacks."""
    from experiments.commands.substitute import ask, run_substitute  # noqa: PLC0415

    check = partial(
        ask,
        deck=deck,
        cards=card or (),
        collection=collection,
        mirror=mirror,
        games=games,
        shown=shown,
        within=within,
    )
    return partial(session.run, "substitute", experiment, check, run_substitute)


@offering(*_RESUMABLE, "preset", "agent")
def balance(
    session: Session,
    experiment: ExperimentName,
    *,
    games: TotalGames = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say how many games and how long it may take.")
    ] = False,
) -> Work:
    """Search for a small patch, and certify it.

    It brings every matchup into its band.
    """
    if estimate:
        if session.resume:
            raise option_error("resume", "has no meaning beside --estimate, which runs nothing")
        from experiments.commands.balance import estimate_balance  # noqa: PLC0415

        work = partial(
            estimate_balance,
            name=experiment,
            results=session.results,
            seed=session.seed,
            preset=session.preset,
            agent=session.agent,
            total=games,
            threads=session.threads,
        )
        return partial(session.measure, work)
    from experiments.commands.balance import check_stages, run_balance  # noqa: PLC0415
    from experiments.runs.ledger import read_ledger  # noqa: PLC0415

    read_ledger(session.results)  # refused, if it is damaged, while all is as it was
    check = partial(check_stages, results=session.results)
    return partial(session.run, "balance", experiment, check, run_balance, total=games)


@offering("results")
def report(
    session: Session,
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run folder of balance, or an experiment.")
    ],
    *,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Default: report.html in the run folder.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
) -> Work:
    """Make one HTML page of a finished balance run.

    It opens without a network.
    """
    from experiments.commands.report import run_report  # noqa: PLC0415

    return partial(
        run_report, run, session.results, session.screen, output=output, open_page=open_page
    )


@offering(*_RESUMABLE)
def build(
    session: Session,
    experiment: Annotated[
        str | None,
        typer.Argument(metavar="EXPERIMENT", help="An experiment file, or a shipped name."),
    ] = None,
    *,
    agent: Annotated[str | None, typer.Option(help="Who pilots the deck.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Whose deck it is; default the first player's hero.")
    ] = None,
    improve: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Improve this player's deck instead.")
    ] = None,
    swaps: Annotated[int | None, integer(1, 60, "Most cards to replace in it.")] = None,
    collection: Collection = None,
    budget: Annotated[
        float | None,
        number(0, 1e9, "Most that copies beyond the collection may cost."),
    ] = None,
    goal: Annotated[
        float | None,
        number(0, 1, "Win rate to reach for certain, 0 to 1."),
    ] = None,
    within: Within = None,
    attack: Annotated[
        str | None,
        typer.Option(
            metavar="RUN", help="Build against the decks of a balance run, before and after."
        ),
    ] = None,
    rounds: Annotated[int | None, integer(1, 100, "Most decks that an attack builds.")] = None,
) -> Work:
    """Build a strong deck, or improve one, and certify it.

    With --attack, see whether the decks of a finished balance run stay balanced once people build
    against them; --agent, --rounds and --seed say how.
    """
    of_a_build: dict[str, Any] = {
        "hero": hero, "improve": improve, "swaps": swaps, "collection": collection,
        "budget": budget, "goal": goal, "within": within,
    }  # fmt: skip
    if attack is not None:
        for name, value in {"EXPERIMENT": experiment, **of_a_build}.items():
            if value is not None:
                said = f"{value!r}" if name.isupper() else f"--{name} {value}"
                raise InputError(f"{said}: has no meaning beside --attack; leave it out")
        from experiments.commands.attack import attack_balance_run  # noqa: PLC0415

        told = given(agent=agent, rounds=rounds, seed=session.seed)
        return partial(session.attack, attack_balance_run, attack, told)
    if experiment is None:
        raise InputError("build needs an EXPERIMENT, or --attack RUN; see --help")
    if rounds is not None:
        raise InputError(f"--rounds {rounds}: only an attack has rounds; add --attack RUN")
    from experiments.commands.build import run_build  # noqa: PLC0415
    from experiments.commands.build_question import ask_build  # noqa: PLC0415

    check = partial(ask_build, agent=agent, **of_a_build)
    return partial(session.run, "build", experiment, check, run_build)


@offering(*_RESUMABLE)
def outliers(
    session: Session,
    experiment: ExperimentName,
    *,
    agent: Annotated[str | None, typer.Option(help="Who pilots the decks.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Whose decks they are; default the first player's hero.")
    ] = None,
    collection: Collection = None,
    within: Within = None,
) -> Work:
    """Cards that every good deck plays.

    What a copy does for a deck is told by the thousands of decks that a builder tries.
    """
    from experiments.commands.outliers import ask_outliers, run_outliers  # noqa: PLC0415

    check = partial(ask_outliers, agent=agent, hero=hero, collection=collection, within=within)
    return partial(session.run, "outliers", experiment, check, run_outliers)


@offering(*_RESUMABLE, "agent")
def study(
    session: Session,
    experiment: ExperimentName,
    *,
    games: TotalGames = None,
    methods: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Ways to search; default as the experiment says."),
    ] = None,
    seeds: Annotated[int | None, integer(1, 1000, "Runs of each combination.")] = None,
    truth: Annotated[
        int | None, integer(4, 100_000_000, "Games per matchup that tell the truth; even.")
    ] = None,
) -> Work:
    """Balance by several ways to search and to narrow, on several run seeds, and compare.

    Without a [study] table and options: by the experiment's own way, on ten seeds.
    """
    from experiments.commands.study import check_study, run_study  # noqa: PLC0415

    if truth is not None and truth % 2:
        raise InputError(f"--truth {truth}: must be even, for both seatings")
    names = None if methods is None else tuple(filter(None, methods.split(",")))
    if names == ():
        raise InputError(f"--methods {methods!r}: names none")
    told = given(method=names, run_seeds=seeds, truth_games=truth)
    check = partial(check_study, results=session.results, told=told)
    return partial(session.run, "study", experiment, check, run_study, total=games)


@offering(*_RESUMABLE)
def train(
    session: Session,
    experiment: ExperimentName,
    *,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Also write event files for TensorBoard.")
    ] = False,
) -> Work:
    """Train an agent for each [[learner]], several at once."""
    from experiments.commands.train import check_train, run_train  # noqa: PLC0415

    check = partial(check_train, tensorboard=tensorboard)
    work = partial(run_train, tensorboard=tensorboard)
    return partial(session.run, "train", experiment, check, work)


@offering(*MEASURING)
def evaluate(
    session: Session,
    experiment: ExperimentName,
    *,
    games: Annotated[
        int | None,
        integer(
            2, MATCHUP_GAMES_MAX, "For the win rates in each place; default as [evaluate] games."
        ),
    ] = None,
) -> Work:
    """Measure what `train` made, and tell how it plays.

    Its play is compared with that of scripts in the same place. Where training was stopped, what
    it came to by then is measured.
    """
    from experiments.commands.evaluate import find_trained, run_evaluate  # noqa: PLC0415

    check = partial(find_trained, results=session.results, games=games, allows_stopped=True)
    return partial(session.run, "evaluate", experiment, check, run_evaluate)


@offering(*MEASURING)
def exploit(
    session: Session,
    experiment: ExperimentName,
    *,
    steps: Annotated[
        int | None,
        integer(1, STEPS_MAX, "Of each learner; default as many as the agent learned from."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Learners begin with nothing, not as trained agents.")
    ] = False,
) -> Work:
    """What learners gain against trained agents that learn no more.

    In the mirror of each agent's deck, and in its matchups.
    """
    from experiments.commands.exploit import find_exploited, run_exploit  # noqa: PLC0415

    check = partial(find_exploited, results=session.results)
    work = partial(run_exploit, steps=steps, fresh=fresh)
    return partial(session.run, "exploit", experiment, check, work)
