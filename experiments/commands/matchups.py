"""`evenhand matchups`: how the decks fare against each other today."""

from __future__ import annotations

from typing import Any

from balance.contest import Contest
from balance.matchups import MatchupCounts, play_matchups
from balance.result_tables import CARDS_HEADER, MATRIX_HEADER, card_rows, matrix_rows
from experiments.commands.lazy_plots import plots
from experiments.console import Table
from experiments.interval_text import percent
from experiments.runs.run import Findings, Run


def run_matchups(run: Run) -> Findings:
    """Play all matchups; finds `matchups.csv`, `cards.csv` and the heatmap."""
    settings, contest = run.experiment.settings, run.experiment.contest()
    counts = play_todays_matchups(run, contest, keep_cards=True)
    matrix = matrix_rows(contest, counts)
    targets = contest.targets(settings.target.win_rate)
    return Findings(
        summary=summarise(contest, counts, settings.seed),
        tables={
            "matchups.csv": (MATRIX_HEADER, matrix),
            "cards.csv": (CARDS_HEADER, card_rows(contest, counts)),
        },
        figures={
            "matchups.png": lambda: plots.matchup_heatmap(
                contest,
                counts,
                title=f"{settings.name}: win rates today",
                targets=targets,
                band_pp=settings.target.band_pp,
            )
        },
        shown=[_table(matrix, targets.tolist(), settings.target.band_pp)],
    )


def play_todays_matchups(
    run: Run, contest: Contest, purpose: str = "matchups", *, keep_cards: bool = False
) -> MatchupCounts:
    """The games of all matchups with today's cards."""
    run.screen.stage(f"playing {len(contest.matchups)} matchups")
    return play_matchups(
        contest,
        contest.table,
        n_games=run.experiment.settings.games.matchups,
        run_seed=run.experiment.settings.seed,
        purpose=purpose,
        threads=run.threads,
        keep_cards=keep_cards,
    )


def summarise(contest: Contest, counts: MatchupCounts, seed: int) -> dict[str, Any]:
    """What `--json` prints for `matchups`."""
    first, draws = counts.first_seat(), counts.draw_rate()
    names = ["win_rate" if name == "win_rate_a" else name for name in MATRIX_HEADER]
    return {
        "command": "matchups",
        "seed": seed,
        "matchups": [dict(zip(names, row, strict=True)) for row in matrix_rows(contest, counts)],
        "first_seat": {"win_rate": first.estimate[0], "low": first.low[0], "high": first.high[0]},
        "draw_rate": {"rate": draws.estimate[0], "low": draws.low[0], "high": draws.high[0]},
        "n": counts.n_games * len(contest.matchups),
    }


def _table(matrix: list[list[Any]], targets: list[float], band_pp: float) -> Table:
    """The matchups; `OFF` marks a win rate that is surely outside its band."""
    rows = []
    for row, target in zip(matrix, targets, strict=True):
        low, high = target - band_pp / 100, target + band_pp / 100
        mark = " OFF" if row[3] > high or row[4] < low else ""
        rows.append(
            (
                f"{row[0]} vs {row[1]}",
                f"{100 * target:.0f} ±{band_pp:g}",
                percent(row[2:5]) + mark,
                percent(row[6:9]),
                f"{100 * row[9]:.2f}",
                f"{row[10]:.1f}",
            )
        )
    return Table(
        f"Win rate of the first-named over {matrix[0][5]:,} games, both seatings "
        "(± half of the 95 % interval)",
        ("matchup", "target", "win rate, %", "first seat, %", "draws, %", "turns"),
        rows,
    )
