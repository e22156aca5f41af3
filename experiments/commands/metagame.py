"""`evenhand metagame`: equilibrium mix of the decks, and the cyclic part of their win rates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from balance import CardContest, MatchupRow, Metagame, matchup_rows, metagame_of
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.matchups import matchup_entry, play_current_matchups
from experiments.commands.pilots import with_pilots_named
from experiments.results.decks import MetagameRow, metagame_rows
from experiments.runs.run import Findings, Run
from experiments.screen import Table, entry_of, percent, percent_between
from sim import entry


@session_command(*MEASURING, "agent", "games")
def metagame(session: Session, experiment: ExperimentName) -> Work:
    """Find the mix of decks that players would settle on.

    The command also finds the decks that no one would play, and measures how much of the strength
    is cyclic, as in rock, paper, scissors.
    """
    work = with_pilots_named(run_metagame)
    return partial(session.run, "metagame", experiment, check_contest, work)


def run_metagame(run: Run) -> Findings:
    """Play all matchups, solve for the equilibrium mix, and return its tables and figures."""
    settings = run.experiment.settings
    contest = run.experiment.contest()
    # The second set of games measures the decks against the mix. In the first set, which chooses
    # the mix, these rates would look better than they are.
    counts, again = (
        play_current_matchups(run, contest, purpose) for purpose in ("matchups", "metagame/again")
    )
    run.screen.stage("resampling the games")
    metagame = metagame_of(contest, counts, again, run_seed=settings.seed)
    rows = metagame_rows(contest, metagame)
    names = contest.player_names
    return Findings(
        summary={
            "command": "metagame",
            "seed": settings.seed,
            "players": [entry(row) for row in rows],
            "cyclic": entry_of(metagame.cyclic, "share"),
            "never_played": [names[k] for k in metagame.never_played],
            "matchups": [matchup_entry(row) for row in matchup_rows(contest, counts)],
            "n": counts.n_games * len(contest.matchups),
        },
        tables={
            "metagame.csv": (MetagameRow, rows),
            "matchups.csv": (MatchupRow, matchup_rows(contest, counts)),
        },
        figures={
            "metagame.png": lambda: plots.metagame_plot(
                names, metagame, title=f"{settings.name}: metagame"
            ),
            "matchups.png": lambda: plots.matchup_heatmap(
                contest, counts, title=f"{settings.name}: win rates today"
            ),
        },
        shown=[
            _table(metagame, rows),
            unplayed_sentence(contest, metagame),
            cyclic_sentence(metagame),
        ],
    )


def _table(metagame: Metagame, rows: Sequence[MetagameRow]) -> Table:
    """Return a table of the decks by decreasing share of the mix, with ratings and win rates."""
    return Table(
        "The mix of decks against which no deck wins more than half, and the win rate of each deck "
        f"against it in other games ({metagame.n_games:,} per matchup each; 95 % intervals, in "
        "brackets or ± half)",
        ("player", "agent", "share, %", "rating, Elo", "against the mix, %"),
        [
            (
                row.player,
                row.agent,
                percent_between(row.share, unit=""),
                f"{row.rating.estimate:+.0f} ±{(row.rating.high - row.rating.low) / 2:.0f}",
                percent(row.against),
            )
            for row in sorted(rows, key=lambda row: (-row.share.estimate, -row.rating.estimate))
        ],
    )


def cyclic_sentence(metagame: Metagame) -> str:
    """Return a sentence on the cyclic share of the win rates; two decks have no cycle."""
    if len(metagame.ratings.estimate) < 3:
        return "Two decks cannot beat each other in a circle."
    share, low, high = (f"{100 * float(bound):.1f}" for bound in metagame.cyclic)
    return (
        f"Of the deviations of the win rates from 50 %, {share} % ({low} to {high}) are cyclic, "
        "as in rock, paper, scissors; the ratings, one number per deck, explain the rest."
    )


def unplayed_sentence(contest: CardContest, metagame: Metagame) -> str:
    """Return a sentence on the decks outside the mix, with the share of resamples that agree."""
    if not metagame.never_played:
        return "Every deck is played."
    n_resamples = len(metagame.resampled_shares)
    shares = [
        f"{contest.player_names[k]} ({100 * float(metagame.unplayed[k]):.0f} %)"
        for k in metagame.never_played
    ]
    return (
        f"Never played, with the share of {n_resamples} resamples of the games that agree: "
        f"{', '.join(shares)}."
    )
