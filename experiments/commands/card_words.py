"""Cards in plain words, made from their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from experiments.commands.group_words import (
    condition_words,
    group_words,
    listed,
    measure_words,
    member_words,
    picked_words,
)
from sim.card import Card
from sim.effect import Effect
from sim.notation import read_group
from sim.vocabulary import Selector

Names = Mapping[str, str]
"""Names of cards by id."""

_WHEN_PLAYED = {
    "spell": "",
    "power": "",
    "option": "",
    "weapon": "When it is equipped",
}  # a minion is played
_TURNS = {
    "own_player": "each own turn",
    "enemy_player": "each enemy turn",
    "players": "each turn",
}
_EVENTS = {
    "card_played": "Whenever {} is played",
    "cast": "Whenever {} is cast",
    "after_cast": "After {} has been cast",
    "summon": "Whenever {} arrives",
    "after_summon": "After {} has arrived",
    "death": "Whenever {} dies",
    "damage": "Whenever {} takes damage",
    "heal": "Whenever {} is healed",
    "attack": "Whenever {} attacks",
}
_MOST_NAMES = 6  # more cards are only counted
_LASTING = {
    "always": "",
    "turn": " until the end of the turn",
    "until_own_turn": " until the next own turn",
}


def row_words(effect: Effect, kind: str = "minion", names: Names | None = None) -> str:
    """An effect row as a sentence, such as `When played: draw a card`, with its full stop.

    Args:
        effect: the row.
        kind: what kind of card it is on.
        names: of the cards that it may mention; default their ids.
    """
    event = _event_words(effect, kind)
    deed = deed_words(effect, names)
    if effect.repeat > 1:
        deed += f", {effect.repeat} times"
    if condition := condition_words(effect.when):
        if effect.on in {"aura", "own_cost"}:
            condition = condition.replace("if ", "while ", 1)
        deed += f", {condition}"
    sentence = f"{event}: {deed}" if event else deed
    return f"{sentence[0].upper()}{sentence[1:]}."


def card_lines(card: Card, names: Names | None = None) -> list[str]:
    """What a card does beside its numbers, a line each.

    Args:
        card: the card.
        names: of the cards that it may mention; default their ids.
    """
    names = names or {}
    lines = []
    if card.keywords:
        lines.append("Keywords: " + ", ".join(word.replace("_", " ") for word in card.keywords))
    if card.target:
        when = condition_words(card.target_when)
        may = "Chooses " if card.kind in {"spell", "power", "option"} else "Chooses, if it can, "
        lines.append(f"{may}{member_words(card.target)}{f', {when}' if when else ''}.")
    if card.needs != "always":
        lines.append(f"Can be played only {condition_words(card.needs)}.")
    if card.options:
        lines.append(f"Choose one: {listed([names.get(one, one) for one in card.options], 'or')}.")
    lines += [row_words(effect, card.kind, names) for effect in card.effects]
    if card.spell_damage:
        lines.append(f"While in play, own spells deal {card.spell_damage} more damage.")
    if card.overload:
        lines.append(f"Locks {card.overload} mana in the next own turn.")
    return lines


def effects_in_words(card: Card, names: Names | None = None) -> str:
    """All rows of a card in one line."""
    return " ".join(row_words(effect, card.kind, names) for effect in card.effects)


def _event_words(effect: Effect, kind: str) -> str:
    if effect.on == "play":
        return _WHEN_PLAYED.get(kind, "When played")
    if effect.on == "deathrattle":
        return "When it breaks" if kind == "weapon" else "When it dies"
    if effect.on in {"turn_start", "turn_end"}:
        turns = _TURNS.get(effect.of, f"each turn of {group_words(effect.of)}")
        return f"At the {'start' if effect.on == 'turn_start' else 'end'} of {turns}"
    if effect.on in _EVENTS:
        whom = member_words(effect.of)
        return _EVENTS[effect.on].format(
            whom.replace("card", "spell") if "cast" in effect.on else whom
        )
    return "While in play" if effect.on == "aura" else "While in the hand"


def deed_words(effect: Effect, names: Names | None = None) -> str:
    """What a row does, without when and how often: `deal 2 damage to the enemy player`.

    Args:
        effect: the row.
        names: of the cards that it may mention; default their ids.
    """
    names = names or {}
    if effect.do in _DEEDS:
        return _DEEDS[effect.do](effect, _whom(effect), names)
    words = effect.do.replace("_", " ")  # an action that a user's code has added
    return f"{words} {_quantity(effect)}, {_whom(effect)}"


def _whom(effect: Effect) -> str:
    return picked_words(effect.to, effect.pick, effect.spare)


def _quantity(effect: Effect) -> str:
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
    quantity = _quantity(effect)
    return f"{what} equal to {quantity}" if effect.times else f"{quantity} {what}"


def _how_many(effect: Effect, one: str, many: str) -> str:
    """How many of something: `a card`, `2 cards`."""
    return f"a {one}" if _quantity(effect) == "1" else _how_much(effect, many)


def _cards(effect: Effect, names: Names) -> str:
    """How many of which cards: `2 copies of Oak`, `one of Oak, Elm and Ash`."""
    known = [names.get(card, card) for card in effect.cards]
    several = effect.amount != 1 or bool(effect.times)
    if len(known) > 1:
        shown = listed(known, "or") if len(known) <= _MOST_NAMES else f"{len(known)} cards"
        how = "that is not there yet" if effect.absent else "at random"
        what = f"one of {shown} {how}"
        return f"{_quantity(effect)} times {what}" if several else what
    if effect.times:
        return f"copies of {known[0]}, as many as {_quantity(effect)}"
    return f"{_quantity(effect)} copies of {known[0]}" if several else known[0]


def _damage(effect: Effect, whom: str, _: Names) -> str:
    by = "; the target counts as the doer" if effect.by == "target" else ""
    return f"deal {_how_much(effect, 'damage')} to {whom}{by}"


def _draw(effect: Effect, whom: str, _: Names) -> str:
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
    return listed([word.replace("_", " ") for word in effect.keywords])


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
    return f"make {whom} cost {change} by {much}{floor}"


def _mana(effect: Effect, whom: str, _: Names) -> str:
    deed = f"gain {_how_much(effect, 'mana')} in this turn"
    return deed if effect.to == "own_player" else f"{whom}: {deed}"


def _crystals(effect: Effect, whom: str, _: Names) -> str:
    much = _times(str(abs(effect.amount)), effect)
    deed = f"{'gain' if effect.amount > 0 else 'lose'} mana crystals: {much}"
    return deed if effect.to == "own_player" else f"{whom}: {deed}"


def _choose(effect: Effect, _: str, __: Names) -> str:
    return f"of the top {_quantity(effect)} cards of the deck draw one and discard the others"


def _give(effect: Effect, whom: str, names: Names) -> str:
    return f"put {_cards(effect, names)} into the hand of {whom}"


_DEEDS: dict[str, Callable[[Effect, str, Names], str]] = {
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
    "steal": lambda _, whom, __: f"take control of {whom}",
    "mana": _mana,
    "strip": lambda effect, whom, _: f"take {_keywords(effect)} from {whom}",
    "swap": lambda _, whom, __: f"swap attack and health of {whom}",
    "crystals": _crystals,
}
