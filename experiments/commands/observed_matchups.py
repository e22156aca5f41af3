"""`evenhand matchups RESULTS.csv`: win rates, ratings and mixes of observed games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from balance.observed.observed_cards import ObservedCards, observed_cards_of
from balance.observed.observed_matchups import FEW_GAMES
from balance.observed.observed_metagame import (
    EQUILIBRIUM_MAX,
    ObservedMetagame,
    observed_metagame_of,
)
from experiments import plots
from experiments.cli.session import Session, Work
from experiments.files.option_errors import option_error, option_place
from experiments.observed.columns import SYNONYMS
from experiments.observed.deck_lists import DeckLists
from experiments.observed.observed_experiment import ObservedExperiment, load_observed
from experiments.observed.observed_results import ObservedResults
from experiments.results.observed import (
    ObservedCardRow,
    ObservedChangeRow,
    ObservedMatchupRow,
    ObservedPlayerRow,
    consecutive_changes,
    observed_card_rows,
    observed_change_rows,
    observed_matchup_rows,
    observed_player_rows,
)
from experiments.results.observed_summary import card_summary, observed_summary
from experiments.runs.run import Findings, RunOf
from experiments.screen import Shown
from experiments.screen.observed_tables import (
    card_table,
    change_table,
    matchup_table,
    player_table,
)
from experiments.screen.observed_words import (
    assumed_words,
    card_words,
    change_words,
    cyclic_words,
    draw_words,
    few_words,
    missing_words,
    mix_words,
    origin_words,
    rated_words,
    seat_words,
)

_WARNINGS_MAX = 8  # warnings on the screen; summary.json has all


def observed_work(
    session: Session,
    name: str,
    *,
    columns: Sequence[str] | None,
    decks: Path | None,
    source: str | None,
) -> Work:
    """Return the work of `matchups` on a table of results.

    Args:
        session: values of the shared options.
        name: path of the table.
        columns: values of `--columns`.
        decks: value of `--decks`.
        source: value of `--source`.

    Raises:
        InputError: an option is invalid or does not apply to a table of results.
    """
    if session.agent is not None:
        raise option_error(
            "agent",
            f"does not apply to a table of results, which no agent plays (value: {session.agent})",
            value=session.agent,
            remedy="leave it out",
        )
    chosen = chosen_columns(columns or ())

    def load(name: str, _: Path) -> ObservedExperiment:
        """Return the experiment of the table."""
        return load_observed(
            name, columns=chosen, n_games=session.games, decks=decks, source=source or ""
        )

    return partial(session.run, "matchups", name, lambda _: None, run_observed_matchups, load=load)


def chosen_columns(values: Sequence[str], known: Mapping[str, object] = SYNONYMS) -> dict[str, str]:
    """Return the titles of columns by meaning, from the values of `--columns`.

    Args:
        values: texts such as `player_a=Deck,player_b=Opponent`.
        known: permitted meanings.

    Raises:
        InputError: a part is not a meaning with a title, or a meaning is given twice.
    """
    chosen = dict[str, str]()
    for part in (part for value in values for part in value.split(",")):
        left, _, right = (text.strip() for text in part.partition("="))
        # Columns of cards are named by TITLE=MEANING, so both orders are accepted.
        is_reversed = left not in known and right in known
        role, title = (right, left) if is_reversed else (left, right)
        if not title or role not in known:
            raise option_error(
                "columns",
                f"{part!r} must be a meaning and a title, such as player_a=Deck",
                value=part,
                limit=tuple(known),
                remedy=f"meanings: {', '.join(known)}",
            )
        if role in chosen:
            raise option_error("columns", f"{role} is given twice", value=part, remedy="keep one")
        chosen[role] = title
    return chosen


def run_observed_matchups(run: RunOf[ObservedExperiment]) -> Findings:
    """Compute win rates, ratings, mixes and changes of observed games; return the findings."""
    experiment = run.experiment
    results = experiment.results
    matchups = results.matchups
    run.screen.stage("resampling the games")
    metagame = observed_metagame_of(matchups, run_seed=experiment.settings.seed)
    rows = observed_matchup_rows(
        matchups, knows_draws=not {"winner", "draws"}.isdisjoint(results.columns)
    )
    players = observed_player_rows(matchups, metagame)
    changes = _change_rows(experiment)
    cards = _cards_of(experiment, metagame)
    summary = observed_summary(experiment, metagame, rows, players, changes)
    tables: dict[str, Any] = {
        "matchups.csv": (ObservedMatchupRow, rows),
        "players.csv": (ObservedPlayerRow, players),
    }
    if changes:
        tables["changes.csv"] = (ObservedChangeRow, changes)
    shown = _shown(experiment, summary, rows, players, changes)
    if cards is not None:
        lists, effects, card_rows = cards
        summary["card_effects"] = card_summary(experiment, lists, effects, card_rows)
        tables["card_effects.csv"] = (ObservedCardRow, card_rows)
        shown += [card_table(card_rows), *card_words(summary["card_effects"])]
    source = experiment.settings.source or experiment.path.name
    return Findings(
        summary=summary,
        tables=tables,
        figures={
            "matchups.png": lambda: plots.observed_heatmap(
                matchups, title=f"Observed win rates: {source}"
            )
        },
        shown=shown,
    )


def _change_rows(experiment: ObservedExperiment) -> list[ObservedChangeRow]:
    """Return the changes between consecutive patches, then those between brackets."""
    results = experiment.results
    names = results.matchups.names
    return [
        row
        for by, groups in (("patch", results.by_patch), ("bracket", results.by_bracket))
        for row in observed_change_rows(by, names, consecutive_changes(groups))
    ]


def _cards_of(
    experiment: ObservedExperiment, metagame: ObservedMetagame
) -> tuple[DeckLists, ObservedCards, list[ObservedCardRow]] | None:
    """Return the lists, the effects of their cards, and a row per card; `None` without lists.

    Raises:
        InputError: too few decks have a list and games.
    """
    lists = experiment.decks
    if lists is None:
        return None
    with option_place("decks"):
        found = observed_cards_of(
            experiment.results.matchups, metagame, lists.copies, lists.archetype_numbers
        )
    return (
        lists,
        found,
        observed_card_rows(lists.cards, found, knows_archetypes=lists.knows_archetypes),
    )


def _shown(
    experiment: ObservedExperiment,
    summary: dict[str, Any],
    rows: Sequence[ObservedMatchupRow],
    players: Sequence[ObservedPlayerRow],
    changes: Sequence[ObservedChangeRow],
) -> list[Shown]:
    """Return what the screen shows of observed games but cards."""
    results = experiment.results
    matchups = results.matchups
    names = matchups.names
    missing = [f"{pair['a']} vs {pair['b']}" for pair in summary["missing"]]
    rated = {*summary["rated"]}
    mixed = {*summary["equilibrium_of"]}
    unplayed = [
        (row.player, row.unplayed)
        for row in players
        if row.share is not None and row.unplayed is not None and row.share.estimate == 0
    ]
    few = sum(row.few_games for row in rows)
    return [
        origin_words(summary),
        *warning_lines(results),
        matchup_table(matchups, rows),
        *assumed_words(results.assumed_games),
        *few_words(few, len(rows), FEW_GAMES),
        *missing_words(missing, len(rows) + len(missing)),
        seat_words(summary["first_seat"], is_given="first" in results.columns),
        draw_words(summary["draw_rate"]),
        player_table(players),
        *rated_words([name for name in names if name not in rated]),
        *mix_words(
            [name for name in names if name not in mixed], len(mixed), EQUILIBRIUM_MAX, unplayed
        ),
        *cyclic_words(summary["cyclic"]),
        *change_words(summary["changes"]),
        *([change_table(changes)] if changes else []),
    ]


def warning_lines(results: ObservedResults) -> list[str]:
    """Return the first warnings on rows and names of a table of results, as sentences."""
    warnings = [warning.words for warning in results.warnings]
    if len(warnings) > _WARNINGS_MAX:
        more = f"and {len(warnings) - _WARNINGS_MAX} more warnings in summary.json"
        warnings = [*warnings[:_WARNINGS_MAX], more]
    return [f"Warning: {warning}" for warning in warnings]
