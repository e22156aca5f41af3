"""Model-based search for the smallest patch: fit a surrogate, propose candidates, evaluate them.

`ModelSearch` is a surrogate-assisted optimiser (Bayesian optimisation in batches). Its parts:

* **Initial design** (`initial_design`, `design`, `slopes`): games of random genomes, which give the
  surrogate its prior: the effect of one step of every number on every win rate.
* **Surrogate** (`response`): a Gaussian process that predicts all win rates of a genome, with
  standard errors.
* **Candidates** (`beam`): a beam search through the surrogate, from the baseline numbers by rising
  size. It keeps the genomes with the best predicted objective (imbalance) of each size.
* **Acquisition**: probability of feasibility (`requirements`) times the size that a candidate
  would save against the incumbent, the smallest genome that is probably feasible.
* **Racing**: the best candidates of a round play one batch of games, each genome on different
  seeds; the surrogate is fitted to the results. The incumbents play again, which removes those that
  were only lucky.
* **Local refinement**: if the search is stuck, the sensitivities around the incumbent are measured
  with paired seeds and added to the data of the surrogate.

The search ends when no smaller candidate has a relevant probability of feasibility, or after the
last round. The surrogate proposes; only played games decide which patch is recommended.

References: D. R. Jones, M. Schonlau, W. J. Welch, "Efficient global optimization of expensive
black-box functions", Journal of Global Optimization 13 (1998); J. R. Gardner et al., "Bayesian
optimization with inequality constraints", ICML 2014.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from balance.contest.readings import Readings
from balance.search.evolution import places_in
from balance.search.evolutionary_search import SearchState
from balance.search.method import Method
from balance.search.model.beam import MOST_STEPS, promising
from balance.search.model.design import play_apart
from balance.search.model.initial_design import InitialDesign
from balance.search.model.prospects import Prospects
from balance.search.model.reach import LeastPatch, least_patch
from balance.search.model.requirements import Requirements
from balance.search.model.response import Response
from balance.search.model.state import ModelState
from balance.search.selection import NOT_RULED_OUT
from balance.search.short_trial import nearest_of_each
from balance.settings.budget import games_to_spend
from balance.settings.tables import BalanceSettings
from balance.space.search_space import Steps
from balance.statistics.intervals import Floats, Interval, Positions
from balance.verdict.evaluation import UNPLAYABLE, Evaluator

# --- Size of a round ---

# Maximum number of new candidates in a round. Trade-off: larger rounds use the processors better,
# smaller rounds fit the surrogate more often. Chosen by hand, not tuned.
_RACED = 32
# Maximum number of incumbents that play again in each round, so that incumbents that were only
# lucky are removed. Chosen by hand.
_AGAIN = 6
# Genomes of a typical round, in which fewer than six incumbents play again. Only the estimates of
# games and time use this number.
USUAL_ROUND = 36
LARGEST_ROUND = _RACED + _AGAIN  # genomes of the largest possible round
# Number of evaluations after which a genome plays no further rounds: the standard error of its
# rates is then about a third of that after one evaluation. Chosen by hand.
ENOUGH_EVALUATIONS = 8

# --- Probabilities of feasibility ---

_LIKELY = 0.5  # more probable than not: such a genome may be the incumbent
# Minimum probability on the shortlist: lower than `_LIKELY`, because the selection plays many more
# games and rejects genomes that fail. Chosen by hand.
_MAY_DO = 0.3
# Minimum probability of a smaller candidate for which the search continues. Higher than
# `NOT_RULED_OUT`, so that a search with incumbents spends no rounds on improbable candidates.
# Chosen by hand.
_POSSIBLE = 0.03

# --- Acquisition ---

# Value of a candidate as large as the incumbent, in steps saved: it saves nothing but is a second
# incumbent. Expected savings as acquisition reduced patches of four decks from 17 and 18 steps to
# 14 and 15 (decision 0012); the value itself was chosen by hand.
_AS_MUCH = 0.25
# Value of a candidate larger than the incumbent, in steps saved: it only insures against an
# incumbent that fails. Chosen by hand.
_BEYOND = 0.1

# --- End of the search ---

# Factor on the number of rounds while no genome is probably feasible: further rounds cost less than
# a run that ends without a patch. Chosen by hand.
EXTENDED_ROUNDS_FACTOR = 2
# Number of probably feasible genomes before the search may end, since the selection rejects some of
# them. Chosen by hand.
_GOOD_ENOUGH = 3

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

# --- Shortlist and last round ---

_POPULATION = 20  # best genomes that a state keeps, only for the progress display
# Genomes of the shortlist, without those of the last round. Trade-off: the selection plays many
# games of each genome. Chosen by hand.
_SHORTLIST = 8
# Maximum number of genomes of the same size among the smallest of the shortlist: with two, all
# ten seeds of four decks ended at 15 steps or fewer (decision 0012).
_OF_A_SIZE = 2
# Places of the shortlist for the most probable genomes of any size, so that a genome with margin
# is available if the smallest genomes fail. Chosen by hand.
_LIKELIEST = 2
# Contenders of each number of cards. Chosen by hand: the trial of all takes a quarter of the games
# of the selection.
_OF_A_COUNT = 4
_CONTENDING_COUNTS = 6  # numbers of cards with contenders, below that of the incumbent; by hand
_FRONT = 8  # smaller genomes in the last round, spread over the front; chosen by hand

# --- Reports after the search ---

# Share of the certificate's margin that is required after the games of the selection: with the full
# margin every genome of a run with few games would have a probability of about 0, and genomes could
# not be ranked. Chosen by hand.
_ROOM_OF_A_CERTIFICATE = 0.3
# Number of genomes with the least predicted distance for which standard errors are computed.
# Trade-off: the errors of all genomes would take several seconds. Chosen by hand.
_NEAREST = 200
_ERRORS = 2.0  # standard errors of a reported interval: about 95 % of a normal distribution


class _Candidates(NamedTuple):
    """``B`` genomes that the surrogate proposes for evaluation, by rising size.

    Attributes:
        features: features of the genomes, shape [B, F].
        genomes: genomes in signed steps from the baseline, shape [B, K].
        size: size of each genome (`SearchSpace.size`), shape [B].
        worst: largest predicted distance of a rate from its target, as a share of games, shape [B].
    """

    features: Floats
    genomes: Steps
    size: Floats
    worst: Floats


class _Assessment(NamedTuple):
    """Search state, the surrogate fitted to it, and the resulting probabilities of feasibility.

    Attributes:
        state: state of the search, with S evaluated genomes.
        model: surrogate fitted to all games of the state.
        chance: probability that each evaluated genome is feasible, shape [S]; 0 if the genome
            violated a guard in its games.
    """

    state: ModelState
    model: Response
    chance: Floats


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
        self._latest: _Assessment | None = None

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
            assessment = assessment._replace(state=self._end_round(assessment))
            # Set before the callback, because it may request reports on this state.
            self._latest = assessment
            on_round(assessment.state)
        self._latest = assessment
        return assessment.state

    def shortlist(self, state: ModelState) -> Positions:
        """Return the genomes that the selection plays again, by rising size.

        These are the smallest genomes that may be feasible (at most two of each size) and the
        most probable genomes. The unchanged game, if it was evaluated, and the genomes of the last
        round are added. Genomes with games that never end are left out.

        Args:
            state: state at the end of the search.

        Returns:
            Positions in `state.seen`, at most as many as the setting `search.candidates`.
        """
        _, model, chance = self._assess(state)
        size = self._evaluated_size(state)
        by_size = np.lexsort([-chance, size])
        may_do = by_size[chance[by_size] >= _MAY_DO]
        small = may_do[_ranks_among_equals(size[may_do]) < _OF_A_SIZE]
        small = small[: _SHORTLIST - _LIKELIEST]
        likeliest = self._by_probability(state, chance)
        if chance.max() < NOT_RULED_OUT:
            # All probabilities are about 0, so their order is meaningless: rank by distance.
            likeliest = self._by_predicted_distance(state, model)
        shortlist = [*dict.fromkeys([*small.tolist(), *likeliest.tolist()])][:_SHORTLIST]
        n_before = int(state.history[-2, 4]) if len(state.history) > 1 else 0
        last_round = range(n_before, len(state.seen))
        # The unchanged game may have margin even if no edited genome has any.
        unchanged = np.flatnonzero(~state.seen.any(axis=1))
        chosen = np.array([*dict.fromkeys([*shortlist, *unchanged.tolist(), *last_round])])
        playable = chosen[state.seen_violation[chosen] < UNPLAYABLE]
        chosen = playable[: self.settings.search.candidates]
        order = np.lexsort([-chance[chosen], size[chosen]])
        return np.asarray(chosen[order])

    def contenders(self, state: ModelState) -> Positions:
        """Return the genomes on fewer cards that are predicted nearest to their targets.

        A genome on fewer cards that the surrogate thinks improbable may suffice nevertheless: in
        one of four games such a genome saved a card (decision 0022). There are none if the run has
        a total number of games, which leaves none for a trial.

        Args:
            state: state at the end of the search.

        Returns:
            Positions in `state.seen` of at most four genomes of each of the six numbers of cards up
            to that of the smallest probably feasible genome; of all genomes if none is.
        """
        if self.games.total is not None:
            return np.zeros(0, dtype=np.intp)
        space = self.evaluator.space
        assessment = self._assess(state)
        best = self._best(assessment)[0]
        is_smaller = state.seen_violation < UNPLAYABLE
        if assessment.chance[best] >= _LIKELY:
            is_smaller &= space.size(state.seen) < space.size(state.seen[best][np.newaxis])
        cards = space.cards_touched(state.seen)
        counts = np.unique(cards[is_smaller & state.seen.any(axis=1)])[-_CONTENDING_COUNTS:]
        smaller = np.flatnonzero(is_smaller & np.isin(cards, counts))
        distances_pp = self.distances_pp(state)[smaller]
        return smaller[nearest_of_each(cards[smaller], distances_pp, _OF_A_COUNT)]

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

    def _assess(self, state: ModelState) -> _Assessment:
        """Fit the surrogate to a state, and compute the probabilities of its evaluated genomes.

        The last assessment is returned if it is of the same state object.
        """
        if self._latest is not None and self._latest.state is state:
            return self._latest
        model = self._design.model(state)
        chance = self._requirements.chance(model, self._design.features.read(state.seen))
        return _Assessment(state, model, np.where(state.seen_violation > 0, 0.0, chance))

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

    def _play_round(self, assessment: _Assessment) -> _Assessment:
        """Play one racing round, and return the assessment of the resulting state.

        The round is the last one if the number of rounds or of games is used up, or no genome is
        proposed. It then plays the front of smaller sizes, and the state is marked as done.
        """
        state = assessment.state
        candidates = self._candidates(assessment.model)
        genomes = self._propose(assessment, candidates)
        n_affordable = self._n_affordable(state)
        # `generation` is the number of the previous round: -1 before the first round.
        is_last = state.generation - state.begun >= self._max_rounds(assessment) - 2
        # A full round must leave enough games for the last one.
        if is_last or not len(genomes) or n_affordable < len(genomes) + _FRONT:
            genomes = self._front(assessment, candidates)[:n_affordable]
            state = replace(state, is_done=1)
        return self._assess(self._evaluate(state, genomes, f"race/{state.generation + 1}"))

    def _max_rounds(self, assessment: _Assessment) -> int:
        """Return the maximum number of rounds: the setting, or twice as many in an extended search.

        A search is extended while no genome is probably feasible. It stays extended once it has
        played more rounds than the setting, because genomes found late may be improved too.
        """
        rounds = self.settings.search.rounds
        is_feasible = bool((assessment.chance >= _LIKELY).any())
        is_extended = assessment.state.generation - assessment.state.begun > rounds - 2
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

    def _refine_locally(self, assessment: _Assessment) -> _Assessment:
        """Measure the sensitivities around the best genome if the search is stuck.

        This happens at most `N_CENTRES` times, only after rounds with an even number, around a
        genome that was no centre before, and if enough games remain. Otherwise the assessment is
        returned unchanged.
        """
        state = assessment.state
        best = state.seen[self._best(assessment)[:1]]
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

    def _is_stuck(self, assessment: _Assessment) -> bool:
        """Return whether the search makes no progress.

        In the first five rounds this means that no genome is probably feasible, later that the last
        two rounds found no smaller incumbent.
        """
        state = assessment.state
        is_feasible = assessment.chance >= _LIKELY
        if len(state.history) < _EARLY:
            return not is_feasible.any()
        # The round that was just played has no line of history yet.
        n_before = int(state.history[-_IDLE, 4])
        size = self._evaluated_size(state)
        # Both minima use the current probabilities, because an earlier incumbent may have been
        # feasible only by chance.
        least = size[is_feasible].min(initial=np.inf)
        least_before = size[:n_before][is_feasible[:n_before]].min(initial=np.inf)
        return bool(least_before <= least)

    def _best(self, assessment: _Assessment) -> Positions:
        """Return the positions of all evaluated genomes, best first, shape [S].

        Probably feasible genomes come first, by rising size. The remaining genomes follow by
        falling probability of feasibility.
        """
        likeliest = self._by_probability(assessment.state, assessment.chance)
        is_feasible = assessment.chance[likeliest] >= _LIKELY
        size = self._evaluated_size(assessment.state)[likeliest]
        return likeliest[np.argsort(np.where(is_feasible, size, np.inf), kind="stable")]

    def _by_probability(self, state: ModelState, chance: Floats) -> Positions:
        """Return the positions of evaluated genomes by falling probability, shape [S].

        Ties are broken by lower guard violation, then by lower imbalance.
        """
        imbalance_pp = state.seen_scores(self.evaluator, self.games.search).imbalance_pp
        return np.lexsort([imbalance_pp, state.seen_violation, -chance])

    def _by_predicted_distance(self, state: ModelState, model: Response) -> Positions:
        """Return the positions of evaluated genomes, best first, shape [S].

        They are ordered by rising guard violation, then by rising predicted distance from a target.
        """
        features = self._design.features.read(state.seen)
        worst, _ = self._requirements.misses(model.mean(features))
        return np.lexsort([worst, state.seen_violation])

    def _candidates(self, model: Response) -> _Candidates:
        """Return the genomes with the best predictions of each size, found by a beam search."""
        space = self.evaluator.space
        features = promising(model, self._design.features, space, self._requirements)
        genomes = self._design.features.genomes(features)
        worst, _ = self._requirements.misses(model.mean(features))
        return _Candidates(features, genomes, space.size(genomes), worst)

    def _propose(self, assessment: _Assessment, candidates: _Candidates) -> Steps:
        """Return the genomes of the next round: candidates with the largest acquisition values.

        With P as probability of feasibility, the acquisition is ``sqrt(P) / (size + 1)`` before
        there is an incumbent, and ``P * saving`` later: the expected number of steps saved against
        the incumbent. If few candidates are possible, those nearest to the targets are added. The
        smallest incumbents play again.

        Returns:
            At most `LARGEST_ROUND` genomes, shape [V, K]. Empty if there are at least three
            probably feasible genomes and no smaller candidate is possibly feasible.
        """
        state = assessment.state
        chance = self._requirements.chance(assessment.model, candidates.features)
        size = candidates.size
        evaluated_size = self._evaluated_size(state)
        incumbents = np.flatnonzero(assessment.chance >= _LIKELY)
        least = evaluated_size[incumbents].min() if len(incumbents) else np.inf
        is_promising = (size < least) & (chance >= _POSSIBLE)
        if len(incumbents) >= _GOOD_ENOUGH and not is_promising.any():
            return candidates.genomes[:0]
        # The position of a genome that was never evaluated is -1, which selects the appended 0.
        n_evaluations = np.append(state.seen_times, 0)[places_in(state.seen, candidates.genomes)]
        unit = self.evaluator.space.weights.min()
        is_open = (n_evaluations < ENOUGH_EVALUATIONS) & (size <= least + unit)
        acquisition = np.sqrt(chance) / (size + 1)
        if len(incumbents):
            saving = np.maximum((least - size) / unit, 0.0)
            acquisition = chance * (saving + np.where(size > least, _BEYOND, _AS_MUCH))
        order = np.lexsort([size, -acquisition])
        chosen = order[(is_open & (chance >= NOT_RULED_OUT))[order]][:_RACED]
        if len(chosen) < _RACED // 4:
            # Hardly any candidate is possible, so the surrogate needs data near the targets.
            nearest = np.argsort(candidates.worst, kind="stable")
            chosen = np.union1d(chosen, nearest[is_open[nearest]][: _RACED - len(chosen)])
        by_size = np.lexsort([-assessment.chance[incumbents], evaluated_size[incumbents]])
        again = incumbents[by_size][:_AGAIN]
        genomes = np.concatenate([candidates.genomes[chosen], state.seen[again]])
        # An incumbent may also be a candidate: keep the first of equal genomes, in this order.
        return genomes[np.sort(np.unique(genomes, axis=0, return_index=True)[1])]

    def _front(self, assessment: _Assessment, candidates: _Candidates) -> Steps:
        """Return the genomes of the last round: the best candidates of smaller sizes.

        They give a designer a choice between size and balance.

        Returns:
            At most `_FRONT` genomes, shape [V, K], spread evenly over the sizes below that of the
            incumbent. If no genome is possibly feasible, the candidates nearest to the
            targets; if no smaller size has a candidate, the best genome of the population.
        """
        size = candidates.size
        is_feasible = assessment.chance >= _LIKELY
        if assessment.chance.max(initial=0.0) < NOT_RULED_OUT:
            return candidates.genomes[np.argsort(candidates.worst, kind="stable")[:_FRONT]]
        evaluated_size = self._evaluated_size(assessment.state)
        least = evaluated_size[is_feasible].min() if is_feasible.any() else np.inf
        order = np.lexsort([candidates.worst, size])
        order = order[(size[order] < least) & (size[order] > 0)]
        _, first = np.unique(size[order], return_index=True)
        if not len(first):
            return assessment.state.population[:1]  # a round needs at least one genome
        spaced = np.unique(np.linspace(0, len(first) - 1, _FRONT).round().astype(np.intp))
        return candidates.genomes[order[first[spaced]]]

    def _evaluated_size(self, state: ModelState) -> Floats:
        """Return the size of each evaluated genome, shape [S]."""
        return self.evaluator.space.size(state.seen)

    def _end_round(self, assessment: _Assessment) -> ModelState:
        """Return the state with its 20 best genomes as population and a new line of history."""
        state = assessment.state
        scores = state.seen_scores(self.evaluator, self.games.search)
        order = self._best(assessment)[:_POPULATION]
        n_games = self._design.n_games(state)
        return state.next_generation(state.seen[order], scores.take(order), best=0, n_games=n_games)


def _ranks_among_equals(values: Floats) -> Positions:
    """Return the number of equal values before each value, shape [n].

    Args:
        values: values in rising order, shape [n].
    """
    return np.arange(len(values)) - np.searchsorted(values, values)
