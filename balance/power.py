"""Card power: the win rate that a deck loses without all copies of a card (leave-one-out)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Literal, NamedTuple

import numpy as np

from balance.card_contest import CardContest
from balance.readings import Winners, points_by_seed
from balance.settings import GameCount
from balance.statistics.intervals import Floats, Interval, Positions, copy_rate, paired_mean
from sim import Card, Pool, Ruleset, stream_seed
from sim.arguments import Seed, Threads, checked
from sim.play import Batch, pack_table
from sim.play.batch import BLANK, play, without
from sim.play.outcomes import SlotCounts, kept, slot_counts

Baseline = Literal["skip", "vanilla"]
Versus = Literal["mirror", "field"]


class CardPower(NamedTuple):
    """Leave-one-out power of one kind of card in one player's deck.

    The win rates when drawn and when played are cheap but biased measures: games in which the card
    turned up are not compared with games in which it did not. They count copies: a game in which
    two copies were drawn counts twice.

    Attributes:
        player: position of the player.
        card: number of the card in the pool.
        n_copies: copies of the card in the deck.
        n_games: games behind `power`.
        power: change of the win rate by all copies together, with the interval of the paired
            difference.
        when_drawn: win rate of mirror matches over the copies drawn in them.
        n_drawn: number of copies drawn.
        when_played: win rate of mirror matches over the copies played in them.
        n_played: number of copies played.
    """

    player: int
    card: int
    n_copies: int
    n_games: int
    power: Interval
    when_drawn: Interval
    n_drawn: int
    when_played: Interval
    n_played: int

    @property
    def per_copy(self) -> Interval:
        """Power divided by the number of copies."""
        return Interval(*(bound / self.n_copies for bound in self.power))


class _Removal(NamedTuple):
    """A kind of card to leave out of a player's deck."""

    player: int
    card: int


@checked(
    n_games=GameCount,
    run_seed=Seed,
    baseline=Baseline,
    versus=Versus,
    threads=Threads,
)
def measure_power(
    contest: CardContest,
    *,
    n_games: int,
    run_seed: int,
    baseline: Baseline = "skip",
    versus: Versus = "mirror",
    threads: int | None = None,
) -> list[CardPower]:
    """Measure the leave-one-out power of every kind of card in every player's deck.

    Power is ``WR(deck vs opponents) - WR(deck without the card vs opponents)`` over both seatings
    on equal seeds. Removing a card does not change the order of the other cards, so the games stay
    paired.

    Args:
        contest: cards and players.
        n_games: games per card and opponent, even.
        run_seed: seed of the run; games have the purpose `power`.
        baseline: `skip`, copies are removed and the deck is smaller; `vanilla`, a minion without
            effects and of the same cost replaces them.
        versus: `mirror`, the opponent is the intact deck with the same agent; `field`, every other
            player.
        threads: number of threads; default all cores.

    Returns:
        One entry per player and kind of card, players in order, cards in deck order.

    Raises:
        InputError: `versus="field"` with only one player, or an argument is invalid.
    """
    if versus == "field":
        contest.require_opponents()
    pool = contest.table.pool
    vanilla = dict[int, int]()
    if baseline == "vanilla":
        pool, vanilla = with_vanilla_bodies(pool, contest.table.ruleset)
        # Tokens are numbered after the cards, so additional cards renumber the hero powers and
        # the table must be packed anew.
        contest = replace(contest, table=pack_table(pool, contest.table.ruleset))
    decks = [player.deck.slots(pool) for player in contest.players]
    removals = [
        _Removal(player, card) for player, deck in enumerate(decks) for card in dict.fromkeys(deck)
    ]
    stand_ins = [
        vanilla[pool.cards[removal.card].cost] if baseline == "vanilla" else BLANK
        for removal in removals
    ]
    batch, pilots = _batch(contest, removals, stand_ins, versus, n_games, run_seed)
    agents = [contest.players[pilot].agent for pilot in pilots]
    outcomes = play(
        batch,
        contest.table,
        agents,
        threads=threads,
        keep=("winner", "cards"),
        on_games=contest.on_games,
    )
    intact, reduced = _rates_by_seed(kept(outcomes.winners), contest, n_games // 2, versus)
    seen = kept(outcomes.seen)[: len(contest.players)]  # the first rows are the mirror matches
    # Both seats of a mirror match hold the player's deck, so its copies are counted in both.
    by_seat = [slot_counts(seen, seat) for seat in (0, 1)]
    n_paired = n_games * _n_opponents(contest, versus)
    powers = []
    for removal, rate in zip(removals, reduced, strict=True):
        slots = np.flatnonzero(np.array(decks[removal.player]) == removal.card)
        power = paired_mean(intact[removal.player] - rate)
        mirror_rates = _in_mirror(by_seat, removal.player, slots)
        powers.append(CardPower(*removal, len(slots), n_paired, power, *mirror_rates))
    return powers


def n_powers_of(contest: CardContest) -> int:
    """Return the number of kinds of cards, summed over the players' decks."""
    return sum(len(set(player.deck.slots(contest.table.pool))) for player in contest.players)


def games_of_power(
    contest: CardContest, n_powers: int, n_games: int, versus: Versus = "mirror"
) -> int:
    """Return the games that `measure_power` plays.

    Args:
        contest: cards and players.
        n_powers: number of kinds of cards to measure, over all decks.
        n_games: games per card and opponent.
        versus: opponents, `mirror` or `field`.
    """
    n_players = len(contest.players)
    n_measured = n_powers + (0 if versus == "mirror" else n_players)
    n_mirrors = n_players * (n_games // 2)
    return n_mirrors + n_measured * _n_opponents(contest, versus) * n_games


def _n_opponents(contest: CardContest, versus: Versus) -> int:
    """Return the number of opponents of each measured deck."""
    return 1 if versus == "mirror" else len(contest.players) - 1


def _batch(
    contest: CardContest,
    removals: Sequence[_Removal],
    stand_ins: Sequence[int],
    versus: Versus,
    n_games: int,
    run_seed: int,
) -> tuple[Batch, list[int]]:
    """Return the batch of all games, and the player that pilots each deck.

    The first rows are the players' mirror matches. Then each deck to be measured plays its
    opponents in both seatings, which are two rows each. An intact deck wins 50 % of the two games
    of every seed of its mirror match, so against `mirror` intact decks need no further games.

    Args:
        contest: cards and players.
        removals: kinds of cards to leave out.
        stand_ins: card that replaces each of them, or `BLANK`.
        versus: opponents, `mirror` or `field`.
        n_games: games per card and opponent.
        run_seed: seed of the run.
    """
    n_players = len(contest.players)
    decks = list(contest.deck_rows)
    for removal, stand_in in zip(removals, stand_ins, strict=True):
        decks.append(without(decks[removal.player], removal.card, stand_in))
    pilots = [*range(n_players), *(removal.player for removal in removals)]
    first_measured = n_players if versus == "mirror" else 0
    seatings = [(player, player) for player in range(n_players)] + [
        seats
        for deck in range(first_measured, len(decks))
        for opponent in range(n_players)
        if (opponent == pilots[deck]) == (versus == "mirror")
        for seats in ((deck, opponent), (opponent, deck))
    ]
    batch = Batch(
        decks=np.stack(decks),
        variant=np.zeros(len(seatings), dtype=np.int64),
        seats=np.array(seatings),
        n_games=np.full(len(seatings), n_games // 2),
        first_game=np.zeros(len(seatings), dtype=np.int64),
        stream=stream_seed(run_seed, "power"),
    )
    return batch, pilots


def _rates_by_seed(
    winners: Winners, contest: CardContest, n_seeds: int, versus: Versus
) -> tuple[Floats, Floats]:
    """Return the win rates by seed of the intact decks and of the decks without a card."""
    n_players = len(contest.players)
    pairs = winners[n_players * n_seeds :].reshape(-1, _n_opponents(contest, versus), 2, n_seeds)
    rates: Floats = points_by_seed(pairs).mean(axis=1) / 2
    if versus == "mirror":
        return np.full((n_players, n_seeds), 0.5), rates
    return rates[:n_players], rates[n_players:]


def with_vanilla_bodies(pool: Pool, ruleset: Ruleset) -> tuple[Pool, dict[int, int]]:
    """Return the pool with one minion without effects per cost, and their positions by cost.

    The minion of cost c has attack c and health c + 1, within the ruleset's limits, and an id that
    no card of the pool has.
    """
    limits = ruleset.limits
    costs = sorted({card.cost for card in pool.cards})
    used_ids = {card.id for card in pool.everything}
    bodies = tuple(
        Card(
            id=_free_id(f"vanilla_body_{cost}", used_ids),
            name=f"Vanilla body {cost}",
            cost=cost,
            attack=int(np.clip(cost, *limits.attack)),
            health=int(np.clip(cost + 1, *limits.health)),
        )
        for cost in costs
    )
    extended = pool.model_copy(update={"cards": pool.cards + bodies})
    return extended, {cost: len(pool.cards) + k for k, cost in enumerate(costs)}


def _free_id(wanted: str, taken: Collection[str]) -> str:
    """Return an id, or the first of `<id>_2`, `<id>_3`, ... that is not taken."""
    numbered = (f"{wanted}_{number}" for number in count(2))
    return next(card_id for card_id in chain([wanted], numbered) if card_id not in taken)


def _in_mirror(
    by_seat: Sequence[SlotCounts], player: int, slots: Positions
) -> tuple[Interval, int, Interval, int]:
    """Return win rate and number of the copies in some slots that were drawn, and that were played.

    Args:
        by_seat: counts of the mirror matches for each seat.
        player: position of the player.
        slots: deck slots of the card's copies.
    """

    def total(name: str) -> float:
        """Return a count over both seats and the given slots."""
        return float(sum(getattr(seat, name)[player, slots].sum() for seat in by_seat))

    n_drawn = int(total("drawn_opening") + total("drawn_later"))
    n_played = int(total("played"))
    when_drawn = copy_rate(total("points_when_drawn"), n_drawn, len(slots))
    return (
        when_drawn,
        n_drawn,
        copy_rate(total("points_when_played"), n_played, len(slots)),
        n_played,
    )
