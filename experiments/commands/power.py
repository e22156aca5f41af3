"""`evenhand power`: measure the leave-one-out power of each card in its deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import typer

from balance import OWN, CardContest, Floats, Interval, PowerRow, power_rows, rank_correlation
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
from experiments.cli.options import (
    MATCHUP_GAMES_MAX,
    STEPS_MAX,
    ExperimentName,
    integer,
)
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error
from experiments.runs.run import Findings, Rows, Run
from experiments.screen import Shown, Table, percent, points
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
            f"{exploit_steps}: cannot be given together with --no-exploit",
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


class RankRow(NamedTuple):
    """Row of `rank_correlation.csv`: agreement of two agents on the order of a deck's cards.

    Attributes:
        player: name of the player with the deck.
        baseline: replacement of the removed cards: `skip` or `vanilla`.
        agent: name of the agent that measured power.
        against: name of the player's own agent, which also measured power.
        spearman: rank correlation of power per copy, with its 95 % interval; NaN if unknown.
        n_cards: number of cards in the order.
    """

    player: str
    baseline: str
    agent: str
    against: str
    spearman: Annotated[Interval, ("spearman", "low", "high")]
    n_cards: int


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
    entries, sentences = _measure_exploits(run, contest, exploit_steps, exploit=exploit)
    shown: list[Shown] = [_HOW_TO_READ, ""]
    for baseline, powers in measured.items():
        shown += power_tables(contest, powers, baseline, sentences)
    if not are_scripts(contest):
        from balance.learning.training import foreign_to_power  # noqa: PLC0415 (loads torch)
        from experiments.learning.exploits import COLUMNS  # noqa: PLC0415 (loads torch)

        tables["exploitability.csv"] = (COLUMNS, [tuple(entry.values()) for entry in entries])
        summary["exploitability"] = entries if exploit else None
        shown += foreign_to_power(contest)
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
                        _correlation(*row.spearman),
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


def _measure_exploits(
    run: Run, contest: CardContest, steps: int | None, *, exploit: bool
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure how exploitable each trained pilot is.

    Args:
        run: the run of the experiment.
        contest: the contest with the pilots.
        steps: training steps of each learner; `None` for as many as its agent had.
        exploit: whether to train learners; otherwise nothing is measured, and the sentences say so.

    Returns:
        Entries of the summary, and a sentence by player's name; both are empty if no pilot is
        trained.
    """
    if are_scripts(contest):
        return [], {}
    from balance.metagame.exploitability import exploits_of  # noqa: PLC0415 (loads torch)
    from experiments.learning.exploits import (  # noqa: PLC0415 (loads torch)
        exploit_sentence,
        exploitabilities,
    )

    exploits = exploits_of(contest)
    entries = list[dict[str, Any]]()
    if exploit:
        run.screen.stage(
            "measuring how exploitable the trained agents are; results are kept for later runs"
        )
        entries = exploitabilities(run, exploits, steps=steps)
    return entries, {
        name: exploit_sentence([entry for entry in entries if entry["player"] == name])
        for name in dict.fromkeys(exploit.player.name for exploit in exploits)
    }


def rank_rows(
    contest: CardContest,
    powers: Sequence[CardPower],
    own: CardContest,
    own_powers: Sequence[CardPower],
    baseline: str,
) -> list[RankRow]:
    """Return the rank correlation of two measurements of power for each player.

    Args:
        contest: the players with the agents that measured `powers`.
        powers: power of each card.
        own: the same players with their own agents.
        own_powers: power of each card, measured by the players' own agents.
        baseline: replacement of the removed cards in both measurements.
    """
    rows = []
    for position, player in enumerate(contest.players):
        x, y = (
            np.array([float(card.per_copy.estimate) for card in side if card.player == position])
            for side in (powers, own_powers)
        )
        agreement = rank_correlation(x, y)
        # Fewer than four cards, or cards of equal power, have no rank correlation.
        rho = Interval(*[np.full((), np.nan)] * 3) if agreement is None else agreement
        agents = player.agent.name, own.players[position].agent.name
        rows.append(RankRow(player.name, baseline, *agents, rho, len(x)))
    return rows


def power_tables(
    contest: CardContest,
    powers: Sequence[CardPower],
    baseline: str,
    exploited: Mapping[str, str],
) -> list[Shown]:
    """Return a table of card powers for each player, and a line on how exploitable its pilot is.

    The cards are sorted by decreasing power.

    Args:
        contest: the players with the agents that measured power.
        powers: power of each card.
        baseline: replacement of the removed cards.
        exploited: a sentence on how exploitable the pilot is, by name of a player with a trained
            pilot.
    """
    cards = contest.table.pool.cards
    best_first = sorted(powers, key=lambda power: -float(power.power.estimate))
    shown: list[Shown] = []
    for position, player in enumerate(contest.players):
        of_player = [power for power in best_first if power.player == position]
        table = Table(
            f"Power in {player.name} ({player.agent.name}, baseline {baseline}, "
            f"{of_player[0].n_games:,} paired games per card, ± half of the 95 % interval)",
            ("card", "cost", "copies", "power, pp", "per copy, pp", "when played, %"),
            [
                (
                    cards[power.card].name,
                    str(cards[power.card].cost),
                    str(power.n_copies),
                    points(power.power),
                    f"{100 * float(power.per_copy.estimate):+.1f}",
                    percent(power.when_played),
                )
                for power in of_player
            ],
        )
        shown.append(table)
        if player.name in exploited:
            shown.append(exploited[player.name])
    return shown


def conclusion(contest: CardContest, measured: Mapping[Baseline, Sequence[CardPower]]) -> str:
    """Return a sentence on the card with the largest power, by the first baseline of `measured`.

    Only cards with an interval that excludes 0 are considered. If there are none, the sentence
    reports this.
    """
    baseline = next(iter(measured))
    powers = measured[baseline]
    n_games = f"{powers[0].n_games:,} paired games per card"
    clear = [card for card in powers if card.power.low > 0 or card.power.high < 0]
    if not clear:
        return (
            f"No card's power is shown to differ from zero (baseline {baseline}, {n_games}); a "
            "larger [games] power would help"
        )
    most = max(clear, key=lambda card: abs(float(card.power.estimate)))
    card = contest.table.pool.cards[most.card].name
    deck = contest.players[most.player].name
    by_baseline = ", ".join(
        f"{points(power.power)} pp (baseline {name})"
        for name, powers_of_baseline in measured.items()
        for power in powers_of_baseline
        if (power.player, power.card) == (most.player, most.card)
    )
    return (
        f"The card with the largest power is {card} in {deck}: {by_baseline}, ± half of the 95 % "
        f"interval; {len(clear)} of {len(powers)} cards are shown to differ from zero "
        f"({baseline}, {n_games})"
    )


def _correlation(rho: Floats, low: Floats, high: Floats) -> str:
    """Return a correlation with its interval as text; `unknown` if the correlation is NaN."""
    return "unknown" if np.isnan(rho) else f"{rho:+.2f} ({low:+.2f} to {high:+.2f})"


def draw_power(
    contest: CardContest,
    powers: Sequence[CardPower],
    name: str,
    baseline: str,
    *,
    kept: Sequence[int] | None = None,
) -> Any:
    """Return a bar chart of a power measurement.

    Args:
        contest: the players with the agents that measured power.
        powers: power of each card.
        name: name of the experiment, for the title.
        baseline: replacement of the removed cards, for the title.
        kept: indices of the cards that narrowing kept, to be marked; `None` marks no card.
    """
    return plots.power_bars(
        contest, powers, title=f"{name}: leave-one-out card power ({baseline})", kept=kept
    )
