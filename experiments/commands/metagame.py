"""`evenhand metagame`: which decks people would play, and whether strength goes in circles."""

from __future__ import annotations

from typing import Any

from balance.contest import Contest
from balance.matchups import MatchupCounts, play_matchups
from balance.metagame import Metagame, metagame_of
from balance.rows import MATRIX_HEADER, matrix_rows
from experiments.commands.matchups import summarise
from experiments.console import Screen, percent
from experiments.experiment import Experiment
from experiments.runs.run_folder import RunFolder

HEADER = (
    "player", "agent", "share", "share_low", "share_high", "unplayed",
    "rating_elo", "rating_low", "rating_high", "against_mix", "against_low", "against_high", "n",
)  # fmt: skip


def run_metagame(
    experiment: Experiment, folder: RunFolder, screen: Screen, *, plots: bool, threads: int | None
) -> dict[str, Any]:
    """Play all matchups and solve their game; writes tables, figures and `summary.json`."""
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
    )
    screen.stage("resampling the games")
    metagame = metagame_of(contest, counts, run_seed=settings.seed)
    rows = metagame_rows(contest, metagame)
    folder.write_csv("metagame.csv", HEADER, rows)
    folder.write_csv("matchups.csv", MATRIX_HEADER, matrix_rows(contest, counts))
    if plots:
        _draw(contest, counts, metagame, settings.name, folder)
    summary = {
        "command": "metagame",
        "seed": settings.seed,
        "players": [dict(zip(HEADER, row, strict=True)) for row in rows],
        "cyclic": cyclic_summary(metagame),
        "never_played": [contest.players[k].name for k in metagame.never_played],
        "matchups": summarise(contest, counts, settings.seed)["matchups"],
        "n": counts.n_games * len(contest.matchups),
    }
    folder.write_json("summary.json", summary)
    _show(screen, contest, metagame)
    return summary


def metagame_rows(contest: Contest, metagame: Metagame) -> list[list[Any]]:
    """One row per player, in the columns of `HEADER`."""
    return [
        [
            player.name,
            player.agent.name,
            *(float(bound[k]) for bound in metagame.shares),
            float(metagame.unplayed[k]),
            *(float(bound[k]) for bound in metagame.ratings),
            *(float(bound[k]) for bound in metagame.against_mix),
            metagame.n_games * (len(contest.players) - 1),
        ]
        for k, player in enumerate(contest.players)
    ]


def cyclic_summary(metagame: Metagame) -> dict[str, float]:
    """The cyclic share with its interval, as summaries hold it."""
    share, low, high = map(float, metagame.cyclic)
    return {"share": share, "low": low, "high": high}


def cyclic_sentence(metagame: Metagame) -> str:
    """How cyclic the matrix is."""
    if len(metagame.ratings.estimate) < 3:
        return "Two decks cannot beat each other in a circle."
    share, low, high = (f"{100 * float(bound):.1f}" for bound in metagame.cyclic)
    return (
        f"In circles, as in rock, paper, scissors, go {share} % ({low} to {high}) of the "
        "differences in strength; the ratings explain the rest."
    )


def unplayed_sentence(contest: Contest, metagame: Metagame) -> str:
    """Which decks are never played, and how sure that is."""
    if not metagame.never_played:
        return "Every deck is played."
    named = [
        f"{contest.players[k].name} ({100 * float(metagame.unplayed[k]):.0f} %)"
        for k in metagame.never_played
    ]
    return (
        f"Never played: {', '.join(named)}; in brackets, in how many of "
        f"{len(metagame.resampled_shares)} resamples of the games."
    )


def share_text(share: float, low: float, high: float) -> str:
    """`62.3 (55.0 to 70.1)`: a share in percent with its interval, which may be lopsided."""
    return f"{100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _show(screen: Screen, contest: Contest, metagame: Metagame) -> None:
    rows = metagame_rows(contest, metagame)
    rows.sort(key=lambda row: (-row[2], -row[6]))
    screen.table(
        f"The mix against which no deck wins more than half ({metagame.n_games:,} games per "
        "matchup; 95 % intervals, in brackets or ± half)",
        ("player", "agent", "share, %", "rating, Elo", "against the mix, %"),
        [
            (
                row[0],
                row[1],
                share_text(*row[2:5]),
                f"{row[6]:+.0f} ±{(row[8] - row[7]) / 2:.0f}",
                percent(*row[9:12]),
            )
            for row in rows
        ],
    )
    screen.say(unplayed_sentence(contest, metagame))
    screen.say(cyclic_sentence(metagame))


def _draw(
    contest: Contest, counts: MatchupCounts, metagame: Metagame, name: str, folder: RunFolder
) -> None:
    from experiments import plots  # noqa: PLC0415 (loads matplotlib)

    names = [player.name for player in contest.players]
    figures = {
        "metagame.png": plots.metagame_plot(names, metagame, title=f"{name}: metagame"),
        "matchups.png": plots.matchup_heatmap(contest, counts, title=f"{name}: win rates today"),
    }
    for file, figure in figures.items():
        folder.write_bytes(file, plots.figure_png(figure))
