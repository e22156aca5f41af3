"""Sentences that describe cards and their effect rows, in the English that cards are read in."""

from __future__ import annotations

from collections.abc import Iterator

from sim import Card, Effect
from sim.cards.notation import ALWAYS, Group
from sim.cards.phrase import Say, said
from sim.cards.text.group_phrases import (
    NO_NAMES,
    Names,
    condition_words,
    group_words,
    member_words,
    played_words,
)
from sim.cards.text.row_phrases import RowPhrases, keyword_words
from sim.cards.vocabulary import KIND_REMARKS, Kind, Selector, Side
from sim.errors import listed

_TURNS = {"you": "your turn", "your opponent": "your opponent's turn", "each player": "each turn"}
"""Phrases for the turns of players, by the phrase for the players as a subject."""

_WITHOUT_HEAD = ("spell", "power", "option")
"""Kinds of cards with sentences that do not say that the card is played."""

_PLAYED = (Selector.OWN_CARDS, Selector.ENEMY_CARDS, Selector.CARDS)


def row_words(effect: Effect, kind: str = "minion", names: Names = NO_NAMES) -> str:
    """Return a sentence for an effect row with a full stop: `Battlecry: draw a card.`.

    Args:
        effect: row to describe.
        kind: kind of the card with the row.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    event = event_words(effect, kind, names)
    clause = RowPhrases(effect, names).all()
    if effect.repeat > 1:
        clause += f", {effect.repeat} times"
    if condition := condition_words(effect.when, names):
        clause += f", {'while' if effect.event.about.holds else 'if'} {condition}"
    sentence = _with_event_wording(effect, f"{event} {clause}".strip())
    sentence = sentence.replace("this card", _this(kind))
    if kind == "secret":
        sentence = f"secret: {sentence}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def card_lines(card: Card, names: Names = NO_NAMES) -> list[str]:
    """Return sentences for all abilities, conditions and effects of a card, one per list item.

    Args:
        card: card to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    lines = list(_head_lines(card, names))
    if card.options:
        lines.append(f"Choose one: {listed([names.get(k, k) for k in card.options], 'or')}.")
    lines += _row_lines(card, names)
    if card.spell_damage:
        lines.append(f"Spell damage +{card.spell_damage}.")
    if card.overload:
        lines.append(f"Overload: ({card.overload}).")
    return lines


def _head_lines(card: Card, names: Names) -> Iterator[str]:
    """Yield the sentences that precede a card's effects: remarks, keywords, target, conditions."""
    if card.kind in KIND_REMARKS:
        yield f"({KIND_REMARKS[card.kind]})"
    if card.keywords:
        yield f"{listed([keyword_words(word) for word in card.keywords]).capitalize()}."
    if card.target is not None:
        when = condition_words(card.target_when, names)
        yield f"Choose {member_words(card.target, names)}{f', if {when}' if when else ''}."
    if card.needs != ALWAYS:
        yield f"Playable only if {condition_words(card.needs, names)}."


def _row_lines(card: Card, names: Names) -> Iterator[str]:
    """Yield the sentence of each row.

    A sentence without an event goes on with the event before it, so a spell's row after a row of
    another event says that it happens when the spell is played.
    """
    before = "play"
    for effect in card.effects:
        line = row_words(effect, card.kind, names)
        is_unclear = effect.on == "play" != before and card.kind in _WITHOUT_HEAD
        yield f"When played: {line[0].lower()}{line[1:]}" if is_unclear else line
        before = effect.on


def effects_in_words(card: Card, names: Names = NO_NAMES) -> str:
    """Return the sentences for all effect rows of a card, joined by spaces.

    Args:
        card: card with the rows.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return " ".join(_row_lines(card, names))


def action_words(effect: Effect, names: Names = NO_NAMES) -> str:
    """Return a row's action in words, without its event, condition and number of repetitions.

    For example, `deal 2 damage to the enemy hero`.

    Args:
        effect: row to describe.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    return _with_event_wording(effect, RowPhrases(effect, names).all())


def event_words(effect: Effect, kind: str, names: Names = NO_NAMES) -> str:
    """Return the clause for the event of a row, with its comma or colon; `""` for a played spell.

    Args:
        effect: row with the event.
        kind: kind of the card with the row.
        names: names of cards by id, for mentioned cards; a card without an entry is named by its
            id.
    """
    about = effect.event.about
    is_own_cost = effect.do == "cost" and effect.to.selector is Selector.SELF
    if effect.on == "aura" and effect.action.standing and not is_own_cost:
        return ""
    phrase = next(say for say in said(about.says) if _holds(say, effect, kind))
    subject = member_words(effect.of, names)
    # "A minion is played" is about any card of that kind, "on the board" about a group of minions.
    if effect.on == "card_played" and effect.of.selector <= Selector.CHARACTERS:
        subject += " on the board"
    played = played_words(effect.of, names)
    if about.leaves_out_itself and kind == "minion" and not subject.startswith("another "):
        subject, played = _any(subject), _any(played)
    return phrase.text.format(
        subject=subject,
        played=played,
        minion=played,
        spell=played_words(effect.of, names, "spell"),
        secret=played_words(effect.of, names, "secret").removeprefix("a "),
        turns=_turns(effect.of, names),
    )


def _turns(group: Group, names: Names) -> str:
    """Return a phrase for the turns of the players of a group, such as `your turn`."""
    turn = "" if group.is_filtered else _TURNS.get(group.selector.about.doer, "")
    return turn or f"the turn of {group_words(group, names, every=True)}"


def _holds(say: Say, effect: Effect, kind: str) -> bool:
    """Return whether a template can name the event of a row of a card of a kind."""
    if "kinds" in say.keys:
        return Kind[kind.upper()] in say.keys["kinds"]
    if "side" in say.keys:
        is_of_minions = "{minion}" in say.text
        selector = effect.of.selector
        fits = selector.about.one == "minion" if is_of_minions else selector in _PLAYED
        return fits and selector.side is Side(say.keys["side"])
    return True


def _any(phrase: str) -> str:
    """Return a phrase with `any` instead of an indefinite article."""
    article, _, rest = phrase.partition(" ")
    return f"any {rest}" if article in ("a", "an") else phrase


def _this(kind: str) -> str:
    """Return the phrase for the card that has a row, by its kind."""
    return f"this {kind}" if kind in ("minion", "weapon", "spell", "secret") else "this card"


def _with_event_wording(effect: Effect, sentence: str) -> str:
    """Return a sentence with general phrases replaced by phrases of the row's event.

    For example, on the event `attack` the subject is called `the attacker`.
    """
    for general, own in effect.event.about.wording.items():
        sentence = sentence.replace(general, own)
    return sentence
