"""Second opinion of other agents on a patch, as data for summary, report and workbench."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents.registry import agent_line
from balance import CardContest
from balance.second_opinion.opinion import OpinionRow, PilotOpinion
from experiments.results.known_agreement import known_agreement
from experiments.screen.opinion_words import about_pilots, opinion_sentence
from experiments.screen.people_words import people_words


def no_opinion(reason: str) -> dict[str, Any]:
    """Return the data of a missing second opinion.

    Args:
        reason: reason why no games were played for it, in one sentence.
    """
    return {"own": [], "pilots": [], "games": 0, "sentence": reason, "about": ""}


def opinion_summary(
    contest: CardContest,
    opinions: Sequence[PilotOpinion],
    *,
    certified: bool,
    patch: Sequence[object],
    own: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the second opinion on a patch as data, with a sentence that summarises the result.

    Args:
        contest: contest with the decks and their agents.
        opinions: opinion of each other agent, at least one.
        certified: whether the patch is certified.
        patch: edits of the patch; may be empty.
        own: names of the agents of the certificate; empty for those of the contest.
    """
    own = list(own) or list(dict.fromkeys(agent.name for agent in contest.agents))
    people = people_words(known_agreement(contest.table.ruleset.name, own))
    described = {
        name: agent_line(name) for name in [*own, *(opinion.agent for opinion in opinions)]
    }
    data = {
        "own": own,
        "pilots": [_pilot_entry(contest, opinion) for opinion in opinions],
        "games": sum(opinion.n_games for opinion in opinions),
    }
    subject = "The patch" if patch else "This balance"
    return data | {
        "sentence": opinion_sentence(data, certified=certified, subject=subject),
        "about": about_pilots(own, described, people),
    }


def opinion_rows(opinions: Iterable[PilotOpinion]) -> list[OpinionRow]:
    """Return the rows of the opinions of all agents, one per agent and demand."""
    return [row for opinion in opinions for row in opinion.rows]


def _pilot_entry(contest: CardContest, opinion: PilotOpinion) -> dict[str, Any]:
    """Return the opinion of one agent as data, with one entry per demand."""
    worst = opinion.worst
    return {
        "agent": opinion.agent,
        "holds": opinion.holds,
        "worst_pp": None if worst is None else worst.off_pp,
        "worst_matchup": None if worst is None else worst.matchup,
        "fault": opinion.fault,
        "matchups": [_matchup_entry(contest, row) for row in opinion.rows],
    }


def _matchup_entry(contest: CardContest, row: OpinionRow) -> dict[str, Any]:
    """Return the win rate of one demand in games by another agent, as data with its verdict."""
    a, b = contest.sides(row.matchup)
    return {
        "a": a,
        "b": b,
        "matchup": row.matchup,
        "least": row.least,
        "most": row.most,
        "before": row.before.as_entry(n=row.before_n),
        "after": row.after.as_entry(n=row.after_n),
        "confidence": row.confidence,
        "off_pp": row.off_pp,
        "verdict": row.verdict,
    }
