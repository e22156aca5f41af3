"""`evenhand outliers`: find cards that are too strong or too weak for their cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from balance import Interval
from balance.decks.building import prepare_search
from balance.decks.card_costs import RISK, CardCosts, judge_card_costs
from balance.decks.deck_pairs import ROUNDS, PairState, pair_design, play_deck_pairs
from experiments.cli.options import Collection, ExperimentName, Within
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.build_question import ask_build
from experiments.experiment import Experiment
from experiments.results.observed import PP_PER_LOGIT
from experiments.runs.run import Findings, Run, SearchProgress, search_progress
from experiments.screen import Shown, Table, points
from sim import Pool, entry

UNDERCOSTED = "undercosted"
"""Verdict on a card that is too strong for its cost."""
OVERCOSTED = "overcosted"
"""Verdict on a card that is too weak for its cost."""

_SHOWN = 10  # minimum number of cards on the screen; all outliers are shown even if there are more
_VERDICTS = {1: UNDERCOSTED, -1: OVERCOSTED, 0: ""}


@session_command(*RESUMING)
def outliers(
    session: Session,
    experiment: ExperimentName,
    *,
    agent: Annotated[str | None, typer.Option(help="Agent that plays the decks.")] = None,
    hero: Annotated[
        str | None, typer.Option(help="Hero of the decks; default the first player's hero.")
    ] = None,
    collection: Collection = None,
    within: Within = None,
) -> Work:
    """Find cards that are too strong or too weak for their cost.

    The effects of cards are estimated from games between random decks. In some games a card costs
    one mana more or less.
    """
    check = partial(ask_outliers, agent=agent, hero=hero, collection=collection, within=within)
    return partial(session.run, "outliers", experiment, check, run_outliers)


class OutlierRow(NamedTuple):
    """Row of `outliers.csv`: effect of one more copy of a card, and the usual effect at its cost.

    Effects are changes of the win rate of an even deck in percentage points, less the mean effect
    of a copy of another card.

    Attributes:
        rank: rank of the card by its distance from the usual effect, from 1 for the largest.
        card: id of the card.
        name: name of the card.
        cost: printed cost in mana.
        verdict: `undercosted`, `overcosted`, or empty.
        effect_pp: effect of one copy, with its 95 % interval.
        usual_pp: usual effect of a copy of a card of this cost.
        excess_pp: `effect_pp` minus `usual_pp`, with its 95 % interval.
        moved_excess_pp: excess with one mana more if the card is above the usual effect, and with
            one mana less if it is below.
        moved_is_measured: whether `moved_excess_pp` was measured; otherwise it follows from other
            cards.
        margin_pp: mean of the distances from the usual effect before and after the move, which is
            above 0 if the move brings the card nearer to the usual effect; with its 90 % interval.
        n_games: number of games between decks with different numbers of the card at this cost.
    """

    rank: int
    card: str
    name: str
    cost: int
    verdict: str
    effect_pp: Annotated[Interval, ("effect_pp", "low_pp", "high_pp")]
    usual_pp: float
    excess_pp: Annotated[Interval, ("excess_pp", "excess_low_pp", "excess_high_pp")]
    moved_excess_pp: float
    moved_is_measured: bool
    margin_pp: Annotated[Interval, ("margin_pp", "margin_low_pp", "margin_high_pp")]
    n_games: int


def ask_outliers(
    experiment: Experiment,
    *,
    agent: str | None,
    hero: str | None,
    collection: Path | None,
    within: str | None = None,
) -> Experiment:
    """Return the experiment with the options of the command line in its `[build]` table.

    Decks are always new, even if the table names a deck to improve.

    Args:
        experiment: the experiment as its file describes it.
        agent: name of the pilot of the decks; `None` for the pilot that `ask_build` chooses.
        hero: hero of the decks; `None` for the file's setting.
        collection: CSV file of the cards that are owned; `None` for the file's setting.
        within: column of the cards' sheet in which all cards of a deck must have the same value.

    Raises:
        InputError: an option does not fit the experiment or another option, or no deck is allowed.
    """
    anew = experiment.settings.build.model_copy(update={"improve": None})
    return ask_build(
        experiment.with_settings(build=anew),
        agent=agent,
        hero=hero,
        collection=collection,
        within=within,
    )


def run_outliers(run: Run) -> Findings:
    """Play random decks, compare the effects of cards of the same cost, and return the findings."""
    experiment = run.experiment
    settings = experiment.settings
    contest = experiment.contest()
    search, _ = prepare_search(contest, settings)
    design = pair_design(
        search.space,
        contest.table,
        search.pilot,
        games_per_card=settings.outliers.games,
        run_seed=settings.seed,
    )
    with _progress(run) as progress:
        progress.on_stage("games")
        state = play_deck_pairs(design, state=progress.state, on_round=progress.on_generation)
    costs = judge_card_costs(design, state)
    rows = outlier_rows(experiment.pool, costs)
    summary = {  # its shape is stable (docs/formats.md)
        "command": "outliers",
        "seed": settings.seed,
        "agent": search.pilot.name,
        "hero": search.space.hero,
        "undercosted": [row.card for row in rows if row.verdict == UNDERCOSTED],
        "overcosted": [row.card for row in rows if row.verdict == OVERCOSTED],
        "cards": [entry(row) for row in rows],
        "spread_pp": PP_PER_LOGIT * costs.spread,
        "pairs": design.n_pairs,
        "games": design.n_pairs * design.n_games,
    }
    return Findings(
        summary=summary,
        tables={"outliers.csv": (OutlierRow, rows)},
        shown=_shown(rows, summary),
    )


def outlier_rows(pool: Pool, costs: CardCosts) -> list[OutlierRow]:
    """Return a row for each card, by decreasing distance from the usual effect at its cost."""
    cards = [pool.cards[position] for position in costs.cards]
    return [
        OutlierRow(
            rank,
            cards[k].id,
            cards[k].name,
            cards[k].cost,
            _VERDICTS[int(costs.verdict[k])],
            costs.effect.at(k).times(PP_PER_LOGIT),
            PP_PER_LOGIT * float(costs.expected[k]),
            costs.excess.at(k).times(PP_PER_LOGIT),
            PP_PER_LOGIT * float(costs.moved[k]),
            bool(costs.is_measured[k]),
            costs.margin.at(k).times(PP_PER_LOGIT),
            int(costs.n_games[k]),
        )
        # A stable sort keeps equal distances in the order of the pool on every processor.
        for rank, k in enumerate(np.argsort(-np.abs(costs.excess.estimate), kind="stable"), 1)
    ]


@contextmanager
def _progress(run: Run) -> Iterator[SearchProgress[PairState]]:
    """Show a progress bar for the games, and yield the callbacks that they need."""

    def figure(reached: PairState) -> str:
        return f"{len(reached.points):,} pairs of decks"

    with run.screen.progress("outliers", ROUNDS) as advance:
        yield search_progress(run, PairState, figure, advance)


def _shown(rows: Sequence[OutlierRow], summary: Mapping[str, Any]) -> list[Shown]:
    """Return a table of the cards that are farthest from the usual effect, with explanations.

    The table contains all undercosted and overcosted cards.
    """
    found = [row for row in rows if row.verdict]
    others = [row for row in rows if not row.verdict]
    listed = sorted(found + others[: max(_SHOWN - len(found), 0)], key=lambda row: row.rank)
    table = Table(
        f"Effect of one more copy on a deck that {summary['agent']} plays (pp of an even deck, "
        "less the average effect of a copy of another card; ± half of the 95 % interval)",
        ("card", "cost", "effect", "usual", "excess", "at other cost", "games", ""),
        [
            (
                row.name,
                str(row.cost),
                points(row.effect_pp.times(0.01)),
                f"{row.usual_pp:+.1f}",
                points(row.excess_pp.times(0.01)),
                f"{row.moved_excess_pp:+.1f}{'' if row.moved_is_measured else '*'}",
                f"{row.n_games:,}",
                row.verdict.upper(),
            )
            for row in listed
        ],
    )
    names = {
        verdict: ", ".join(row.name for row in found if row.verdict == verdict) or "none"
        for verdict in (UNDERCOSTED, OVERCOSTED)
    }
    return [
        table,
        f"{summary['games']:,} games between {summary['pairs']:,} pairs of random decks, all "
        f"played by {summary['agent']}; with another agent, other cards may be found",
        "usual: effect of a copy of a card of this cost. excess: difference from it. at other "
        "cost: excess with one mana more, or less if the excess is negative (* by other cards)",
        "A card is undercosted or overcosted if the other cost brings it nearer to what is usual "
        f"({100 * (1 - RISK):.0f} % one-sided), and its excess is larger than "
        f"{summary['spread_pp']:.1f} pp, the spread of the cards of this pool",
        f"Undercosted: {names[UNDERCOSTED]}",
        f"Overcosted: {names[OVERCOSTED]}",
    ]
