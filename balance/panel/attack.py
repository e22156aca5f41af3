"""Attacks on a patch of a panel: searches for decks that beat the patched decks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from balance.cards.card_contest import patched
from balance.contest.patch import Edit
from balance.decks.building import check_build, prepare_search
from balance.decks.deck_search import DeckState, search_decks
from balance.decks.double_oracle import for_new_deck, free_name
from balance.decks.selection import select_deck
from balance.metagame.field import field_of, play_field
from balance.panel.attackers import AttackingDeck, pilot_of
from balance.panel.panel_contest import Hand
from balance.settings.tables import BalanceSettings
from balance.statistics.intervals import Interval
from sim import SEED_MAX, Deck, stream_seed
from sim.play import row_of_deck

N_SEARCHING = 2
"""Number of the panel's cheapest pilots that search for decks in an attack."""
TIMES = 2
"""Generations of a search for decks in an attack, in multiples of the setting of `[build]`."""
# A deck of a search is judged if more than this part of its cards differs from each better one: of
# nearly equal decks, demands on one limit the others too. Chosen by hand.
_UNLIKE = 8
# Fewest games of a pilot against each opponent by which a deck is judged: half a standard error of
# 2.2 points over three opponents.
_LEAST_JUDGED = 400
# A deck joins if its win rate is not this number of 95 % intervals' half-widths below the limit, so
# that the bound of a later attack, which errs as much again, is usually below it. Chosen by hand.
_HALVES = 1.5


class Attack(NamedTuple):
    """Settings of one attack on a patch.

    Attributes:
        number: number of the attack, from 1, which determines its seeds.
        most: largest permitted mean win rate of a built deck against the decks.
        n_decks: number of the best decks of each searching pilot that are judged.
        times: generations of a search for decks, in multiples of the setting of `[build]`.
        is_of_today: whether the unchanged decks are attacked instead of the patched ones.
    """

    number: int
    most: float
    n_decks: int
    times: int = TIMES
    is_of_today: bool = False


def attack_patch(
    hands: Sequence[Hand],
    patch: Sequence[Edit],
    settings: BalanceSettings,
    attack: Attack,
    known: Collection[AttackingDeck] = (),
    on_generation: Callable[[DeckState], None] = lambda _: None,
) -> tuple[AttackingDeck, ...]:
    """Build strong decks against the patched decks, and judge them with every pilot.

    The two cheapest pilots search, each on streams of its own. Decks of a search that are nearly
    equal to a better one are left out. All others play the patched decks, which have equal weights,
    in games that chose nothing.

    Args:
        hands: pilots of the panel with the decks of the experiment alone, the cheapest first.
        patch: edits of the patch.
        settings: settings of the run, of which `seed`, `collection` and `build` count.
        attack: settings of the attack.
        known: decks with demands of their own, which are not judged again.
        on_generation: callback, called with the state of a search after every generation.

    Returns:
        The judged decks, the strongest first.

    Raises:
        InputError: the settings of `build` permit no deck.
    """
    edits = () if attack.is_of_today else patch
    patched_hands = [hand._replace(contest=patched(hand.contest, edits)) for hand in hands]
    seed = stream_seed(settings.seed, f"robust/attack/{attack.number}") & SEED_MAX
    decks = list[Deck]()
    for hand in patched_hands[:N_SEARCHING]:
        found = _searched(hand, settings, seed, attack, on_generation)
        seen = [deck.cards for deck in decks] + [one.cards for one in known]
        decks += [deck for deck in found if deck.cards not in seen]
    if not decks:
        return ()
    judged = [_judged(hand, decks, settings, seed, hands[0].repeats) for hand in patched_hands]
    attackers = [
        _attacker(
            deck,
            k + 1,
            attack,
            [(one.pilot, one.rates.at(k), one.n) for one in judged],
        )
        for k, deck in enumerate(decks)
    ]
    return tuple(sorted(attackers, key=lambda one: -one.win_rate))


def check_attack(hand: Hand, settings: BalanceSettings) -> None:
    """Check the settings of attacks without playing games.

    Args:
        hand: pilot of all decks, with the decks of the experiment alone.
        settings: settings of the run, of which `collection` and `build` count.

    Raises:
        InputError: the settings of `build` do not fit the decks, or permit no deck.
    """
    contest = hand.contest
    check_build(contest, for_new_deck(settings), field_of(contest), pilot_of(hand, settings))


class _Judgement(NamedTuple):
    """Mean win rates of built decks with one pilot.

    Attributes:
        pilot: name of the pilot.
        rates: win rates of the decks, shape [K].
        n: number of games behind each rate, over all opponents.
    """

    pilot: str
    rates: Interval
    n: int


def _searched(
    hand: Hand,
    settings: BalanceSettings,
    seed: int,
    attack: Attack,
    on_generation: Callable[[DeckState], None],
) -> list[Deck]:
    """Return the best decks of a search by one pilot, unlike each other, best first.

    Args:
        hand: pilot with the patched decks of the experiment.
        settings: settings of the run.
        seed: seed of the attack.
        attack: settings of the attack.
        on_generation: callback, called with the state of the search after every generation.
    """
    contest = hand.contest
    build = for_new_deck(settings).build
    build = build.model_copy(update={"generations": attack.times * build.generations})
    of_pilot = stream_seed(seed, f"robust/search/{hand.name}") & SEED_MAX
    whole = settings.model_copy(update={"seed": of_pilot, "build": build})
    pilot = pilot_of(hand, settings)
    search, _ = prepare_search(contest, whole, field=field_of(contest), pilot=pilot)
    state = search_decks(search, on_generation=on_generation)
    chosen = list[Deck]()
    for deck in select_deck(search, state, name=free_name(contest, attack.number)).decks:
        least = deck.n_cards / _UNLIKE
        if all(_n_different(deck, other) >= least for other in chosen):
            chosen.append(deck)
    return chosen[: attack.n_decks]


def _n_different(deck: Deck, other: Deck) -> int:
    """Return the number of cards of a deck that another deck lacks."""
    return sum(max(n - other.cards.get(card, 0), 0) for card, n in deck.cards.items())


def _judged(
    hand: Hand, decks: Sequence[Deck], settings: BalanceSettings, seed: int, most_repeats: int
) -> _Judgement:
    """Return the mean win rates of decks against the field in the hands of a pilot.

    Dear pilots play fewer games, in proportion to their games of other stages.

    Args:
        hand: pilot with the patched decks of the experiment.
        decks: decks to judge.
        settings: settings of the run.
        seed: seed of the attack.
        most_repeats: games of the cheapest pilot for each game of the dearest one.
    """
    contest = hand.contest
    whole = settings.build.certify
    n_games = max(whole * hand.repeats // most_repeats // 2 * 2, min(whole, _LEAST_JUDGED))
    counts = play_field(
        field_of(contest),
        np.stack([row_of_deck(deck, contest.table.pool) for deck in decks]),
        pilot_of(hand, settings),
        n_games=n_games,
        run_seed=seed,
        purpose="robust/judge",
        keep_games=True,
    )
    return _Judgement(hand.name, counts.score(), n_games * len(contest.players))


def _attacker(
    deck: Deck, number: int, attack: Attack, judgements: Sequence[tuple[str, Interval, int]]
) -> AttackingDeck:
    """Return a judged deck with the win rate of the pilot with which it wins most.

    Args:
        deck: the deck.
        number: number of the deck within its attack, from 1.
        attack: settings of the attack.
        judgements: name of each pilot, win rate with it, and games behind the rate.
    """
    joins = any(
        float(rate.estimate + _HALVES * (rate.high - rate.estimate)) > attack.most
        for _, rate, _ in judgements
    )
    pilot, rate, n = max(judgements, key=lambda one: float(one[1].estimate))
    return AttackingDeck(
        name=f"{deck.name}_{number}",
        attack=attack.number,
        pilot=pilot,
        hero=deck.hero,
        cards=deck.cards,
        win_rate=float(rate.estimate),
        low=float(rate.low),
        high=float(rate.high),
        n=n,
        joins=joins,
    )
