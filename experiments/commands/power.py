"""`evenhand power`: measure the leave-one-out power of each card in its deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal

import typer

from balance import OWN, CardContest, PowerRow, power_rows
from balance.cards.power import (
    Baseline,
    CardPower,
    Versus,
    games_of_power,
    measure_power,
    n_powers_of,
)
from experiments import plots
from experiments.agents import are_scripts, find_power_pilots, power_contest
from experiments.cli.options import MATCHUP_GAMES_MAX, STEPS_MAX, ExperimentName, integer
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.power_report import (
    RankRow,
    conclusion,
    correlation_words,
    draw_power,
    power_tables,
    rank_rows,
)
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error
from experiments.runs.run import Findings, Rows, Run
from experiments.screen import Shown, Table
from sim.files.row_file import entry

BASELINES: tuple[Baseline, ...] = ("skip", "vanilla")
_HOW_TO_READ = (
    "Read the tables of baseline skip first: they show how much a deck loses if all copies of a "
    "card are removed without a replacement. In the tables of baseline vanilla, plain minions of "
    "the same cost replace them: they show how much more the card gives than such a minion."
)


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


def run_power(
    run: Run, *, versus: Versus, exploit: bool = False, exploit_steps: int | None = None
) -> Findings:
    """Measure power with both baselines; return a table and a figure for each baseline.

    If `[narrow]` names an agent that measures power for all players, the players' own agents also
    measure it, and the two orders of the cards are compared.

    Args:
        run: the run of the experiment.
        versus: opponents of a deck without a card: the intact deck, or the field.
        exploit: whether to train learners against the trained agents that measure power. This takes
            as long as training the agents did.
        exploit_steps: training steps of each learner; `None` for as many as its agent had.
    """
    settings = run.experiment.settings
    contest = power_contest(run.experiment)
    own = None if settings.narrow.agent == OWN else run.experiment.contest()
    measured = {baseline: _measure(run, contest, baseline, versus) for baseline in BASELINES}
    tables: dict[str, Rows] = {
        f"power_{baseline}.csv": (PowerRow, power_rows(contest, powers))
        for baseline, powers in measured.items()
    }
    summary: dict[str, Any] = {"command": "power", "seed": settings.seed, "versus": versus}
    summary |= {
        name: [entry(row) for row in power_rows(contest, powers)]
        for name, powers in measured.items()
    }
    measured_exploits = None
    if not are_scripts(contest):
        from experiments.learning.exploits import measure_exploits  # noqa: PLC0415 (loads torch)

        measured_exploits = measure_exploits(run, contest, exploit_steps, exploit=exploit)
    sentences = measured_exploits.sentences if measured_exploits else {}
    shown: list[Shown] = [_HOW_TO_READ, ""]
    for baseline, powers in measured.items():
        shown += power_tables(contest, powers, baseline, sentences)
    if measured_exploits is not None:
        tables["exploitability.csv"] = measured_exploits.table
        summary["exploitability"] = measured_exploits.entries if exploit else None
        shown += measured_exploits.notes
    if own is not None:
        ranks = list[RankRow]()
        for baseline, powers in measured.items():
            own_powers = _measure(run, own, baseline, versus)
            tables[f"power_{baseline}_own.csv"] = (PowerRow, power_rows(own, own_powers))
            ranks += rank_rows(contest, powers, own, own_powers, baseline)
        tables["rank_correlation.csv"] = (RankRow, ranks)
        summary["rank_correlation"] = [entry(row) for row in ranks]
        shown.append(
            Table(
                "Do the players' own agents agree on the order of the cards? Spearman's rank "
                "correlation of power per copy (95 % interval)",
                ("player", "baseline", "own agent", "correlation", "cards"),
                [
                    (
                        row.player,
                        row.baseline,
                        row.against,
                        correlation_words(*row.spearman),
                        str(row.n_cards),
                    )
                    for row in ranks
                ],
            )
        )
    shown.append(conclusion(contest, measured))
    figures: dict[str, Callable[[], Any]] = {
        f"power_{baseline}.png": partial(draw_power, contest, powers, settings.name, baseline)
        for baseline, powers in measured.items()
    }
    powers = measured[settings.narrow.baseline]
    figures["played_against_power.png"] = lambda: plots.played_against_power(
        contest,
        powers,
        title=f"{settings.name}: win rate when played against leave-one-out power",
    )
    return Findings(summary=summary, tables=tables, figures=figures, shown=shown)


def _measure(
    run: Run, contest: CardContest, baseline: Baseline, versus: Versus
) -> Sequence[CardPower]:
    """Measure the power of every card with one baseline, with a progress bar."""
    n_games = run.experiment.settings.games.power
    expected = games_of_power(contest, n_powers_of(contest), n_games, versus)
    with run.watched(f"measuring power, baseline {baseline}", contest, expected) as watched:
        return measure_power(
            watched,
            n_games=n_games,
            run_seed=run.experiment.settings.seed,
            baseline=baseline,
            versus=versus,
        )


def require_exploitable(experiment: Experiment, option: str) -> None:
    """Check that a trained agent measures power, which an option that trains learners requires.

    Args:
        experiment: the experiment with the agents that measure power.
        option: name of the option without dashes, for the message.

    Raises:
        InputError: no trained agent measures power.
    """
    if are_scripts(power_contest(experiment)):
        raise option_error(
            option,
            "no trained agent measures power in this experiment, so none can be exploited",
            remedy="leave the option out",
        )
