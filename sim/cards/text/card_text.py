"""Sentences that describe cards and their effect rows."""

from __future__ import annotations

from sim import Card, Effect
from sim.cards.notation import ALWAYS
from sim.cards.text.group_phrases import (
    NO_NAMES,
    Names,
    condition_words,
    group_words,
    member_words,
)
from sim.cards.text.row_phrases import RowPhrases, keyword_words
from sim.errors import listed

# Cards of other kinds, such as minions, have the default phrase "When played".
_WHEN_PLAYED = {
    "spell": "",
    "power": "",
    "option": "",
    "weapon": "When it is equipped",
}
_WHEN_DEAD = {"weapon": "When it breaks", "attachment": "When its minion dies"}
_TURNS = {
    "own_player": "each own turn",
    "enemy_player": "each enemy turn",
    "players": "each turn",
}
_ABOUT = {
    "secret": "Stays hidden; is revealed once, in the enemy's turn, "
    "if its first effect would do something.",
    "attachment": "Belongs to what it is attached to; own and enemy are seen from there.",
}


def row_words(effect: Effect, kind: str = "minion", names: Names = NO_NAMES) -> str:
    """Return a sentence with a full stop for an effect row, such as `When played: draw a card`.

    Args:
        effect: row to describe.
        kind: kind of the card with the row.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    event = _event_words(effect, kind, names)
    clause = action_words(effect, names)
    if effect.repeat > 1:
        clause += f", {effect.repeat} times"
    if condition := condition_words(effect.when, names):
        if effect.event.about.holds:
            condition = condition.replace("if ", "while ", 1)
        clause += f", {condition}"
    sentence = _with_event_wording(effect, f"{event}: {clause}" if event else clause)
    if kind == "attachment":
        sentence = sentence.replace("this card", "its minion")
    if kind == "secret":  # a secret is revealed only once
        sentence = sentence.replace("Whenever ", "When ", 1)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _with_event_wording(effect: Effect, sentence: str) -> str:
    """Return a sentence with general phrases replaced by phrases of the row's event.

    For example, on the event `attack` the subject is called `the attacker`.
    """
    for general, own in effect.event.about.wording.items():
        sentence = sentence.replace(general, own)
    return sentence


def card_lines(card: Card, names: Names = NO_NAMES) -> list[str]:
    """Return sentences for all abilities, conditions and effects of a card, one per list item.

    Args:
        card: card to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    lines = [_ABOUT[card.kind]] if card.kind in _ABOUT else []
    if card.keywords:
        lines.append("Keywords: " + ", ".join(keyword_words(word) for word in card.keywords))
    if card.target is not None:
        when = condition_words(card.target_when, names)
        may = "Chooses " if card.kind in {"spell", "power", "option"} else "Chooses, if it can, "
        lines.append(f"{may}{member_words(card.target, names)}{f', {when}' if when else ''}.")
    if card.needs != ALWAYS:
        lines.append(f"Can be played only {condition_words(card.needs, names)}.")
    if card.options:
        lines.append(f"Choose one: {listed([names.get(k, k) for k in card.options], 'or')}.")
    lines += [row_words(effect, card.kind, names) for effect in card.effects]
    if card.spell_damage:
        lines.append(f"While in play, own spells deal {card.spell_damage} more damage.")
    if card.overload:
        lines.append(f"Locks {card.overload} mana in the next own turn.")
    return lines


def effects_in_words(card: Card, names: Names = NO_NAMES) -> str:
    """Return the sentences for all effect rows of a card, joined by spaces.

    Args:
        card: card with the rows.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return " ".join(row_words(effect, card.kind, names) for effect in card.effects)


def _event_words(effect: Effect, kind: str, names: Names) -> str:
    subject = member_words(effect.of, names)
    return effect.event.about.phrase.format(
        subject=subject,
        spell=subject.replace("card", "spell"),
        secret=subject.replace("card", "secret"),
        turns=_TURNS.get(str(effect.of), f"each turn of {group_words(effect.of, names)}"),
        played=_WHEN_PLAYED.get(kind, "When played"),
        dies=_WHEN_DEAD.get(kind, "When it dies"),
    )


def action_words(effect: Effect, names: Names = NO_NAMES) -> str:
    """Return a row's action in words, without its event, condition and number of repetitions.

    For example, `deal 2 damage to the enemy player`.

    Args:
        effect: row to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return _with_event_wording(effect, RowPhrases(effect, names).all())
