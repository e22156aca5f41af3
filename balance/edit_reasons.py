"""Reasons of edits: the limits that keep each edit of a recommended patch in it.

The games of the clean-up decide where it has tried the patch without the edit, so that reasons
agree with its report; otherwise the games that measured the effects of the edits decide.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from balance.broken_rules import broken_rules
from balance.clean_up_result import CleanUp, SmallerPatch
from balance.contest import Parameter
from balance.edit_effects import EditEffects
from balance.evaluation import Evaluator
from balance.patch import edit_of
from balance.search_space import Steps
from balance.shortfall import Shortfall
from sim.play.table import Gene

ReasonKind = Literal[
    "matchup", "guard", "rule", "matchup margin", "guard margin", "not tried", "not begun",
    "never ends",
]  # fmt: skip
"""Kind of reason. Without the edit a demanded rate is measured outside its bounds (`matchup`), a
guard is measured beyond its limit (`guard`), or a rule of `[tune]` is violated (`rule`); a rate or
a guard is measured inside, but lacks the margin that a certificate needs (`matchup margin`, `guard
margin`); the clean-up ran out of games before it tried the edit (`not tried`); the patch itself
lacks margin, so that no clean-up took place (`not begun`); or games never end (`never ends`).
"""


class EditReason(NamedTuple):
    """A reason why an edit stays in a patch; an edit's most important reason comes first.

    Attributes:
        card: id of the edited card.
        field: field of the edited number.
        edit: the edit in words.
        kind: kind of the reason, a `ReasonKind`.
        name: name of the demand, key of the guard in `[guards]`, or key of the rule in the file;
            empty for other kinds.
        cards: ids of the cards that violate a rule, the dominating one of two first.
        card_names: display names of these cards.
        unit: unit of the numbers: `share`, `pp` or `relative`.
        reading: measured value without the edit.
        reading_low: lower end of its 95 % interval; for a guard the measured value itself.
        reading_high: upper end of its 95 % interval; for a guard the largest value that the games
            leave possible.
        limit: the nearer bound.
        needed: value that would leave the margin that a certificate needs; `None` if no value
            measured in so few games would.
        n: games per matchup of the measured value; 0 without games.
        by: stage that played the games: `clean-up` or `edits`.
    """

    card: str
    field: str
    edit: str
    kind: str  # a `ReasonKind`; tables read back plain text
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


_GUARD_UNITS = {"max_draw_rate": "share", "max_first_seat_pp": "pp", "median_turns": "relative"}


def reasons_of(
    evaluator: Evaluator, genome: Steps, cleanup: CleanUp, effects: EditEffects | None
) -> list[EditReason]:
    """Return the reasons of each edit of a genome, edit by edit.

    Args:
        evaluator: knows the space and the contest.
        genome: recommended patch as steps from the baseline, shape ``[K]``.
        cleanup: result of the clean-up.
        effects: measured effects of the edits, if available.
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
    """Return the rules that a patch without an edit violates; such a patch is never played.

    Args:
        evaluator: knows the space and the contest.
        blank: reason with the names of the edit only.
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
    """Return the reasons that games of a patch without an edit give.

    Args:
        blank: reason with the names of the edit only.
        tried: outcome of that patch in the clean-up, if it was a candidate there.
        measured: shortfalls of that patch in the games that measured the effects.
        untried: kind of the reason if the clean-up did not decide the patch.
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
    """Return a reason with the values of a shortfall.

    Args:
        blank: reason with the names of the edit only.
        short: shortfall that gives the values.
        by: stage that played the games.
    """
    is_guard = short.kind == "guard"
    return blank._replace(
        kind=short.kind if short.is_broken else f"{short.kind} margin",
        name=short.name,
        unit=_GUARD_UNITS[short.name] if is_guard else "share",
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

    Limits that the whole patch breaks as well are left out, since the edit does not keep them.

    Args:
        effects: measured effects, if available.
        k: position of the edited number in the search space.
    """
    if effects is None:
        return ()
    # A limit that the whole patch breaks is broken with the edit as well as without it.
    broken = {shortfall.name for shortfall in effects.own_shortfalls if shortfall.is_broken}
    positions = np.flatnonzero(effects.genes == k).tolist()
    shortfalls = effects.shortfalls[positions[0]] if positions else ()
    return tuple(shortfall for shortfall in shortfalls if shortfall.name not in broken)


def _owner_of(evaluator: Evaluator, owner: int) -> Parameter:
    """Return a parameter of a card, which carries the card's names.

    A card without any number in the space is represented by its cost.
    """
    genes = evaluator.space.genes
    gene = next((gene for gene in genes if gene.owner == owner), Gene(owner, "cost"))
    return evaluator.contest.parameter(gene)
