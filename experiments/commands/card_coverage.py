"""`evenhand cards coverage`: which of the real cards can be played, and which are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sim.real_cards.hearthstone import RealCard, real_cards
from sim.real_cards.scenario.scenario import read_scenarios

NEUTRAL = "neutral"
COLUMNS = ("cards", "implemented", "scenario_checked", "missing")


def coverage(scenarios: Path | None = None) -> dict[str, Any]:
    """Counts by set and by class, and the missing cards.

    Args:
        scenarios: a scenario file; a card counts as checked if one of its scenarios mentions it.

    Returns:
        `all`, `by_set` and `by_class`, each with the counts of `COLUMNS` (`scenario_checked` is
        `None` without scenarios), and `missing`, a list of `id`, `name`, `set` and `class`.

    Raises:
        InputError: the card file is not installed, or the scenario file is wrong.
    """
    cards = real_cards()
    checked = None if scenarios is None else _mentioned(scenarios)
    return {
        "all": _counts(cards, checked),
        "by_set": _groups(cards, checked, lambda card: card.set_name),
        "by_class": _groups(cards, checked, _class),
        "missing": [
            {"id": card.id, "name": card.name, "set": card.set_name, "class": _class(card)}
            for card in cards
            if not card.is_implemented
        ],
    }


def _class(card: RealCard) -> str:
    return card.hero or NEUTRAL


def _mentioned(path: Path) -> frozenset[str]:
    """Ids of the cards that some scenario is about or uses."""
    scenarios = read_scenarios(path)
    focused = {scenario.focus.lower() for scenario in scenarios if scenario.focus}
    return frozenset(focused.union(*({i.lower() for i in one.card_ids} for one in scenarios)))


def _groups(
    cards: Sequence[RealCard], checked: frozenset[str] | None, group_of: Callable[[RealCard], str]
) -> dict[str, dict[str, int | None]]:
    groups = dict.fromkeys(sorted({group_of(card) for card in cards}))
    return {
        group: _counts([card for card in cards if group_of(card) == group], checked)
        for group in groups
    }


def _counts(cards: Sequence[RealCard], checked: frozenset[str] | None) -> dict[str, int | None]:
    implemented = [card for card in cards if card.is_implemented]
    n_checked = None if checked is None else sum(card.id in checked for card in implemented)
    n_missing = len(cards) - len(implemented)
    counts = (len(cards), len(implemented), n_checked, n_missing)
    return dict(zip(COLUMNS, counts, strict=True))
