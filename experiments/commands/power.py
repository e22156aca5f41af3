"""`evenhand power`: what each card is worth to its deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import OWN, CardContest, Floats, Interval, PowerRow, power_rows, rank_correlation
from balance.power import (
    Baseline,
    CardPower,
    Versus,
    games_of_power,
    measure_power,
    n_powers_of,
)
from experiments import plots
from experiments.agents import are_scripts, power_contest
from experiments.experiment import Experiment
from experiments.files.option_errors import option_error
from experiments.runs.run import Findings, Rows, Run
from experiments.screen import Shown, Table, percent, points
from sim.files.row_file import entry

BASELINES: tuple[Baseline, ...] = ("skip", "vanilla")
_HOW_TO_READ = (
    "Read the tables of baseline skip first: what a deck loses when all copies of a card leave it "
    "and nothing takes their place. In those of baseline vanilla plain minions of the same cost "
    "take it: what a deck loses of the card beyond such a minion."
)


class RankRow(NamedTuple):
    """A player: how alike two agents order the cards of its deck by power per copy."""

    player: str
    baseline: str
    agent: str
    against: str
    spearman: Annotated[Interval, ("spearman", "low", "high")]
    n_cards: int


def run_power(
    run: Run, *, versus: Versus, exploit: bool = False, exploit_steps: int | None = None
) -> Findings:
    """Measure power with both baselines; finds a table and a plot for each.

    Where others than the players' own agents measure it, the own ones do too, and the two orders
    of the cards are compared. With `exploit`, learners train against the trained agents that
    measure it, each for `exploit_steps` or as long as its agent learned: that takes as long as
    training the agents did, so it is done only where it is asked for.
    """
    settings = run.experiment.settings
    contest = power_contest(run.experiment)
    own = None if settings.narrow.agent == OWN else run.experiment.contest()
    measured = {baseline: _measured(run, contest, baseline, versus) for baseline in BASELINES}
    tables: dict[str, Rows] = {
        f"power_{baseline}.csv": (PowerRow, power_rows(contest, powers))
        for baseline, powers in measured.items()
    }
    summary: dict[str, Any] = {"command": "power", "seed": settings.seed, "versus": versus}
    summary |= {
        name: [entry(row) for row in power_rows(contest, powers)]
        for name, powers in measured.items()
    }
    entries, sentences = _exploited(run, contest, exploit_steps, exploit=exploit)
    shown: list[Shown] = [_HOW_TO_READ, ""]
    for baseline, powers in measured.items():
        shown += power_tables(contest, powers, baseline, sentences)
    if not are_scripts(contest):
        from balance.learning.training import foreign_to_power  # noqa: PLC0415 (loads torch)
        from experiments.learning.exploits import COLUMNS  # noqa: PLC0415 (loads torch)

        tables["exploitability.csv"] = (COLUMNS, [tuple(one.values()) for one in entries])
        summary["exploitability"] = entries if exploit else None
        shown += foreign_to_power(contest)
    if own is not None:
        ranks = list[RankRow]()
        for baseline, powers in measured.items():
            theirs = _measured(run, own, baseline, versus)
            tables[f"power_{baseline}_own.csv"] = (PowerRow, power_rows(own, theirs))
            ranks += rank_rows(contest, powers, own, theirs, baseline)
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


def _measured(
    run: Run, contest: CardContest, baseline: Baseline, versus: Versus
) -> Sequence[CardPower]:
    n_games = run.experiment.settings.games.power
    expected = games_of_power(contest, n_powers_of(contest), n_games, versus)
    with run.watched(f"measuring power, baseline {baseline}", contest, expected) as watched:
        return measure_power(
            watched,
            n_games=n_games,
            run_seed=run.experiment.settings.seed,
            baseline=baseline,
            versus=versus,
            threads=run.threads,
        )


def require_exploitable(experiment: Experiment, option: str) -> None:
    """Refuse an option that asks for exploits where no trained agent measures power.

    Raises:
        InputError: names it.
    """
    if are_scripts(power_contest(experiment)):
        raise option_error(
            option,
            "no trained agent measures power here, so there is none to exploit; leave it out",
        )


def _exploited(
    run: Run, contest: CardContest, steps: int | None, *, exploit: bool
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """How exploitable each trained pilot is: as data, and by player in a sentence."""
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
        run.screen.stage("measuring how exploitable the trained agents are; kept for the next time")
        entries = exploitabilities(run, exploits, steps=steps)
    return entries, {
        name: exploit_sentence([entry for entry in entries if entry["player"] == name])
        for name in dict.fromkeys(one.player.name for one in exploits)
    }


def rank_rows(
    contest: CardContest,
    powers: Sequence[CardPower],
    own: CardContest,
    theirs: Sequence[CardPower],
    baseline: str,
) -> list[RankRow]:
    """One row per player."""
    rows = []
    for position, player in enumerate(contest.players):
        x, y = (
            np.array([float(one.per_copy.estimate) for one in side if one.player == position])
            for side in (powers, theirs)
        )
        agreement = rank_correlation(x, y)
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
    """One table per player, the strongest card first; below it, how exploitable a pilot is.

    Args:
        contest: the players.
        powers: their cards' power.
        baseline: what took the cards' places.
        exploited: by player with a trained pilot, how exploitable that is, in a sentence.
    """
    cards = contest.table.pool.cards
    best_first = sorted(powers, key=lambda power: -float(power.power.estimate))
    shown: list[Shown] = []
    for position, player in enumerate(contest.players):
        mine = [power for power in best_first if power.player == position]
        table = Table(
            f"Power in {player.name} ({player.agent.name}, baseline {baseline}, "
            f"{mine[0].n_games:,} paired games per card, ± half of the 95 % interval)",
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
                for power in mine
            ],
        )
        shown.append(table)
        if player.name in exploited:
            shown.append(exploited[player.name])
    return shown


def conclusion(contest: CardContest, measured: Mapping[Baseline, Sequence[CardPower]]) -> str:
    """Which card matters most in which deck, by the first baseline; or that none is told from 0."""
    baseline = next(iter(measured))
    powers = measured[baseline]
    n_games = f"{powers[0].n_games:,} paired games per card"
    clear = [one for one in powers if one.power.low > 0 or one.power.high < 0]
    if not clear:
        return (
            f"No card's power can be told from zero (baseline {baseline}, {n_games}); more "
            "games.power would help"
        )
    most = max(clear, key=lambda one: abs(float(one.power.estimate)))
    card = contest.table.pool.cards[most.card].name
    deck = contest.players[most.player].name
    by_baseline = ", ".join(
        f"{points(one.power)} pp (baseline {name})"
        for name, those in measured.items()
        for one in those
        if (one.player, one.card) == (most.player, most.card)
    )
    return (
        f"What matters most is {card} in {deck}: {by_baseline}, ± half of the 95 % interval; of "
        f"{len(powers)} cards {len(clear)} can be told from zero ({baseline}, {n_games})"
    )


def _correlation(rho: Floats, low: Floats, high: Floats) -> str:
    return "unknown" if np.isnan(rho) else f"{rho:+.2f} ({low:+.2f} to {high:+.2f})"


def draw_power(
    contest: CardContest,
    powers: Sequence[CardPower],
    name: str,
    baseline: str,
    *,
    kept: Sequence[int] | None = None,
) -> Any:
    """The power bars of an experiment called `name`."""
    return plots.power_bars(
        contest, powers, title=f"{name}: leave-one-out card power ({baseline})", kept=kept
    )
