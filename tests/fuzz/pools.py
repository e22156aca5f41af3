"""Random cases: a random pool among fixed companions, a random ruleset, two decks and pilots."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import tomlkit

from sim.cards.notation import words
from sim.cards.vocabulary import PLAYABLE, Kind
from sim.ruleset import Ruleset, load_ruleset
from sim.seeds import number_of, stream_seed
from tests.fuzz.cards import Data, fits, random_card
from tests.fuzz.makers import HERO, TRIBE, Scope, maker_of

_KINDS_OF_CARDS = ("minion",) * 5 + ("spell",) * 3 + ("weapon", "secret")
_KINDS_OF_TOKENS = (*words(Kind), "minion", "power", "attachment", "option", "option")
_COPIES = (2, 3, 4)
_N_COMPANIONS = 8  # number of companions in a deck
_AGENTS = ("greedy",) * 8 + ("control",) * 4 + ("aggro",) * 4 + ("rollout:2",)
_WIDE = (0, 1000)
RULES: Data = load_ruleset("legacy").model_dump() | {
    "name": "fuzz",
    "deck_limit": 60,
    "copy_limit": 60,
    "turn_cap": 30,
    "limits": {"cost": _WIDE, "attack": _WIDE, "health": (1, 1000)},
}
_KEPT = ("name", "limits", "opening_hand", "deck_limit", "copy_limit")  # the decks require these
_TURN_CAPS = (3, 12, 20, 30, 30, 30, 60)


@dataclass(frozen=True)
class Case:
    """A pool, a ruleset, decks and pilots, as files would hold them.

    Attributes:
        pool: the keys of a pool file.
        ruleset: the keys of a ruleset file.
        decks: ids of the cards of each deck.
        agent: name of the agent that plays in addition to random and greedy.
        seed: seed of the games.
    """

    pool: Data
    ruleset: Data
    decks: list[list[str]]
    agent: str
    seed: int

    def as_toml(self) -> str:
        """Return the pool file, with the other parts of the case as comments."""
        changes = {key: value for key, value in self.ruleset.items() if RULES.get(key) != value}
        comments = [f"# rules: {changes}", *(f"# deck: {' '.join(deck)}" for deck in self.decks)]
        comments.append(f"# agents: random, greedy, {self.agent}; seed {self.seed}")
        return "\n".join([tomlkit.dumps(self.pool), *comments])


def _body(card_id: str, cost: int, attack: int, health: int, **more: Any) -> Data:
    numbers = {"cost": cost, "attack": attack, "health": health, "tribe": TRIBE}
    return {"id": card_id, "name": card_id.title(), "kind": "minion", **numbers, **more}


def _other(card_id: str, kind: str, cost: int, *effects: Data, **more: Any) -> Data:
    return {
        "id": card_id, "name": card_id.title(), "kind": kind, "cost": cost,
        **more, "effects": list(effects),
    }  # fmt: skip


_TWO = {"attack": 2, "health": 2}
_COMPANIONS = [
    _body("whelp", 1, 2, 1),
    _body("runner", 1, 1, 1, keywords=["haste"]),
    _body("wall", 1, 1, 4, keywords=["taunt"]),
    _body("egg", 1, 0, 2, effects=[{"on": "deathrattle", "do": "summon", "token": _TWO}]),
    _body("banner", 2, 1, 2, effects=[
        {"on": "aura", "do": "buff", "to": "own_minions(other)", "attack": 1}
    ]),
    _other("storm", "spell", 1, {"on": "play", "do": "damage", "to": "minions", "amount": 1}),
    _other("bolt", "spell", 1, {"on": "play", "do": "damage", "to": "target", "amount": 3},
           target="characters"),
    _other("gift", "spell", 1, {"on": "play", "do": "buff", "to": "own_minions", **_TWO}),
    _other("study", "spell", 1, {"on": "play", "do": "draw", "amount": 2}),
    _other("dagger", "weapon", 1, attack=2, durability=2),
    _other("snare", "secret", 1, {"on": "attack", "of": "enemy_characters", "do": "damage",
                                  "to": "subject", "amount": 2}),
]  # fmt: skip
_TOKENS = [
    _other("focus", "power", 1, {"on": "play", "do": "damage", "amount": 1}, hero=HERO),
    _other("curse", "attachment", 0, {"on": "turn_end", "do": "damage", "amount": 1}),
]
_KNOWN = {
    card["id"]: card["kind"]
    for card in (*_COMPANIONS, *_TOKENS)
    if card["id"] in ("whelp", "egg", "bolt", "dagger", "focus", "curse")
}
"""Kinds of the companions that random cards may name, by id."""


def random_case(seed: int, index: int) -> Case:
    """Return the case at `index` of the run `seed`, independently of all others."""
    rng = Random(number_of(stream_seed(seed, "fuzz"), index))
    kinds = {f"card_{k}": rng.choice(_KINDS_OF_CARDS) for k in range(rng.choice((1, 1, 2, 2, 3)))}
    n_tokens = rng.choice((0, 0, 1, 1, 2, 3, 4))
    kinds |= {f"token_{k}": rng.choice(_KINDS_OF_TOKENS) for k in range(n_tokens)}
    scope = Scope(kinds | _KNOWN)
    drawn = {card_id: random_card(rng, scope, card_id, kind) for card_id, kind in kinds.items()}
    cards = [drawn[card_id] for card_id in drawn if card_id.startswith("card")]
    tokens = [drawn[card_id] for card_id in drawn if card_id.startswith("token")]
    powers = [token["id"] for token in (*tokens, *_TOKENS) if token["kind"] == "power"]
    coins = [card_id for card_id, kind in scope.kinds.items() if kind in PLAYABLE]
    pool = {
        "name": "fuzz",
        "coin": rng.choice(coins),
        "card": [*cards, *_COMPANIONS],
        "token": [*tokens, *_TOKENS],
        "hero": [{"id": HERO, "name": "Ember", "power": powers[0]}],
    }
    decks = [_deck(rng, cards), _deck(rng, cards)]
    return Case(pool, _ruleset(rng), decks, rng.choice(_AGENTS), rng.randrange(2**32))


def companions_case() -> Case:
    """Return a case of the companions alone."""
    hero = {"id": HERO, "name": "Ember", "power": "focus"}
    pool = {"name": "companions", "card": _COMPANIONS, "token": _TOKENS, "hero": [hero]}
    deck = [card["id"] for card in _COMPANIONS]
    return Case(pool, RULES, [deck, deck], "rollout:2", 1)


def _deck(rng: Random, cards: list[Data]) -> list[str]:
    own = [card["id"] for card in cards for _ in range(rng.choice(_COPIES))]
    return own + [card["id"] for card in rng.sample(_COMPANIONS, _N_COMPANIONS)]


def _ruleset(rng: Random) -> Data:
    """Return a ruleset with some keys drawn at random."""
    rules = {**RULES, "turn_cap": rng.choice(_TURN_CAPS)}
    keys = [key for key in Ruleset.model_fields if key not in (*_KEPT, "turn_cap")]
    for key in rng.sample(keys, rng.choice((0, 0, 1, 2, 4, 8))):
        tried = {**rules, key: maker_of(Ruleset, key)(rng, Scope({}))}
        rules = tried if fits(Ruleset, tried) else rules
    return rules
