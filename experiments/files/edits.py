"""Edits as people write them: `deckhand.attack=1`, `captain.cost+1`, `rules.life=25`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from balance import CardContest
from balance.whatif import Edits
from experiments.files.option_errors import about_option
from sim import InputError, Pool, did_you_mean
from sim.errors import listed
from sim.play.table import OF_RULES, Gene
from sim.ruleset import RULE_LABELS

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
        with about_option(f"edit {text!r}", is_word=True):
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
        raise InputError(_EXAMPLE)
    owner, field = found["owner"], found["field"].strip()
    if owner is None and field not in RULE_LABELS:
        raise InputError(f"which card's? {_EXAMPLE}")
    is_of_rules = owner is None or owner.strip() in (_RULES, f"tune.{_RULES}")
    return None if is_of_rules else owner.strip(), field, found["how"], int(found["to"])


def _of_card(contest: CardContest, name: str, field: str) -> Number:
    """A number of the card with this id, or name."""
    position = _position(contest.table.pool, name)
    card = contest.table.pool.cards[position]
    by_label = {card.label(one): one for one in card.fields}
    if field not in {*card.fields, *by_label}:
        near = did_you_mean(field, by_label) or f"; it has {listed([*by_label])}"
        raise InputError(f"{card.id!r} has no {field!r}{near}")
    field = by_label.get(field, field)
    bounds = (card.possible(field), contest.table.ruleset.limits.of(field))
    least, most = max(low for low, _ in bounds), min(high for _, high in bounds)
    gene = Gene(position, field)
    return Number(gene, f"{card.id}.{field}", card.number(field), least, most)


def _position(pool: Pool, name: str) -> int:
    """That of the card with this id, else of the only one with this name."""
    ids = [card.id for card in pool.cards]
    if name in ids:
        return ids.index(name)
    named = [k for k, card in enumerate(pool.cards) if card.name.lower() == name.lower()]
    if len(named) == 1:
        return named[0]
    if named:
        raise InputError(f"the cards {listed([ids[k] for k in named])} are called so; name one")
    if any(name.lower() in (token.id, token.name.lower()) for token in pool.tokens):
        raise InputError(f"{name!r} is a token; only numbers of cards can be edited")
    known = [*ids, *(card.name for card in pool.cards), _RULES]
    raise InputError(f"pool {pool.name!r}: no card {name!r}{did_you_mean(name, known)}")


def _of_rules(contest: CardContest, field: str) -> Number:
    """A number of the rules; what it may be is for the rules to say."""
    rules = contest.table.ruleset
    if field not in RULE_LABELS:
        near = did_you_mean(field, RULE_LABELS) or f"; there are {listed([*RULE_LABELS])}"
        raise InputError(f"no {field!r} of the rules can be edited{near}")
    if field == "coin" and not rules.coin:
        raise InputError(f"ruleset {rules.name!r} has no coin that could be taken away")
    least, most = (0, 1) if field == "coin" else (-(10**9), 10**9)
    name = f"{_RULES}.{field}"
    return Number(Gene(OF_RULES, field), name, rules.number(field), least, most)
