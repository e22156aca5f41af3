"""Double oracle: attacks on a metagame with new decks that are built against it.

Each round computes the equilibrium of the decks so far and builds a strong deck against it. The
deck is added if the lower bound of its win rate exceeds one half by more than a margin. The attack
ends when no such deck is found, or after the last round. The field of a round is the average
equilibrium over resampled games, so that chance does not single out one deck.

References: H. B. McMahan, G. J. Gordon, A. Blum, "Planning in the presence of cost functions
controlled by an adversary", ICML 2003; with an approximate best response, as here, M. Lanctot et
al., "A unified game-theoretic approach to multiagent reinforcement learning", NeurIPS 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.cards.card_contest import CardContest, Player, play_matchups
from balance.contest.readings import MatchupCounts
from balance.decks.attack import Attack, AttackRound, OpponentRate
from balance.decks.building import build_deck, check_build
from balance.decks.built_deck import BuiltDeck
from balance.decks.deck_search import DeckState
from balance.metagame.field import Field, field_of
from balance.metagame.metagame import average_equilibrium, metagame_of
from balance.settings.tables import BalanceSettings
from sim import SEED_MAX, Deck, stream_seed
from sim.play.agent import Agent

ROUNDS = 4  # default number of rounds; chosen by hand, since a round takes a whole deck search
# Minimum share of a deck in the field of a round. A deck with a smaller share changes an attacker's
# win rate by less than a point, but costs as many games as any other deck.
SHARE_LEAST = 0.01
# Points by which the lower bound of an attacker's win rate must exceed 50 % for the attacker to be
# added: smaller advantages would be found in any field, and do not disturb its balance. Chosen by
# hand.
MARGIN_PP = 1.0


@dataclass(frozen=True)
class Attacker:
    """Configuration of an attack.

    Attributes:
        settings: settings of the run, of which `seed`, `games.matchups`, `collection` and `build`
            count.
        pilot: agent named by `settings.build.agent`, which plays all decks that are built.
        phase: name that separates the streams of game seeds of several attacks,
            `attack/<phase>/...`.
        rounds: maximum number of rounds.
        margin: share of games by which the lower bound of an attacker's win rate must exceed one
            half.
    """

    settings: BalanceSettings
    pilot: Agent
    phase: str
    rounds: int = ROUNDS
    margin: float = MARGIN_PP / 100


def run_attack(
    contest: CardContest,
    attacker: Attacker,
    *,
    done: Sequence[AttackRound] = (),
    build: Callable[..., BuiltDeck] = build_deck,
    on_generation: Callable[[int, DeckState], None] = lambda *_: None,
    on_round: Callable[[AttackRound], None] = lambda _: None,
) -> Attack:
    """Attack the decks of a contest round by round, and return the result.

    Args:
        contest: contest with the decks to attack.
        attacker: configuration of the attack.
        done: records of rounds that were already played, after which the attack continues.
        build: function that finds a strong deck against a field, with the arguments of
            `build_deck`.
        on_generation: callback, called after every generation with the number of the round and the
            state of its search for decks.
        on_round: callback, called with the record of every round as the round ends.

    Raises:
        InputError: the settings of `build` do not fit the contest, or permit no deck.
    """
    rounds = list(done)
    current = contest
    for entry in rounds:
        current = _join(current, entry, attacker.pilot)
    counts = _play(current, attacker)
    while len(rounds) < attacker.rounds and (not rounds or rounds[-1].added):
        number = len(rounds) + 1
        built = build(
            current,
            _settings_of(attacker, number),
            field=_field(current, counts, attacker),
            name=free_name(current, number),
            on_generation=lambda state, number=number: on_generation(number, state),
        )
        entry = _round(number, built, attacker.margin)
        rounds.append(entry)
        on_round(entry)
        if entry.added:
            current = _join(current, entry, attacker.pilot)
            counts = _play(current, attacker)
    metagame = metagame_of(
        current,
        counts,
        _play(current, attacker, "again"),
        run_seed=attacker.settings.seed,
        purpose=_resampling_purpose(attacker),
    )
    return Attack(tuple(rounds), current, metagame, len(contest.players), attacker.phase)


def check_attack(contest: CardContest, attacker: Attacker) -> None:
    """Check a contest and the settings of an attack without playing games.

    Args:
        contest: contest with the decks to attack.
        attacker: configuration of the attack.

    Raises:
        InputError: the contest has too few players, or the settings of `build` do not fit it or
            permit no deck.
    """
    contest.require_opponents()
    check_build(contest, _settings_of(attacker, 1), field_of(contest))


def _play(contest: CardContest, attacker: Attacker, stream: str = "matchups") -> MatchupCounts:
    """Play all matchups of the decks so far, and return their results.

    All calls with one stream use the same seeds, so that a matchup of an earlier round has the same
    result again.

    Args:
        contest: contest of the decks so far.
        attacker: configuration of the attack.
        stream: name of the stream of game seeds, without its prefix `attack/<phase>/`.
    """
    return play_matchups(
        contest,
        contest.table,
        n_games=attacker.settings.games.matchups,
        run_seed=attacker.settings.seed,
        purpose=f"attack/{attacker.phase}/{stream}",
    )


def _field(contest: CardContest, counts: MatchupCounts, attacker: Attacker) -> Field:
    """Return the field of the next round: the average equilibrium, with shares below 1 % set to 0.

    Args:
        contest: contest of the decks so far.
        counts: results of all matchups of these decks.
        attacker: configuration of the attack.
    """
    shares = average_equilibrium(
        contest, counts, run_seed=attacker.settings.seed, purpose=_resampling_purpose(attacker)
    )
    kept = np.where(shares < SHARE_LEAST, 0.0, shares)
    return field_of(contest, dict(zip(contest.player_names, kept.tolist(), strict=True)))


def _resampling_purpose(attacker: Attacker) -> str:
    """Return the name of the random stream by which an attack resamples games."""
    return f"attack/{attacker.phase}/resample"


def _settings_of(attacker: Attacker, number: int) -> BalanceSettings:
    """Return the settings by which a round builds its deck.

    They have a run seed that depends on the round, and build a new deck without a goal.

    Args:
        attacker: configuration of the attack.
        number: number of the round, from 1.
    """
    settings = attacker.settings
    seed = stream_seed(settings.seed, f"attack/{attacker.phase}/{number}") & SEED_MAX
    return for_new_deck(settings).model_copy(update={"seed": seed})


def for_new_deck(settings: BalanceSettings) -> BalanceSettings:
    """Return settings that build a new deck without a goal."""
    build = settings.build.model_copy(update={"improve": None, "goal": 0.0})
    return settings.model_copy(update={"build": build})


def free_name(contest: CardContest, number: int) -> str:
    """Return `attacker_NUMBER`, followed by underscores until no player has that name."""
    name = f"attacker_{number}"
    while name in contest.player_names:
        name += "_"
    return name


def _round(number: int, built: BuiltDeck, margin: float) -> AttackRound:
    """Return the record of a round.

    Args:
        number: number of the round, from 1.
        built: deck of the round, with its certified win rates.
        margin: share of games by which the lower bound of the deck's win rate must exceed one half
            for the deck to be added.
    """
    win_rate, low, high = map(float, built.score)
    opponents = tuple(
        OpponentRate(
            name=player.name,
            **dict(zip(("win_rate", "low", "high"), map(float, rate), strict=True)),
            n=built.n_games,
        )
        for player, rate in zip(
            built.field.opponents, zip(*built.win_rates, strict=True), strict=True
        )
    )
    return AttackRound(
        round=number,
        name=built.deck.name,
        deck=built.deck.cards,
        win_rate=win_rate,
        low=low,
        high=high,
        n=built.n_games * len(opponents),
        opponents=opponents,
        added=low > 0.5 + margin,
        hero=built.deck.hero,
    )


def _join(contest: CardContest, entry: AttackRound, pilot: Agent) -> CardContest:
    """Return the contest with the deck of a round as a further player.

    The contest is returned unchanged if the round did not add its deck.

    Args:
        contest: contest of the decks so far.
        entry: record of the round.
        pilot: agent of the added player.
    """
    if not entry.added:
        return contest
    player = Player(entry.name, deck_of_round(entry, contest), pilot)
    return replace(contest, players=(*contest.players, player))


def deck_of_round(entry: AttackRound, contest: CardContest) -> Deck:
    """Return the deck that a round built.

    Args:
        entry: record of the round.
        contest: contest that was attacked, which has the pool and the ruleset of the deck.
    """
    return deck_of(contest, name=entry.name, hero=entry.hero, cards=entry.deck)


def deck_of(contest: CardContest, *, name: str, hero: str, cards: dict[str, int]) -> Deck:
    """Return a deck of the pool and the ruleset of a contest.

    Args:
        contest: contest with the pool and the ruleset.
        name: name of the deck.
        hero: id of the deck's hero; `""` if it has none.
        cards: number of copies of each card, by card id.
    """
    table = contest.table
    pool = table.pool.name
    return Deck(name=name, pool=pool, ruleset=table.ruleset.name, hero=hero, cards=cards)
