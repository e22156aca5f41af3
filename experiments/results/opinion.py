"""The second opinion as plain data, for the summary, the report and the workbench."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents.registry import agent_line
from balance import CardContest
from balance.second_opinion.opinion import OpinionRow, PilotOpinion
from experiments.results.front import sides
from experiments.screen import entry_of
from experiments.screen.opinion_words import about_pilots, opinion_sentence


def no_opinion(why: str) -> dict[str, Any]:
    """The second opinion of nobody.

    Args:
        why: nobody has one, in a sentence.
    """
    return {"own": [], "pilots": [], "games": 0, "sentence": why, "about": ""}


def opinion_summary(
    contest: CardContest,
    opinions: Sequence[PilotOpinion],
    *,
    certified: bool,
    patch: Sequence[object],
) -> dict[str, Any]:
    """The second opinion on a patch.

    Args:
        contest: the decks with the pilots that the certificate is about.
        opinions: of other pilots, at least one.
        certified: whether the patch is.
        patch: its edits.
    """
    own = list(dict.fromkeys(agent.name for agent in contest.agents))
    asked = [one.agent for one in opinions]
    told = {
        "own": own,
        "pilots": [_pilot(contest, one) for one in opinions],
        "games": sum(one.n_games for one in opinions),
    }
    subject = "The patch" if patch else "This balance"
    return told | {
        "sentence": opinion_sentence(told, certified=certified, subject=subject),
        "about": about_pilots(own, {name: agent_line(name) for name in [*own, *asked]}),
    }


def opinion_rows(opinions: Iterable[PilotOpinion]) -> list[OpinionRow]:
    """The rates of all pilots."""
    return [row for one in opinions for row in one.rows]


def _pilot(contest: CardContest, opinion: PilotOpinion) -> dict[str, Any]:
    worst = opinion.worst
    return {
        "agent": opinion.agent,
        "holds": opinion.holds,
        "worst_pp": None if worst is None else worst.off_pp,
        "worst_matchup": None if worst is None else worst.matchup,
        "fault": opinion.fault,
        "matchups": [_cell(contest, row) for row in opinion.rows],
    }


def _cell(contest: CardContest, row: OpinionRow) -> dict[str, Any]:
    a, b = sides(contest, row.matchup)
    return {
        "a": a,
        "b": b,
        "matchup": row.matchup,
        "least": row.least,
        "most": row.most,
        "before": entry_of(row.before) | {"n": row.before_n},
        "after": entry_of(row.after) | {"n": row.after_n},
        "confidence": row.confidence,
        "off_pp": row.off_pp,
        "verdict": row.verdict,
    }
