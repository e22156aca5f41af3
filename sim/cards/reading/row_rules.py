"""Rules that read the parts of actions' phrases (`RowPhrases` prints the same parts)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from sim.cards.notation import Group
from sim.cards.reading.matcher import Values
from sim.cards.reading.meanings import How, Made, Reference
from sim.cards.vocabulary import GOING_ON, Selector

Phrases = tuple[tuple[str, dict[str, Any]], ...]

_OWN = Reference(How.ALL, Group(Selector.OWN_PLAYER))
_ENEMY = Reference(How.ALL, Group(Selector.ENEMY_PLAYER))
_PLAYERS = Reference(How.ALL, Group(Selector.PLAYERS))

_THIS_TURN = "<this turn|this turn only|until [the] end of [the|your] turn>"

PARTS: dict[str, Phrases] = {
    "receivers": (("{reference as to}", {}),),
    "amount": (
        ("{number as amount}", {}),
        ("{number as amount} <to|-> {number as amount_to}", {}),
    ),
    "gain": (
        ("{number as amount}", {}),
        ("{number as amount} to {number as amount_to}", {}),
    ),
    "loss": (("{number as less}", {}), ("{number as less} to {number as amount_to}", {})),
    "doers": (
        ("you", {"to": _OWN}),
        ("your opponent", {"to": _ENEMY}),
        ("<each player|both players>", {"to": _PLAYERS}),
        ("{reference as to}", {}),
    ),
    "for_player": (("", {}), ("for {doers}", {})),
    "hand": (
        ("your hand", {"to": _OWN}),
        ("your opponent's hand", {"to": _ENEMY}),
        ("each player's hand", {"to": _PLAYERS}),
        ("the hand of {reference as to}", {}),
    ),
    "own_hand": (
        ("your hand", {"receiver": "own"}),
        ("your opponent's hand", {"receiver": "enemy"}),
    ),
    "power": (
        ("your [starting] hero power", {"to": _OWN}),
        ("your opponent's hero power", {"to": _ENEMY}),
        ("each player's hero power", {"to": _PLAYERS}),
        ("the hero power of {reference as to}", {}),
        ("{reference as to}", {}),
    ),
    # In a standing sentence, "your minions cost (1) less" is about the minions in the hand.
    "priced": (("{power}", {}), ("{in_hand as to}", {})),
    "have": (("<has|have>", {}),),
    "cost": (("<cost|costs>", {}),),
    "cards": (("{made as made}", {}),),
    "keywords": (("{keyword_list as keywords}", {}),),
    "second": (("<health|durability>", {}),),
    "attack": (("{integer as attack}", {}), ("{measure as times}", {"attack": 1})),
    "health": (("{integer as health}", {}), ("{measure as times}", {"health": 1})),
    "bonus": (
        ("{signed as attack} attack", {}),
        ("{signed as health} <health|durability>", {}),
        ("{signed as attack} / {signed as health}", {}),
    ),
    "powers": (("{name_list as powers}", {}), ("the next of {name_list as powers}", {})),
    "turn_of_player": (("", {}), ("this turn", {}), ("until the end of [the|your] turn", {})),
    "lasting": (
        ("", {}),
        (
            _THIS_TURN,
            {"lasts": "turn"},
        ),
        ("for <this turn|the turn|the rest of the turn>", {"lasts": "turn"}),
        ("until your next turn", {"lasts": "until_own_turn"}),
        ("next turn", {"lasts": "next_turn"}),
    ),
    # "Until end of turn" also lets a borrowed minion attack, see `sentence_rules`.
    "loan": (("", {}), ("this turn", {"lasts": "turn"})),
    "until": (
        (
            _THIS_TURN,
            {"lasts": "turn"},
        ),
        ("until your next turn", {"lasts": "until_own_turn"}),
    ),
    "going_on": ((GOING_ON, {}), ("<that|the> <attack|spell>", {})),
    "next_card": (
        ("{kind_word} you <cast|play>", {"to": _OWN}),
        ("{kind_word} your opponent <casts|plays>", {"to": _ENEMY}),
        ("{kind_word} each player <casts|plays>", {"to": _PLAYERS}),
        ("{kind_word} {reference as to} <casts|plays>", {}),
    ),
    "all_cards": (
        ("your {kind_word}", {"to": _OWN}),
        ("<your opponent's|enemy> {kind_word}", {"to": _ENEMY}),
        ("each player's {kind_word}", {"to": _PLAYERS}),
        ("the {kind_word} of {reference as to}", {}),
    ),
    "kind_word": (
        ("<spell|spells>", {"kind": "spell"}),
        ("<secret|secrets>", {"kind": "secret"}),
        ("<card|cards>", {"kind": ""}),
    ),
}
"""Templates of each part, with the keys of the row that they set."""

WITH_ARGUMENT: dict[str, Phrases] = {
    "amount": (
        ("{{number as amount}} {0}", {}),
        ("{{number as amount}} <to|-> {{number as amount_to}} {0}", {}),
        ("{0} equal to {{measure as times}}", {}),
        ("{0} equal to {{number as amount}} times {{measure as times}}", {}),
        (
            "{0} equal to {{number as amount}} to {{number as amount_to}} times "
            "{{measure as times}}",
            {},
        ),
    ),
    "count": (
        ("<a|an|one> {0}", {"amount": 1}),
        ("{{number as amount}} <{0}|{0}s>", {}),
        ("{{number as amount}} to {{number as amount_to}} {0}s", {}),
    ),
    "does": (("{0}", {}), ("{{doers}} <{0}|{0}s>", {})),
    "possessive": (
        ("{{reference as to}} <'s|'> {0}", {}),
        ("<its|their> {0}", {"to": Reference(How.IT)}),
    ),
    "owned": (
        ("{{reference as to}} <'s|'> {0}", {}),
        ("the {0} of {{reference as to}}", {}),
        ("<its|their> {0}", {"to": Reference(How.IT)}),
    ),
}
"""Templates of parts with an argument, which stands for `{0}`."""

MADE: Phrases = (
    ("{name as name}", {}),
    ("{few as amount} [copies of|copy of] {name as name}", {}),
    ("{few as amount} '{name as name}' [spell|card|minion|weapon]", {}),
    ("{number as amount} to {number as amount_to} copies of {name as name}", {}),
    ("{few as amount} {body as body} {made_noun}", {}),
    ("{few as amount} {body as body}", {}),
    ("{body as body} {made_noun}", {}),
    ("{number as amount} to {number as amount_to} {body as body} {made_noun}", {}),
    ("one of {name_list as alternatives} at random", {}),
    ("one of {name_list as alternatives} that is not in play yet", {"absent": True}),
    ("{number as amount} times one of {name_list as alternatives} at random", {}),
    (
        "{number as amount} times one of {name_list as alternatives} that is not in play yet",
        {"absent": True},
    ),
    (
        "{number as amount} to {number as amount_to} times "
        "one of {name_list as alternatives} at random",
        {},
    ),
    (
        "{few as amount} random <card|cards> <of|from> your opponent's class",
        {"is_random": True, "enemy": True},
    ),
    (
        "{few as amount} random <card|cards> of your opponent's class among {name_list as among}",
        {"is_random": True, "enemy": True},
    ),
    (
        "{number as amount} to {number as amount_to} random cards of your opponent's class",
        {"is_random": True, "enemy": True},
    ),
    ("{few as amount} random {random_card}", {"is_random": True}),
)
"""Phrases of cards that a row creates."""

_BODY_NOUN = (
    "<minion|minions|body|bodies|unit|units|weapon|weapons|creature|creatures|token|tokens>"
)

MADE_NOUN: Phrases = (
    (_BODY_NOUN, {}),
    (f"{_BODY_NOUN} with {{keyword_list as with}}", {}),
    ("{name as name}", {}),
    ("{name as name} with {keyword_list as with}", {}),
    ("with {keyword_list as with}", {}),
    ("{nameless_tribe as of_tribe} [minion|minions]", {}),
    ("{nameless_tribe as of_tribe} [minion|minions] with {keyword_list as with}", {}),
    ("{title as title}", {}),
    ("{title as title} with {keyword_list as with}", {}),
)

RANDOM_CARD: Phrases = (
    ("<card|cards>", {}),
    ("<minion|minions>", {"kind": "minion"}),
    ("<spell|spells>", {"kind": "spell"}),
    ("<weapon|weapons>", {"kind": "weapon"}),
    ("<secret|secrets>", {"kind": "secret"}),
    ("{tribe as tribe} [card|cards]", {}),
    ("{hero as hero} {random_card}", {}),
    ("{number as cost} -cost {random_card}", {}),
    ("{number as cost}-cost {random_card}", {}),
    ("{keyword as keyword} {random_card}", {}),
)


_RANDOM_KEYS = ("kind", "tribe", "hero", "cost", "keyword", "enemy", "among")
"""Properties of a random card."""


def build_made(values: Values) -> Iterable[Hashable]:
    """Yield the meaning of a phrase of created cards."""
    filters = {key: values[key] for key in _RANDOM_KEYS if key in values}
    names = tuple(values.get("alternatives", ())) or ((values["name"],) if "name" in values else ())
    yield Made(
        values.get("amount", 1),
        values.get("amount_to", 0),
        names,
        values.get("body"),
        tuple(values.get("with", ())),
        is_random=values.get("is_random", False),
        filters=tuple(sorted(filters.items())),
        absent=values.get("absent", False),
        tribe=values.get("of_tribe", ""),
        title=values.get("title", ""),
    )
