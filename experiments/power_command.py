"""`evenhand power`: what each card is worth to its deck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.contest import Contest
from balance.pipeline import pilots
from balance.power import Baseline, CardPower, Versus, measure_power
from experiments.console import Screen, percent, points
from experiments.experiment import Experiment
from experiments.run_folder import RunFolder

HEADER = (
    "player", "agent", "card", "cost", "copies", "power_pp", "low_pp", "high_pp", "per_copy_pp",
    "per_copy_low_pp", "per_copy_high_pp", "n",
    "win_rate_when_drawn", "drawn_low", "drawn_high", "copies_drawn",
    "win_rate_when_played", "played_low", "played_high", "copies_played",
)  # fmt: skip


def run_power(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    versus: Versus,
    plots: bool,
    threads: int | None,
) -> dict[str, Any]:
    """Measure power with both baselines; writes a table and a plot for each."""
    settings = experiment.settings
    contest = pilots(experiment.contest(), settings)
    summary: dict[str, Any] = {"command": "power", "seed": settings.seed, "versus": versus}
    baselines: tuple[Baseline, ...] = ("skip", "vanilla")
    for baseline in baselines:
        screen.stage(f"measuring power, baseline {baseline}")
        powers = measure_power(
            contest,
            n_games=settings.games.power,
            run_seed=settings.seed,
            baseline=baseline,
            versus=versus,
            threads=threads,
        )
        rows = power_rows(contest, powers)
        folder.write_csv(f"power_{baseline}.csv", HEADER, rows)
        summary[baseline] = [dict(zip(HEADER, row, strict=True)) for row in rows]
        show_power(screen, contest, powers, baseline)
        if plots:
            draw_power(contest, powers, folder, f"power_{baseline}.png", settings.name, baseline)
    folder.write_json("summary.json", summary)
    return summary


def power_rows(contest: Contest, powers: Sequence[CardPower]) -> list[list[Any]]:
    """One row per player and card, in the columns of `HEADER`."""
    cards = contest.table.pool.cards
    return [
        [
            contest.players[power.player].name,
            contest.players[power.player].agent.name,
            cards[power.card].id,
            cards[power.card].cost,
            power.n_copies,
            *(100 * float(bound) for bound in power.power),
            *(100 * float(bound) for bound in power.per_copy),
            power.n_games,
            *map(float, power.when_drawn),
            power.n_drawn,
            *map(float, power.when_played),
            power.n_played,
        ]
        for power in powers
    ]


def show_power(
    screen: Screen, contest: Contest, powers: Sequence[CardPower], baseline: str
) -> None:
    """Print one table per player, the strongest card first."""
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


def draw_power(
    contest: Contest,
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
