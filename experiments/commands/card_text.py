"""Cards in plain words, made from their rows."""

from __future__ import annotations

from experiments.commands.effect_phrases import DEEDS, keyword_words, quantity_words
from experiments.commands.group_phrases import (
    GOING_ON,
    Names,
    condition_words,
    group_words,
    listed,
    member_words,
    picked_words,
)
from sim.cards.card import Card
from sim.cards.effect import Effect

_WHEN_PLAYED = {
    "spell": "",
    "power": "",
    "option": "",
    "weapon": "When it is equipped",
}  # a minion is played
_WHEN_DEAD = {"weapon": "When it breaks", "attachment": "When its minion dies"}
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
    "reveal": "Whenever {} comes to light",
    "lethal": "When {} would die, it takes no damage",
    "arrival": "After {} has been played",
}
_STANDING = {
    "aura": "While in play",
    "own_cost": "While in the hand",
    "game_start": "At the start of the game, from the deck",
}
_CARDS_OF = {"cast": "spell", "after_cast": "spell", "reveal": "secret"}
_SUBJECTS = {
    "turn_start": "that player",
    "turn_end": "that player",
    "card_played": "that card",
    "cast": "that spell",
    "after_cast": "that spell",
    "summon": "that minion",
    "after_summon": "that minion",
    "arrival": "that minion",
    "death": "that minion",
    "damage": "that character",
    "heal": "that character",
    "lethal": "that player",
    "attack": "the attacker",
    "reveal": "that secret",
}  # "whom it happened to" elsewhere
_ABOUT = {
    "secret": "Waits hidden; comes to light once, in the enemy's turn, "
    "if its first effect would do something.",
    "attachment": "Belongs to what it is attached to; own and enemy are seen from there.",
}


def row_words(effect: Effect, kind: str = "minion", names: Names | None = None) -> str:
    """An effect row as a sentence, such as `When played: draw a card`, with its full stop.

    Args:
        effect: the row.
        kind: what kind of card it is on.
        names: of the cards that it may mention; default their ids.
    """
    event = _event_words(effect, kind, names)
    deed = deed_words(effect, names)
    if effect.repeat > 1:
        deed += f", {effect.repeat} times"
    if condition := condition_words(effect.when, names):
        if effect.on in {"aura", "own_cost"}:
            condition = condition.replace("if ", "while ", 1)
        deed += f", {condition}"
    sentence = _pointed(effect, f"{event}: {deed}" if event else deed)
    if kind == "attachment":
        sentence = sentence.replace("this card", "its minion")
    if kind == "secret":
        sentence = sentence.replace("Whenever ", "When ", 1)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _pointed(effect: Effect, sentence: str) -> str:
    """A sentence that says of its event whom it happened to, and what is aimed."""
    if effect.on in _SUBJECTS:
        sentence = sentence.replace("whom it happened to", _SUBJECTS[effect.on])
    if effect.on == "attack":
        sentence = sentence.replace(GOING_ON, "the attack")
    if effect.on == "cast":
        sentence = sentence.replace(GOING_ON, "that spell")
    if effect.on == "game_start":
        sentence = sentence.replace("card left in", "card in")
    return sentence


def card_lines(card: Card, names: Names | None = None) -> list[str]:
    """What a card does beside its numbers, a line each.

    Args:
        card: the card.
        names: of the cards that it may mention; default their ids.
    """
    names = names or {}
    lines = [_ABOUT[card.kind]] if card.kind in _ABOUT else []
    if card.keywords:
        lines.append("Keywords: " + ", ".join(keyword_words(word) for word in card.keywords))
    if card.target:
        when = condition_words(card.target_when, names)
        may = "Chooses " if card.kind in {"spell", "power", "option"} else "Chooses, if it can, "
        lines.append(f"{may}{member_words(card.target, names)}{f', {when}' if when else ''}.")
    if card.needs != "always":
        lines.append(f"Can be played only {condition_words(card.needs, names)}.")
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


def _event_words(effect: Effect, kind: str, names: Names | None) -> str:
    if effect.on == "play":
        return _WHEN_PLAYED.get(kind, "When played")
    if effect.on == "deathrattle":
        return _WHEN_DEAD.get(kind, "When it dies")
    if effect.on in {"turn_start", "turn_end"}:
        turns = _TURNS.get(effect.of, f"each turn of {group_words(effect.of, names)}")
        return f"At the {'start' if effect.on == 'turn_start' else 'end'} of {turns}"
    if effect.on in _STANDING:
        return _STANDING[effect.on]
    whom = member_words(effect.of, names)
    return _EVENTS[effect.on].format(whom.replace("card", _CARDS_OF.get(effect.on, "card")))


def deed_words(effect: Effect, names: Names | None = None) -> str:
    """What a row does, without when and how often: `deal 2 damage to the enemy player`.

    Args:
        effect: the row.
        names: of the cards that it may mention; default their ids.
    """
    whom = picked_words(effect.to, effect.pick, effect.spare, names)
    if effect.do in DEEDS:
        words = DEEDS[effect.do](effect, whom, names or {})
    else:  # an action that a user's code has added
        words = f"{effect.do.replace('_', ' ')} {quantity_words(effect)}, {whom}"
    return _pointed(effect, words)
