"""`evenhand metagame`: which decks people would play, and whether strength goes in circles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.card_contest import CardContest, play_matchups
from balance.matchups import MatchupCounts
from balance.metagame.metagame import Metagame, metagame_of
from balance.result_tables import MatchupRow, matchup_rows
from experiments.commands.matchups import summarise
from experiments.commands.metagame_words import (
    cyclic_sentence,
    cyclic_summary,
    share_text,
    unplayed_sentence,
)
from experiments.console import Screen, percent
from experiments.experiment import Experiment
from experiments.results.metagame import MetagameRow, metagame_rows
from experiments.runs.run_folder import RunFolder
from sim.files.row_file import entry


def run_metagame(
    experiment: Experiment, folder: RunFolder, screen: Screen, *, plots: bool, threads: int | None
) -> dict[str, Any]:
    """Play all matchups and solve their game; writes tables, figures and `summary.json`."""
    settings = experiment.settings
    contest = experiment.contest()
    screen.stage(f"playing {len(contest.matchups)} matchups")
    counts, again = (
        play_matchups(
            contest,
            contest.table,
            n_games=settings.games.matchups,
            run_seed=settings.seed,
            purpose=purpose,
            threads=threads,
        )
        for purpose in ("matchups", "metagame/again")
    )
    screen.stage("resampling the games")
    metagame = metagame_of(contest, counts, again, run_seed=settings.seed)
    rows = metagame_rows(contest, metagame)
    folder.write_rows("metagame.csv", MetagameRow, rows)
    folder.write_rows("matchups.csv", MatchupRow, matchup_rows(contest, counts))
    if plots:
        _draw(contest, counts, metagame, settings.name, folder)
    summary = {
        "command": "metagame",
        "seed": settings.seed,
        "players": [entry(row) for row in rows],
        "cyclic": cyclic_summary(metagame),
        "never_played": [contest.players[k].name for k in metagame.never_played],
        "matchups": summarise(contest, counts, settings.seed)["matchups"],
        "n": counts.n_games * len(contest.matchups),
    }
    folder.write_json("summary.json", summary)
    _show(screen, contest, metagame, rows)
    return summary


def _show(
    screen: Screen, contest: CardContest, metagame: Metagame, rows: Sequence[MetagameRow]
) -> None:
    screen.table(
        "The mix against which no deck wins more than half, and how decks do against it in other "
        f"games ({metagame.n_games:,} per matchup each; 95 % intervals, in brackets or ± half)",
        ("player", "agent", "share, %", "rating, Elo", "against the mix, %"),
        [
            (
                row.player,
                row.agent,
                share_text(*map(float, row.share)),
                f"{row.rating.estimate:+.0f} ±{(row.rating.high - row.rating.low) / 2:.0f}",
                percent(*map(float, row.against)),
            )
            for row in sorted(rows, key=lambda row: (-row.share.estimate, -row.rating.estimate))
        ],
    )
    screen.say(unplayed_sentence(contest, metagame))
    screen.say(cyclic_sentence(metagame))


def _draw(
    contest: CardContest, counts: MatchupCounts, metagame: Metagame, name: str, folder: RunFolder
) -> None:
    from experiments import plots  # noqa: PLC0415 (loads matplotlib)

    names = [player.name for player in contest.players]
    figures = {
        "metagame.png": plots.metagame_plot(names, metagame, title=f"{name}: metagame"),
        "matchups.png": plots.matchup_heatmap(contest, counts, title=f"{name}: win rates today"),
    }
    for file, figure in figures.items():
        folder.write_bytes(file, plots.figure_png(figure))
