"""Reasons of edits: what keeps each edit of a recommended patch in it.

By the clean-up's own games where it has tried the patch without the edit, so that no reason
contradicts what is said of the clean-up; else by the games that measure the edits' effects.
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
"""Without the edit a demanded rate reads outside its bounds, a guard reads broken, or a rule of
`[tune]` is; a rate or a guard reads inside, but not by the margin that a certificate needs; the
clean-up ran out of games before it was tried; the patch itself has no margin, so that no clean-up
was begun; or games never end."""


class EditReason(NamedTuple):
    """A reason why an edit stays in a patch; of several the weightiest comes first.

    Attributes:
        card: the edit's.
        field: the number that it moves.
        edit: in words.
        kind: what keeps it.
        name: the demand, the guard's key in `[guards]`, or the rule's in the file; empty of others.
        cards: ids of the cards by which a rule is broken, the better one of two first.
        card_names: what people call them.
        unit: of the numbers: `share`, `pp` or `relative`.
        reading: without the edit.
        reading_low: the lower end of its 95 % interval; of a guard the reading itself.
        reading_high: the upper end; of a guard the most that the games leave possible.
        limit: the bound that is nearer.
        needed: where the reading would leave the margin that a certificate needs; none where no
            reading of so few games leaves it.
        n: games per matchup of the reading; 0 of none.
        by: whose games they are.
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
    """Why each edit of a ``[K]`` genome stays, edit by edit.

    Args:
        evaluator: knows the space and the contest.
        genome: the recommended patch.
        cleanup: how far it came.
        effects: of the edits, if they were measured.
    """
    tried = {bytes(one.genome): one for one in cleanup.smaller}
    untried: ReasonKind = "not begun" if cleanup.state == "not begun" else "not tried"
    found = list[EditReason]()
    for k in np.flatnonzero(genome).tolist():
        parameter = evaluator.contest.parameter(evaluator.space.genes[k])
        step = int(genome[k])
        blank = EditReason(
            parameter.owner, parameter.field, str(edit_of(parameter, parameter.value + step)), ""
        )
        less = genome.copy()
        less[k] = 0
        rules = _of_rules(evaluator, blank, less)
        found += rules or _of_games(blank, tried.get(bytes(less)), _measured(effects, k), untried)
    return found


def _of_rules(evaluator: Evaluator, blank: EditReason, less: Steps) -> list[EditReason]:
    """The rules that a ``[K]`` patch without an edit breaks: no games are played of such a one."""
    found = list[EditReason]()
    for rule in broken_rules(evaluator.space, less):
        owners = [_owner_of(evaluator, owner) for owner in rule.owners]
        ids = "; ".join(one.owner for one in owners)
        names = "; ".join(one.name for one in owners)
        found.append(blank._replace(kind="rule", name=rule.key, cards=ids, card_names=names))
    return found


def _of_games(
    blank: EditReason,
    tried: SmallerPatch | None,
    measured: tuple[Shortfall, ...],
    untried: ReasonKind,
) -> list[EditReason]:
    """What games of a patch without an edit show.

    Args:
        blank: a reason with the names of the edit.
        tried: what the clean-up found of it.
        measured: what keeps it from a certificate by the games of the effects.
        untried: what is said where the clean-up has found nothing.
    """
    if tried is not None and tried.outcome == "never ends":
        return [blank._replace(kind="never ends", n=tried.n_games, by="clean-up")]
    if tried is not None and tried.outcome != "not tried":
        return [_reason(blank, one, "clean-up") for one in tried.shortfalls]
    reasons = [_reason(blank, one, "edits") for one in measured]
    if any(one.is_broken for one in measured):
        return reasons
    return [blank._replace(kind=untried), *reasons]


def _reason(blank: EditReason, short: Shortfall, by: str) -> EditReason:
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


def _measured(effects: EditEffects | None, k: int) -> tuple[Shortfall, ...]:
    """What keeps a number's edit by the games of the effects; nothing where it was not measured.

    A limit that the patch with the edit breaks as well is no reason for it.
    """
    if effects is None:
        return ()
    broken = {one.name for one in effects.own_shortfalls if one.is_broken}
    places = np.flatnonzero(effects.genes == k).tolist()
    found = effects.shortfalls[places[0]] if places else ()
    return tuple(one for one in found if one.name not in broken)


def _owner_of(evaluator: Evaluator, owner: int) -> Parameter:
    """A number of a card, which has the card's names; cards of which none moves have a cost."""
    genes = evaluator.space.genes
    gene = next((one for one in genes if one.owner == owner), Gene(owner, "cost"))
    return evaluator.contest.parameter(gene)
