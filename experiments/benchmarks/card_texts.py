"""Reading of the texts of real cards: how many are read, and whether they play as our rows do.

`python -m experiments.benchmarks.card_texts` reads the texts of the installed card file
(docs/real_cards.md). `--games 2000` plays the cards that are read as other rows with both,
`--reasons 40` lists what is not understood by count, and `--out FILE` writes a pool of all cards
that are read: drafts, which a person should compare with their texts.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from agents.registry import agent_named
from experiments.benchmarks.script import run_script
from sim import Card, InputError, Pool, load_ruleset, stream_seed, validate
from sim.cards.pool_file import write_pool
from sim.play import Batch, deck_row, pack_table, play
from sim.play.outcomes import Outcomes
from sim.real_cards.card_texts import DraftedCards, drafted_cards, drafted_pool
from sim.real_cards.hearthstone import real_pool

_SEED = 7
_N_DECKS = 20
_COPIES = 6  # of the compared card in each deck of 30, so that most games play it
_TEXT_KEYS = ("effects", "target", "target_when", "keywords", "spell_damage", "overload")


def main(
    games: Annotated[int, typer.Option(help="Games for each card with other rows.")] = 0,
    reasons: Annotated[int, typer.Option(help="Number of reasons to list.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Pool file to write.")] = None,
) -> None:
    """Read the texts of all real cards, and compare those that have rows of our own."""
    drafts = drafted_cards()
    begun = time.perf_counter()
    read = drafts.read_all()
    seconds = time.perf_counter() - begun
    typer.echo(f"{len(read)} of {len(drafts.collectible)} texts read in {seconds:.1f} s")
    _compare(drafts, games)
    for reason, number in Counter(map(_reason, drafts.faults.values())).most_common(reasons):
        typer.echo(f"{number:5}  {reason}")
    if out is not None:
        pool = drafted_pool(out.stem, drafts)
        write_pool(pool, out)
        typer.echo(f"{out}: {len(pool.cards)} cards, {len(pool.tokens)} tokens")


def _compare(drafts: DraftedCards, games: int) -> None:
    """Print how many cards of the pool of real cards have the same rows, or play the same games."""
    pool = real_pool()
    ids = (card.id for card in pool.everything if card.id in drafts.definitions)
    known = {card_id: drafts.definitions[card_id] for card_id in ids}
    read = DraftedCards(known).read_all()
    results: dict[str, list[str]] = {}
    for card in pool.cards:
        results.setdefault(_result(card, read.get(card.id), pool, games), []).append(card.id)
    for result, cards in results.items():
        shown = "" if result in (_SAME, _PLAYED) else f": {', '.join(cards)}"
        typer.echo(f"{len(cards):5}  {result}{shown}")


_SAME = "read as exactly our rows"
_PLAYED = "read as rows that play the same games"


def _result(card: Card, read: tuple[Card, ...] | None, pool: Pool, games: int) -> str:
    """Return how the card that was read from a text compares with the card of the pool."""
    if read is None:
        return "not read"
    first, *tokens = read
    if card.options:
        options = [pool.everything[pool.number(option)] for option in card.options]
        return _SAME if _same_options(tokens, options) else "other options"
    if all(getattr(first, key) == getattr(card, key) for key in _TEXT_KEYS):
        return _SAME
    if not games:
        return "read as other rows"
    return _PLAYED if _plays_the_same(card, read, pool, games) else "plays other games"


def _same_options(read: list[Card], options: list[Card]) -> bool:
    """Return whether two options have the rows and targets of two others, in any order."""
    return sorted(map(_row_text, read)) == sorted(map(_row_text, options))


def _row_text(card: Card) -> str:
    rows = [row.model_dump(exclude={"of", "when"}) for row in card.effects]
    return f"{[{**row, 'to': str(row['to'])} for row in rows]} {card.target}"


def _plays_the_same(card: Card, read: tuple[Card, ...], pool: Pool, games: int) -> bool:
    """Return whether games with the card as it was read end like games with the card itself."""
    first, *tokens = read
    changed = card.model_copy(update={key: getattr(first, key) for key in _TEXT_KEYS})
    cards = [changed if each.id == card.id else each for each in pool.cards]
    data: dict[str, Any] = {
        "name": pool.name,
        "card": cards,
        "token": [*pool.tokens, *tokens],
        "hero": pool.heroes,
        "coin": pool.coin,
    }
    place = pool.number(card.id)
    one = _play(pool, place, games)
    other = _play(validate(Pool, data, source=card.id), place, games)
    return np.array_equal(one.totals, other.totals)


def _play(pool: Pool, card: int, games: int) -> Outcomes:
    """Play games of random decks with several copies of a card, by random and greedy agents."""
    generator = np.random.default_rng(_SEED)
    decks = []
    for _ in range(_N_DECKS):
        others = generator.integers(0, len(pool.cards), 30 - _COPIES).tolist()
        decks.append(deck_row(generator.permutation([card] * _COPIES + others).tolist()))
    agents = [agent_named("random"), agent_named("greedy")] * (_N_DECKS // 2)
    n_rows = _N_DECKS // 2
    seats = [[k, _N_DECKS - 1 - k] if k % 2 else [k, k + n_rows] for k in range(n_rows)]
    zeros = np.zeros(n_rows, dtype=np.int64)
    batch = Batch(
        np.stack(decks),
        zeros,
        np.array(seats),
        zeros + games // n_rows,
        zeros,
        stream_seed(_SEED, "card texts"),
    )
    rules = load_ruleset("legacy").model_copy(update={"hero_powers": False, "coin": False})
    return play(batch, pack_table(pool, rules), agents)


def _reason(error: InputError) -> str:
    """Return the first word that is not understood, or the problem if it names no words."""
    words = str(error.value or "").split()
    return words[0].strip(".,:").lower() if words else error.problem


if __name__ == "__main__":
    run_script(main)
