"""What takes long: suggestions, the smallest patches found under a draft's locks; certificates.

What is locked stays as it is, edited or not; all else may move from today's numbers. The search is
that of `balance`, and so are its seeds: where nothing is locked or edited, it ends with the patch
that `balance` would recommend.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from balance import CardContest, Floats, Readings, build_space
from balance.card_contest import patched
from balance.card_space import weights_of
from balance.certificate import certify as play_certificate
from balance.cleanup import clean_up
from balance.evaluation import Evaluator, Scores
from balance.found_patch import LEAST_FOR_CLEANUP
from balance.model.search import ModelSearch
from balance.model.state import ModelState
from balance.room import read_room
from balance.search_space import SearchSpace, Steps
from balance.selection import Selection, select
from balance.settings import BalanceSettings, Games
from balance.whatif import Exploration
from experiments.commands.balance_report import not_shown, verdict_sentence
from experiments.screen import advice
from experiments.workbench.board import Board, Place, Refused
from experiments.workbench.draft import Draft, edits_of
from experiments.workbench.session import Proposal, Verdict
from sim.errors import InputError

Tell = Callable[[Proposal], None]

_MAY_DO = 0.3  # chance from which on a patch is looked at while the search goes on
_AT_ONCE = 2  # patches of a round
_FEWER = 5  # times: games of such a look, of the selection's
_EVEN = 0.5
_SHOWN = 3  # patches of the selection
_FOR_SIDE = 1_000  # games per matchup that tell which seat has today's advantage


def suggest(
    board: Board,
    draft: Draft,
    tell: Tell,
    *,
    contest: CardContest,
    try_number: int,
    threads: int | None,
) -> None:
    """Tell of the smallest patches, at first of those that the search passes on its way.

    Args:
        board: whose numbers.
        draft: says what is locked, and what patches have to keep.
        tell: told each patch.
        contest: the board's.
        try_number: of the certificate that may follow, whose room they need.
        threads: threads to use; default all cores.

    Raises:
        Refused: nothing may move, or what is locked breaks a constraint by itself.
    """
    question = _Question(board, draft, contest)
    settings, games = question.settings, question.settings.games
    evaluator = Evaluator(
        question.contest,
        question.space,
        settings.demands_in(contest),
        settings.guards,
        settings.seed,
        threads,
        try_number,
        # the numbers from which the search goes on, as `balance` measures them
        question.contest.play(
            np.zeros((1, 0), dtype=np.int16),
            (),
            n_games=settings.games.matchups,
            run_seed=settings.seed,
            purpose="matchups",
            threads=threads,
        ),
    )
    method, passed, told = ModelSearch(evaluator, settings), set[bytes](), list[float]()
    n_seatings = evaluator.contest.n_seatings

    def on_round(state: ModelState) -> None:
        most = min(told, default=inf)  # of change: others are no news
        some = _promising(state, method.chances(state), evaluator.space, passed, most)
        passed.update(map(bytes, some))
        if len(some):
            n_games = max(games.select // _FEWER // n_seatings, 2) * n_seatings
            played = evaluator.play(some, n_games=n_games, purpose="select", faults="keep")
            told.extend(_tell_of(question, evaluator, some, played, games, tell))

    state = method.run(None, on_round)
    found = select(evaluator, state, method.shortlist(state), games, method.likely)
    most_games = max(int(state.history[-1, 0]), LEAST_FOR_CLEANUP)
    found, _ = clean_up(evaluator, found, games, most_games=most_games)
    for k in _shown(found):
        likely, scores = bool(found.has_room[k]), found.scores.take(np.array([k]))
        tell(question.proposal(evaluator, found.genomes[k], scores, found.n_games, likely=likely))


@dataclass(frozen=True)
class _Question:
    """What is asked: what may move, from which cards on.

    Attributes:
        board: whose numbers.
        draft: says what is locked.
        today: the board's contest.
    """

    board: Board
    draft: Draft
    today: CardContest

    @cached_property
    def kept(self) -> dict[Place, int]:
        """Edits that are locked, which all patches have."""
        values = self.draft.values.items()
        return {place: to for place, to in values if self.draft.is_locked(*place)}

    @cached_property
    def contest(self) -> CardContest:
        """The contest with these edits, from which the search goes on."""
        edits = self.board.patch(self.kept).edits
        return patched(self.today, edits) if edits else self.today

    @cached_property
    def settings(self) -> BalanceSettings:
        """Those of the experiment, with the draft's constraints less what is spent by the locks."""
        told, spent = self.board.experiment.settings, self.board.patch(self.kept)
        tune = self.draft.constraints.tune(told.tune)
        for name, most, used in (
            ("max_cards", tune.max_cards, spent.cards_touched),
            ("max_change", tune.max_change, spent.change),
        ):
            if most is not None and used:
                if used >= most:
                    raise Refused(
                        f"what is locked takes {used:g} of {most:g} already", f"constraints.{name}"
                    )
                tune = tune.model_copy(update={name: most - used})
        search = told.search.model_copy(update={"method": "model", "assist": False})
        games = told.games.model_copy(update={"total": None})
        return told.model_copy(update={"tune": tune, "search": search, "games": games})

    @cached_property
    def space(self) -> SearchSpace:
        """What may move."""
        nothing = "no number may move: all are locked, or have no way to go"
        try:
            space = build_space(self.contest, self.settings.tune)
        except InputError:
            raise Refused(nothing, "constraints.direction") from None
        places = {gene: self.board.place(gene) for gene in space.genes}
        free = [gene for gene, place in places.items() if not self.draft.is_locked(*place)]
        if not free:
            raise Refused(nothing)
        return space.with_only(free)

    def proposal(
        self, evaluator: Evaluator, genome: Steps, scores: Scores, n_games: int, *, likely: bool
    ) -> Proposal:
        """A genome as a patch of today's numbers, and what is known of it."""
        space, values = evaluator.space, dict(self.kept)
        for k in np.flatnonzero(genome).tolist():
            number = self.contest.parameter(space.genes[k])
            values[number.owner, number.field] = number.value + int(genome[k])
        demands = evaluator.demands
        rates = demands.of(scores.win_rate[0])
        worst = int(np.minimum(rates - demands.low, demands.high - rates).argmin())
        text = (
            f"{demands.names[worst]} is nearest to its bounds, at {100 * rates[worst]:.1f} % "
            f"({n_games:,} games per matchup)"
        )
        return Proposal(edits=edits_of(values), likely=likely, text=text)


def _promising(
    state: ModelState, chance: Floats, space: SearchSpace, passed: set[bytes], most: float
) -> Steps:
    """``[..., K]`` the smallest genomes that may do, of which nobody has been told yet."""
    change = space.change(state.seen)
    some = [
        k
        for k in np.lexsort([-chance, change]).tolist()
        if chance[k] >= _MAY_DO and bytes(state.seen[k]) not in passed and 0 < change[k] < most
    ]
    return np.asarray(state.seen[some[:_AT_ONCE]])


def _tell_of(
    question: _Question,
    evaluator: Evaluator,
    genomes: Steps,
    played: Readings,
    games: Games,
    tell: Tell,
) -> list[float]:
    """Tell of genomes on the way, by rising change, until one is likely to do.

    Returns:
        The change of those that are.
    """
    scores, has_room, _ = read_room(evaluator, genomes, played, games, _EVEN)
    demands = evaluator.demands
    for k, genome in enumerate(genomes):
        own, likely = scores.take(np.array([k])), bool(has_room[k])
        if k not in played.faults and (demands.spare_pp(demands.of(own.win_rate))[0] >= 0):
            tell(question.proposal(evaluator, genome, own, played.n_games, likely=likely))
            if likely:
                return [float(own.change[0])]
    return []


def _shown(found: Selection) -> list[int]:
    """Positions of the recommended genome and of few others that may do, the best one last."""
    may_do = np.flatnonzero(found.has_room & (found.scores.change > 0)).tolist()
    others = [k for k in may_do if k != found.recommended][: _SHOWN - 1]
    return [*reversed(others), found.recommended]


def certify(
    board: Board, draft: Draft, *, contest: CardContest, try_number: int, threads: int | None
) -> Verdict:
    """Judge a draft's numbers, once.

    Args:
        board: whose numbers.
        draft: what they are to be.
        contest: the board's.
        try_number: which try of its question this is: names the stream, and tells its risk.
        threads: threads to use; default all cores.
    """
    settings, edits = board.experiment.settings, board.edits(draft.values)
    genes, steps = [*edits], np.array([*edits.values()], dtype=np.int16)
    weights = weights_of(genes, settings.tune, contest.table.pool.cards)
    space = SearchSpace(tuple(genes), np.minimum(steps, 0), np.maximum(steps, 0), weights)
    evaluator = Evaluator(
        contest,
        space,
        settings.demands_in(contest),
        settings.guards,
        settings.seed,
        threads,
        try_number,
        guards_may_play_on=settings.games.total is None,
    )
    today = Exploration(contest, settings.seed, threads).explore({}, _FOR_SIDE)
    first = today.readings.first_seat_by_seed()
    certificate, _ = play_certificate(
        evaluator,
        steps,
        n_games=settings.games.certify,
        first_side=1 if first is None or first.mean() >= 0.5 else -1,
        purpose=f"workbench/certify/{try_number}",
    )
    open_guards = not_shown(certificate)
    more = f"; {advice(open_guards, certificate.n_games_played)}" if open_guards else ""
    after = certificate.after
    return Verdict(
        certified=certificate.certified,
        text=f"{verdict_sentence(certificate)}{more}",
        rates=tuple(
            {
                "demand": name,
                "rate": float(after.estimate[n]),
                "low": float(after.low[n]),
                "high": float(after.high[n]),
                "inside": bool(certificate.inside[n]),
            }
            for n, name in enumerate(certificate.demands.names)
        ),
    )
