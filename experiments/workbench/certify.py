"""Certifying: a draft's numbers on games that nobody has seen, by the question's own risk."""

from __future__ import annotations

import numpy as np

from balance import CardContest, Evaluator
from balance.card_space import weights_of
from balance.certificate import certify as play_certificate
from balance.search_space import SearchSpace
from balance.whatif import Exploration
from experiments.commands.balance_report import not_shown, verdict_sentence
from experiments.screen import advice
from experiments.workbench.board import Board
from experiments.workbench.draft import Draft
from experiments.workbench.session import Verdict

_FOR_SIDE = 1_000  # games per matchup that tell which seat has today's advantage


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
