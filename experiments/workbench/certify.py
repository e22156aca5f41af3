"""Certifying: a draft's numbers on games that nobody has seen, by the question's own risk."""

from __future__ import annotations

from typing import Any

from balance import CardContest, Certificate, Evaluator
from balance.certificate import certify as play_certificate
from balance.pool_edits import space_of_edits
from balance.second_opinion.opinion import PURPOSE, Question, ask_pilots
from balance.whatif import Exploration
from experiments.commands.balance_report import failed_guards, verdict_sentence
from experiments.results.opinion import opinion_summary
from experiments.workbench.board import Board
from experiments.workbench.draft import Draft
from experiments.workbench.session import Verdict

_FOR_SIDE = 1_000  # games per matchup that tell which seat has today's advantage


def certify(
    board: Board, draft: Draft, *, contest: CardContest, try_number: int, threads: int | None
) -> Verdict:
    """Judge a draft's numbers, once, and let other pilots play them.

    Args:
        board: whose numbers.
        draft: what they are to be.
        contest: the board's.
        try_number: which try of its question this is: names the stream, and tells its risk.
        threads: threads to use; default all cores.
    """
    settings = board.experiment.settings
    space, steps = space_of_edits(contest, board.edits(draft.values), settings.tune)
    evaluator = Evaluator.of(contest, space, settings, threads=threads, try_number=try_number)
    today = Exploration(contest, settings.seed, threads).explore({}, _FOR_SIDE)
    certificate, _ = play_certificate(
        evaluator,
        steps,
        n_games=settings.games.certify,
        first_side=today.readings.first_side,
        purpose=f"workbench/certify/{try_number}",
    )
    opinion = None
    if board.others:
        question = Question.of(contest, evaluator, steps, f"workbench/{PURPOSE}/{try_number}")
        opinions = ask_pilots(question, board.others, settings.second_opinion.games)
        opinion = opinion_summary(
            contest, opinions, certified=certificate.certified, patch=draft.edits
        )
    return _told(certificate, opinion)


def _told(certificate: Certificate, opinion: dict[str, Any] | None) -> Verdict:
    guards = "".join(f"; {line}" for line in failed_guards(certificate))
    after = certificate.after
    return Verdict(
        certified=certificate.certified,
        text=f"{verdict_sentence(certificate)}{guards}",
        rates=tuple(
            {
                "demand": name,
                "rate": float(after.estimate[n]),
                "low": float(after.low[n]),
                "high": float(after.high[n]),
                "inside": bool(certificate.inside[n]),
                "verdict": certificate.verdicts[n],
            }
            for n, name in enumerate(certificate.demands.names)
        ),
        opinion=opinion,
    )
