"""Summaries of observed games: the content of `summary.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.observed.observed_cards import ObservedCards
from balance.observed.observed_metagame import ObservedMetagame
from experiments.observed.deck_lists import DeckLists
from experiments.observed.observed_experiment import GAME, ObservedExperiment
from experiments.observed.observed_results import ObservedResults
from experiments.results.observed import (
    ObservedCardRow,
    ObservedChangeRow,
    ObservedMatchupRow,
    ObservedPlayerRow,
)
from sim import entry


def observed_summary(
    experiment: ObservedExperiment,
    metagame: ObservedMetagame,
    rows: Sequence[ObservedMatchupRow],
    players: Sequence[ObservedPlayerRow],
    changes: Sequence[ObservedChangeRow],
) -> dict[str, Any]:
    """Return the content of `summary.json` for observed games, which `--json` prints."""
    results = experiment.results
    matchups = results.matchups
    names = matchups.names
    first = matchups.first_seat()
    draws = matchups.draw_rate()
    knows_draws = any(row.draw_rate is not None for row in rows)
    return {  # its shape is stable (docs/formats.md)
        "command": "matchups",
        "game": GAME,
        "seed": experiment.settings.seed,
        "file": experiment.path.name,
        "source": experiment.settings.source,
        "columns": dict(results.columns),
        "n": round(matchups.n_games),
        "mirrors": round(matchups.n_mirrors),
        "rows": results.n_rows,
        "assumed_games": results.assumed_games,
        "days": results.days,
        "patches": [*results.by_patch],
        "brackets": [*results.by_bracket],
        "matchups": [_renamed(entry(row)) for row in rows],
        "missing": [{"a": names[a], "b": names[b]} for a, b in matchups.missing_pairs],
        "players": [entry(row) for row in players],
        "rated": [names[k] for k in metagame.rated] if len(metagame.rated) > 1 else [],
        "equilibrium_of": [names[k] for k in metagame.complete],
        "cyclic": None if metagame.cyclic is None else metagame.cyclic.as_entry("share"),
        "first_seat": None
        if first is None
        else {**first.as_entry(), "n": round(matchups.n_first_seat_games)},
        "draw_rate": draws.as_entry("rate") if knows_draws and draws is not None else None,
        "changes": _change_summary(changes),
        "warnings": warning_entries(results),
    }


def _renamed(row: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of a matchup with the key `win_rate_a` renamed to `win_rate`."""
    return {"win_rate" if key == "win_rate_a" else key: value for key, value in row.items()}


def _change_summary(rows: Sequence[ObservedChangeRow]) -> list[dict[str, Any]]:
    """Return one entry per pair of groups: the numbers of matchups, and of those that differ."""
    groups = dict.fromkeys((row.by, row.earlier, row.later) for row in rows)
    entries = []
    for group in groups:
        own = [row for row in rows if (row.by, row.earlier, row.later) == group]
        entries.append(
            {
                **dict(zip(("by", "earlier", "later"), group, strict=True)),
                "matchups": len(own),
                "differ": sum(row.differs for row in own),
                "differ_alone": sum(row.differs_alone for row in own),
            }
        )
    return entries


def card_summary(
    experiment: ObservedExperiment,
    lists: DeckLists,
    found: ObservedCards,
    rows: Sequence[ObservedCardRow],
) -> dict[str, Any]:
    """Return the entry `card_effects` of a summary: numbers of decks and cards, and confounds."""
    names = experiment.results.matchups.names
    return {
        "decks": found.n_decks,
        "cards": len(rows),
        "outliers": [row.card for row in rows if row.is_outlier],
        "together": sum(row.always_with != "" for row in rows),
        "of_one_archetype": sum(row.n_archetypes == 1 for row in rows),
        "knows_archetypes": lists.knows_archetypes,
        "in_all": [lists.cards[k] for k in found.constant],
        "without_list": [names[k] for k in np.flatnonzero(~lists.copies.any(axis=1)).tolist()],
        "unknown": lists.unknown,
        "effects": [entry(row) for row in rows],
    }


def warning_entries(results: ObservedResults) -> list[dict[str, Any]]:
    """Return the warnings on rows and names of a table of results."""
    return [
        {"kind": warning.kind, "names": warning.names, "n": warning.n, "text": warning.words}
        for warning in results.warnings
    ]
