"""Card games made by a seed, as sheets that `evenhand init --from` reads.

Each has four decks of 24 cards: a theme of eight cards of its own and four that all decks share,
two copies each. A card has about as much attack and health as its cost pays for, less what its
keyword or effect is worth, and now and then a point too many or too few, as first drafts have.
Games with an odd index also have spells and taunts, so that the general rules play them.
"""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

import numpy as np

from sim.seeds import generator

N_COPIES = 2
CURVE = (1, 1, 2, 2, 3, 3, 4, 5)  # costs of a theme's cards
SHARED_CURVE = (1, 2, 3, 4)  # and of those that all decks hold
COLUMNS = ("name", "kind", "cost", "attack", "health", "keywords", "effects", "target")
# How far a first draft is off its budget of points; three in eight cards are.
_NOISE = (-1, 0, 0, 0, 0, 0, 1, 1)
# Points that a theme's cards have beyond their budget, shuffled: so decks are not even at first.
_STRENGTHS = (-0.25, -0.1, 0.05, 0.2)


class Text(NamedTuple):
    """What a card has beside attack and health, and how many points of them that costs."""

    keywords: str = ""
    effects: str = ""
    points: float = 0.0


class Theme(NamedTuple):
    """How the cards of a deck are made.

    Attributes:
        name: of the deck.
        attack_share: share of a card's points that are attack.
        texts: what some cards have besides.
    """

    name: str
    attack_share: float
    texts: tuple[Text, ...]


THEMES = (
    Theme(
        "rush",
        0.62,
        (Text("haste", "", 1), Text("", "play: damage 2", 1.5), Text("haste", "play: damage 1", 2)),
    ),
    Theme("wall", 0.38, (Text("", "play: heal 2", 1), Text("", "play: heal 3", 1.5))),
    Theme("lore", 0.48, (Text("", "play: draw 1", 1.5), Text("", "play: draw 1", 1.5))),
    Theme("swarm", 0.5, (Text("", "play: summon 1 token 1/1", 2), Text("haste", "", 1))),
)
_TAUNT = Text("taunt", "", 0.5)
_SHARE_WITH_TEXT = 0.45


def sheet_of_game(seed: int, index: int) -> str:
    """A game as CSV text.

    Args:
        seed: of all games.
        index: which of them; odd ones have spells and taunts.
    """
    rng = generator(seed, f"made_games/{index}")
    is_rich = index % 2 == 1
    strengths = rng.permutation(_STRENGTHS)
    rows = []
    for theme, strength in zip(THEMES, strengths, strict=True):
        cards = [_minion(rng, theme, cost, float(strength), is_rich=is_rich) for cost in CURVE]
        if is_rich:
            cards[3] = _spell(theme, amount=3, cost=2)
        rows += [_named(f"{theme.name} {k}", card, [theme]) for k, card in enumerate(cards, 1)]
    shared = Theme("shared", 0.5, (Text("", "play: draw 1", 1.5),))
    for k, cost in enumerate(SHARED_CURVE, 1):
        rows.append(_named(f"shared {k}", _minion(rng, shared, cost, 0.0, is_rich=is_rich), THEMES))
    return _csv_of(rows)


def _minion(
    rng: np.random.Generator, theme: Theme, cost: int, strength: float, *, is_rich: bool
) -> dict[str, str]:
    """A minion of a theme: its points split into attack and health, less those of its text."""
    texts = (*theme.texts, _TAUNT) if is_rich else theme.texts
    has_text = rng.random() < _SHARE_WITH_TEXT
    text = texts[int(rng.integers(len(texts)))] if has_text else Text()
    points = 2 * cost + 1 + strength * cost**0.5 + float(rng.choice(_NOISE)) - text.points
    points = max(points, 2.0)
    attack = round(points * theme.attack_share + float(rng.uniform(-0.5, 0.5)))
    attack = int(np.clip(attack, 1, 5))
    health = int(np.clip(round(points) - attack, 1, 7))
    return {
        "kind": "minion",
        "cost": str(cost),
        "attack": str(attack),
        "health": str(health),
        "keywords": text.keywords,
        "effects": text.effects,
        "target": "",
    }


def _spell(theme: Theme, *, amount: int, cost: int) -> dict[str, str]:
    """A spell of a theme: damage to a chosen enemy for those that attack, healing for others."""
    is_harmful = theme.attack_share >= 0.5
    effect = f"play: damage {amount} to target" if is_harmful else f"play: heal {amount + 2}"
    return {
        "kind": "spell",
        "cost": str(cost),
        "attack": "",
        "health": "",
        "keywords": "",
        "effects": effect,
        "target": "enemy_minions" if is_harmful else "",
    }


def _named(
    name: str, card: dict[str, str], themes: tuple[Theme, ...] | list[Theme]
) -> dict[str, str]:
    """A row of the sheet: the card, and its copies in the decks of some themes."""
    copies = {f"deck: {theme.name}": str(N_COPIES) for theme in themes}
    return {"name": name.title(), **card, **copies}


def _csv_of(rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    titles = [*COLUMNS, *(f"deck: {theme.name}" for theme in THEMES)]
    writer = csv.DictWriter(text, titles, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
