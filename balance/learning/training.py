"""Training an agent for the players of a contest; needs torch.

Its episodes are made up of line-ups: who sits where, with which decks, how often.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from importlib import metadata
from itertools import product
from typing import NamedTuple

import numpy as np
import torch

from agents import Trainer, TrainSettings
from agents.dqn.pilot import FEW, DQNPilot, past_selves
from agents.dqn.provenance import Numbers, Provenance, Stamp, stamps_of_cards
from balance.card_contest import CardContest, DeckRows, Player
from balance.learning.learner import SEATS, SELF, Learner
from balance.learning.variants import with_variants
from sim import stream_seed, view_for
from sim.environments.episodes import Episodes, Lineup
from sim.play import without

_PACKAGES = ("evenhand", "numpy", "torch")


class Rival(NamedTuple):
    """Somebody else who pilots a player's deck.

    Attributes:
        player: by position.
        pilot: as it is met.
        is_latest: whether it is what a learner has become last, rather than what it was before.
    """

    player: int
    pilot: DQNPilot
    is_latest: bool


def begin_training(
    contest: CardContest,
    learner: Learner,
    settings: TrainSettings,
    *,
    run_seed: int,
    rivals: Sequence[Rival] = (),
    latest: float | None = None,
    numbers: Numbers | None = None,
    start: DQNPilot | None = None,
) -> Trainer:
    """A training run at its beginning.

    Args:
        contest: cards and players.
        learner: whom to train, against whom.
        settings: how, but for the learner's own variant. Past selves are kept only for a learner
            that meets itself.
        run_seed: the run's seed; every learner of a run has streams of its own.
        rivals: who else pilots the players' decks.
        latest: share of the games against the latest of them; by default they are met as often
            as the others.
        numbers: of cards that variants move, if the settings tell of variants.
        start: whose weights it goes on from; default from nothing.

    Raises:
        InputError: the learner's or an opponent's deck cannot be seen in full.
    """
    contest.view.check_decks([player.deck for player in contest.players])
    trained = [pilot for _, pilot in learned_pilots(contest)]  # met, or where it goes on from
    view = view_for(contest.table, trained[0], contest.reached) if trained else contest.view
    settings = settings.with_variant(learner.variant or settings.variant)
    n_past_selves = max(settings.past_selves, 1) if learner.meets_itself else 0
    kept = settings.model_copy(update={"past_selves": n_past_selves})
    purpose = f"train/{learner.name}"
    # Few positions at a time are all that training asks an opponent. A pilot may so round
    # differently than in a match, in the last digit.
    opponents, others = (
        [DQNPilot(o.name, o.network, block=FEW) if isinstance(o, DQNPilot) else o for o in some]
        for some in (contest.agents, [rival.pilot for rival in rivals])
    )
    table = contest.table
    if numbers and settings.variants:
        table = with_variants(
            table,
            numbers,
            settings.variants,
            run_seed=run_seed,
            purpose=f"{purpose}/variants",
        )
    met = lineups(contest, learner, n_past_selves, [rival.player for rival in rivals])
    if latest is not None:
        first = len(contest.players) + n_past_selves
        met = with_share(
            met, {first + k for k, rival in enumerate(rivals) if rival.is_latest}, latest
        )
    episodes = Episodes(
        table,
        met,
        [*opponents, *past_selves(kept, view.size), *others],
        settings.n_environments,
        stream_seed(run_seed, f"{purpose}/games"),
        view=view,
        skip_forced=settings.skip_forced,
    )
    trainer = Trainer(settings, episodes, seed=stream_seed(run_seed, purpose))
    if start is not None:
        trainer.start_from(start.network)
    return trainer


def lineups(
    contest: CardContest, learner: Learner, n_past_selves: int = 0, rivals: Sequence[int] = ()
) -> list[Lineup]:
    """How the learner's episodes are made up.

    Every pair of a deck and an opponent is equally frequent, and so is every seat.

    Args:
        contest: cards and players.
        learner: who learns.
        n_past_selves: places for past selves among the opponents, behind the contest's players.
        rivals: players whose decks others pilot too, equally often; these others come behind the
            past selves among the opponents.
    """
    positions = {player.name: position for position, player in enumerate(contest.players)}
    n_players = len(contest.players)
    found = []
    for deck, opponent, seat in product(learner.decks, learner.opponents, SEATS[learner.seat]):
        names = (deck, deck if opponent == SELF else opponent)
        sides = [contest.deck_rows[positions[name]] for name in names]
        if opponent == SELF:
            pilots = [n_players + past for past in range(n_past_selves)]
        else:
            others = [k for k, rival in enumerate(rivals) if rival == positions[opponent]]
            first = n_players + n_past_selves
            pilots = [positions[opponent], *(first + k for k in others)]
        for (own, share), (enemy, other_share) in product(
            *(_with_absences(row, learner.leave_out) for row in sides)
        ):
            weight = share * other_share / len(pilots)
            found += [Lineup(own, enemy, pilot, seat, weight) for pilot in pilots]
    return found


def with_share(found: Sequence[Lineup], opponents: Collection[int], share: float) -> list[Lineup]:
    """The same line-ups, so weighted that some opponents are met in a share of the games.

    Args:
        found: with these opponents among others, or with no others.
        opponents: positions.
        share: of all games; within it, and within the rest, all is as frequent as it was.
    """
    chosen = [one for one in found if one.opponent in opponents]
    others = [one for one in found if one.opponent not in opponents]
    weighted = []
    for some, part in ((chosen, share), (others, 1 - share)):
        total = sum(one.weight for one in some)
        weighted += [replace(one, weight=part * one.weight / total) for one in some if part]
    return weighted


def _with_absences(row: DeckRows, leave_out: float) -> Iterator[tuple[DeckRows, float]]:
    """The deck whole and without each of its kinds of cards, and how often each is played."""
    kinds = np.unique(row[1 : 1 + row[0]]).tolist()
    if leave_out < 1:
        yield row, 1 - leave_out
    if leave_out > 0:
        for card in kinds:
            yield without(row, card), leave_out / len(kinds)


def learned_pilots(contest: CardContest) -> list[tuple[Player, DQNPilot]]:
    """The players whose agents were trained as these are, in their order."""
    return [(one, one.agent) for one in contest.players if isinstance(one.agent, DQNPilot)]


def foreign_to_power(contest: CardContest) -> list[str]:
    """What measuring power asks of trained pilots that they never met, a sentence for each."""
    return [
        f"{player.name}: {pilot.name} learned with {' and '.join(gaps)}; leave-one-out in "
        "the mirror is foreign to it"
        for player, pilot in learned_pilots(contest)
        if (gaps := _gaps(pilot))
    ]


def _gaps(pilot: DQNPilot) -> list[str]:
    """With what a pilot learned, as far as that is known, where power asks for more."""
    known = pilot.provenance
    if known is None:
        return []
    gaps = [f"only the {known.seat} seat"] * (known.seat != "either")
    return gaps + ["no decks that lack a card"] * (known.leave_out == 0)


def restless(contest: CardContest) -> list[str]:
    """Which trained pilots are not known to be at rest with the others, a sentence for each."""
    return [
        f"{player.name}: {pilot.name} {why}, so win rates are those of a player who is still "
        "changing"
        for player, pilot in learned_pilots(contest)
        if (why := _unrest(pilot))
    ]


def _unrest(pilot: DQNPilot) -> str:
    """Why a pilot is not known to be at rest; empty if it is."""
    known = pilot.provenance
    together = None if known is None else known.settings.together
    if known is None or known.moved_pp is None or together is None:
        return "learned without the others ([train] together)"
    if known.moved_pp > together.rest_pp:
        return f"moved a matchup by {known.moved_pp:.1f} pp in its last round with the others"
    return ""


def settings_of(pilot: DQNPilot) -> TrainSettings:
    """How a pilot was trained, as far as it is known, on a device that there is here."""
    if pilot.provenance is None:
        known = pilot.network.architecture
        return TrainSettings(hidden=known.hidden, variant="improved" if known.dueling else "dqn")
    settings = pilot.provenance.settings
    is_missing = settings.device == "cuda" and not torch.cuda.is_available()
    return settings.model_copy(update={"device": "cpu"}) if is_missing else settings


def shortened(settings: TrainSettings, steps: int) -> TrainSettings:
    """The same training with all that takes time in it stretched or squeezed into `steps`."""
    share = steps / settings.steps
    fewest = settings.n_environments * (settings.n_step + 1)  # that a first update can draw from
    return settings.model_copy(
        update={
            "steps": steps,
            "epsilon_steps": max(round(share * settings.epsilon_steps), 1),
            "warm_up": max(round(share * settings.warm_up), fewest),
            "snapshot_every": max(round(share * settings.snapshot_every), 1),
        }
    )


def continued(
    pilot: DQNPilot, steps: int, *, learning_rate: float, epsilon: float
) -> TrainSettings:
    """How a pilot goes on learning: as it was trained, but shorter, slower and surer of itself."""
    more = {"learning_rate": learning_rate, "epsilon_start": epsilon, "epsilon_end": epsilon}
    return shortened(settings_of(pilot), steps).model_copy(update=more)


def numbers_of(pilot: DQNPilot) -> Numbers | None:
    """The numbers with which a pilot met variants, as far as it is known."""
    return None if pilot.provenance is None else pilot.provenance.numbers


def provenance(
    contest: CardContest,
    learner: Learner,
    trainer: Trainer,
    *,
    run_seed: int,
    numbers: Numbers | None = None,
) -> Provenance:
    """What a pilot's file says about where it comes from."""
    by_name = {player.name: player.deck for player in contest.players}
    pool = contest.table.pool
    return Provenance(
        ruleset=Stamp.of(contest.table.ruleset),
        pool=pool.name,
        cards=stamps_of_cards(pool, contest.reached),
        numbers={card: dict(ranges) for card, ranges in (numbers or {}).items()},
        decks=tuple(Stamp.of(by_name[name]) for name in learner.decks),
        settings=trainer.settings,
        seed=run_seed,
        steps=trainer.n_steps,
        opponents=", ".join(learner.opponents),
        seat=learner.seat,
        leave_out=learner.leave_out,
        versions={name: metadata.version(name) for name in _PACKAGES},
    )
