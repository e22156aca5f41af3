"""Card games generated from a seed, as sheets that `evenhand init --from` reads.

Each game has four decks of 24 cards: six cards of a theme and six cards that all decks share, two
copies each. The attack and health of a card fit its cost, minus the value of its keyword or effect.
One card of each theme has one point too many or too few, as in a first draft; searching agents then
win about 20 to 80 % of a matchup. Games with an odd index also have spells and taunts, so that they
need the general rules.
"""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

import numpy as np

from sim.seeds import generator

N_COPIES = 2  # copies of each card in a deck
CURVE = (1, 2, 2, 3, 4, 5)  # costs of a theme's cards
SHARED_CURVE = (1, 1, 2, 3, 3, 4)  # costs of the cards that all decks share
COLUMNS = ("name", "kind", "cost", "attack", "health", "keywords", "effects", "target")
SPELL_AT = 2  # index of the card of a theme that is a spell in games with general rules
WITH_TEXT = (1, 3)  # indices of the cards of a theme that have a text
SLIPS = (-1, 1)  # points by which one card of a theme differs from its budget


class Text(NamedTuple):
    """Text of a card, and its cost in points of attack and health.

    Attributes:
        keywords: keywords, as written in the sheet.
        effects: effects, as written in the sheet.
        points: points by which the text reduces the card's attack plus health.
    """

    keywords: str = ""
    effects: str = ""
    points: float = 0.0


class Theme(NamedTuple):
    """Theme of a deck, from which the deck's own cards are generated.

    Attributes:
        name: name of the deck.
        attack_share: share of attack in the attack plus health of a card.
        texts: possible texts of the deck's own cards, some of which get one.
    """

    name: str
    attack_share: float
    texts: tuple[Text, ...]


# The points of texts were chosen by hand as rough estimates of their values.
THEMES = (
    Theme(
        "rush",
        0.56,
        (Text("haste", "", 1), Text("", "play: damage 2", 1), Text("haste", "play: damage 1", 1.5)),
    ),
    Theme("wall", 0.44, (Text("", "play: heal 2", 0.5), Text("", "play: heal 3", 1))),
    Theme("lore", 0.5, (Text("", "play: draw 1", 1), Text("", "play: draw 1", 1.5))),
    Theme("swarm", 0.5, (Text("", "play: summon 1 token 1/1", 1.5), Text("haste", "", 1))),
)
_TAUNT = Text("taunt", "", 0.5)


def sheet_of_game(seed: int, index: int) -> str:
    """Return the cards and decks of a generated game as CSV text.

    Args:
        seed: seed of all generated games.
        index: number of the game; games with odd numbers have spells and taunts.
    """
    rng = generator(seed, f"made_games/{index}")
    is_rich = index % 2 == 1
    rows = []
    for theme in THEMES:
        slip_at = int(rng.integers(len(CURVE)))
        slip = float(rng.choice(SLIPS))
        for k, cost in enumerate(CURVE):
            text = _text(rng, theme, is_rich=is_rich) if k in WITH_TEXT else Text()
            card = _minion(rng, theme, cost, text, slip if k == slip_at else 0.0)
            if is_rich and k == SPELL_AT:
                card = _spell(theme, cost)
            rows.append(_row_of(f"{theme.name} {k + 1}", card, [theme]))
    shared = Theme("shared", 0.5, ())
    for k, cost in enumerate(SHARED_CURVE):
        rows.append(_row_of(f"shared {k + 1}", _minion(rng, shared, cost, Text(), 0.0), THEMES))
    return _csv_text(rows)


def _text(rng: np.random.Generator, theme: Theme, *, is_rich: bool) -> Text:
    """Return a random text of a theme; in games with general rules, taunt is one more option."""
    texts = (*theme.texts, _TAUNT) if is_rich else theme.texts
    return texts[int(rng.integers(len(texts)))]


def _minion(
    rng: np.random.Generator, theme: Theme, cost: int, text: Text, slip: float
) -> dict[str, str]:
    """Return the cells of a minion by column of the sheet.

    Attack plus health is about 2 * cost + 1 + slip, minus the points of the text, and at least 2.
    Attack is at most 5.

    Args:
        rng: random generator for the division into attack and health.
        theme: theme of the card.
        cost: mana cost of the card.
        text: text of the card.
        slip: points above the budget of the cost; negative for points below.
    """
    points = max(round(2 * cost + 1 + slip - text.points), 2)
    attack = round(points * theme.attack_share + float(rng.uniform(-0.5, 0.5)))
    attack = int(np.clip(attack, 1, min(points - 1, 5)))
    return {
        "kind": "minion",
        "cost": str(cost),
        "attack": str(attack),
        "health": str(points - attack),
        "keywords": text.keywords,
        "effects": text.effects,
        "target": "",
    }


def _spell(theme: Theme, cost: int) -> dict[str, str]:
    """Return the cells of a spell by column of the sheet.

    The spell damages a minion if at least half of the theme's points are attack, and heals
    otherwise.
    """
    is_harmful = theme.attack_share >= 0.5
    effect = f"play: damage {cost + 1} to target" if is_harmful else f"play: heal {cost + 3}"
    return {
        "kind": "spell",
        "cost": str(cost),
        "attack": "",
        "health": "",
        "keywords": "",
        "effects": effect,
        "target": "enemy_minions" if is_harmful else "",
    }


def _row_of(
    name: str, card: dict[str, str], themes: tuple[Theme, ...] | list[Theme]
) -> dict[str, str]:
    """Return a row of the sheet: name and cells of a card, and its copies in the themes' decks."""
    copies = {f"deck: {theme.name}": str(N_COPIES) for theme in themes}
    return {"name": name.title(), **card, **copies}


def _csv_text(rows: list[dict[str, str]]) -> str:
    """Return rows as CSV text with a line of column titles; missing cells are empty."""
    text = io.StringIO()
    titles = [*COLUMNS, *(f"deck: {theme.name}" for theme in THEMES)]
    writer = csv.DictWriter(text, titles, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
