"""`evenhand matchups`: how the decks fare against each other today."""

from __future__ import annotations

from typing import Any

from balance.card_contest import CardContest, play_matchups
from balance.matchups import MatchupCounts
from balance.result_tables import CardRow, MatchupRow, card_rows, matchup_rows
from experiments.console import Screen, percent
from experiments.experiment import Experiment
from experiments.runs.run_folder import RunFolder
from sim.files.row_file import entry


def run_matchups(
    experiment: Experiment, folder: RunFolder, screen: Screen, *, plots: bool, threads: int | None
) -> dict[str, Any]:
    """Play all matchups; writes `matchups.csv`, `cards.csv`, the heatmap, `summary.json`."""
    settings = experiment.settings
    contest = experiment.contest()
    screen.stage(f"playing {len(contest.matchups)} matchups")
    counts = play_matchups(
        contest,
        contest.table,
        n_games=settings.games.matchups,
        run_seed=settings.seed,
        purpose="matchups",
        threads=threads,
        keep_cards=True,
    )
    rows = matchup_rows(contest, counts)
    folder.write_rows("matchups.csv", MatchupRow, rows)
    folder.write_rows("cards.csv", CardRow, card_rows(contest, counts))
    if plots:
        _draw(contest, counts, experiment, folder)
    summary = summarise(contest, counts, settings.seed)
    folder.write_json("summary.json", summary)
    targets = contest.targets(settings.target.win_rate)
    _show(screen, rows, targets.tolist(), settings.target.band_pp)
    return summary


def summarise(contest: CardContest, counts: MatchupCounts, seed: int) -> dict[str, Any]:
    """What `--json` prints for `matchups`."""
    first, draws = counts.first_seat(), counts.draw_rate()
    return {
        "command": "matchups",
        "seed": seed,
        "matchups": [_entry(row) for row in matchup_rows(contest, counts)],
        "first_seat": {"win_rate": first.estimate[0], "low": first.low[0], "high": first.high[0]},
        "draw_rate": {"rate": draws.estimate[0], "low": draws.low[0], "high": draws.high[0]},
        "n": counts.n_games * len(contest.matchups),
    }


def _entry(row: MatchupRow) -> dict[str, Any]:
    return {"win_rate" if key == "win_rate_a" else key: value for key, value in entry(row).items()}


def _show(screen: Screen, matchups: list[MatchupRow], targets: list[float], band_pp: float) -> None:
    """Print the matrix; `OFF` marks a win rate that is surely outside its band."""
    header = ("matchup", "target", "win rate, %", "first seat, %", "draws, %", "turns")
    rows = []
    for row, target in zip(matchups, targets, strict=True):
        low, high = target - band_pp / 100, target + band_pp / 100
        mark = " OFF" if row.win_rate.low > high or row.win_rate.high < low else ""
        rows.append(
            (
                f"{row.a} vs {row.b}",
                f"{100 * target:.0f} ±{band_pp:g}",
                percent(*map(float, row.win_rate)) + mark,
                percent(*map(float, row.first_seat)),
                f"{100 * row.draw_rate:.2f}",
                f"{row.mean_turns:.1f}",
            )
        )
    screen.table(
        f"Win rate of the first-named over {matchups[0].n:,} games, both seatings "
        "(± half of the 95 % interval)",
        header,
        rows,
    )


def _draw(
    contest: CardContest, counts: MatchupCounts, experiment: Experiment, folder: RunFolder
) -> None:
    from experiments.plots import figure_png, matchup_heatmap  # noqa: PLC0415 (loads matplotlib)

    settings = experiment.settings
    figure = matchup_heatmap(
        contest,
        counts,
        title=f"{settings.name}: win rates today",
        targets=contest.targets(settings.target.win_rate),
        band_pp=settings.target.band_pp,
    )
    folder.write_bytes("matchups.png", figure_png(figure))
