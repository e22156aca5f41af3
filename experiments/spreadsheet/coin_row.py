"""The coin in a sheet: the row of kind `coin`, a spell that the second player receives.

The coin is the only token that a sheet can contain, since a ruleset may require it. Coins that are
not spells, and all other tokens, exist in pool files only.
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
"""Problem to report for columns that must be blank in a coin's row."""

_ZERO = set("0.,")  # characters in which spreadsheets write 0, such as "0,00"


def coin_of(pool: Pool) -> Card | None:
    """Return the coin of a pool; `None` if the pool has no coin or a sheet cannot express it.

    A sheet can express a coin that is a spell without tunable ranges and acts when it is played.
    """
    for token in pool.tokens:
        if token.id == pool.coin and token.kind == "spell" and token.tunable is None:
            return token if _acts_when_played(token) else None
    return None


def wrong_columns(filled: Mapping[str, str]) -> list[tuple[list[str], str]]:
    """Return the filled columns that must be blank in a coin's row, grouped by their problem.

    A cell with the number 0 counts as blank.

    Args:
        filled: texts of the row's filled cells by column.
    """
    groups = []
    for columns, problem in _BLANK.items():
        wrong = [name for name in columns if name in filled and not set(filled[name]) <= _ZERO]
        if wrong:
            groups.append((wrong, problem))
    return groups


def check_coin(coin: Card) -> None:
    """Raise an error if a coin does nothing.

    Raises:
        InputError: the coin has no effect row on the event `play`.
    """
    if not _acts_when_played(coin):
        raise InputError(
            "a coin must do something when it is played",
            remedy="write, for example, 'play: mana 1'",
        )


def _acts_when_played(coin: Card) -> bool:
    return any(row.on == "play" for row in coin.effects)


class Uncollected(NamedTuple):
    """Part of a pool that no deck may hold: the tokens, with the coin among them.

    Attributes:
        tokens: tokens of the pool, including the coin.
        coin: id of the coin; `None` if the pool has no coin.
    """

    tokens: list[Card]
    coin: CardId | None


def uncollected(over: Pool | None, cards: Collection[Card], coin: Card | None) -> Uncollected:
    """Return the tokens of a pool after an update from a sheet.

    Without a coin in the sheet, the pool's tokens and coin are kept. The sheet's coin replaces a
    token with the same id, and the pool's former coin is removed unless a card or token names it.
    A former coin that is now a card of the sheet is removed from the tokens.

    Args:
        over: pool to update; `None` to create a pool.
        cards: cards of the sheet.
        coin: coin of the sheet; `None` if the sheet has no coin.
    """
    tokens = [] if over is None else list(over.tokens)
    former = None if over is None else over.coin
    if former in {card.id for card in cards}:
        tokens = [token for token in tokens if token.id != former]
        former = None
    if coin is None:
        return Uncollected(tokens, former)
    # A card may also give the former coin as a token, which must then be kept.
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
