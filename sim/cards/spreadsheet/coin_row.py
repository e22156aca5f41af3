"""The coin in a sheet: the row of kind `coin`, a spell that the second player is given.

It is the only token with a row, since it is the only one that a game may need for itself. Coins
that are no spells, and other tokens, stay in pool files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sim import Card, Pool
from sim.cards.effect import CardId
from sim.cards.pool_references import named_by
from sim.errors import InputError

_BLANK = {
    ("attack", "health", "durability"): "must be blank: a coin is a spell, which has only a cost",
    ("tunable",): "must be blank: the numbers of a coin are never changed",
}
"""Columns that a coin's row leaves blank, with the problem of one that does not."""

_ZERO = set("0.,")  # characters with which spreadsheets write 0, such as "0,00"


def coin_of(pool: Pool) -> Card | None:
    """Return the coin of a pool if a row of a sheet can express all of it, else `None`."""
    for token in pool.tokens:
        if token.id == pool.coin and token.kind == "spell" and token.tunable is None:
            return token if _acts_when_played(token) else None
    return None


def wrong_columns(filled: Mapping[str, str]) -> list[tuple[list[str], str]]:
    """Return filled columns that must be blank in a coin's row, each group with the problem.

    Args:
        filled: texts of the row's cells by column.
    """
    groups = []
    for columns, problem in _BLANK.items():
        wrong = [name for name in columns if name in filled and not set(filled[name]) <= _ZERO]
        if wrong:
            groups.append((wrong, problem))
    return groups


def check_coin(coin: Card) -> None:
    """Refuse a coin that does nothing.

    Raises:
        InputError: no effect happens when it is played.
    """
    if not _acts_when_played(coin):
        raise InputError(
            "a coin must do something when it is played", remedy="write such as 'play: mana 1'"
        )


def _acts_when_played(coin: Card) -> bool:
    return any(row.on == "play" for row in coin.effects)


class Uncollected(NamedTuple):
    """The part of a pool that no deck holds.

    Attributes:
        tokens: the tokens, with the coin.
        coin: id of the coin among them; `None` for none.
    """

    tokens: list[Card]
    coin: CardId | None


def uncollected(over: Pool | None, cards: Collection[Card], coin: Card | None) -> Uncollected:
    """Return the tokens of a pool that is updated from a sheet, with the sheet's coin.

    The sheet's coin replaces a token with the same id. The former coin is removed unless another
    card brings it. A former coin that is now a card of the sheet is no longer a coin.

    Args:
        over: the pool; `None` for none.
        cards: the cards of the sheet.
        coin: the coin of the sheet; `None` for none.
    """
    tokens = [] if over is None else list(over.tokens)
    former = None if over is None else over.coin
    if former in {card.id for card in cards}:
        tokens = [token for token in tokens if token.id != former]
        former = None
    if coin is None:
        return Uncollected(tokens, former)
    # The former coin may also be a token that a card gives: then it must stay.
    others = [token for token in tokens if token.id != former]
    brought = {name for card in (*cards, *others) for name in named_by(card)}
    if coin.id != former and former not in brought:
        tokens = others
    known = [token.id for token in tokens]
    if coin.id in known:
        tokens[known.index(coin.id)] = coin
    else:
        tokens.append(coin)
    return Uncollected(tokens, coin.id)
