"""`evenhand power`: what each card is worth to its deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.power import Baseline, CardPower, Versus, measure_power
from balance.result_tables import PowerRow, power_rows
from balance.settings import OWN
from balance.statistics.intervals import Floats, Interval
from balance.statistics.ranks import rank_correlation
from experiments.console import Screen, percent, points
from experiments.experiment import Experiment
from experiments.learning.power_pilots import are_scripts, power_contest
from experiments.runs.run_folder import RunFolder
from sim.files.row_file import entry

BASELINES: tuple[Baseline, ...] = ("skip", "vanilla")


class ExploitRow(NamedTuple):
    """A trained pilot: what a learner gains against it."""

    player: str
    agent: str
    gain_pp: float
    low_pp: float
    high_pp: float
    n: int
    steps: int
    seed: int


class RankRow(NamedTuple):
    """A player: how alike two agents order the cards of its deck by power per copy."""

    player: str
    baseline: str
    agent: str
    against: str
    spearman: Annotated[Interval, ("spearman", "low", "high")]
    n_cards: int


def run_power(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    versus: Versus,
    plots: bool,
    threads: int | None,
    exploit: bool = True,
    exploit_steps: int | None = None,
) -> dict[str, Any]:
    """Measure power with both baselines; writes a table and a plot for each.

    Where others than the players' own agents measure it, the own ones do too, and the two orders
    of the cards are compared. Trained agents are put to the test by a learner (`exploits`), unless
    `exploit` is off; `exploit_steps` is its budget.
    """
    settings = experiment.settings
    contest = power_contest(experiment)
    own = None if settings.narrow.agent == OWN else experiment.contest()
    summary: dict[str, Any] = {"command": "power", "seed": settings.seed, "versus": versus}
    measured, ranks = {}, list[RankRow]()
    for baseline in BASELINES:
        screen.stage(f"measuring power, baseline {baseline}")
        how: dict[str, Any] = {
            "n_games": settings.games.power,
            "run_seed": settings.seed,
            "baseline": baseline,
            "versus": versus,
            "threads": threads,
        }
        powers = measured[baseline] = measure_power(contest, **how)
        rows = power_rows(contest, powers)
        folder.write_rows(f"power_{baseline}.csv", PowerRow, rows)
        summary[baseline] = [entry(row) for row in rows]
        if plots:
            draw_power(contest, powers, folder, f"power_{baseline}.png", settings.name, baseline)
        if own is not None:
            theirs = measure_power(own, **how)
            folder.write_rows(f"power_{baseline}_own.csv", PowerRow, power_rows(own, theirs))
            ranks += rank_rows(contest, powers, own, theirs, baseline)
    exploited = _exploited(contest, folder, screen, settings.seed, exploit, exploit_steps, threads)
    for baseline, powers in measured.items():
        show_power(screen, contest, powers, baseline, exploited)
    if exploited is not None:
        entries = [one for one in exploited.values() if one is not None]
        tabled = [ExploitRow(*(one[column] for column in ExploitRow._fields)) for one in entries]
        folder.write_rows("exploitability.csv", ExploitRow, tabled)
        summary["exploitability"] = entries if exploit else None
        _note_gaps(contest, screen)
    if own is not None:
        folder.write_rows("rank_correlation.csv", RankRow, ranks)
        summary["rank_correlation"] = [entry(row) for row in ranks]
        _show_ranks(screen, ranks)
    folder.write_json("summary.json", summary)
    return summary


def _note_gaps(contest: CardContest, screen: Screen) -> None:
    from balance.learning.training import foreign_to_power  # noqa: PLC0415 (loads torch)

    for sentence in foreign_to_power(contest):
        screen.say(sentence)


def _exploited(
    contest: CardContest,
    folder: RunFolder,
    screen: Screen,
    seed: int,
    exploit: bool,  # noqa: FBT001 (called in one place)
    steps: int | None,
    threads: int | None,
) -> dict[str, dict[str, Any] | None] | None:
    """How exploitable each trained pilot is, by player; `None` where that is not known."""
    if are_scripts(contest):
        return None
    from balance.learning.training import learned_pilots  # noqa: PLC0415 (loads torch)
    from experiments.learning.exploits import exploitabilities  # noqa: PLC0415 (loads torch)

    if not exploit:
        return dict.fromkeys(player.name for player, _ in learned_pilots(contest))
    screen.stage("measuring how exploitable the trained agents are; kept for the next time")
    results = folder.path.parent
    entries = exploitabilities(
        contest, results, screen, run_seed=seed, steps=steps, threads=threads
    )
    return {entry["player"]: entry for entry in entries}


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


def show_power(
    screen: Screen,
    contest: CardContest,
    powers: Sequence[CardPower],
    baseline: str,
    exploited: Mapping[str, Mapping[str, Any] | None] | None = None,
) -> None:
    """Print one table per player, the strongest card first; below it, how exploitable a pilot is.

    Args:
        screen: where to.
        contest: the players.
        powers: their cards' power.
        baseline: what took the cards' places.
        exploited: by player with a trained pilot; `None` for one that was not measured.
    """
    cards = contest.table.pool.cards
    header = ("card", "cost", "copies", "power, pp", "per copy, pp", "when played, %")
    for position, player in enumerate(contest.players):
        mine = [power for power in powers if power.player == position]
        mine.sort(key=lambda power: -float(power.power.estimate))
        screen.table(
            f"Power in {player.name} ({player.agent.name}, baseline {baseline}, "
            f"{mine[0].n_games:,} paired games per card, ± half of the 95 % interval)",
            header,
            [
                (
                    cards[power.card].name,
                    str(cards[power.card].cost),
                    str(power.n_copies),
                    points(*map(float, power.power)),
                    f"{100 * float(power.per_copy.estimate):+.1f}",
                    percent(*map(float, power.when_played)),
                )
                for power in mine
            ],
        )
        if exploited is not None and player.name in exploited:
            screen.say(_exploited_sentence(exploited[player.name]))


def _exploited_sentence(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return "Exploitability of its pilot: not measured"
    gain = points(*(entry[name] / 100 for name in ("gain_pp", "low_pp", "high_pp")))
    return (
        f"Exploitability of its pilot: a learner with {entry['steps']:,} steps against it gains "
        f"{gain} pp over 50 % in the mirror ({entry['n']:,} games)"
    )


def _show_ranks(screen: Screen, ranks: Sequence[RankRow]) -> None:
    screen.table(
        "Do the players' own agents agree on the order of the cards? Spearman's rank correlation "
        "of power per copy (95 % interval)",
        ("player", "baseline", "own agent", "correlation", "cards"),
        [
            (one.player, one.baseline, one.against, _correlation(*one.spearman), str(one.n_cards))
            for one in ranks
        ],
    )


def _correlation(rho: Floats, low: Floats, high: Floats) -> str:
    return "unknown" if np.isnan(rho) else f"{rho:+.2f} ({low:+.2f} to {high:+.2f})"


def draw_power(
    contest: CardContest,
    powers: Sequence[CardPower],
    folder: RunFolder,
    file: str,
    name: str,
    baseline: str,
    *,
    kept: Sequence[int] | None = None,
) -> None:
    """Draw the power bars."""
    from experiments.plots import figure_png, power_bars  # noqa: PLC0415 (loads matplotlib)

    figure = power_bars(
        contest, powers, title=f"{name}: leave-one-out card power ({baseline})", kept=kept
    )
    folder.write_bytes(file, figure_png(figure))
