"""Assembly of a card from the sentences of its text: targets, pronouns and conditions.

What a phrase means depends on where it stands. The conventions are those of published cards:

- "a minion" is chosen by the player when a card is played, and random otherwise.
- "it" is what was mentioned last, else what the event happened to.
- A verb without an object ("Deal 2 damage.") acts on a character that the player chooses.
- "instead" and "otherwise" ask about the time before the sentence that they replace.
- If a minion or weapon finds nothing to choose, nothing of its sentence happens.
- "Whenever a minion dies" on a minion is about other minions.
- A spell's sentence about a later event belongs to the spell's target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sim.cards.notation import (
    ALWAYS,
    NUMBER_HIGH,
    Bounds,
    Group,
    Reading,
    read_condition,
    read_group,
)
from sim.cards.reading.attachments import seen_from_enemy
from sim.cards.reading.conditions import both, is_about_target, negated, without_itself
from sim.cards.reading.context import PLAYED, TARGET, Context
from sim.cards.reading.created import created_keys
from sim.cards.reading.lexicon import Lexicon
from sim.cards.reading.meanings import Condition, How, Made, Quantity, Reference
from sim.cards.reading.row_keys import (
    Keys,
    acts_on_target,
    check_each,
    check_same_receivers,
    destroying_last,
    is_one,
    is_them,
    keep_the_dead,
    may_begin,
    spell_out,
)
from sim.cards.reading.sentences import (
    Ability,
    Chosen,
    Conditions,
    Marks,
    Occurrence,
    Options,
    Playable,
    Sentence,
    Standing,
)
from sim.cards.vocabulary import Event, Selector, Side, State
from sim.errors import InputError

_SELF = Group(Selector.SELF)
_COMBO = Condition(Quantity("cards_played"), 1, NUMBER_HIGH)
_A_TARGET = Bounds(Reading("count", TARGET), 1, NUMBER_HIGH)
_FRIENDLY_TARGET = Bounds(
    Reading("count", Group(Selector.TARGET, states=State.OWN)), 1, NUMBER_HIGH
)
_TO_HAND = ("give", "copy", "draw")
_TO_BOARD = ("summon", "clone", "equip", "become")
"""Actions that make, draw or move cards, which the text may mention afterwards."""

_BEARERS = {"minion": Selector.SELF, "weapon": Selector.OWN_WEAPON}
_AT_ONCE = ("play", "game_start", "own_cost")
_CHOSEN = ("to", "pick", "spare")
_REFERENCES = {
    "anyone": Reference(How.ANYONE),
    "bearer": Reference(How.BEARER),
    "it": Reference(How.IT),
}
"""References that templates of actions name by a word."""


@dataclass
class Assembly:
    """Card that is put together from the sentences of its text.

    Attributes:
        kind: kind of the card.
        lexicon: names of the cards that the text may mention.
        card_id: id of the card, which the ids of attached texts begin with.
        keys: keys of the card, as in `sim.cards.card.Card`, without its target and effects.
        rows: keys of the effect rows, in order.
        options: assemblies of the two options of a choice.
        attached: assemblies of the texts that rows attach to cards, by their ids.
        created: keys of the cards that the text creates and the pool does not have, by their ids.
    """

    kind: str
    lexicon: Lexicon
    card_id: str = "it"
    keys: Keys = field(default_factory=dict)
    rows: list[Keys] = field(default_factory=list)
    options: list[Assembly] = field(default_factory=list)
    attached: dict[str, Assembly] = field(default_factory=dict)
    created: dict[str, Keys] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._context = Context(self.kind)
        self._has_event = False
        self._last: list[Keys] = []  # rows of the sentence before
        self._read: Keys = {}  # keys of the clause before, as they were read
        # "Freeze a minion and the minions next to it": "them" means both groups.
        self._pair: list[Group] = []

    def add(self, item: object) -> None:
        """Add one sentence or ability.

        Raises:
            InputError: the sentence has no meaning on this card.
        """
        match item:
            case Marks():
                self._add_marks(item)
            case Chosen():
                self._context.choose(item.reference.group, is_inferred=False)
                if item.when:
                    self.keys["target_when"] = self._context.bounds(item.when)
            case Playable():
                self.keys["needs"] = self._context.bounds(item.when)
            case Options():
                self._add_options(item)
            case Standing():
                self._add_standing(item)
            case Ability(is_both=True):
                for on in ("play", "deathrattle"):
                    self._add_ability(replace(item, event=Occurrence(on)))
            case Ability():
                self._add_ability(item)

    def finish(self) -> None:
        """Add the target, and the conditions that follow from a target that a phrase implies."""
        if self._has_event and not self.rows:
            raise InputError("the text says when something happens, but not what")
        if self._context.target is None:
            return
        self.keys["target"] = self._context.target
        if not (self._context.is_inferred and self.kind in ("minion", "weapon")):
            return
        on_target = [row for row in self.rows if acts_on_target(row)]
        for row in self.rows:
            is_free = row["on"] == "play" and row not in on_target and "when" not in row
            if is_free and row["do"] != "attach":
                row["when"] = _A_TARGET
        conditions = {row.get("when", ALWAYS) for row in on_target}
        when = conditions.pop() if len(conditions) == 1 else ALWAYS
        if when != ALWAYS and not is_about_target(when):
            self.keys["target_when"] = without_itself(when)

    def _add_marks(self, marks: Marks) -> None:
        if marks.keywords:
            self.keys["keywords"] = (*self.keys.get("keywords", ()), *marks.keywords)
        for key, amount in (("spell_damage", marks.spell_damage), ("overload", marks.overload)):
            if amount and key in self.keys:
                raise InputError(f"the text says its {key.replace('_', ' ')} twice")
            if amount:
                self.keys[key] = amount

    def _add_options(self, options: Options) -> None:
        if options.names:
            self.keys["options"] = tuple(ids[0] for ids in options.names)
        for sentence in options.texts:
            number = len(self.options) + 1
            option = Assembly("option", self.lexicon, f"{self.card_id}_option{number}")
            # "Give a minion +4 attack; or +4 health" is about a minion in both options.
            if self.options and self.kind == "spell":
                option._context.shared_target = self.options[0].keys.get("target")
            # The options of a minion or weapon can mention it: "give it taunt".
            if self.kind in ("minion", "weapon"):
                option._context.mention(Group(_BEARERS[self.kind]))
            option.add(Ability(sentence))
            option.finish()
            self.options.append(option)

    def _add_standing(self, standing: Standing) -> None:
        event = self._context.event
        self._context.event = Occurrence(standing.on)
        when = self._context.bounds(standing.when)
        for row in standing.rows:
            self._add_row(dict(row), when)
        self._context.event = event

    def _add_ability(self, ability: Ability) -> None:
        has_event = ability.event is not None or ability.is_combo
        if self.kind in ("minion", "weapon") and not has_event and not self._has_event:
            raise InputError(
                "the text says what happens, but not when",
                remedy="begin with an event, such as Battlecry:, or make the card a spell",
            )
        self._has_event = self._has_event or has_event
        if ability.is_secret and self.kind != "secret":
            raise InputError(f"the text is that of a secret, but the card is a {self.kind}")
        sentence = ability.sentence
        # "Choose a minion." is read as `Chosen`; "Battlecry: choose a minion." begins an ability.
        if ability.event is None and _only_chooses(sentence):
            raise InputError("the text chooses a target, but does nothing with it")
        if ability.event is not None:
            if self.kind == "spell" and ability.event.on not in _AT_ONCE:
                self._attach_later(ability.event, sentence)
                return
            self._context.event = self._with_convention(ability.event)
            self._context.forget()
            self._last = []
            self._read = {}
        elif ability.is_combo and self.kind != "spell":
            self._context.event = PLAYED
        # "Combo: gain +1/+1 for each other card" gives nothing without a combo anyway.
        is_counted = any(
            dict(row).get("times") == _COMBO.quantity
            for clause in sentence.clauses
            for row in clause
        )
        combo = (_COMBO,) if ability.is_combo and not is_counted else ()
        self._add_sentence(sentence, (*ability.when, *sentence.when, *combo))

    def _with_convention(self, event: Occurrence) -> Occurrence:
        """Return an event for which "a minion" leaves out the minion that has the text."""
        about = Event[event.on.upper()].about
        is_general = about.leaves_out_itself and self.kind == "minion" and event.article == "a"
        if event.of is None or not is_general or event.of.selector.side is Side.ENEMY:
            return event
        return replace(event, of=replace(event.of, states=event.of.states | State.OTHER))

    def _add_sentence(self, sentence: Sentence, when: Conditions) -> None:
        condition = self._context.bounds(when)
        if self._context.event.when:
            condition = both(read_condition(self._context.event.when), condition)
        self._context.mention_condition(when)
        start = len(self.rows)
        replaced = self._last if sentence.mode else []
        if sentence.mode and not replaced:
            raise InputError(f"the text says {sentence.mode!r}, but has no sentence before it")
        if replaced:
            condition = self._without_both(sentence.mode, condition, replaced)
        for clause in sentence.clauses:
            before = len(self.rows)
            for row in clause:
                self._add_clause_row(dict(row), sentence.each, condition, replaced)
            if len(clause) > 1:
                check_same_receivers(self.rows[before:])
        added = destroying_last(self.rows[start:])
        del self.rows[start:]
        place = start
        if sentence.mode == "instead" and replaced and may_begin(replaced, condition):
            place = self.rows.index(replaced[0])
        self.rows[place:place] = added
        self._last = added

    def _add_clause_row(
        self, keys: Keys, each: Quantity | None, condition: Bounds, replaced: Sequence[Keys]
    ) -> None:
        """Add the rows of one row of a clause, which are two if it is about "them" both."""
        if keys["do"] == "again":
            if "to" not in self._read:
                raise InputError("the text goes on with 'and', but not with what it has begun")
            # "Deal 2 damage to a minion and your hero": all but the receivers is said once.
            keys = {**self._read, "to": keys["to"]}
            keys.pop("choose", None)
            self._add_row(dict(keys), condition)
            self._pair = [] if "pick" in self.rows[-1] else [row["to"] for row in self.rows[-2:]]
            return
        if self._pair and is_them(keys):
            for group in self._pair:
                self._add_row({**keys, "to": group}, condition)
            return
        self._read = dict(keys)
        if each is not None:
            keys["times"] = each
            check_each(keys)
        # "Otherwise, deal 2 damage" is about the target of the sentence before, if it had one.
        if keys.get("to") == "anyone" and replaced and acts_on_target(replaced[0]):
            chosen = {key: replaced[0][key] for key in _CHOSEN if key in replaced[0]}
            keys |= {"to": TARGET, **chosen}
        self._add_row(keys, condition)
        self._pair = []

    def _without_both(self, mode: str, condition: Bounds, replaced: Sequence[Keys]) -> Bounds:
        """Give a sentence and the one that it replaces opposite conditions; return the former."""
        if mode == "otherwise":
            return negated(replaced[0].get("when", ALWAYS))
        for row in replaced:
            row["when"] = both(row.get("when", ALWAYS), negated(condition))
        return condition

    def _add_row(self, keys: Keys, when: Bounds) -> None:
        context = self._context
        if "choose" in keys:
            context.receivers(keys.pop("choose"), keys)
        if keys["do"] == "choose_target":
            context.receivers(keys["to"], keys)
            return
        self._set_event(keys, when)
        # "deal its damage to all minions": the number is of what was mentioned before.
        if isinstance(keys.get("times"), Quantity):
            self._set_times(keys)
        to = keys.get("to")
        if isinstance(to, str):
            to = keys["to"] = _REFERENCES[to] if to in _REFERENCES else read_group(to)
        if isinstance(to, Reference):
            keys["to"] = context.receivers(to, keys)
        spell_out(keys)
        if "hand_of" in keys:
            context.check_owner(keys["to"], keys.pop("hand_of"))
        keep_the_dead(keys)
        self._set_cards(keys)
        self.rows.append(keys)
        if keys["do"] in (*_TO_HAND, *_TO_BOARD):
            context.mention_made(is_one=is_one(keys), is_in_hand=keys["do"] in _TO_HAND)

    def _set_event(self, keys: Keys, when: Bounds) -> None:
        """Set the event of a row and its condition, to which the row's phrase may add."""
        keys["on"] = self._context.event.on
        if self._context.event.of is not None:
            keys["of"] = self._context.event.of
        if "when" in keys:
            when = both(when, read_condition(keys.pop("when")))
        if when != ALWAYS:
            keys["when"] = when

    def _set_times(self, keys: Keys) -> None:
        """Replace a quantity by its measure; without an antecedent, "its" is the receiver's."""
        quantity = keys["times"]
        is_own = quantity.reference.how is How.IT and self._context.mentioned is None
        to = keys.get("to")
        if is_own and isinstance(to, Reference):
            keys["to"] = self._context.receivers(to, keys)
        keys["times"] = self._context.reading(quantity)

    def _set_cards(self, keys: Keys) -> None:
        """Set the ids of the cards that a row creates, attaches or replaces the power with."""
        if self.kind == "attachment" and "quoted" in keys:
            raise InputError("a text that a card gives cannot give a text itself")
        if "quoted" in keys:
            quoted = keys.pop("quoted")
            if not all(isinstance(item, Ability) for item in quoted):
                raise InputError("a text that a card gives must say when what happens")
            text = assembled(quoted, "attachment", self.lexicon, self.card_id)
            keys["cards"] = (self._attachment_id(text),)
        if "powers" in keys:
            powers = Made(names=keys.pop("powers"))
            keys |= created_keys(powers, keys["do"], self.lexicon, self.card_id)
        if isinstance(made := keys.pop("made", None), Made):
            keys |= created_keys(made, keys["do"], self.lexicon, self.card_id)
        if (card := keys.pop("token_card", None)) is not None:
            keys["cards"] = (self._created_id(card),)

    def _created_id(self, card: Keys) -> str:
        second = card.get("durability", card.get("health"))
        name = "_".join(re.findall(r"[a-z0-9]+", card["name"].lower()))
        card_id = f"{self.card_id}_{name}_{card['attack']}_{second}"
        if self.created.setdefault(card_id, card) != card:
            raise InputError(f"the text creates two different cards called {card['name']!r}")
        return card_id

    def _attachment_id(self, attachment: Assembly) -> str:
        number = len(self.attached) + 1
        card_id = f"{self.card_id}_text{number if number > 1 else ''}"
        self.attached[card_id] = attachment
        return card_id

    def _attach_later(self, event: Occurrence, sentence: Sentence) -> None:
        """Add rows that attach a sentence about a later event to the spell's target.

        In attached text, own and enemy are seen from the side of the card that has it. If the
        target may be on either side, there is a text for each of them.

        Raises:
            InputError: the spell has no target that could have the text.
        """
        target = self._context.target
        if target is None:
            raise InputError("the text is about a later event, but the spell has no target for it")
        is_of_target = event.is_of_it or event.on == "deathrattle"
        if not is_of_target and not _has_pronoun(sentence):
            raise InputError("the text is about a later event, but not about the spell's target")
        if event.is_of_it:
            is_death = event.on == "death"
            event = Occurrence("deathrattle") if is_death else replace(event, of=_SELF)
        text = Assembly("attachment", self.lexicon)
        text._context.event = event
        text._context.mention(_SELF)
        text._add_sentence(sentence, sentence.when)
        enemy = Assembly("attachment", self.lexicon, rows=seen_from_enemy(text.rows))
        match target.selector.side:
            case Side.OWN:
                self._add_attachment(text, ALWAYS)
            case Side.ENEMY:
                self._add_attachment(enemy, ALWAYS)
            case _:
                self._add_attachment(text, _FRIENDLY_TARGET)
                self._add_attachment(enemy, negated(_FRIENDLY_TARGET))

    def _add_attachment(self, text: Assembly, when: Bounds) -> None:
        row = {"on": "play", "do": "attach", "to": TARGET, "cards": (self._attachment_id(text),)}
        self.rows.append(row if when == ALWAYS else {**row, "when": when})


def _only_chooses(sentence: Sentence) -> bool:
    rows = (dict(row) for clause in sentence.clauses for row in clause)
    return all(row["do"] == "choose_target" for row in rows)


def _has_pronoun(sentence: Sentence) -> bool:
    """Return whether a sentence acts on something that it mentions by a pronoun."""
    receivers = (dict(row).get("to") for clause in sentence.clauses for row in clause)
    return any(
        to == "it" or (isinstance(to, Reference) and to.how in (How.IT, How.THAT))
        for to in receivers
    )


def assembled(
    items: Iterable[object], kind: str, lexicon: Lexicon, card_id: str = "it"
) -> Assembly:
    """Return the card of a text's sentences.

    Args:
        items: the sentences, as the grammar reads them.
        kind: kind of the card.
        lexicon: names of the cards that the text may mention.
        card_id: id of the card, which the ids of attached texts begin with.

    Raises:
        InputError: a sentence has no meaning on a card of this kind.
    """
    assembly = Assembly(kind, lexicon, card_id)
    for item in items:
        assembly.add(item)
    assembly.finish()
    return assembly
