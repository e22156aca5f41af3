"""What effect rows do in plain words, an action each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from experiments.commands.group_phrases import GOING_ON, Names, listed, measure_words
from sim.cards.effect import Effect
from sim.cards.notation import read_group
from sim.cards.vocabulary import Selector

_MOST_NAMES = 6  # more cards are only counted
_EVERYTHING = 1000  # no card costs more
_LASTING = {
    "always": "",
    "turn": " until the end of the turn",
    "until_own_turn": " until the next own turn",
    "next_turn": " through the whole next own turn",
}
_MEANINGS = {
    "sturdy_side": "damage leaves its minions 1 health",
    "doubling": "its spells and hero power damage and heal twice as much",
    "harmful_healing": "what its cards would heal they damage",
    "blunt": "against minions it loses 1 attack instead of durability",
}
_HERO_POWERS = {
    Selector.OWN_PLAYER: "the own hero power",
    Selector.ENEMY_PLAYER: "the enemy hero power",
    Selector.PLAYERS: "the hero power of all players",
}
_DECKS = (Selector.OWN_DECK, Selector.ENEMY_DECK)
_OUT_OF_PLAY = (*_DECKS, Selector.OWN_HAND, Selector.ENEMY_HAND, Selector.HANDS)
_SINGLES = (Selector.TARGET, Selector.SELF, Selector.SUBJECT, Selector.PREVIOUS, Selector.AIM)


def quantity_words(effect: Effect) -> str:
    """How much: `2`, `1 to 3`, `2 times the number of own minions`."""
    number = str(effect.amount) + ("" if effect.amount_to is None else f" to {effect.amount_to}")
    return _times(number, effect)


def _times(number: str, effect: Effect) -> str:
    if not effect.times:
        return number
    measure = measure_words(effect.times)
    return measure if number == "1" else f"{number} times {measure}"


def _how_much(effect: Effect, what: str) -> str:
    """How much of something: `2 damage`, `damage equal to the attack of the target`."""
    if effect.on in {"damage", "heal"} and effect.times == "event" and effect.amount == 1:
        return f"as much {what}"
    quantity = quantity_words(effect)
    return f"{what} equal to {quantity}" if effect.times else f"{quantity} {what}"


def _how_many(effect: Effect, one: str, many: str) -> str:
    """How many of something: `a card`, `2 cards`."""
    return f"a {one}" if quantity_words(effect) == "1" else _how_much(effect, many)


def _known(effect: Effect, names: Names) -> list[str]:
    return [names.get(card, card) for card in effect.cards]


def _cards(effect: Effect, names: Names) -> str:
    """How many of which cards: `2 copies of Oak`, `one of Oak, Elm and Ash`."""
    known = _known(effect, names)
    several = effect.amount != 1 or bool(effect.times)
    if len(known) > 1:
        shown = listed(known, "or") if len(known) <= _MOST_NAMES else f"{len(known)} cards"
        how = "that is not there yet" if effect.absent else "at random"
        what = f"one of {shown} {how}"
        return f"{quantity_words(effect)} times {what}" if several else what
    if effect.times:
        return f"copies of {known[0]}, as many as {quantity_words(effect)}"
    return f"{quantity_words(effect)} copies of {known[0]}" if several else known[0]


def _damage(effect: Effect, whom: str, _: Names) -> str:
    by = "; the target counts as the doer" if effect.by == "target" else ""
    return f"deal {_how_much(effect, 'damage')} to {whom}{by}"


def _draw(effect: Effect, whom: str, _: Names) -> str:
    if read_group(effect.to).selector in _DECKS:
        return f"draw {_taken(whom)}"
    cards = _how_many(effect, "card", "cards")
    return f"draw {cards}" if effect.to == "own_player" else f"{whom} draws {cards}"


def _summon(effect: Effect, whom: str, names: Names) -> str:
    what = _cards(effect, names) if effect.cards else _token(effect)
    return f"summon {what}" + ("" if effect.to == "own_player" else f" for {whom}")


def _token(effect: Effect) -> str:
    token = effect.token
    if token is None:
        raise ValueError("a summon without cards has a token")
    body = f"{token.attack}/{token.health}"
    having = [word.replace("_", " ") for word in token.keywords]
    return _how_many(effect, body, f"{body} bodies") + (f" with {listed(having)}" if having else "")


def _buff(effect: Effect, whom: str, _: Names) -> str:
    given = [f"{number:+d} {what}" for what, number in _numbers(effect)]
    times = f" (times {measure_words(effect.times)})" if effect.times else ""
    return f"give {whom} {listed(given)}{times}{_LASTING[effect.lasts]}"


def _set(effect: Effect, whom: str, _: Names) -> str:
    made = [f"{what} to {_times(str(number), effect)}" for what, number in _numbers(effect)]
    return f"change {whom}: {listed(made)}"


def _numbers(effect: Effect) -> list[tuple[str, int]]:
    weapons = (Selector.OWN_WEAPON, Selector.ENEMY_WEAPON)
    second = "durability" if read_group(effect.to).selector in weapons else "health"
    both = (("attack", effect.attack), (second, effect.health))
    return [(what, number) for what, number in both if number is not None]


def _grant(effect: Effect, whom: str, _: Names) -> str:
    return f"give {whom} {_keywords(effect)}{_LASTING[effect.lasts]}"


def _keywords(effect: Effect) -> str:
    return listed([keyword_words(word) for word in effect.keywords])


def keyword_words(word: str) -> str:
    """A keyword; of those that few know, what it means: `blunt (against minions ...)`."""
    meaning = _MEANINGS.get(word)
    return word.replace("_", " ") + (f" ({meaning})" if meaning else "")


def _armor(effect: Effect, whom: str, _: Names) -> str:
    deed = f"gain {_how_much(effect, 'armour')}"
    return deed if effect.to == "own_player" else f"{whom}: {deed}"


def _discard(effect: Effect, whom: str, _: Names) -> str:
    cards = _how_many(effect, "random card", "random cards")
    return f"discard {cards}" if effect.to == "own_player" else f"{whom} discards {cards}"


def _cost(effect: Effect, whom: str, _: Names) -> str:
    change = "more" if effect.amount > 0 else "less"
    floor = f", but at least {effect.at_least}" if effect.at_least else ""
    much = _times(str(abs(effect.amount)), effect)
    return f"make {_power_of(effect, whom)} cost {change} by {much}{floor}"


def _mana(effect: Effect, whom: str, _: Names) -> str:
    deed = f"gain {_how_much(effect, 'mana')} in this turn"
    return deed if effect.to == "own_player" else f"{whom}: {deed}"


def _crystals(effect: Effect, whom: str, _: Names) -> str:
    much = _times(str(abs(effect.amount)), effect)
    deed = f"{'gain' if effect.amount > 0 else 'lose'} mana crystals: {much}"
    return deed if effect.to == "own_player" else f"{whom}: {deed}"


def _choose(effect: Effect, _: str, __: Names) -> str:
    return f"of the top {quantity_words(effect)} cards of the deck draw one and discard the others"


def _give(effect: Effect, whom: str, names: Names) -> str:
    if effect.of_enemy_hero:
        cards = _how_many(effect, "random card", "random cards")
        return f"put {cards} of the enemy hero's class into the hand of {whom}"
    return f"put {_cards(effect, names)} into the hand of {whom}"


def _attach(effect: Effect, whom: str, names: Names) -> str:
    is_for_turn = read_group(effect.to).selector in _HERO_POWERS  # given to a player
    return f"attach {_cards(effect, names)} to {whom}{_LASTING['turn'] if is_for_turn else ''}"


def _copy(effect: Effect, whom: str, _: Names) -> str:
    return f"copy {_taken(whom)} into the {effect.receiver} hand"


def _clone(effect: Effect, whom: str, _: Names) -> str:
    """Exact of what is in play; the dead, and cards in hands and decks, come as printed."""
    is_one = read_group(effect.to).selector in _SINGLES or effect.pick == 1
    is_fresh = read_group(effect.to).selector in _OUT_OF_PLAY or (
        effect.on in {"death", "deathrattle"} and effect.to in {"self", "subject"}
    )
    copy = "copy" if is_fresh else "exact copy"
    how_many = f"{'a' if is_fresh else 'an'} {copy}" if is_one else f"{copy[:-1]}ies"
    return f"summon {how_many} of {_taken(whom)}"


def _taken(whom: str) -> str:
    """Cards of a hand or a deck, as what is taken from it."""
    return whom.replace(" in the ", " from the ", 1)


def _discount(effect: Effect, _: str, __: Names) -> str:
    """`the next own spell of this turn costs 3 less`."""
    side = {"own_player": "own ", "enemy_player": "enemy "}.get(effect.to, "")
    cards = f"{side}{effect.kind or 'spell'}"
    if effect.amount <= -_EVERYTHING:
        much = "nothing"
    else:
        change = "more" if effect.amount > 0 else "less"
        much = f"{_times(str(abs(effect.amount)), effect)} {change}"
    if effect.lasts == "next_turn":
        return f"all {cards}s cost {much} through the whole next {side}turn"
    return f"the next {cards} of this turn costs {much}"


def _power(effect: Effect, whom: str, names: Names) -> str:
    """The first power of the list, or what follows the present one there."""
    known = _known(effect, names)
    if len(known) > _MOST_NAMES:
        ways = f"the one that follows it among {len(known)} powers"
    else:
        steps = [f"from {one} to {other}" for one, other in pairwise(known)]
        ways = ", or ".join([known[0], *steps])
    return f"change {_power_of(effect, whom)} to {ways}"


def _power_of(effect: Effect, whom: str) -> str:
    """The hero power, where a row about costs or powers names a player."""
    return _HERO_POWERS.get(read_group(effect.to).selector, whom)


def _embody(effect: Effect, whom: str, _: Names) -> str:
    return f"replace {whom} by this card, with {quantity_words(effect)} life and no armour"


def _steal(effect: Effect, whom: str, _: Names) -> str:
    return f"take control of {whom}{_LASTING[effect.lasts]}"


def _voice(effect: Effect, whom: str, _: Names) -> str:
    return f"give {whom} +{quantity_words(effect)} spell damage"


DEEDS: dict[str, Callable[[Effect, str, Names], str]] = {
    "damage": _damage,
    "heal": lambda effect, whom, _: f"restore {_how_much(effect, 'health')} to {whom}",
    "draw": _draw,
    "summon": _summon,
    "buff": _buff,
    "grant": _grant,
    "destroy": lambda _, whom, __: f"destroy {whom}",
    "armor": _armor,
    "equip": lambda effect, _, names: f"equip {_cards(effect, names)}",
    "transform": lambda effect, whom, names: f"turn {whom} into {_cards(effect, names)}",
    "discard": _discard,
    "choose": _choose,
    "set": _set,
    "freeze": lambda _, whom, __: f"freeze {whom}",
    "return": lambda _, whom, __: f"return {whom} to the owner's hand",
    "cost": _cost,
    "silence": lambda _, whom, __: f"silence {whom}",
    "give": _give,
    "steal": _steal,
    "mana": _mana,
    "strip": lambda effect, whom, _: f"take {_keywords(effect)} from {whom}",
    "swap": lambda _, whom, __: f"swap attack and health of {whom}",
    "crystals": _crystals,
    "attach": _attach,
    "copy": _copy,
    "clone": _clone,
    "become": lambda _, whom, __: f"turn this card into an exact copy of {whom}",
    "discount": _discount,
    "power": _power,
    "exchange": lambda _, whom, __: f"swap this card with {whom}",
    "double": lambda _, whom, __: f"double the health of {whom}",
    "voice": _voice,
    "aim": lambda _, whom, __: f"aim {GOING_ON} instead at {whom}",
    "counter": lambda _, whom, __: f"counter {whom}",
    "wound": lambda effect, whom, _: f"leave {whom} with {quantity_words(effect)} health",
    "embody": _embody,
}
"""By action: the effect row, whom it acts on in words, and the names of cards."""
