"""The coin in a sheet: the row whose kind is `coin`, a spell that the second player is given.

Of all that no deck holds it alone has a row, since a game needs no other cards for it. Coins that
are no spells, and other tokens, stay in pool files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sim import Card, Pool
from sim.cards.effect import CardId
from sim.cards.pool_references import named_by
from sim.errors import InputError

_BLANK = {
    ("attack", "health", "durability"): "a coin is a spell, which has only a cost",
    ("tunable",): "the numbers of a coin never move",
}
_ZERO = set("0.,")  # as spreadsheets may write it


def coin_of(pool: Pool) -> Card | None:
    """The coin of a pool, if a row can say all of it."""
    for token in pool.tokens:
        if token.id == pool.coin and token.kind == "spell" and token.tunable is None:
            return token if _acts_when_played(token) else None
    return None


def wrong_columns(filled: Mapping[str, str]) -> list[tuple[list[str], str]]:
    """Columns of a coin's row in which something stands that no coin has, each with the reason.

    Args:
        filled: what stands in the row, by column.
    """
    found = []
    for columns, reason in _BLANK.items():
        wrong = [one for one in columns if one in filled and not set(filled[one]) <= _ZERO]
        if wrong:
            found.append((wrong, f"{reason}; leave it blank"))
    return found


def check_coin(coin: Card) -> None:
    """Refuse a coin that does nothing.

    Raises:
        InputError: no effect happens when it is played.
    """
    if not _acts_when_played(coin):
        raise InputError("a coin must do something when it is played, such as 'play: mana 1'")


def _acts_when_played(coin: Card) -> bool:
    return any(row.on == "play" for row in coin.effects)


class Uncollected(NamedTuple):
    """What of a pool no deck holds.

    Attributes:
        tokens: all of it.
        coin: the id of the coin among them.
    """

    tokens: list[Card]
    coin: CardId | None


def uncollected(over: Pool | None, cards: Collection[Card], coin: Card | None) -> Uncollected:
    """The tokens of a pool that a sheet is put over, with the sheet's coin.

    The sheet's coin takes the place of a token with its id. The coin that it replaces goes, unless
    something else brings it. A former coin that is a card of the sheet now is a coin no more.

    Args:
        over: the pool; `None` for none.
        cards: those of the sheet.
        coin: that of the sheet; `None` where it has none.
    """
    tokens = [] if over is None else list(over.tokens)
    former = None if over is None else over.coin
    if former in {card.id for card in cards}:
        tokens = [token for token in tokens if token.id != former]
        former = None
    if coin is None:
        return Uncollected(tokens, former)
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
