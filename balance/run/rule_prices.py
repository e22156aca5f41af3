"""Prices of design rules: the smallest patch that a search finds without each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from balance.contest.patch import patch_of
from balance.search.cleanup import clean_up
from balance.search.model.model_search import ModelSearch
from balance.search.selection import Selection
from balance.settings.tables import BalanceSettings
from balance.space.search_space import SearchSpace
from balance.statistics.intervals import Interval
from balance.verdict.evaluation import Evaluator
from sim.seeds import stream_seed


class RulePriceRow(NamedTuple):
    """Smallest patch that a search found without a design rule.

    Attributes:
        setting: description of the relaxed setting, such as `no tune.stat_budget`.
        cards_touched: number of edited cards; `None` if no patch with the margin of a certificate
            was found.
        change: weighted sum of absolute steps; `None` without a patch.
        imbalance_pp: imbalance in percentage points, with the joint 95 % interval of all demands;
            `None` without a patch.
        n: number of games per matchup behind the imbalance.
        is_smaller: whether the patch is smaller than that with the rule.
        patch: edits as in patch notes, separated by semicolons.
    """

    setting: str
    cards_touched: int | None
    change: float | None
    imbalance_pp: Annotated[Interval, ("imbalance_pp", "low_pp", "high_pp")] | None
    n: int
    is_smaller: bool
    patch: str


@dataclass(frozen=True)
class RulePrices:
    """Smallest patches without each design rule.

    Attributes:
        rows: one row per rule.
        n_games: number of games played, over all matchups.
    """

    rows: tuple[RulePriceRow, ...]
    n_games: int


def rule_prices(
    evaluator: Evaluator,
    settings: BalanceSettings,
    spaces: Mapping[str, SearchSpace],
    size: float,
) -> RulePrices:
    """Search in each space without a design rule, and return the smallest patch of each search.

    Args:
        evaluator: evaluator of the run.
        settings: settings of the run; a total number of games does not limit these searches.
        spaces: search spaces by the description of the relaxed setting.
        size: size of the recommended patch with all rules.
    """
    games = settings.games.model_copy(update={"total": None})
    settings = settings.model_copy(update={"games": games})
    rows = list[RulePriceRow]()
    n_games = 0
    for name, space in spaces.items():
        # The shift is needed since stream seeds have 64 bits and run seeds 63.
        seed = stream_seed(evaluator.run_seed, f"prices/{name}") >> 1
        relaxed = replace(evaluator, space=space, run_seed=seed)
        selection, n_searched = _smallest(relaxed, settings)
        rows.append(_row(name, relaxed, selection, size))
        n_games += n_searched
    return RulePrices(tuple(rows), n_games)


def _smallest(evaluator: Evaluator, settings: BalanceSettings) -> tuple[Selection, int]:
    """Search, select and clean up as a run does.

    Returns:
        The selection with the smallest patch found, and the number of games, over all matchups.
    """
    method = ModelSearch(evaluator, settings)
    state = method.run()
    selection = method.select(state)
    n_searched = int(state.history[-1, 0])
    n_selected = selection.n_played
    most_games = max(n_searched, n_selected)
    selection, cleanup = clean_up(evaluator, selection, settings.games, most_games=most_games)
    return selection, n_searched + n_selected + cleanup.n_games


def _row(name: str, evaluator: Evaluator, selection: Selection, size: float) -> RulePriceRow:
    """Return the row of a design rule.

    Args:
        name: description of the relaxed setting.
        evaluator: evaluator with the relaxed space.
        selection: selection with the smallest patch found.
        size: size of the recommended patch with all rules.
    """
    best = selection.recommended
    n_games = int(selection.n_games[best])
    if not selection.has_room[best]:
        return RulePriceRow(name, None, None, None, n_games, is_smaller=False, patch="")
    demands = evaluator.demands
    rates = selection.rates[[best]]
    imbalance_pp = demands.measured_imbalance_pp(rates, n_games)
    patch = patch_of(selection.genome, evaluator.space, evaluator.contest)
    return RulePriceRow(
        name,
        int(selection.scores.cards_touched[best]),
        float(selection.scores.change[best]),
        imbalance_pp.at(0),
        n_games,
        is_smaller=bool(selection.scores.size[best] < size),
        patch="; ".join(map(str, patch)),
    )
