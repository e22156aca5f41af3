"""`evenhand metagame`: equilibrium mix of the decks, and the cyclic part of their win rates."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from balance import CONFIDENCE, Contest, MatchupRow, Metagame, matchup_rows, metagame_of
from balance.contest.readings import Readings
from balance.metagame.metagame import MetagameRow
from balance.run.question import play_today
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.options import ExperimentName
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.contests import RateRow, rate_rows
from experiments.commands.matchups import matchup_entry, play_current_matchups
from experiments.commands.pilots import with_pilots_named
from experiments.contest_experiment import ContestExperiment
from experiments.runs.run import Findings, Run, RunOf
from experiments.screen import Table, percent, percent_between, plus_minus
from sim import entry

# The second set of games measures the decks against the mix. In the first set, which chooses the
# mix, these rates would look better than they are.
_PURPOSES = ("matchups", "metagame/again")


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
    contest = run.experiment.contest()
    counts, again = (play_current_matchups(run, contest, purpose) for purpose in _PURPOSES)
    rows = matchup_rows(contest, counts)
    findings = _findings(run, contest, counts, again)
    return replace(
        findings,
        summary={
            **(findings.summary or {}),
            "matchups": [matchup_entry(row) for row in rows],
            "n": counts.n_games * len(contest.matchups),
        },
        tables={**findings.tables, "matchups.csv": (MatchupRow, rows)},
        figures={
            **findings.figures,
            "matchups.png": lambda: plots.matchup_heatmap(
                contest, counts, title=f"{run.experiment.settings.name}: win rates today"
            ),
        },
    )


def run_contest_metagame(run: RunOf[ContestExperiment]) -> Findings:
    """Play all matchups of a contest, solve for the equilibrium mix, and return the findings."""
    contest = run.experiment.contest()
    settings = run.experiment.balance_settings()
    counts, again = (play_today(contest, settings, purpose) for purpose in _PURPOSES)
    findings = _findings(run, contest, counts, again)
    demands = settings.demands_in(contest).with_matchups(contest.matchup_names)
    rows = rate_rows(demands, demands.read(counts, CONFIDENCE).at(0), counts.n_games)
    rows = rows[: len(contest.matchups)]
    entries = {"matchups": [*map(entry, rows)], "n": counts.n_games * contest.n_tables}
    return replace(
        findings,
        summary={**(findings.summary or {}), **entries},
        tables={**findings.tables, "matchups.csv": (RateRow, rows)},
    )


def _findings(run: RunOf[Any], contest: Contest, counts: Readings, again: Readings) -> Findings:
    """Return the findings on the mix, ratings and cyclicity of the players of a contest.

    Args:
        run: the run of the experiment.
        contest: players and matchups.
        counts: games that choose the mix.
        again: games that measure the players against the mix.
    """
    settings = run.experiment.settings
    run.screen.stage("resampling the games")
    metagame = metagame_of(contest, counts, again, run_seed=settings.seed)
    return Findings(
        summary={"command": "metagame", "seed": settings.seed, **metagame.to_dict()},
        tables=metagame.files,
        figures={
            "metagame.png": lambda: plots.metagame_plot(
                metagame.names, metagame, title=f"{settings.name}: metagame"
            ),
        },
        shown=[
            _table(metagame),
            unplayed_sentence(metagame),
            cyclic_sentence(metagame),
        ],
    )


def _table(metagame: Metagame) -> Table:
    """Return a table of the decks by decreasing share of the mix, with ratings and win rates."""
    rows = metagame.rows(MetagameRow)
    head = ("player", "agent", "share, %", "rating, Elo", "against the mix, %")
    cells = [
        (
            row.player,
            row.agent,
            percent_between(row.share, unit=""),
            plus_minus(row.rating, "+.0f"),
            percent(row.against),
        )
        for row in sorted(rows, key=lambda row: (-row.share.estimate, -row.rating.estimate))
    ]
    # Only players of card games have agents.
    kept = [k for k in range(len(head)) if k != 1 or any(row.agent for row in rows)]
    return Table(
        "The mix of decks against which no deck wins more than half, and the win rate of each deck "
        f"against it in other games ({metagame.n_games:,} per matchup each; 95 % intervals, in "
        "brackets or ± half)",
        [head[k] for k in kept],
        [tuple(row[k] for k in kept) for row in cells],
    )


def cyclic_sentence(metagame: Metagame) -> str:
    """Return a sentence on the cyclic share of the win rates; two decks have no cycle."""
    if len(metagame.ratings.estimate) < 3:
        return "Two decks cannot beat each other in a circle."
    return (
        f"Of the deviations of the win rates from 50 %, {percent_between(metagame.cyclic)} are "
        "cyclic, as in rock, paper, scissors; the ratings, one number per deck, explain the rest."
    )


def unplayed_sentence(metagame: Metagame) -> str:
    """Return a sentence on the decks outside the mix, with the share of resamples that agree."""
    if not metagame.never_played:
        return "Every deck is played."
    n_resamples = len(metagame.resampled_shares)
    shares = [
        f"{metagame.names[k]} ({100 * float(metagame.unplayed[k]):.0f} %)"
        for k in metagame.never_played
    ]
    return (
        f"Never played, with the share of {n_resamples} resamples of the games that agree: "
        f"{', '.join(shares)}."
    )
