"""Edits of cards in the notation of users: `whelp.attack=1`, `captain.cost+1`, `rules.life=25`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from balance import CardContest
from balance.contest.scale import WHOLE, Scale
from balance.contest.whatif import Edits
from experiments.files.option_errors import option_place
from sim import InputError
from sim.cards.names import card_names, fields_of_card, rule_names
from sim.errors import listed
from sim.names import packed
from sim.play.table import OF_RULES, Gene

# OWNER.FIELD=3, OWNER.FIELD+1 or OWNER.FIELD+=1. The owner may be a name with spaces.
_WRITTEN = re.compile(
    r"(?:(?P<owner>.+?)\.)?(?P<field>[^.=+-]+?)\s*(?P<operator>[=+-])=?\s*(?P<amount>-?\d+)"
)
_RULES = "rules"
_EXAMPLE = "write edits as CARD.FIELD=3, CARD.FIELD+1 or rules.life=25"


class Number(NamedTuple):
    """Number that users may edit.

    Attributes:
        gene: owner and field of the number.
        label: name of the number for messages, such as `deckhand.attack`.
        today: position of the current value on the scale; for numbers of cards, the value itself.
        least: minimum permitted position.
        most: maximum permitted position.
        scale: values of the positions.
    """

    gene: Gene
    label: str
    today: int
    least: int
    most: int
    scale: Scale = WHOLE


def read_edits(written: Iterable[str], contest: CardContest) -> Edits:
    """Return edits as differences from the current numbers.

    Args:
        written: texts of the edits, such as `deckhand.attack=1`.
        contest: contest with the cards and the rules.

    Raises:
        InputError: an edit cannot be read, has an unknown card or field, changes nothing, exceeds
            the limits of its number, repeats a number, or affects a card that no deck plays.
    """
    edits = dict[Gene, int]()
    for text in written:
        with option_place(f"edit {text!r}", is_word=True):
            owner, field, operator, amount = _parts(text)
            number = _of_rules(contest, field) if owner is None else _of_card(contest, owner, field)
            change = amount if operator == "+" else -amount
            value = amount if operator == "=" else number.today + change
            if number.gene in edits:
                raise InputError(
                    f"{number.label} is edited twice", value=number.label, remedy="edit it once"
                )
            if value == number.today:
                raise InputError(
                    f"{number.label} is already {value}",
                    value=value,
                    remedy="write another value, or leave the edit out",
                )
            if not number.least <= value <= number.most:
                raise InputError(
                    f"{number.label} = {value} must be from {number.least} to {number.most}",
                    value=value,
                    limit=(number.least, number.most),
                )
            # Limits of rules depend on each other, so the ruleset itself checks the new value.
            if number.gene.owner == OF_RULES:
                contest.table.ruleset.with_numbers({number.gene.field: value})
            edits[number.gene] = value - number.today
            if not contest.reach([number.gene]).any():
                raise InputError(
                    f"no deck of {listed(contest.player_names)} contains {owner!r}",
                    value=owner,
                    remedy="edit a card of these decks",
                )
    return edits


def _parts(text: str) -> tuple[str | None, str, str, int]:
    """Return the parts of an edit: card, field, operator (`=`, `+` or `-`) and number.

    The card is `None` if the edit is of a number of the rules.

    Raises:
        InputError: the edit cannot be read.
    """
    parts = _WRITTEN.fullmatch(text.strip())
    # Nine digits fit every integer type; numbers of a game are far smaller.
    if parts is None or len(parts["amount"]) > 9:
        raise InputError(_why_unread(text), value=text, remedy=_EXAMPLE)
    owner = parts["owner"]
    field = parts["field"].strip()
    if owner is None and rule_names().get(field) is None:
        raise InputError("does not name a card", value=text, remedy=_EXAMPLE)
    is_of_rules = owner is None or packed(owner) in (_RULES, f"tune{_RULES}")
    return None if is_of_rules else owner.strip(), field, parts["operator"], int(parts["amount"])


def _why_unread(text: str) -> str:
    """Return a description of the problem of an edit that cannot be read."""
    value = text.rpartition("=")[2].strip()  # the whole text if it has no equals sign
    if re.search(r"\d[.,]\d|[*/%]", value):
        return "an edit can only set, add or subtract a whole number"
    if "=" in text and not re.search(r"\d", value):
        return "an edit can only change a number; change words in the sheet or the pool file"
    if _WRITTEN.fullmatch(text.strip()):
        return "the number has more than nine digits"
    return "does not have the form of an edit"


def _of_card(contest: CardContest, name: str, field: str) -> Number:
    """Return a number of a card, with the limits of the card and of the ruleset.

    Args:
        contest: contest with the cards and the rules.
        name: id or name of the card.
        field: name of the field.

    Raises:
        InputError: the card or the field does not exist.
    """
    position = _position(contest, name)
    card = contest.table.pool.cards[position]
    field = fields_of_card(card).find(field)
    bounds = (card.possible(field), contest.table.ruleset.limits.of(field))
    least = max(low for low, _ in bounds)
    most = min(high for _, high in bounds)
    gene = Gene(position, field)
    return Number(gene, f"{card.id}.{field}", card.number(field), least, most)


def _position(contest: CardContest, name: str) -> int:
    """Return the position in the pool of the card with an id or name.

    Raises:
        InputError: no card has this id or name, or it is a token.
    """
    pool = contest.table.pool
    names = card_names(pool)
    if names.get(name) is None and card_names(pool, with_tokens=True).matches(name):
        raise InputError(
            f"{name!r} is a token",
            value=name,
            remedy="name a card, since only cards of decks can be edited",
        )
    return pool.index(names.find(name))


def _of_rules(contest: CardContest, field: str) -> Number:
    """Return a number of the rules.

    Its limits are practically infinite, except those of the coin, because the ruleset checks them.

    Raises:
        InputError: the rules have no such number, or no coin that could be removed.
    """
    rules = contest.table.ruleset
    field = rule_names().find(field)
    if field == "coin" and not rules.coin:
        raise InputError(f"ruleset {rules.name!r} has no coin to remove", value=rules.name)
    least, most = (0, 1) if field == "coin" else (-(10**9), 10**9)
    name = f"{_RULES}.{field}"
    return Number(Gene(OF_RULES, field), name, rules.number(field), least, most)
