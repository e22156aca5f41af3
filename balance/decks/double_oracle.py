"""Double oracle: whether decks stay balanced when players build new decks against them.

Each round computes the equilibrium of the decks so far, builds the best deck against it, and adds
that deck if it certainly wins by more than a margin. The attack ends when no such deck is found, or
after the last round. The target of a round is the average equilibrium over resampled games, so that
chance does not single out one deck.

References: H. B. McMahan, G. J. Gordon, A. Blum, "Planning in the presence of cost functions
controlled by an adversary", ICML 2003; with an approximate best response, as here, M. Lanctot et
al., "A unified game-theoretic approach to multiagent reinforcement learning", NeurIPS 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.card_contest import CardContest, Player, play_matchups
from balance.decks.building import BuiltDeck, build_deck, check_build
from balance.decks.search import DeckState
from balance.metagame.field import Field, field_of
from balance.metagame.metagame import Metagame, average_equilibrium, metagame_of
from balance.readings import MatchupCounts
from balance.settings import BalanceSettings
from sim import SEED_MAX, Deck, StrictModel, stream_seed
from sim.play.agent import Agent

ROUNDS = 4  # default number of rounds; each takes a whole search for decks, so chosen by hand
# Least share of a deck in the field of a round. A smaller one changes an attacker's win rate by
# less than a point but costs as many games as any other.
SHARE_LEAST = 0.01
# Points by which an attacker must certainly win to be added: smaller advantages would be found in
# any field, and would not disturb its balance. Chosen by hand.
MARGIN_PP = 1.0


class OpponentRate(StrictModel):
    """Win rate of an attacker against one deck of the field.

    Attributes:
        name: name of the opponent.
        win_rate: win rate of the attacker.
        low: lower bound of its Wilson interval.
        high: upper bound of its Wilson interval.
        n: number of games.
    """

    name: str
    win_rate: float
    low: float
    high: float
    n: int


class AttackRound(StrictModel):
    """One round of an attack: the deck that was built against the field, and its win rate.

    Attributes:
        round: number of the round, from 1.
        name: name of the deck, also as a player.
        deck: copies of each card, in the order of the slots.
        hero: hero of the deck; `""` for none.
        win_rate: win rate against the field, on games that influenced no choice.
        low: lower bound of its interval over seeds.
        high: upper bound of its interval over seeds.
        n: number of these games.
        opponents: win rates against each deck of the field.
        added: whether the deck certainly wins by more than the margin, and so joins the others.
    """

    round: int
    name: str
    deck: dict[str, int]
    win_rate: float
    low: float
    high: float
    n: int
    opponents: tuple[OpponentRate, ...]
    added: bool
    hero: str = ""


@dataclass(frozen=True)
class Attack:
    """Result of an attack on ``D`` decks.

    Attributes:
        rounds: the rounds, in order.
        contest: the original decks, then the attackers that were added.
        metagame: the metagame of these decks.
        n_original: number of original decks ``D``.
    """

    rounds: tuple[AttackRound, ...]
    contest: CardContest
    metagame: Metagame
    n_original: int


@dataclass(frozen=True)
class Attacker:
    """Configuration of an attack.

    Attributes:
        settings: the settings, of which `seed`, `games.matchups`, `collection` and `build` count.
        pilot: the agent of all decks that are built, as `settings.build.agent` names it.
        phase: name that separates the streams of game seeds of several attacks,
            `attack/<phase>/...`.
        rounds: most rounds.
        margin: how far above one half the lower bound of an attacker's win rate must lie.
        threads: number of threads; default all cores.
    """

    settings: BalanceSettings
    pilot: Agent
    phase: str
    rounds: int = ROUNDS
    margin: float = MARGIN_PP / 100
    threads: int | None = None


def run_attack(
    contest: CardContest,
    attacker: Attacker,
    *,
    done: Sequence[AttackRound] = (),
    build: Callable[..., BuiltDeck] = build_deck,
    on_generation: Callable[[int, DeckState], None] = lambda *_: None,
    on_round: Callable[[AttackRound], None] = lambda _: None,
) -> Attack:
    """Attack the decks of a contest, round by round.

    Args:
        contest: the decks.
        attacker: configuration of the attack.
        done: rounds that were already played, with which to continue; default none.
        build: function that finds a strong deck against a field, with the arguments of
            `build_deck`.
        on_generation: callback, called after every generation with the round and the search's
            state.
        on_round: callback, called with every round as it ends.

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
            name=_free_name(current, number),
            threads=attacker.threads,
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
    return Attack(tuple(rounds), current, metagame, len(contest.players))


def check_attack(contest: CardContest, attacker: Attacker) -> None:
    """Check a contest and settings as `run_attack` does, without playing games.

    Args:
        contest: the decks.
        attacker: configuration of the attack.

    Raises:
        InputError: the settings of `build` do not fit the contest, or permit no deck.
    """
    contest.require_opponents()
    check_build(contest, _settings_of(attacker, 1), field_of(contest))


def _play(contest: CardContest, attacker: Attacker, stream: str = "matchups") -> MatchupCounts:
    """Play all matchups; a matchup of an earlier round plays the same games again.

    Args:
        contest: the decks so far.
        attacker: configuration of the attack.
        stream: name of the stream of game seeds, below the attack's phase.
    """
    return play_matchups(
        contest,
        contest.table,
        n_games=attacker.settings.games.matchups,
        run_seed=attacker.settings.seed,
        purpose=f"attack/{attacker.phase}/{stream}",
        threads=attacker.threads,
    )


def _field(contest: CardContest, counts: MatchupCounts, attacker: Attacker) -> Field:
    """Return the field of the next round: the average equilibrium, without very small shares.

    Args:
        contest: the decks so far.
        counts: results of their matchups.
        attacker: configuration of the attack.
    """
    shares = average_equilibrium(
        contest, counts, run_seed=attacker.settings.seed, purpose=_resampling_purpose(attacker)
    )
    kept = np.where(shares < SHARE_LEAST, 0.0, shares)
    return field_of(contest, dict(zip(contest.player_names, kept.tolist(), strict=True)))


def _resampling_purpose(attacker: Attacker) -> str:
    """Return the name of the random stream that resamples games."""
    return f"attack/{attacker.phase}/resample"


def _settings_of(attacker: Attacker, number: int) -> BalanceSettings:
    """Return the settings of a round: a run seed of its own, for a new deck without a goal.

    Args:
        attacker: configuration of the attack.
        number: number of the round, from 1.
    """
    settings = attacker.settings
    seed = stream_seed(settings.seed, f"attack/{attacker.phase}/{number}") & SEED_MAX
    build = settings.build.model_copy(update={"improve": None, "goal": 0.0})
    return settings.model_copy(update={"seed": seed, "build": build})


def _free_name(contest: CardContest, number: int) -> str:
    """Return a name for the round's deck that no player has."""
    name = f"attacker_{number}"
    while name in contest.player_names:
        name += "_"
    return name


def _round(number: int, built: BuiltDeck, margin: float) -> AttackRound:
    """Return the record of a round.

    Args:
        number: number of the round, from 1.
        built: the deck, with its certified win rates.
        margin: how far above one half its lower bound must lie for it to be added.
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
    """Return the contest with the round's deck, if it was added."""
    if not entry.added:
        return contest
    player = Player(entry.name, deck_of_round(entry, contest), pilot)
    return replace(contest, players=(*contest.players, player))


def deck_of_round(entry: AttackRound, contest: CardContest) -> Deck:
    """Return the deck that a round built.

    Args:
        entry: record of the round.
        contest: the contest that was attacked, for pool and ruleset.
    """
    table = contest.table
    return Deck(
        name=entry.name,
        pool=table.pool.name,
        ruleset=table.ruleset.name,
        hero=entry.hero,
        cards=entry.deck,
    )
