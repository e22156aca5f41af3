"""`evenhand outliers`: find cards that strengthen decks more than other cards of their pool do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from balance import Interval
from balance.decks.building import prepare_search
from balance.decks.deck_search import search_decks
from balance.decks.outliers import CardEffects, card_effects
from experiments.cli.options import Collection, ExperimentName, Within
from experiments.cli.session import RESUMING, Session, Work, session_command
from experiments.commands.build import build_progress
from experiments.commands.build_question import ask_build
from experiments.experiment import Experiment
from experiments.results.observed import PP_PER_LOGIT
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, points
from sim import Pool, entry

_SHOWN = 10  # minimum number of cards on the screen; all outliers are shown even if there are more


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
    """Find cards that are much stronger than the rest of a pool.

    The effect of a card is estimated from the thousands of decks that a deck search evaluates.
    """
    check = partial(ask_outliers, agent=agent, hero=hero, collection=collection, within=within)
    return partial(session.run, "outliers", experiment, check, run_outliers)


class OutlierRow(NamedTuple):
    """Row of `outliers.csv`: estimated effect of one more copy of a card on a deck's win rate.

    Attributes:
        rank: rank of the card by its effect, from 1 for the largest.
        card: id of the card.
        name: name of the card.
        effect_pp: effect of one copy in percentage points, with its 95 % interval.
        fence_pp: effect above which a card counts as an outlier, in percentage points.
        is_outlier: whether the whole interval is above the fence.
        held_by_best: share of the best decks that contain the card, from 0 to 1.
        copies_in_best: mean number of copies in the best decks that contain the card.
        n_decks: number of evaluated decks that contain the card.
    """

    rank: int
    card: str
    name: str
    effect_pp: Annotated[Interval, ("effect_pp", "low_pp", "high_pp")]
    fence_pp: float
    is_outlier: bool
    held_by_best: float
    copies_in_best: float
    n_decks: int


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
    """Search for decks, estimate the effects of their cards, and return the findings."""
    experiment = run.experiment
    pool = run.experiment.pool
    search, _ = prepare_search(experiment.contest(), experiment.settings)
    with build_progress(run, "outliers") as progress:
        progress.on_stage("search")
        state = search_decks(search, state=progress.state, on_generation=progress.on_generation)
    effects = card_effects(search, state)
    rows = outlier_rows(pool, effects)
    summary = {  # its shape is stable (docs/formats.md)
        "command": "outliers",
        "seed": search.run_seed,
        "agent": search.pilot.name,
        "hero": search.space.hero,
        "opponents": [player.name for player in search.field.opponents],
        "outliers": [row.card for row in rows if row.is_outlier],
        "cards": [entry(row) for row in rows],
        "decks": len(state.seen),
        "best_decks": effects.n_best,
        "games": int(state.history[-1, 0]),
    }
    return Findings(
        summary=summary,
        tables={"outliers.csv": (OutlierRow, rows)},
        shown=_shown(rows, summary),
    )


def outlier_rows(pool: Pool, effects: CardEffects) -> list[OutlierRow]:
    """Return a row for each card of the effects, by decreasing effect."""
    cards = [pool.cards[position] for position in effects.cards]
    return [
        OutlierRow(
            rank,
            cards[k].id,
            cards[k].name,
            effects.effect.at(k).times(PP_PER_LOGIT),
            PP_PER_LOGIT * float(effects.fence[k]),
            bool(effects.is_outlier[k]),
            float(effects.held[k]),
            float(effects.copies[k]),
            int(effects.n_decks[k]),
        )
        # A stable sort keeps equal effects in the order of the pool on every processor.
        for rank, k in enumerate(np.argsort(-effects.effect.estimate, kind="stable"), 1)
    ]


def _shown(rows: Sequence[OutlierRow], summary: Mapping[str, Any]) -> list[Shown]:
    """Return a table of the cards with the largest effects, and lines that explain the table."""
    outliers = [row.name for row in rows if row.is_outlier]
    table = Table(
        f"Effect of one more copy on a deck that {summary['agent']} pilots (pp of an even deck, "
        "less the average effect of a copy of another card; ± half of the 95 % interval)",
        ("card", "effect", "fence", "in the best decks, %", "copies", ""),
        [
            (
                row.name,
                points(row.effect_pp.times(0.01)),
                f"{row.fence_pp:.1f}",
                f"{100 * row.held_by_best:.0f}",
                f"{row.copies_in_best:.2f}",
                "OUTLIER" if row.is_outlier else "",
            )
            for row in rows[: max(_SHOWN, len(outliers))]
        ],
    )
    return [
        table,
        f"{summary['decks']:,} decks, {summary['games']:,} games against "
        f"{', '.join(summary['opponents'])}; the best decks are the {summary['best_decks']:,} with "
        "the highest lower bounds",
        "Fence: an effect that fewer than half a card would reach by chance, if all cards spread "
        "like the others. The whole interval of an outlier is beyond the fence",
        f"Outliers: {', '.join(outliers)}" if outliers else "No card is an outlier",
    ]
