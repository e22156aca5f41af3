"""Model-based search for the smallest patch: fit a surrogate, propose candidates, evaluate them.

`ModelSearch` is a surrogate-assisted optimiser (Bayesian optimisation in batches). Its parts:

* **Initial design** (`initial_design`, `design`, `slopes`): games of random genomes, which give the
  surrogate its prior: the effect of one step of every number on every win rate.
* **Surrogate** (`response`): a Gaussian process that predicts all win rates of a genome, with
  standard errors.
* **Candidates** (`candidates`, `beam`): a beam search through the surrogate, from the baseline
  numbers by rising size. It keeps the genomes with the best predicted objective (imbalance) of each
  size. A narrow beam suffices in most rounds; a wide one looks for what it misses.
* **Acquisition** (`candidates`): probability of feasibility (`requirements`) times the size that a
  candidate would save against the incumbent, the smallest genome that is probably feasible.
* **Racing**: the best candidates of a round play one batch of games, each genome on different
  seeds; the surrogate is fitted to the results. The incumbents play again, which removes those that
  were only lucky.
* **Local refinement**: if the search is stuck, the sensitivities around the incumbent are measured
  with paired seeds and added to the data of the surrogate.
* **Shortlist** (`shortlist`): the genomes that the selection plays again.

The search ends when no smaller candidate has a relevant probability of feasibility, when six
rounds found no smaller incumbent, or after the last round. The surrogate proposes; only played
games decide which patch is recommended.

References: D. R. Jones, M. Schonlau, W. J. Welch, "Efficient global optimization of expensive
black-box functions", Journal of Global Optimization 13 (1998); J. R. Gardner et al., "Bayesian
optimization with inequality constraints", ICML 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from balance.contest.readings import Readings
from balance.search.evolutionary_search import SearchState
from balance.search.method import Method
from balance.search.model.assessment import Assessment
from balance.search.model.beam import MOST_STEPS, NARROW, WIDE, promising
from balance.search.model.candidates import (
    ENOUGH_EVALUATIONS,
    FRONT,
    GOOD_ENOUGH,
    Candidates,
)
from balance.search.model.design import play_apart
from balance.search.model.initial_design import InitialDesign
from balance.search.model.prospects import Prospects
from balance.search.model.reach import LeastPatch, least_patch
from balance.search.model.requirements import Requirements
from balance.search.model.shortlist import contenders, shortlist
from balance.search.model.state import ModelState
from balance.settings.budget import games_to_spend
from balance.settings.tables import BalanceSettings
from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Interval, Positions
from balance.verdict.evaluation import Evaluator

# --- End of the search ---

# Factor on the number of rounds while no genome is probably feasible: further rounds cost less than
# a run that ends without a patch. Chosen by hand.
EXTENDED_ROUNDS_FACTOR = 2
# Rounds without a smaller incumbent after which the search ends. With four, one of six seeds of a
# question of three decks ended with a larger patch, with six and sixteen none (docs/log.md).
_PATIENCE = 6

# --- Local refinement ---

# Maximum number of centres of local refinement. Two sufficed in all ten seeds of four decks
# (docs/log.md); each costs two evaluations of every number.
N_CENTRES = 2
# Rounds before a search with an incumbent can count as stuck: early rounds still improve the
# surrogate everywhere. Chosen by hand.
_EARLY = 5
_IDLE = 2  # rounds without a smaller incumbent after which a search is stuck; chosen by hand
# Maximum share of the remaining games that one refinement may take if the run limits its total, so
# that at least two thirds remain for the rounds that use its result. Chosen by hand.
_SHARE_OF_LEVERS = 0.3

_POPULATION = 20  # best genomes that a state keeps, only for the progress display

# --- Reports after the search ---

# Share of the certificate's margin that is required after the games of the selection: with the full
# margin every genome of a run with few games would have a probability of about 0, and genomes could
# not be ranked. Chosen by hand.
_ROOM_OF_A_CERTIFICATE = 0.3
# Number of genomes with the least predicted distance for which standard errors are computed.
# Trade-off: the errors of all genomes would take several seconds. Chosen by hand.
_NEAREST = 200
_ERRORS = 2.0  # standard errors of a reported interval: about 95 % of a normal distribution


class ModelSearch(Method):
    """Search for the smallest patch that meets all demands and guards, with a surrogate.

    Every result is a function of the evaluator, the settings and the state. A search continued from
    a saved state therefore ends with the same result as an uninterrupted search.

    Attributes:
        games: games per matchup of each stage, from the settings.
    """

    kind: ClassVar[type[SearchState]] = ModelState

    def __init__(self, evaluator: Evaluator, settings: BalanceSettings) -> None:
        """Prepare a search without playing any games.

        Args:
            evaluator: evaluator that plays and scores genomes.
            settings: settings of the run, of which `search` and `games` are used.
        """
        super().__init__(evaluator, settings)
        self.games = settings.games
        self._design = InitialDesign(evaluator, settings.games)
        # Cached because a fit takes seconds, and all reports are about the final state.
        self._latest: Assessment | None = None

    def run(
        self,
        state: ModelState | None = None,
        on_round: Callable[[ModelState], None] = lambda _: None,
    ) -> ModelState:
        """Play rounds until no smaller candidate is possibly feasible, or to the last round.

        Args:
            state: state from which the search continues; by default it starts anew.
            on_round: callback for progress and checkpoints, called with the state after each round.

        Returns:
            The state after the last round.
        """
        start = ModelState.beginning(self.evaluator) if state is None else state
        assessment = self._assess(start)
        while not assessment.state.is_done:
            assessment = self._play_round(assessment)
            assessment = self._refine_locally(assessment)
            assessment = replace(assessment, state=self._end_round(assessment))
            # Set before the callback, because it may request reports on this state.
            self._latest = assessment
            on_round(assessment.state)
        self._latest = assessment
        return assessment.state

    def shortlist(self, state: ModelState) -> Positions:
        """Return the genomes that the selection plays again, by rising size (`model.shortlist`).

        Args:
            state: state at the end of the search.

        Returns:
            Positions in `state.seen`, at most as many as the setting `search.candidates`.
        """
        most = self.settings.search.candidates
        return shortlist(self._assess(state), self.distances_pp(state), most)

    def contenders(self, state: ModelState) -> Positions:
        """Return the genomes on fewer cards that are predicted nearest (`model.shortlist`).

        There are none if the run has a total number of games, which leaves none for a trial.

        Args:
            state: state at the end of the search.
        """
        if self.games.total is not None:
            return np.zeros(0, dtype=np.intp)
        return contenders(self._assess(state), self.evaluator.space, self.distances_pp(state))

    def chances(self, state: ModelState) -> Floats:
        """Return the probability of feasibility of each evaluated genome, shape [S].

        The probability is 0 if the genome violated a guard in its games.

        Args:
            state: state of the search, with S evaluated genomes.
        """
        return self._assess(state).chance

    def likely(self, genomes: Steps, played: Readings) -> Floats:
        """Return the probabilities of feasibility of genomes after further games.

        Only 30 % of the certificate's margin is required.

        Args:
            genomes: genomes of the further games, shape [S, K].
            played: readings of the further games; the first S rows are those of the genomes.

        Returns:
            Probabilities, shape [S]; all 0 before the first round.
        """
        if self._latest is None:
            return np.zeros(len(genomes))
        model = self._design.model_with(self._latest.model, genomes, played)
        requirements = self._design.requirements(_ROOM_OF_A_CERTIFICATE)
        return requirements.chance(model, self._design.features.read(genomes))

    def distances_pp(self, state: ModelState) -> Floats:
        """Return the predicted imbalance of each evaluated genome in percentage points, shape [S].

        Args:
            state: state of the search, with S evaluated genomes.
        """
        model = self._assess(state).model
        misses, _ = self._requirements.misses(model.mean(self._design.features.read(state.seen)))
        return 100 * misses

    def least_patch(self, genome: Steps) -> LeastPatch | None:
        """Return lower bounds of feasible patches, by the surrogate's slopes.

        Args:
            genome: recommended patch, shape [K].

        Returns:
            The bounds (`balance.search.model.reach`). `None` before the first round, or if the
            patch itself is below a bound, which shows that the slopes are wrong for it.
        """
        if self._latest is None:
            return None
        features = self._design.features
        space = self.evaluator.space
        patch = features.read(genome[np.newaxis])
        least = least_patch(self._latest.model, features, space, self.evaluator.demands, patch)
        is_below = (
            space.change(genome[np.newaxis])[0] < least.change
            or space.cards_touched(genome[np.newaxis])[0] < least.cards
        )
        return None if is_below else least

    def predicted_imbalance_pp(
        self, state: ModelState, demands: Positions | None = None
    ) -> float | None:
        """Return the least imbalance that the surrogate predicts for any patch, in points.

        Args:
            state: state at the end of the search.
            demands: positions of the demands that count; by default all demands.

        Returns:
            The prediction; `None` if the beam ends at its largest size without reaching the band.
        """
        expected_pp = self._predict_imbalance(state, demands, n_errors=0.0)
        return None if expected_pp is None else float(expected_pp.estimate)

    def expected_pp(self, state: ModelState) -> Interval | None:
        """Return the least predicted imbalance of any patch, with an interval of two errors.

        Args:
            state: state at the end of the search.

        Returns:
            The prediction and its interval in points, as by `_predict_imbalance`. `None` if the
            beam ends at its largest size without reaching the band.
        """
        return self._predict_imbalance(state, None, n_errors=_ERRORS)

    def _predict_imbalance(
        self, state: ModelState, demands: Positions | None, *, n_errors: float
    ) -> Interval | None:
        """Return the least imbalance predicted for genomes of the beam and evaluated genomes.

        Args:
            state: state at the end of the search.
            demands: positions of the demands that count; by default all demands.
            n_errors: half width of each genome's interval, in standard errors.

        Returns:
            The prediction and its interval in points. The lower bound is the lowest of the 200
            nearest genomes, the upper bound is that of the nearest genome. `None` if the beam ends
            at its largest size without reaching the band, because larger patches might come
            nearer.
        """
        # No margin and no guard on the lead, because only distances from the targets count.
        requirements = replace(self._design.requirements(0.0), most_growth=np.inf)
        if demands is not None:
            requirements = replace(requirements, demands=requirements.demands.take(demands))
        features = self._design.features
        model = self._assess(state).model
        proposed = promising(model, features, self.evaluator.space, requirements)
        known = np.concatenate([proposed, features.read(state.seen)])
        misses, _ = requirements.misses(model.mean(known))
        least_pp = 100 * float(misses.min())
        is_cut_off = proposed.sum(axis=1).max() >= MOST_STEPS
        if least_pp > requirements.demands.band_pp and is_cut_off:
            return None
        if not n_errors:
            return Interval(*[np.array(least_pp)] * 3)
        nearest = np.argsort(misses, kind="stable")[:_NEAREST]
        distances_pp = requirements.distances_pp(model, known[nearest], n_errors)
        return Interval(np.array(least_pp), distances_pp.low.min(), distances_pp.high[0])

    def prospects(self, state: ModelState) -> Prospects:
        """Return predictions of the least imbalance under other limits, by the surrogate's slopes.

        Args:
            state: state at the end of the search.
        """
        model = self._assess(state).model
        baseline = self._design.baseline
        return Prospects.of_model(self.evaluator, baseline, self._design.features, model)

    def _assess(self, state: ModelState) -> Assessment:
        """Fit the surrogate to a state, and compute the probabilities of its evaluated genomes.

        The last assessment is returned if it is of the same state object.
        """
        if self._latest is not None and self._latest.state is state:
            return self._latest
        model = self._design.model(state)
        chance = self._requirements.chance(model, self._design.features.read(state.seen))
        return Assessment(
            state,
            model,
            chance=np.where(state.seen_violation > 0, 0.0, chance),
            scores=state.seen_scores(self.evaluator, self.games.search),
        )

    @cached_property
    def _requirements(self) -> Requirements:
        """Requirements on a genome, with the full margin that the certificate needs."""
        return self._design.requirements()

    def _evaluate(
        self, state: ModelState, genomes: Steps, purpose: str, times: int = 1
    ) -> ModelState:
        """Play each genome on different seeds, and return the state with the results added.

        Args:
            state: state of the search before the games.
            genomes: genomes to play, shape [V, K].
            purpose: name of the stream of game seeds, without its prefix `search/`.
            times: number of evaluations of each genome.
        """
        n_games = times * self.games.search
        readings = play_apart(self.evaluator, genomes, n_games=n_games, purpose=f"search/{purpose}")
        return state.with_played(self.evaluator, self._design.baseline, genomes, readings, times)

    def _play_round(self, assessment: Assessment) -> Assessment:
        """Play one racing round, and return the assessment of the resulting state.

        The round is the last one if the number of rounds or of games is used up, or no genome is
        proposed. It then plays the front of smaller sizes, and the state is marked as done.
        """
        state = assessment.state
        candidates = self._candidates(assessment, NARROW)
        # Without an incumbent every second round does with the narrow beam.
        may_widen = assessment.is_feasible.any() or state.generation % 2
        if may_widen and not candidates.are_promising(assessment).any():
            candidates = self._candidates(assessment, WIDE)
        genomes = candidates.next_round(assessment)
        n_affordable = self._n_affordable(state)
        # `generation` is the number of the previous round: -1 before the first round.
        is_last = state.generation - state.begun >= self._max_rounds(assessment, candidates) - 2
        is_last |= self._is_settled(assessment)
        # A full round must leave enough games for the last one.
        if is_last or not len(genomes) or n_affordable < len(genomes) + FRONT:
            genomes = candidates.front(assessment)[:n_affordable]
            state = replace(state, is_done=1)
        return self._assess(self._evaluate(state, genomes, f"race/{state.generation + 1}"))

    def _candidates(self, assessment: Assessment, width: int) -> Candidates:
        """Return the genomes that the surrogate proposes.

        Args:
            assessment: state of the search, with the surrogate.
            width: width of the beam, `NARROW` or `WIDE`.
        """
        space = self.evaluator.space
        features = self._design.features
        return Candidates.of(assessment.model, features, space, self._requirements, width)

    def _max_rounds(self, assessment: Assessment, candidates: Candidates) -> int:
        """Return the maximum number of rounds: the setting, or twice as many in an extended search.

        A search is extended while no genome is probably feasible, but one is predicted to be inside
        its bands. It stays extended once it has played more rounds than the setting, because
        genomes found late may be improved too.

        Args:
            assessment: state of the search, with the probabilities of its evaluated genomes.
            candidates: genomes that the surrogate proposes.
        """
        rounds = self.settings.search.rounds
        is_feasible = bool(assessment.is_feasible.any())
        is_extended = assessment.state.generation - assessment.state.begun > rounds - 2
        if not is_feasible and 100 * candidates.worst.min() > self.evaluator.demands.band_pp:
            return rounds
        return rounds * (1 if is_feasible and not is_extended else EXTENDED_ROUNDS_FACTOR)

    def _n_affordable(self, state: ModelState) -> int:
        """Return the number of further genomes that the total number of games permits.

        It is 2**31 if the run has no total. It is at least 1 before the first evaluation, because
        the design can take more games than its share of a small total.
        """
        if self.games.total is None:
            return 2**31
        n_matchups = len(self.evaluator.contest.matchups)
        n_left = games_to_spend(self.settings, n_matchups) - self._design.n_games(state)
        return max(n_left // (self.games.search * n_matchups), 0 if len(state.seen) else 1)

    def _refine_locally(self, assessment: Assessment) -> Assessment:
        """Measure the sensitivities around the best genome if the search is stuck.

        This happens at most `N_CENTRES` times, only after rounds with an even number, around a
        genome that was no centre before, and if enough games remain. Otherwise the assessment is
        returned unchanged.
        """
        state = assessment.state
        best = state.seen[assessment.best[:1]]
        is_due = state.generation % 2 == 0 and len(state.centres) < N_CENTRES
        is_new = not (state.centres == best).all(axis=1).any()
        n_evaluations = self._design.n_sensitivity_evaluations + ENOUGH_EVALUATIONS
        is_due &= n_evaluations <= _SHARE_OF_LEVERS * self._n_affordable(state)
        if state.is_done or not (is_due and is_new and self._is_stuck(assessment)):
            return assessment
        # The sensitivities are differences from the centre, so its own rates must be known well.
        state = self._evaluate(
            state, best, f"centre/{len(state.centres)}", times=ENOUGH_EVALUATIONS
        )
        return self._assess(replace(state, centres=np.concatenate([state.centres, best])))

    def _is_stuck(self, assessment: Assessment) -> bool:
        """Return whether the search makes no progress.

        In the first five rounds this means that no genome is probably feasible, later that the last
        two rounds found no smaller incumbent.
        """
        state = assessment.state
        if len(state.history) < _EARLY:
            return not assessment.is_feasible.any()
        # The round that was just played has no line of history yet.
        return assessment.is_idle_since(int(state.history[-_IDLE, 4]))

    def _is_settled(self, assessment: Assessment) -> bool:
        """Return whether several rounds found no smaller incumbent, with or without refinements."""
        state = assessment.state
        n_feasible = len(assessment.incumbents)
        if n_feasible < GOOD_ENOUGH or len(state.history) < max(_EARLY, _PATIENCE):
            return False
        return assessment.is_idle_since(int(state.history[-_PATIENCE, 4]))

    def _end_round(self, assessment: Assessment) -> ModelState:
        """Return the state with its 20 best genomes as population and a new line of history."""
        state = assessment.state
        order = assessment.best[:_POPULATION]
        scores = assessment.scores.take(order)
        n_games = self._design.n_games(state)
        return state.next_generation(state.seen[order], scores, best=0, n_games=n_games)
