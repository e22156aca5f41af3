"""`evenhand outliers`: cards that do more for decks than the rest of their pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from balance import Interval
from balance.decks.building import prepare_search
from balance.decks.outliers import CardEffects, card_effects
from balance.decks.search import search_decks
from experiments.commands.build import build_progress
from experiments.commands.build_question import ask_build
from experiments.experiment import Experiment
from experiments.runs.run import Findings, Run
from experiments.screen import Shown, Table, points
from sim import Pool, entry

_PP_PER_LOGIT = 25  # of an even deck: a small step of log-odds is a quarter of it in win rate
_SHOWN = 10


class OutlierRow(NamedTuple):
    """A card that some deck held, by what one more copy does for a deck."""

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
    """The experiment with what the command line says instead of its `[build]` table, checked.

    Decks are built anew, also where the table says which one to improve.

    Raises:
        InputError: as `ask_build`.
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
    """Search for decks and tell what their cards do; finds `outliers.csv`."""
    experiment = run.experiment
    pool = run.experiment.pool
    search, _ = prepare_search(experiment.contest(), experiment.settings, threads=run.threads)
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
    """One row per card, the largest effect first."""
    cards = [pool.cards[position] for position in effects.cards]
    return [
        OutlierRow(
            rank,
            cards[k].id,
            cards[k].name,
            effects.effect.at(k).times(_PP_PER_LOGIT),
            _PP_PER_LOGIT * float(effects.fence[k]),
            bool(effects.is_outlier[k]),
            float(effects.held[k]),
            float(effects.copies[k]),
            int(effects.n_decks[k]),
        )
        for rank, k in enumerate(np.argsort(-effects.effect.estimate, kind="stable"), 1)
    ]


def _shown(rows: Sequence[OutlierRow], summary: Mapping[str, Any]) -> list[Shown]:
    found = [row.name for row in rows if row.is_outlier]
    table = Table(
        f"What one more copy does for a deck that {summary['agent']} pilots (pp of an even deck, "
        "less what a copy of another card does on average; ± half of the 95 % interval)",
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
            for row in rows[: max(_SHOWN, len(found))]
        ],
    )
    return [
        table,
        f"{summary['decks']:,} decks, {summary['games']:,} games against "
        f"{', '.join(summary['opponents'])}; the best decks are the {summary['best_decks']:,} with "
        "the highest lower bounds",
        "The fence: where less than half a card is expected of as many as there are, if they "
        "spread as the others do. An outlier's whole interval is beyond it",
        f"Outliers: {', '.join(found)}" if found else "No card is an outlier",
    ]
