"""The double oracle: do decks stay balanced once people build against them?

Solve the game of the decks at hand, build the best deck against its equilibrium, add it, repeat:
until nothing more is found that certainly wins, by more than a margin, or the rounds are used up.
Attacked is the equilibrium on average over resampled games, lest luck single out one deck.

Reference: H. B. McMahan, G. J. Gordon, A. Blum, "Planning in the presence of cost functions
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
from balance.metagame.metagame import Metagame, likely_mix, metagame_of
from balance.readings import MatchupCounts
from balance.settings import BalanceSettings
from sim import SEED_MAX, Deck, StrictModel, stream_seed
from sim.play.agent import Agent

ROUNDS = 4
SHARE_LEAST = 0.01  # decks below are not worth the games that meeting them takes
MARGIN_PP = 1.0


class OpponentRate(StrictModel):
    """What an attacker wins against one deck of the mix.

    Attributes:
        name: the player.
        win_rate: of the attacker, with the bounds `low` and `high` of its Wilson interval.
        low: see `win_rate`.
        high: see `win_rate`.
        n: games.
    """

    name: str
    win_rate: float
    low: float
    high: float
    n: int


class AttackRound(StrictModel):
    """One round: the deck that was built against the mix, and what it is worth there.

    Attributes:
        round: its number, from 1.
        name: of the deck, as a player.
        deck: copies of each card, in the order of the slots.
        hero: who plays it; `""` for nobody.
        win_rate: against the mix on games that chose nothing, with the bounds `low` and `high` of
            its interval over seeds.
        low: see `win_rate`.
        high: see `win_rate`.
        n: all these games.
        opponents: the decks of the mix.
        added: whether it certainly wins by more than the margin, and so joins the others.
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
    """What became of some decks under attack.

    Attributes:
        rounds: what was built, in turn.
        contest: the decks that there are in the end: the ``D`` original ones, then the attackers
            that joined.
        metagame: what they come to.
        n_original: ``D``.
    """

    rounds: tuple[AttackRound, ...]
    contest: CardContest
    metagame: Metagame
    n_original: int


@dataclass(frozen=True)
class Attacker:
    """Who attacks, and how.

    Attributes:
        settings: of these `seed`, `games.matchups`, `collection` and `build` count.
        pilot: the agent of all decks that are built, as `settings.build.agent` names it.
        phase: names the streams of seeds, `attack/<phase>/...`.
        rounds: at most.
        margin: how much above one half an attacker must certainly win to join.
        threads: threads to use; default all cores.
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
    """Attack the decks of a contest round by round.

    Args:
        contest: the decks.
        attacker: who attacks, and how.
        done: the rounds with which to continue; default none.
        build: finds a strong deck against a field, as `build_deck` does.
        on_generation: told the round and the state of its search after every generation.
        on_round: told every round as it ends.

    Raises:
        InputError: the settings of `build` do not fit the contest, or allow no deck.
    """
    rounds = list(done)
    now = contest
    for entry in rounds:
        now = _joined(now, entry, attacker.pilot)
    counts = _play(now, attacker)
    while len(rounds) < attacker.rounds and (not rounds or rounds[-1].added):
        number = len(rounds) + 1
        found = build(
            now,
            _settings_of(attacker, number),
            field=_field(now, counts, attacker),
            name=_free_name(now, number),
            threads=attacker.threads,
            on_generation=lambda state, number=number: on_generation(number, state),
        )
        entry = _round(number, found, attacker.margin)
        rounds.append(entry)
        on_round(entry)
        if entry.added:
            now = _joined(now, entry, attacker.pilot)
            counts = _play(now, attacker)
    metagame = metagame_of(
        now,
        counts,
        _play(now, attacker, "again"),
        run_seed=attacker.settings.seed,
        purpose=_resampling(attacker),
    )
    return Attack(tuple(rounds), now, metagame, len(contest.players))


def check_attack(contest: CardContest, attacker: Attacker) -> None:
    """Refuse what `run_attack` would refuse, before anything is played.

    Raises:
        InputError: the settings of `build` do not fit the contest, or allow no deck.
    """
    contest.require_opponents()
    check_build(contest, _settings_of(attacker, 1), field_of(contest))


def _play(contest: CardContest, attacker: Attacker, stream: str = "matchups") -> MatchupCounts:
    """All matchups; those that were there before come out as before, on the same seeds."""
    return play_matchups(
        contest,
        contest.table,
        n_games=attacker.settings.games.matchups,
        run_seed=attacker.settings.seed,
        purpose=f"attack/{attacker.phase}/{stream}",
        threads=attacker.threads,
    )


def _field(contest: CardContest, counts: MatchupCounts, attacker: Attacker) -> Field:
    """The decks that likely have a share in the equilibrium, weighted by it."""
    shares = likely_mix(
        contest, counts, run_seed=attacker.settings.seed, purpose=_resampling(attacker)
    )
    kept = np.where(shares < SHARE_LEAST, 0.0, shares)
    return field_of(contest, dict(zip(contest.player_names, kept.tolist(), strict=True)))


def _resampling(attacker: Attacker) -> str:
    return f"attack/{attacker.phase}/resample"


def _settings_of(attacker: Attacker, number: int) -> BalanceSettings:
    """The settings of a round: a run seed of its own, and a deck built anew."""
    settings = attacker.settings
    seed = stream_seed(settings.seed, f"attack/{attacker.phase}/{number}") & SEED_MAX
    build = settings.build.model_copy(update={"improve": None, "goal": 0.0})
    return settings.model_copy(update={"seed": seed, "build": build})


def _free_name(contest: CardContest, number: int) -> str:
    name = f"attacker_{number}"
    while name in contest.player_names:
        name += "_"
    return name


def _round(number: int, found: BuiltDeck, margin: float) -> AttackRound:
    win_rate, low, high = map(float, found.score)
    opponents = tuple(
        OpponentRate(
            name=player.name,
            **dict(zip(("win_rate", "low", "high"), map(float, rate), strict=True)),
            n=found.n_games,
        )
        for player, rate in zip(
            found.field.opponents, zip(*found.win_rates, strict=True), strict=True
        )
    )
    return AttackRound(
        round=number,
        name=found.deck.name,
        deck=found.deck.cards,
        win_rate=win_rate,
        low=low,
        high=high,
        n=found.n_games * len(opponents),
        opponents=opponents,
        added=low > 0.5 + margin,
        hero=found.deck.hero,
    )


def _joined(contest: CardContest, entry: AttackRound, pilot: Agent) -> CardContest:
    """The contest with the round's deck, if it was added."""
    if not entry.added:
        return contest
    player = Player(entry.name, deck_of_round(entry, contest), pilot)
    return replace(contest, players=(*contest.players, player))


def deck_of_round(entry: AttackRound, contest: CardContest) -> Deck:
    """The deck that a round built."""
    table = contest.table
    return Deck(
        name=entry.name,
        pool=table.pool.name,
        ruleset=table.ruleset.name,
        hero=entry.hero,
        cards=entry.deck,
    )
