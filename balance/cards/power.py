"""Measurement of card power: the win rate that a deck loses without a card (leave-one-out)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Literal, NamedTuple

import numpy as np

from agents.registry import agent_named
from balance.cards.card_contest import CardContest
from balance.contest.readings import Winners, points_by_seed
from balance.settings.agent_names import OWN
from balance.settings.tables import BalanceSettings, GameCount
from balance.statistics.intervals import Floats, Interval, Positions, copy_rate, paired_mean
from sim import Card, Pool, Ruleset, stream_seed
from sim.arguments import Seed, checked
from sim.play import Batch, pack_table
from sim.play.batch import BLANK, play, without
from sim.play.outcomes import SlotCounts, kept, slot_counts
from sim.short_repr import short_repr

Baseline = Literal["skip", "vanilla"]
Versus = Literal["mirror", "field"]


class CardPower(NamedTuple):
    """Leave-one-out power of one card, with all its copies, in one player's deck.

    The win rates when drawn and when played are cheap but biased measures, since games with and
    without the card differ in other ways too. A game counts once for each copy that was drawn or
    played in it.

    Attributes:
        player: position of the player in the contest.
        card: position of the card in the pool.
        n_copies: number of copies of the card in the deck.
        n_games: number of games from which `power` is computed.
        power: win rate of the whole deck minus that of the deck without the card, as a share with a
            paired interval.
        when_drawn: mean win rate in mirror matches over all drawn copies.
        n_drawn: number of copies drawn in the mirror matches.
        when_played: mean win rate in mirror matches over all played copies.
        n_played: number of copies played in the mirror matches.
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

    def __repr__(self) -> str:
        return short_repr(self, "player", "card", "n_copies", "n_games", "power")

    @property
    def per_copy(self) -> Interval:
        """Power divided by the number of copies, as a share with its interval."""
        return Interval(*(bound / self.n_copies for bound in self.power))


class _Removal(NamedTuple):
    """Card that is left out of a player's deck, with all its copies.

    Attributes:
        player: position of the player in the contest.
        card: position of the card in the pool.
    """

    player: int
    card: int


@checked(
    n_games=GameCount,
    run_seed=Seed,
    baseline=Baseline,
    versus=Versus,
)
def measure_power(
    contest: CardContest,
    *,
    n_games: int,
    run_seed: int,
    baseline: Baseline = "skip",
    versus: Versus = "mirror",
) -> list[CardPower]:
    """Measure the leave-one-out power of every card in every player's deck.

    Power is ``WR(deck vs opponents) - WR(deck without the card vs opponents)`` over both seatings
    on equal seeds. Removing a card does not change the order of the other cards, so the games stay
    paired.

    Args:
        contest: cards and players.
        n_games: games per card and opponent, even.
        run_seed: seed of the run; the stream of game seeds is `power`.
        baseline: replacement of the copies: with `skip` they are removed, so that the deck is
            smaller; with `vanilla` a minion of the same cost without effects replaces them.
        versus: opponents of a deck: with `mirror` the intact deck with the same agent, with `field`
            every other player.

    Returns:
        One entry per player and card: players in order, the cards of each in deck order.

    Raises:
        InputError: `versus="field"` with only one player, or an argument is invalid.

    Example:
        >>> from balance import load_contest
        >>> contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
        >>> powers = measure_power(contest, n_games=400, run_seed=1)
        >>> strongest = max(powers, key=lambda card: card.power.estimate)
        >>> contest.table.pool.cards[strongest.card].name
        'Kindling Thrower'
        >>> print(strongest.power)
        0.0775 (0.0505 to 0.104)
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
        keep=("winner", "cards"),
        on_games=contest.on_games,
    )
    intact, reduced = _rates_by_seed(kept(outcomes.winners), contest, n_games // 2, versus)
    seen = kept(outcomes.seen)[: len(contest.players)]  # the first rows are the mirror matches
    # Both seats of a mirror match have the player's deck, so copies are counted in both seats.
    by_seat = [slot_counts(seen, seat) for seat in (0, 1)]
    n_paired = n_games * _n_opponents(contest, versus)
    powers = []
    for removal, rate in zip(removals, reduced, strict=True):
        slots = np.flatnonzero(np.array(decks[removal.player]) == removal.card)
        power = paired_mean(intact[removal.player] - rate)
        mirror_rates = _mirror_rates(by_seat, removal.player, slots)
        powers.append(CardPower(*removal, len(slots), n_paired, power, *mirror_rates))
    return powers


def n_powers_of(contest: CardContest) -> int:
    """Return the number of different cards in each player's deck, summed over all players."""
    return sum(len(set(player.deck.slots(contest.table.pool))) for player in contest.players)


def games_of_power(
    contest: CardContest, n_powers: int, n_games: int, versus: Versus = "mirror"
) -> int:
    """Return the total number of games that `measure_power` plays.

    Args:
        contest: cards and players.
        n_powers: number of cards to measure, summed over all decks.
        n_games: games per card and opponent.
        versus: opponents, `mirror` or `field`.
    """
    n_players = len(contest.players)
    n_measured = n_powers + (0 if versus == "mirror" else n_players)
    n_mirrors = n_players * (n_games // 2)
    return n_mirrors + n_measured * _n_opponents(contest, versus) * n_games


def _n_opponents(contest: CardContest, versus: Versus) -> int:
    """Return the number of opponents of each measured deck: 1 or all other players."""
    return 1 if versus == "mirror" else len(contest.players) - 1


def _batch(
    contest: CardContest,
    removals: Sequence[_Removal],
    stand_ins: Sequence[int],
    versus: Versus,
    n_games: int,
    run_seed: int,
) -> tuple[Batch, list[int]]:
    """Return the batch of all games, and the position of the player that plays each deck.

    The first rows are the players' mirror matches. In the following rows each measured deck plays
    its opponents, with two rows per opponent for the two seatings. With `mirror` intact decks are
    not measured: they win 50 % of the two games of every seed by symmetry.

    Args:
        contest: cards and players.
        removals: cards to leave out, ``[P]``.
        stand_ins: position of the card that replaces each removed card, or `BLANK`, ``[P]``.
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
    """Return the win rates by seed of the intact decks and of the decks without a card.

    Args:
        winners: results of all games of the batch.
        contest: contest with the players.
        n_seeds: number of seeds, ``S``.
        versus: opponents, `mirror` or `field`, over which rates are averaged.

    Returns:
        Rates of the ``D`` intact decks, ``[D, S]``, and of the ``P`` reduced decks, ``[P, S]``.
    """
    n_players = len(contest.players)
    pairs = winners[n_players * n_seeds :].reshape(-1, _n_opponents(contest, versus), 2, n_seeds)
    rates: Floats = points_by_seed(pairs).mean(axis=1) / 2
    if versus == "mirror":
        return np.full((n_players, n_seeds), 0.5), rates
    return rates[:n_players], rates[n_players:]


def with_vanilla_bodies(pool: Pool, ruleset: Ruleset) -> tuple[Pool, dict[int, int]]:
    """Return the pool with an additional minion without effects for each cost of its cards.

    The minion of cost c has attack c and health c + 1, clipped to the ruleset's limits.

    Args:
        pool: pool to extend.
        ruleset: ruleset with the limits.

    Returns:
        The extended pool, and the position of each additional minion by its cost.
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
    """Return an id that is not taken: the wanted id, with a suffix `_2`, `_3`, ... if necessary.

    Args:
        wanted: desired id.
        taken: ids that must not be returned.
    """
    numbered = (f"{wanted}_{number}" for number in count(2))
    return next(card_id for card_id in chain([wanted], numbered) if card_id not in taken)


def _mirror_rates(
    by_seat: Sequence[SlotCounts], player: int, slots: Positions
) -> tuple[Interval, int, Interval, int]:
    """Return the use of a card in a player's mirror matches.

    Args:
        by_seat: counts of the mirror matches for each seat.
        player: position of the player.
        slots: deck slots of the card's copies.

    Returns:
        Win rate over drawn copies, number of drawn copies, win rate over played copies, and number
        of played copies.
    """

    def total(name: str) -> float:
        """Return the sum of a count of `SlotCounts` over both seats and all slots of the card."""
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


def piloted_for_power(contest: CardContest, settings: BalanceSettings) -> CardContest:
    """Return the contest with the agents for power measurements, from `narrow.agent`.

    With `own` the contest is returned unchanged.
    """
    name = settings.narrow.agent
    return contest if name == OWN else contest.piloted_by(agent_named(name))
