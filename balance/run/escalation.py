"""Automatic relaxation of a search that found no patch that is likely to be certified.

The relaxations in `[search] widen` are tried in their order, each once, and only if they may help:
more games, if a patch is measured inside its bands but lacks margin; all cards, if narrowing
excluded some; more rounds, unless the model expects that no patch suffices; more steps of each
number. The search continues with all candidates evaluated so far. No certificate is played before
the last selection, so relaxations do not increase the risk of a wrong certificate.

All other settings are constraints and stay unchanged. With `[games] total` every game is already
assigned to a stage, and nothing is relaxed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from balance.search.evolutionary_search import SearchState
from balance.search.method import Method
from balance.search.selection import Selection
from balance.settings.tables import WIDENINGS, BalanceSettings, Widening
from balance.space.search_space import SearchSpace
from balance.space.tune import Tune
from balance.statistics.intervals import Counts
from balance.verdict.evaluation import Evaluator
from sim.seeds import stream_seed

# Factor on the games of selection and certificate: four times the games halve the margin that a
# certificate needs.
_TIMES_GAMES = 4
_TIMES_STEPS = 2  # factor on the maximum number of steps; chosen by hand, not tuned
# Factor on the number of selected candidates. Chosen by hand, so that the selection gets both
# earlier and new candidates.
_TIMES_CANDIDATES = 2

Wider = Callable[[Tune, Collection[Widening]], SearchSpace]
"""Function that returns the search space for relaxed settings `[tune]` and the kinds of relaxations
that a run has made.
"""


@dataclass(frozen=True)
class Escalation:
    """Relaxations that a run may make, and the settings that follow from them.

    Attributes:
        settings: settings of the run without relaxations.
        evaluator: evaluator with which the run began.
        wider: function that returns the relaxed search space; `None` to always use the evaluator's
            space.
    """

    settings: BalanceSettings
    evaluator: Evaluator
    wider: Wider | None = None

    def at(self, widened: Counts) -> tuple[BalanceSettings, Evaluator]:
        """Return the settings and the evaluator of a run after given relaxations.

        Relaxations other than `games` change the search space and the seed of the evaluator.

        Args:
            widened: positions in `WIDENINGS` of the relaxations made so far, ``[W]``.
        """
        settings = self.settings
        evaluator = self.evaluator
        kinds = _kinds(widened)
        games = settings.games
        search = settings.search
        narrow = settings.narrow
        if "games" in kinds:
            more = {name: _TIMES_GAMES * getattr(games, name) for name in ("select", "certify")}
            games = games.model_copy(update=more)
        n_begun = len(kinds) - ("games" in kinds)
        if n_begun:
            more = {
                "generations": (1 + n_begun) * search.generations,
                "candidates": _TIMES_CANDIDATES * search.candidates,
            }
            search = search.model_copy(update=more)
        if "cards" in kinds:
            narrow = narrow.model_copy(update={"by": "none"})
        update = {"games": games, "search": search, "tune": self._tune(kinds), "narrow": narrow}
        if n_begun:
            # Each relaxation has a different seed, so that no candidate is measured twice on the
            # same game seeds. The shift is needed since stream seeds have 64 bits and run seeds 63.
            seed = stream_seed(evaluator.run_seed, f"widened/{n_begun}") >> 1
            evaluator = replace(evaluator, space=self._space(kinds), run_seed=seed)
        return settings.model_copy(update=update), evaluator

    def describe(self, widened: Counts) -> tuple[str, ...]:
        """Return a description of each relaxation for reports, shape ``[W]``.

        Args:
            widened: positions in `WIDENINGS` of the relaxations made so far, ``[W]``.
        """
        games = self.settings.games
        search = self.settings.search
        tune = self.settings.tune
        n_kept, n_cards = (
            len(space.cards) for space in (self.evaluator.space, self._space(["cards"]))
        )
        descriptions: dict[Widening, str] = {
            "games": f"{_TIMES_GAMES} times the games of selection and certificate "
            f"({_TIMES_GAMES * games.select:,} and {_TIMES_GAMES * games.certify:,})",
            "rounds": "as many rounds again"
            if search.method == "model"
            else "as many generations again",
            "cards": f"all {n_cards} cards instead of the {n_kept} that narrowing kept",
            "steps": f"{tune.with_times_steps(_TIMES_STEPS).steps_words} steps of each number "
            f"instead of {tune.steps_words}",
        }
        return tuple(descriptions[kind] for kind in _kinds(widened))

    def next_state(
        self, method: Method, state: SearchState, selection: Selection
    ) -> SearchState | None:
        """Return the state from which the run continues after the next relaxation that may help.

        Args:
            method: method of the search.
            state: final state of the search so far.
            selection: selection from the candidates of this search.

        Returns:
            The state, with the games of the selection counted as played. `None` if the selection
            suffices, if a total number of games is set, if the method cannot continue, or if no
            remaining relaxation may help.
        """
        if (
            selection.is_feasible
            or self.settings.games.total is not None
            or not method.can_continue
        ):
            return None
        done = _kinds(state.widened)
        left = (kind for kind in self.settings.search.widen if kind not in done)
        kind = next((kind for kind in left if self._may_help(kind, method, state, selection)), None)
        if kind is None:
            return None
        wider = state.after(selection.n_played, WIDENINGS.index(kind))
        if kind == "games":
            return wider
        return wider.in_space(method.evaluator.space, self._space([*done, kind]))

    def _may_help(
        self, kind: Widening, method: Method, state: SearchState, selection: Selection
    ) -> bool:
        """Return whether a relaxation could lead to a patch that suffices.

        More games help if the recommended patch is measured inside its bands. More rounds help
        unless the method predicts an imbalance outside the band. Other relaxations help if they
        extend the search space.

        Args:
            kind: kind of the relaxation.
            method: method of the search.
            state: final state of the search so far.
            selection: selection from the candidates of this search.
        """
        band_pp = self.evaluator.demands.band_pp
        if kind == "games":
            return bool(selection.scores.imbalance_pp[selection.recommended] <= band_pp)
        if kind == "rounds":
            predicted_pp = method.predicted_imbalance_pp(state)
            return predicted_pp is None or predicted_pp <= band_pp
        current = method.evaluator.space
        relaxed = self._space([*_kinds(state.widened), kind])
        return len(relaxed.genes) > len(current.genes) or bool(
            (relaxed.high - relaxed.low).sum() > (current.high - current.low).sum()
        )

    def _space(self, kinds: list[Widening]) -> SearchSpace:
        """Return the search space after given kinds of relaxations.

        Without the function `wider` it is always the evaluator's space.
        """
        if self.wider is None:
            return self.evaluator.space
        return self.wider(self._tune(kinds), kinds)

    def _tune(self, kinds: list[Widening]) -> Tune:
        """Return the settings `[tune]` after given kinds of relaxations.

        Only the kind `steps` changes these settings.
        """
        tune = self.settings.tune
        return tune.with_times_steps(_TIMES_STEPS) if "steps" in kinds else tune


def _kinds(widened: Counts) -> list[Widening]:
    """Return the kinds of relaxations by their positions in `WIDENINGS`."""
    return [WIDENINGS[k] for k in widened]
