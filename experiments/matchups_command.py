"""`evenhand matchups`: how the decks fare against each other today."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.contest import Contest
from balance.intervals import copy_rate, paired_mean
from balance.matchups import MatchupCounts, play_matchups
from experiments.console import Screen, percent
from experiments.experiment import Experiment
from experiments.run_folder import RunFolder
from sim.engine.layout import DRAWN
from sim.outcomes import kept, median_turns, slot_counts

MATRIX_HEADER = (
    "a", "b", "win_rate_a", "low", "high", "n", "first_seat", "first_low", "first_high",
    "draw_rate", "mean_turns", "median_turns", "mean_life_a", "mean_life_b",
)  # fmt: skip
CARDS_HEADER = (
    "player", "card", "cost", "copies",
    "copies_drawn_opening", "copies_drawn_later", "copies_played",
    "win_rate_when_drawn", "drawn_low", "drawn_high",
    "win_rate_when_played", "played_low", "played_high", "n_games",
)  # fmt: skip


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
    matrix = matrix_rows(contest, counts)
    folder.write_csv("matchups.csv", MATRIX_HEADER, matrix)
    folder.write_csv("cards.csv", CARDS_HEADER, card_rows(contest, counts))
    if plots:
        _draw(contest, counts, experiment, folder)
    summary = summarise(contest, counts, settings.seed)
    folder.write_json("summary.json", summary)
    targets = contest.targets(settings.target.win_rate)
    _show(screen, matrix, targets.tolist(), settings.target.band_pp)
    return summary


def matrix_rows(contest: Contest, counts: MatchupCounts, variant: int = 0) -> list[list[Any]]:
    """One row per matchup, in the columns of `MATRIX_HEADER`."""
    n = counts.n_games
    rates = counts.win_rate()
    first = paired_mean(counts.first_seat_by_seed()[variant])
    draws = (counts.winners[variant] == DRAWN).mean(axis=(1, 2))
    life = _life_by_player(contest, counts, variant)
    rows = []
    for m, (a, b) in enumerate(contest.matchups):
        turns = counts.turns[variant, m]
        rows.append(
            [
                contest.players[a].name,
                contest.players[b].name,
                *(float(bound[variant, m]) for bound in rates),
                n,
                *(float(bound[m]) for bound in first),
                float(draws[m]),
                float(turns @ np.arange(len(turns))) / n,
                median_turns(turns),
                float(life[m, 0]) / n,
                float(life[m, 1]) / n,
            ]
        )
    return rows


def _life_by_player(contest: Contest, counts: MatchupCounts, variant: int) -> Any:
    """``[M, 2]`` final life of `a` and of `b`, summed over both seatings."""
    n_matchups = len(contest.matchups)
    life = counts.outcomes.sum_life.reshape(-1, n_matchups, 2, 2)[variant]
    return life[:, 0] + life[:, 1, ::-1]


def card_rows(contest: Contest, counts: MatchupCounts, variant: int = 0) -> list[list[Any]]:
    """One row per player and kind of card over all its matchups, as in `CARDS_HEADER`."""
    n_matchups = len(contest.matchups)
    seen = kept(counts.outcomes.seen)
    seen = seen.reshape(-1, n_matchups, 2, *seen.shape[1:])[variant]
    pool = contest.table.pool
    rows = []
    for position, player in enumerate(contest.players):
        mine = [
            slot_counts(seen[m, seating], seat)
            for m, matchup in enumerate(contest.matchups)
            for seating in (0, 1)
            for seat in (0, 1)
            if matchup[seat ^ seating] == position
        ]
        slots = np.array(player.deck.slots(pool))
        n_games = counts.n_games * (len(contest.players) - 1)
        for card in dict.fromkeys(slots.tolist()):
            where = np.flatnonzero(slots == card)
            opening, later, played = (
                int(sum(getattr(one, name)[where].sum() for one in mine))
                for name in ("drawn_opening", "drawn_later", "played")
            )
            drawn_points = sum(one.points_when_drawn[where].sum() for one in mine)
            played_points = sum(one.points_when_played[where].sum() for one in mine)
            rows.append(
                [
                    player.name,
                    pool.cards[card].id,
                    pool.cards[card].cost,
                    len(where),
                    opening,
                    later,
                    played,
                    *map(float, copy_rate(drawn_points, opening + later, len(where))),
                    *map(float, copy_rate(played_points, played, len(where))),
                    n_games,
                ]
            )
    return rows


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


def _show(screen: Screen, matrix: list[list[Any]], targets: list[float], band_pp: float) -> None:
    """Print the matrix; `OFF` marks a win rate that is surely outside its band."""
    header = ("matchup", "target", "win rate, %", "first seat, %", "draws, %", "turns")
    rows = []
    for row, target in zip(matrix, targets, strict=True):
        low, high = target - band_pp / 100, target + band_pp / 100
        mark = " OFF" if row[3] > high or row[4] < low else ""
        rows.append(
            (
                f"{row[0]} vs {row[1]}",
                f"{100 * target:.0f} ±{band_pp:g}",
                percent(row[2], row[3], row[4]) + mark,
                percent(row[6], row[7], row[8]),
                f"{100 * row[9]:.2f}",
                f"{row[10]:.1f}",
            )
        )
    screen.table(
        f"Win rate of the first-named over {matrix[0][5]:,} games, both seatings "
        "(± half of the 95 % interval)",
        header,
        rows,
    )


def _draw(
    contest: Contest, counts: MatchupCounts, experiment: Experiment, folder: RunFolder
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
