"""Escalation: what a run widens by itself where its search found nothing that may be certified.

One thing after the other, each once, only what `[search] widen` allows, and only where it may help:
more games where a patch reads inside its bands, but not far enough for so few; all cards where
narrowing kept few; more rounds unless the model expects of no patch that it will do; more steps, if
asked for. The search goes on with all that it has seen. No certificate is played before the last
selection, so the question is still tried once, at one risk.

Whatever else a file says of a patch is a wish, and kept. With `[games] total` all games have their
place already, and nothing is widened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from balance.evaluation import Evaluator
from balance.method import Method
from balance.search import SearchState
from balance.search_space import SearchSpace
from balance.selection import Selection
from balance.settings import WIDENINGS, BalanceSettings, Widening
from balance.statistics.intervals import Counts
from balance.tune import Tune
from sim.seeds import stream_seed

_TIMES_GAMES = 4
_TIMES_STEPS = 2
_TIMES_CANDIDATES = 2

Wider = Callable[[Tune, Collection[Widening]], SearchSpace]
"""What may move with such a `tune`, once so much is widened."""


@dataclass(frozen=True)
class Escalation:
    """What a run may widen, and how it is with some of that widened.

    Attributes:
        settings: as they were told.
        evaluator: as the run began.
        wider: what may move with such a `tune`, once so much is widened; default what may move from
            the beginning.
    """

    settings: BalanceSettings
    evaluator: Evaluator
    wider: Wider | None = None

    def at(self, widened: Counts) -> tuple[BalanceSettings, Evaluator]:
        """Settings and evaluator once all of ``[W]`` widenings have been made."""
        told = self.settings
        evaluator = self.evaluator
        kinds = _kinds(widened)
        games = told.games
        search = told.search
        narrow = told.narrow
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
            # Seeds of its own, so that nothing is measured twice by the same luck.
            seed = stream_seed(evaluator.run_seed, f"widened/{n_begun}") >> 1
            evaluator = replace(evaluator, space=self._space(kinds), run_seed=seed)
        return told.model_copy(update=update), evaluator

    def said(self, widened: Counts) -> tuple[str, ...]:
        """Each of ``[W]`` widenings in words."""
        games = self.settings.games
        search = self.settings.search
        tune = self.settings.tune
        n_kept, n_cards = (
            len(space.cards) for space in (self.evaluator.space, self._space(["cards"]))
        )
        words: dict[Widening, str] = {
            "games": f"{_TIMES_GAMES} times the games of selection and certificate "
            f"({_TIMES_GAMES * games.select:,} and {_TIMES_GAMES * games.certify:,})",
            "rounds": "as many rounds again"
            if search.method == "model"
            else "as many generations again",
            "cards": f"all {n_cards} cards instead of the {n_kept} that narrowing kept",
            "steps": f"{tune.with_times_steps(_TIMES_STEPS).steps_words} steps of each number "
            f"instead of {tune.steps_words}",
        }
        return tuple(words[kind] for kind in _kinds(widened))

    def following(
        self, method: Method, state: SearchState, selection: Selection
    ) -> SearchState | None:
        """The state from which the run goes on with one thing more, `None` if it should not.

        Args:
            method: of the search.
            state: where that ended.
            selection: what came of it.
        """
        if selection.may_do or self.settings.games.total is not None or not method.goes_on:
            return None
        done = _kinds(state.widened)
        left = (kind for kind in self.settings.search.widen if kind not in done)
        kind = next((kind for kind in left if self._may_help(kind, method, state, selection)), None)
        if kind is None:
            return None
        n_games = self.evaluator.games_of(len(selection.genomes), selection.n_games)
        wider = state.after(n_games, WIDENINGS.index(kind))
        if kind == "games":
            return wider
        return wider.begun_anew(method.evaluator.space, self._space([*done, kind]))

    def _may_help(
        self, kind: Widening, method: Method, state: SearchState, selection: Selection
    ) -> bool:
        band_pp = self.evaluator.demands.band_pp
        if kind == "games":
            return bool(selection.scores.imbalance_pp[selection.recommended] <= band_pp)
        if kind == "rounds":
            promised_pp = method.promise_pp(state)
            return promised_pp is None or promised_pp <= band_pp
        here = method.evaluator.space
        there = self._space([*_kinds(state.widened), kind])
        return len(there.genes) > len(here.genes) or bool(
            (there.high - there.low).sum() > (here.high - here.low).sum()
        )

    def _space(self, kinds: list[Widening]) -> SearchSpace:
        """What may move once so much is widened."""
        if self.wider is None:
            return self.evaluator.space
        return self.wider(self._tune(kinds), kinds)

    def _tune(self, kinds: list[Widening]) -> Tune:
        tune = self.settings.tune
        return tune.with_times_steps(_TIMES_STEPS) if "steps" in kinds else tune


def _kinds(widened: Counts) -> list[Widening]:
    return [WIDENINGS[k] for k in widened]
