"""Result of a balancing run of any contest: the patch, its certificate, and how it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, Self

from balance.contest.demands import Demands
from balance.contest.patch import Edit
from balance.contest.readings import Readings
from balance.result.result import ResultTable, TabularResult
from balance.run.edit_rows import EditRow, SmallerRow, edit_rows, smaller_rows
from balance.run.explanation import Explanation
from balance.run.front import hypervolume_of
from balance.run.front_rows import (
    FrontEditRow,
    FrontMatchupRow,
    FrontRow,
    front_edit_rows,
    front_matchup_rows,
    front_rows,
)
from balance.run.patch_rows import (
    ConvergenceRow,
    GuardRow,
    StageRow,
    convergence_rows,
    guard_rows,
    stage_rows,
)
from balance.run.prices import PriceList, PriceRow, price_list
from balance.run.rule_prices import RulePriceRow, RulePrices, rule_prices
from balance.search.evolutionary_search import SearchState
from balance.search.measured import measured_patches
from balance.search.method import Method
from balance.search.model.reach import LeastPatch
from balance.search.selection import Selection
from balance.search.without_margin import WithoutMargin, smallest_without_margin
from balance.settings.tables import Games
from balance.space.search_space import SearchSpace
from balance.verdict.certificate import Certificate
from balance.verdict.clean_up_result import CleanUp
from balance.verdict.edit_effects import EditEffects, measure_edits
from balance.verdict.edit_reasons import EditReason, reasons_of
from balance.verdict.evaluation import Evaluator
from balance.verdict.first_seat import FirstSeats, first_seats
from sim.files.row_file import entry
from sim.short_repr import short_repr


@dataclass(frozen=True)
class FoundPatch(TabularResult):
    """Result of search, selection, clean-up and certification.

    Attributes:
        evaluator: evaluator that played and scored the candidates.
        state: final state of the search.
        selection: best candidates of the search, played again, with the patch that the clean-up
            recommends.
        cleanup: result of the clean-up.
        certificate: verdict on the recommended patch.
        certified: games of the certificate; the first variant is the patch, the last the baseline.
        patch: edits of the recommended patch.
        least: lower bounds on the change and the cards of a sufficient patch; `None` if the method
            of the search gives none.
        method: method of the last search.
        widened: descriptions of the relaxations that the run made.
        explanation: reasons why demands are not verified; `None` if all are verified, or if no
            explanation was made.
        n_spent: number of games before the search, over all matchups.
        effects: measured effects of the edits; `None` if they were not measured.
        prices: smaller patches and what would certify them; `None` if they were not measured.
        rule_prices: smallest patches without each design rule; `None` if they were not searched.
    """

    parts: ClassVar[str] = "groups"
    """What owns the numbers of a patch, in figures and reports: `groups` or `cards`."""

    evaluator: Evaluator
    state: SearchState
    selection: Selection
    cleanup: CleanUp
    certificate: Certificate
    certified: Readings
    patch: tuple[Edit, ...]
    least: LeastPatch | None
    method: Method
    widened: tuple[str, ...]
    explanation: Explanation | None
    n_spent: int
    effects: EditEffects | None = field(default=None, kw_only=True)
    prices: PriceList | None = field(default=None, kw_only=True)
    rule_prices: RulePrices | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        verdict = self.certificate
        return short_repr(
            self,
            certified=verdict.certified,
            change=self.change,
            cards=self.cards_touched,
            games=verdict.n_games,
        )

    @property
    def change(self) -> float:
        """Weighted sum of the absolute steps of the recommended patch."""
        return float(self.selection.scores.change[self.selection.recommended])

    @property
    def size(self) -> float:
        """Size of the recommended patch: its change plus the weight of its edited cards."""
        return float(self.selection.scores.size[self.selection.recommended])

    @property
    def cards_touched(self) -> int:
        """Number of cards that the recommended patch edits."""
        return int(self.selection.scores.cards_touched[self.selection.recommended])

    @property
    def reported_demands(self) -> Demands:
        """Demands in the order of reports: an entry for every matchup, then all other demands."""
        return self.certificate.demands.with_matchups(self.evaluator.contest.matchup_names)

    @property
    def total_games(self) -> int | None:
        """Total number of games of the run; `None` if each stage has its own number."""
        return self.method.settings.games.total

    @property
    def n_guarded(self) -> int:
        """Number of matchups that a guard reads together."""
        return len(self.evaluator.contest.matchups)

    @property
    def demands_first_seat(self) -> bool:
        """Whether a demand concerns the first seat's win rate."""
        return self.reported_demands.with_first_seat

    @property
    def bound(self) -> LeastPatch | None:
        """Lower bounds on a sufficient patch; `None` if they are unknown or unfounded.

        The bounds assume that the recommended patch suffices, so they are `None` without a
        certificate.
        """
        return self.least if self.certificate.certified else None

    @property
    def is_nearest(self) -> bool:
        """Whether the recommended patch has the smallest imbalance of all selected candidates."""
        imbalance_pp = self.selection.scores.imbalance_pp
        return bool(imbalance_pp[self.selection.recommended] <= imbalance_pp.min())

    @property
    def without_margin(self) -> WithoutMargin | None:
        """Smallest measured patch inside every limit that lacks the margin for a certificate.

        `None` if no such patch is smaller than the recommended one.
        """
        games = self.method.settings.games
        return smallest_without_margin(self.evaluator, self.selection, self.cleanup, games)

    @property
    def consistent_explanation(self) -> Explanation | None:
        """Explanation without statements that measured patches contradict; `None` without one."""
        if self.explanation is None:
            return None
        measured = measured_patches(
            self.evaluator, self.selection, self.cleanup, self.certificate, self.effects
        )
        return self.explanation.consistent_with(self.evaluator.demands, measured)

    @property
    def why_not(self) -> list[str]:
        """Names of the demands and guards that prevent the certification of the patch."""
        certificate = self.certificate
        return [
            *compress(certificate.demands.names, certificate.failed),
            *(guard.name for guard in certificate.guards if not guard.holds),
        ]

    @property
    def first_seats(self) -> FirstSeats | None:
        """First seat's win rates in the games of the guard on its advantage; `None` without them.

        Only games of two seats have these win rates.
        """
        contest = self.evaluator.contest
        if contest.n_seatings != 2:
            return None
        bounds = self.method.settings.target.first_seat_bounds
        return first_seats(self.certificate, bounds, self.n_guarded)

    @property
    def _counted_games(self) -> dict[str, int]:
        """Number of games of each stage as a total of games counts them: one for each rate."""
        selection = self.selection
        cleanup = self.cleanup
        n_matchups = len(self.evaluator.contest.matchups)
        today = self.evaluator.today
        n_measured = today.n_games * n_matchups if today else 0
        explanation = {"explain": self.explanation.n_games} if self.explanation else {}
        # The certificate also plays the baseline, which the term `2 *` counts.
        return {
            "measure": n_measured,
            "narrow": self.n_spent - n_measured,
            "search": int(self.state.history[-1, 0]),
            "select": selection.n_played,
            "clean_up": cleanup.n_games,
            "certify": 2 * self.certificate.n_games_played * n_matchups,
            **explanation,
            "edits": self.effects.n_played if self.effects else 0,
            **({"prices": self._n_price_games} if self.prices else {}),
        }

    @property
    def games(self) -> dict[str, int]:
        """Number of games of each stage, all matchups together, in the order of the stages."""
        contest = self.evaluator.contest
        return {stage: contest.all_games(n) for stage, n in self._counted_games.items()}

    @property
    def _n_price_games(self) -> int:
        """Number of games of both price lists, over all matchups."""
        return sum(prices.n_games for prices in (self.prices, self.rule_prices) if prices)

    def with_effects(self, games: Games) -> Self:
        """Return the result with the effect of each edit, measured with the games that are left.

        Args:
            games: budget of games for all stages of the run.

        Returns:
            The result; without effects if the patch has no edits or too few games are left.
        """
        n_spent = sum(self._counted_games.values())
        genome = self.selection.genome
        effects = measure_edits(self.evaluator, genome, games, n_spent=n_spent)
        return replace(self, effects=effects)

    def with_prices(self, spaces: Mapping[str, SearchSpace]) -> Self:
        """Return the result with the prices of smaller patches and of design rules.

        Args:
            spaces: search spaces without one design rule each, by the description of the change.
        """
        evaluator = self.evaluator
        prices = price_list(evaluator, self.method, self.state, self.selection, self.cleanup)
        of_rules = rule_prices(evaluator, self.method.settings, spaces, self.size)
        return replace(self, prices=prices, rule_prices=of_rules)

    @cached_property
    def tables(self) -> Mapping[str, ResultTable]:
        """Tables by name: rates by stage, the front, the search, smaller patches, and guards."""
        evaluator = self.evaluator
        selection = self.selection
        genome = selection.genome
        certificate = self.certificate
        shown = self.reported_demands
        hypervolume = hypervolume_of(evaluator, self.state, selection, certificate)
        reasons = reasons_of(evaluator, genome, self.cleanup, self.effects)
        return {
            "stages": ResultTable(
                StageRow, stage_rows(shown, selection, certificate, self.certified)
            ),
            "front": ResultTable(FrontRow, front_rows(evaluator, selection, certificate)),
            "front_matchups": ResultTable(
                FrontMatchupRow, front_matchup_rows(evaluator, selection, shown)
            ),
            "front_edits": ResultTable(FrontEditRow, front_edit_rows(evaluator, selection)),
            "convergence": ResultTable(ConvergenceRow, convergence_rows(self.state, hypervolume)),
            "smaller": ResultTable(
                SmallerRow, smaller_rows(evaluator, genome, self.cleanup), is_optional=True
            ),
            "edit_reasons": ResultTable(EditReason, reasons, is_optional=True),
            "edits": ResultTable(
                EditRow, edit_rows(evaluator, genome, self.effects), is_optional=True
            ),
            "guards": ResultTable(
                GuardRow, guard_rows(certificate, self.n_guarded), is_optional=True
            ),
            "prices": ResultTable(
                PriceRow, self.prices.rows if self.prices else (), is_optional=True
            ),
            "rule_prices": ResultTable(
                RulePriceRow, self.rule_prices.rows if self.rule_prices else (), is_optional=True
            ),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the entries of `summary.json` for `balance`, as plain data."""
        certificate = self.certificate
        explanation = self.consistent_explanation
        seats = self.first_seats
        return {
            "certified": certificate.certified,
            "why_not": self.why_not,
            "widened": list(self.widened),
            "explanation": None if explanation is None else explanation.as_entry(),
            "matchups": [self._matchup_entry(row) for row in self.rows(StageRow)],
            "band_pp": certificate.demands.band_pp,
            "guards": {
                guard.name: guard.as_entry(n=guard.n_games * self.n_guarded)
                for guard in certificate.guards
            }
            | dict.fromkeys(certificate.not_watched, "not watched"),
            "first_seat": None if seats is None else seats.as_entry(),
            "patch": [edit.as_entry() for edit in self.patch],
            "change": self.change,
            "cards_touched": self.cards_touched,
            "smaller": self._smaller_entry(),
            "imbalance_pp": certificate.imbalance_pp,
            "is_nearest": self.is_nearest,
            "edits": list(map(entry, self.rows(EditRow))),
            "edit_reasons": list(map(entry, self.rows(EditReason))),
            "prices": list(map(entry, self.rows(PriceRow))),
            "rule_prices": list(map(entry, self.rows(RulePriceRow))),
            "games": self.games,
            "confidence": certificate.confidence,
            "certificate": certificate.as_entry(),
            "seed": self.evaluator.run_seed,
        }

    def _matchup_entry(self, row: StageRow) -> dict[str, Any]:
        """Return the entry of a matchup: its target, and its rates before and after the patch."""
        a, b = self.evaluator.contest.sides(row.matchup)
        return {
            "a": a,
            "b": b,
            "least": row.least,
            "most": row.most,
            "inside": row.inside,
            "verdict": row.verdict,
            "before": row.today.rate.as_entry(n=row.today.n),
            "after": row.certified.rate.as_entry(n=row.certified.n),
        }

    def _smaller_entry(self) -> dict[str, Any]:
        """Return the entry `smaller`: results of the search for smaller patches."""
        cleanup = self.cleanup
        beyond = self.without_margin
        return {
            "without_room": cleanup.n_smaller if cleanup.is_complete else 0,
            "least_n": cleanup.n_few,
            "most_n": cleanup.n_many,
            "least_change": self.bound.change if self.bound else 0.0,
            "least_cards": self.bound.cards if self.bound else 0,
            "edits": len(self.patch),
            "clean_up": cleanup.state,
            "complete": cleanup.is_complete,
            "tried": cleanup.n_tried,
            "of": cleanup.n_smaller,
            "reads_inside": len(cleanup.too_near),
            "replaced": cleanup.n_replaced,
            "games": cleanup.n_games,
            "games_left": cleanup.n_games_left,
            "without_margin": None if beyond is None else beyond.as_entry(),
        }
