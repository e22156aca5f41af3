"""Reasons why each edit of a recommended patch is needed.

Reasons come from the games of the clean-up if it has tried the patch without the edit, so that they
agree with the report on the clean-up. Otherwise they come from the games that measured the effects
of the edits.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from balance.contest.contest import Parameter
from balance.contest.patch import edit_of
from balance.space.broken_rules import broken_rules
from balance.space.search_space import Steps
from balance.verdict.clean_up_result import CleanUp, SmallerPatch
from balance.verdict.edit_effects import EditEffects
from balance.verdict.evaluation import Evaluator
from balance.verdict.guards import GUARDS
from balance.verdict.shortfall import Shortfall
from sim.play.table import Gene

ReasonKind = Literal[
    "matchup", "guard", "rule", "matchup margin", "guard margin", "not tried", "not begun",
    "never ends",
]  # fmt: skip
"""Kind of reason why an edit is needed, from the results for the patch without the edit:

- `matchup`: a demanded rate is measured outside its bounds.
- `guard`: a guard is measured beyond its limit.
- `rule`: a rule of `[tune]` is violated.
- `matchup margin`, `guard margin`: a rate or guard is measured inside its limits, but lacks the
  margin that a certificate needs.
- `not tried`: the clean-up ran out of games before it decided the patch.
- `not begun`: no clean-up took place, since the whole patch lacks margin.
- `never ends`: games never end.
"""


class EditReason(NamedTuple):
    """Reason why an edit is needed in a patch.

    Attributes:
        card: id of the edited card.
        field: field of the edited number.
        edit: edit in words, such as `Market Cat: cost 2 -> 1`.
        kind: kind of the reason, a `ReasonKind`.
        name: name of the demand, key of the guard in `[guards]`, or key of the rule in the file;
            empty for other kinds.
        cards: ids of the cards that violate a rule, separated by `; `; a dominating card comes
            first.
        card_names: display names of these cards, separated by `; `.
        unit: unit of the following values: `share`, `pp` or `relative`; empty without a measured
            value.
        reading: measured value without the edit; `None` for kinds without a measured value, as for
            the next four attributes.
        reading_low: lower end of the 95 % interval of `reading`; for a guard `reading` itself.
        reading_high: upper end of the 95 % interval of `reading`; for a guard the upper confidence
            bound.
        limit: bound of the demand or of the guard that is nearer to `reading`.
        needed: value that would leave the margin that a certificate needs; `None` also if no value
            measured in the same number of games would leave it.
        n: games per matchup of the measured value; 0 without a measured value.
        by: stage that played the games: `clean-up` or `edits`; empty if no games decide.
    """

    card: str
    field: str
    edit: str
    kind: str  # a `ReasonKind`, but declared as text, since tables are read as plain text
    name: str = ""
    cards: str = ""
    card_names: str = ""
    unit: str = ""
    reading: float | None = None
    reading_low: float | None = None
    reading_high: float | None = None
    limit: float | None = None
    needed: float | None = None
    n: int = 0
    by: str = ""


def reasons_of(
    evaluator: Evaluator, genome: Steps, cleanup: CleanUp, effects: EditEffects | None
) -> list[EditReason]:
    """Return the reasons of all edits of a patch, in the order of the edits.

    Args:
        evaluator: evaluator with the search space and the contest.
        genome: recommended patch as steps from the baseline, shape ``[K]``.
        cleanup: result of the clean-up.
        effects: effects of the edits; `None` if they were not measured.

    Returns:
        Reasons; those of one edit follow each other, the most important one first.
    """
    tried = {bytes(patch.genome): patch for patch in cleanup.smaller}
    untried: ReasonKind = "not begun" if cleanup.state == "not begun" else "not tried"
    reasons = list[EditReason]()
    for k in np.flatnonzero(genome).tolist():
        parameter = evaluator.contest.parameter(evaluator.space.genes[k])
        step = int(genome[k])
        blank = EditReason(
            parameter.owner, parameter.field, str(edit_of(parameter, parameter.value + step)), ""
        )
        less = genome.copy()
        less[k] = 0
        rules = _rule_reasons(evaluator, blank, less)
        reasons += rules or _game_reasons(
            blank, tried.get(bytes(less)), _measured_shortfalls(effects, k), untried
        )
    return reasons


def _rule_reasons(evaluator: Evaluator, blank: EditReason, less: Steps) -> list[EditReason]:
    """Return one reason for each rule that a patch without an edit violates.

    Args:
        evaluator: evaluator with the search space and the contest.
        blank: reason that contains only the names of the edit.
        less: patch without the edit, shape ``[K]``.
    """
    reasons = list[EditReason]()
    for rule in broken_rules(evaluator.space, less):
        owners = [_owner_of(evaluator, owner) for owner in rule.owners]
        ids = "; ".join(parameter.owner for parameter in owners)
        names = "; ".join(parameter.name for parameter in owners)
        reasons.append(blank._replace(kind="rule", name=rule.key, cards=ids, card_names=names))
    return reasons


def _game_reasons(
    blank: EditReason,
    tried: SmallerPatch | None,
    measured: tuple[Shortfall, ...],
    untried: ReasonKind,
) -> list[EditReason]:
    """Return the reasons that follow from games of a patch without an edit.

    Args:
        blank: reason that contains only the names of the edit.
        tried: trial of the patch in the clean-up; `None` if the clean-up did not consider it.
        measured: shortfalls of the patch in the games that measured the effects.
        untried: kind of the first reason if the clean-up did not decide the patch, and no limit is
            measured as broken.
    """
    if tried is not None and tried.outcome == "never ends":
        return [blank._replace(kind="never ends", n=tried.n_games, by="clean-up")]
    if tried is not None and tried.outcome != "not tried":
        return [_reason(blank, shortfall, "clean-up") for shortfall in tried.shortfalls]
    reasons = [_reason(blank, shortfall, "edits") for shortfall in measured]
    if any(shortfall.is_broken for shortfall in measured):
        return reasons
    return [blank._replace(kind=untried), *reasons]


def _reason(blank: EditReason, short: Shortfall, by: str) -> EditReason:
    """Return the reason that corresponds to a shortfall.

    Args:
        blank: reason that contains only the names of the edit.
        short: limit that is broken or satisfied without margin, with the measured value.
        by: stage that played the games.
    """
    is_guard = short.kind == "guard"
    return blank._replace(
        kind=short.kind if short.is_broken else f"{short.kind} margin",
        name=short.name,
        unit=GUARDS[short.name].unit if is_guard else "share",
        reading=short.reading,
        reading_low=short.low,
        reading_high=short.high,
        limit=short.limit,
        needed=short.needed,
        n=short.n_games,
        by=by,
    )


def _measured_shortfalls(effects: EditEffects | None, k: int) -> tuple[Shortfall, ...]:
    """Return the shortfalls of a patch without one edit in the games that measured the effects.

    Limits that the whole patch also breaks are left out, since the edit does not satisfy them.

    Args:
        effects: effects of the edits; `None` if they were not measured.
        k: position of the edited number in the search space.

    Returns:
        Shortfalls; none if the effect of the edit was not measured.
    """
    if effects is None:
        return ()
    broken = {shortfall.name for shortfall in effects.own_shortfalls if shortfall.is_broken}
    positions = np.flatnonzero(effects.genes == k).tolist()
    shortfalls = effects.shortfalls[positions[0]] if positions else ()
    return tuple(shortfall for shortfall in shortfalls if shortfall.name not in broken)


def _owner_of(evaluator: Evaluator, owner: int) -> Parameter:
    """Return a parameter of a card, from which the card's id and name can be read.

    Args:
        evaluator: evaluator with the search space and the contest.
        owner: position of the card in the pool.

    Returns:
        The card's first number in the search space, or its cost if it has no number there.
    """
    genes = evaluator.space.genes
    gene = next((gene for gene in genes if gene.owner == owner), Gene(owner, "cost"))
    return evaluator.contest.parameter(gene)
