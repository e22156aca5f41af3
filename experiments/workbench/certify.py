"""Certification of a draft by fresh games, with an optional second opinion of other agents."""

from __future__ import annotations

from typing import Any

from balance import CardContest, Certificate, Evaluator
from balance.contest.whatif import Exploration
from balance.second_opinion.opinion import PURPOSE, PatchTrial, ask_pilots
from balance.verdict.certificate import certify as play_certificate
from experiments.commands.balance_report import failed_guards, verdict_sentence
from experiments.results.opinion import opinion_summary
from experiments.workbench.draft import Draft
from experiments.workbench.session import Verdict
from experiments.workbench.view_model import ViewModel

# Games per seating that estimate the first seat's advantage with the baseline numbers. Chosen by
# hand: the 95 % interval of +-3 points shows which seat has the advantage, unless the advantage is
# small.
_SEAT_GAMES = 500


def certify(view: ViewModel, draft: Draft, *, contest: CardContest, try_number: int) -> Verdict:
    """Certify a draft, and measure its rates with the agents of the second opinion, if any.

    Args:
        view: view model of the experiment, with the agents of the second opinion.
        draft: draft with the edits to certify.
        contest: contest with the baseline numbers; its callback `on_games` may cancel the job.
        try_number: number of this certificate of the question; it determines the seeds and the
            error probability.

    Returns:
        The certificate and the second opinion as data for the page.
    """
    settings = view.settings
    space, steps = view.space_of_edits(draft.values)
    evaluator = Evaluator.of(contest, space, settings, try_number=try_number)
    today = Exploration(contest, settings.seed).explore({}, _SEAT_GAMES * contest.n_seatings)
    certificate, _ = play_certificate(
        evaluator,
        steps,
        n_games=settings.games.certify,
        first_side=today.readings.first_side,
        purpose=f"workbench/certify/{try_number}",
    )
    opinion = None
    if view.others:
        trial = PatchTrial.of(contest, evaluator, steps, f"workbench/{PURPOSE}/{try_number}")
        opinions = ask_pilots(trial, view.others, settings.second_opinion.games)
        opinion = opinion_summary(
            contest, opinions, certified=certificate.certified, patch=draft.edits
        )
    return _verdict(certificate, opinion)


def _verdict(certificate: Certificate, opinion: dict[str, Any] | None) -> Verdict:
    """Return a certificate as data for the page, with the second opinion if it is not `None`."""
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
