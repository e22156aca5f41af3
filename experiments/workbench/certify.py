"""Certification of a draft with fresh games, at the risk of the next try of its question."""

from __future__ import annotations

from typing import Any

from balance import CardContest, Certificate, Evaluator
from balance.certificate import certify as play_certificate
from balance.pool_edits import space_of_edits
from balance.second_opinion.opinion import PURPOSE, Question, ask_pilots
from balance.whatif import Exploration
from experiments.commands.balance_report import failed_guards, verdict_sentence
from experiments.results.opinion import opinion_summary
from experiments.workbench.draft import Draft
from experiments.workbench.session import Verdict
from experiments.workbench.view_model import ViewModel

# Chosen by hand: intervals of about 3 points show which seat leads unless the seats are even.
_SEAT_GAMES = 1_000  # games per matchup that show which seat has the advantage in the baseline


def certify(
    view: ViewModel, draft: Draft, *, contest: CardContest, try_number: int, threads: int | None
) -> Verdict:
    """Certify a draft, and ask other agents for a second opinion if the experiment names any.

    Args:
        view: view model of the experiment.
        draft: the draft.
        contest: the experiment's contest, which may count games.
        try_number: number of this try of its question, which determines seeds and risk.
        threads: number of threads; default all cores.

    Returns:
        The result of the certificate.
    """
    settings = view.experiment.settings
    space, steps = space_of_edits(contest, view.edits(draft.values), settings.tune)
    evaluator = Evaluator.of(contest, space, settings, threads=threads, try_number=try_number)
    today = Exploration(contest, settings.seed, threads).explore({}, _SEAT_GAMES)
    certificate, _ = play_certificate(
        evaluator,
        steps,
        n_games=settings.games.certify,
        first_side=today.readings.first_side,
        purpose=f"workbench/certify/{try_number}",
    )
    opinion = None
    if view.others:
        question = Question.of(contest, evaluator, steps, f"workbench/{PURPOSE}/{try_number}")
        opinions = ask_pilots(question, view.others, settings.second_opinion.games)
        opinion = opinion_summary(
            contest, opinions, certified=certificate.certified, patch=draft.edits
        )
    return _verdict(certificate, opinion)


def _verdict(certificate: Certificate, opinion: dict[str, Any] | None) -> Verdict:
    """Return a certificate and a second opinion as data for the page."""
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
