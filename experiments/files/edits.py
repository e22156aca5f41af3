"""Edits as people write them: `deckhand.attack=1`, `captain.cost+1`, `rules.life=25`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from balance import CardContest
from balance.whatif import Edits
from experiments.files.option_errors import option_place
from sim import InputError
from sim.cards.names import card_names, fields_of_card, rule_names
from sim.errors import listed
from sim.names import packed
from sim.play.table import OF_RULES, Gene

_WRITTEN = re.compile(
    r"(?:(?P<owner>.+?)\.)?(?P<field>[^.=+-]+?)\s*(?P<how>[=+-])=?\s*(?P<to>-?\d+)"
)
_RULES = "rules"
_EXAMPLE = "write it as CARD.FIELD=3, CARD.FIELD+1 or rules.life=25"


class Number(NamedTuple):
    """A number that may be edited: what people call it, its value today, and what it may be."""

    gene: Gene
    label: str
    today: int
    least: int
    most: int


def read_edits(written: Iterable[str], contest: CardContest) -> Edits:
    """What is written, as steps from today's numbers.

    Args:
        written: each a number of a card or of the rules, and what it becomes or how far it moves.
        contest: whose numbers.

    Raises:
        InputError: one cannot be read, names no number, changes nothing, or goes beyond what the
            number may be; or no deck plays its card, or two are of one number.
    """
    edits = dict[Gene, int]()
    for text in written:
        with option_place(f"edit {text!r}", is_word=True):
            owner, field, how, to = _parts(text)
            number = _of_rules(contest, field) if owner is None else _of_card(contest, owner, field)
            value = to if how == "=" else number.today + (to if how == "+" else -to)
            if number.gene in edits:
                raise InputError(f"{number.label} is edited twice; name it once")
            if value == number.today:
                raise InputError(f"{number.label} is {value} today, so this changes nothing")
            if not number.least <= value <= number.most:
                raise InputError(
                    f"{number.label} = {value} must be from {number.least} to {number.most}"
                )
            if number.gene.owner == OF_RULES:
                contest.table.ruleset.with_numbers({number.gene.field: value})
            edits[number.gene] = value - number.today
            if not contest.reach([number.gene]).any():
                raise InputError(f"no deck of {listed(contest.player_names)} plays {owner!r}")
    return edits


def _parts(text: str) -> tuple[str | None, str, str, int]:
    """The card, or `None` for the rules, the field, `=`, `+` or `-`, and the number."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or len(found["to"]) > 9:
        raise InputError(f"{_why_unread(text)}{_EXAMPLE}")
    owner = found["owner"]
    field = found["field"].strip()
    if owner is None and rule_names().get(field) is None:
        raise InputError(f"which card's? {_EXAMPLE}")
    is_of_rules = owner is None or packed(owner) in (_RULES, f"tune{_RULES}")
    return None if is_of_rules else owner.strip(), field, found["how"], int(found["to"])


def _why_unread(text: str) -> str:
    """The reason where it is a common one, as the beginning of a message."""
    value = text.rpartition("=")[2].strip()  # all of it where there is none
    if re.search(r"\d[.,]\d|[*/%]", value):
        return "numbers are whole, and set, added or taken away; "
    if "=" in text and not re.search(r"\d", value):
        return "only numbers can be edited here, words in the sheet or the pool file; "
    return ""


def _of_card(contest: CardContest, name: str, field: str) -> Number:
    """A number of the card with this id, or name."""
    position = _position(contest, name)
    card = contest.table.pool.cards[position]
    field = fields_of_card(card).find(field)
    bounds = (card.possible(field), contest.table.ruleset.limits.of(field))
    least = max(low for low, _ in bounds)
    most = min(high for _, high in bounds)
    gene = Gene(position, field)
    return Number(gene, f"{card.id}.{field}", card.number(field), least, most)


def _position(contest: CardContest, name: str) -> int:
    """That of the card that a name stands for, which is no token."""
    pool = contest.table.pool
    names = card_names(pool)
    if names.get(name) is None and card_names(pool, with_tokens=True).matches(name):
        raise InputError(f"{name!r} is a token; only numbers of cards can be edited")
    return pool.index(names.find(name))


def _of_rules(contest: CardContest, field: str) -> Number:
    """A number of the rules; what it may be is for the rules to say."""
    rules = contest.table.ruleset
    field = rule_names().find(field)
    if field == "coin" and not rules.coin:
        raise InputError(f"ruleset {rules.name!r} has no coin that could be taken away")
    least, most = (0, 1) if field == "coin" else (-(10**9), 10**9)
    name = f"{_RULES}.{field}"
    return Number(Gene(OF_RULES, field), name, rules.number(field), least, most)
