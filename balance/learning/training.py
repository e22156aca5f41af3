"""Training of networks as pilots of a contest's decks; needs torch.

Training games are described by line-ups: two decks, the opponent, the learner's seat, and a
frequency.
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
from agents.dqn.settings import Variant
from balance.cards.card_contest import CardContest, DeckRows, Player
from balance.learning.learner import SEATS, SELF, Learner
from balance.learning.variants import with_variants
from sim import stream_seed, view_for
from sim.environments.episodes import Episodes, Lineup
from sim.play import without

_PACKAGES = ("evenhand", "numpy", "torch")


class Rival(NamedTuple):
    """Additional opponent in training: a state of another learner with a player's deck.

    Attributes:
        player: index of the player with the deck that the pilot plays.
        pilot: state of the other learner.
        is_latest: whether the pilot is the latest state of that learner, not an earlier state.
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
    """Return a new training run of a learner, before its first step.

    Args:
        contest: cards and players.
        learner: learner with its decks, opponents and seat.
        settings: settings of the training; the learner's own variant replaces `variant`. Earlier
            states are kept only if the learner meets itself, and then at least one.
        run_seed: seed of the run; each learner of a run uses random streams of its own.
        rivals: additional opponents, states of other learners.
        latest: share of the games against rivals that are latest states; by default all rivals of a
            deck are met equally often.
        numbers: ranges of the numbers that card variants change; used only if `settings.variants`
            is set.
        start: pilot with the initial weights; default: random weights.

    Raises:
        InputError: the observations cannot show all cards of a player's deck.
    """
    contest.view.check_decks([player.deck for player in contest.players])
    # Trained pilots can play only with the view of their training, so the first one determines it.
    trained = [pilot for _, pilot in learned_pilots(contest)]
    view = view_for(contest.table, trained[0], contest.reached) if trained else contest.view
    settings = settings.with_variant(learner.variant or settings.variant)
    n_past_selves = max(settings.past_selves, 1) if learner.meets_itself else 0
    kept = settings.model_copy(update={"past_selves": n_past_selves})
    purpose = f"train/{learner.name}"
    # An opponent gets few positions at a time in training, so small blocks are faster. The last
    # digits of its values may therefore differ from those in other games.
    opponents, others = (
        [
            DQNPilot(agent.name, agent.network, block=FEW) if isinstance(agent, DQNPilot) else agent
            for agent in agents
        ]
        for agents in (contest.agents, [rival.pilot for rival in rivals])
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
        first_rival = len(contest.players) + n_past_selves
        met = with_share(
            met, {first_rival + k for k, rival in enumerate(rivals) if rival.is_latest}, latest
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
    """Return the line-ups of a learner's training games.

    All combinations of a deck, an opponent and a seat are equally frequent. The games of a
    combination are divided equally among the pilots of the opponent's deck.

    Args:
        contest: cards and players.
        learner: learner with its decks, opponents and seat.
        n_past_selves: number of earlier states of the learner. As opponents they are numbered from
            the number of players on.
        rivals: for each additional pilot, index of the player with the deck that the pilot plays.
            As opponents these pilots are numbered after the earlier states.
    """
    positions = {player.name: position for position, player in enumerate(contest.players)}
    n_players = len(contest.players)
    all_lineups = []
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
            all_lineups += [Lineup(own, enemy, pilot, seat, weight) for pilot in pilots]
    return all_lineups


def with_share(
    all_lineups: Sequence[Lineup], opponents: Collection[int], share: float
) -> list[Lineup]:
    """Return line-ups reweighted so that a group of opponents is met in a share of all games.

    Relative frequencies within the group, and among all other opponents, stay. Line-ups of a group
    with a share of 0 are dropped.

    Args:
        all_lineups: line-ups against opponents inside and outside of the group.
        opponents: indices of the opponents in the group.
        share: share of all games against the group, from 0 to 1.
    """
    chosen = [lineup for lineup in all_lineups if lineup.opponent in opponents]
    others = [lineup for lineup in all_lineups if lineup.opponent not in opponents]
    weighted = []
    for group, part in ((chosen, share), (others, 1 - share)):
        total = sum(lineup.weight for lineup in group)
        weighted += [
            replace(lineup, weight=part * lineup.weight / total) for lineup in group if part
        ]
    return weighted


def _with_absences(row: DeckRows, leave_out: float) -> Iterator[tuple[DeckRows, float]]:
    """Yield a deck and its versions without one kind of card, each with its frequency.

    The intact deck has the frequency 1 - `leave_out`; the versions share `leave_out` equally. Decks
    with a frequency of 0 are not yielded.
    """
    kinds = np.unique(row[1 : 1 + row[0]]).tolist()
    if leave_out < 1:
        yield row, 1 - leave_out
    if leave_out > 0:
        for card in kinds:
            yield without(row, card), leave_out / len(kinds)


def learned_pilots(contest: CardContest) -> list[tuple[Player, DQNPilot]]:
    """Return the players with trained networks as agents, and these networks, in contest order."""
    return [
        (player, player.agent) for player in contest.players if isinstance(player.agent, DQNPilot)
    ]


def foreign_to_power(contest: CardContest) -> list[str]:
    """Return warnings about pilots that were not trained for the games that measure card power.

    A warning is returned for each trained pilot that learned only one seat or met no decks that
    lack a card. Pilots of unknown provenance are not reported.
    """
    return [
        f"{player.name}: its pilot {pilot.name!r} was trained {' and '.join(gaps)}, but "
        "leave-one-out power is measured in both seats, with decks that lack a card"
        for player, pilot in learned_pilots(contest)
        if (gaps := _gaps(pilot))
    ]


def _gaps(pilot: DQNPilot) -> list[str]:
    """Return descriptions of the games that card power needs and a pilot's training lacked.

    The list is empty for a pilot of unknown provenance.
    """
    origin = pilot.provenance
    if origin is None:
        return []
    gaps = [f"only in the {origin.seat} seat"] * (origin.seat != "either")
    return gaps + ["without decks that lack a card"] * (origin.leave_out == 0)


def unconverged_pilots(contest: CardContest) -> list[str]:
    """Return a warning for each trained pilot that is not known to have converged."""
    return [
        f"{player.name}: its pilot {pilot.name!r} {reason}, so its win rates may change if it is "
        "trained further"
        for player, pilot in learned_pilots(contest)
        if (reason := _reason_unconverged(pilot))
    ]


def _reason_unconverged(pilot: DQNPilot) -> str:
    """Return the reason for which a pilot is not known to have converged, or `""` if it has.

    The reason is that it was not trained together with other learners, or that its last round
    changed a matchup by more than the limit.
    """
    origin = pilot.provenance
    together = None if origin is None else origin.settings.together
    if origin is None or origin.moved_pp is None or together is None:
        return "was not trained together with the other pilots (setting `together` of [train])"
    if origin.moved_pp > together.rest_pp:
        return (
            f"changed a matchup by {origin.moved_pp:.1f} pp in its last round of training together"
        )
    return ""


def settings_of(pilot: DQNPilot) -> TrainSettings:
    """Return the settings of a pilot's training.

    If the provenance is unknown, only the network's size and variant are those of the pilot, and
    all other settings are defaults. The device is `cpu` if this machine has no usable GPU.
    """
    if pilot.provenance is None:
        architecture = pilot.network.architecture
        variant: Variant = "improved" if architecture.dueling else "dqn"
        return TrainSettings(hidden=architecture.hidden, variant=variant)
    settings = pilot.provenance.settings
    is_missing = settings.device == "cuda" and not torch.cuda.is_available()
    return settings.model_copy(update={"device": "cpu"}) if is_missing else settings


def shortened_settings(settings: TrainSettings, steps: int) -> TrainSettings:
    """Return the settings of a training scaled to a length of `steps` steps.

    `epsilon_steps`, `warm_up` and `snapshot_every` are scaled in proportion, but not below their
    minimum values. All other settings stay.
    """
    share = steps / settings.steps
    # A first update can be drawn only if every environment has this many entries.
    fewest = settings.n_environments * (settings.n_step + 1)
    return settings.model_copy(
        update={
            "steps": steps,
            "epsilon_steps": max(round(share * settings.epsilon_steps), 1),
            "warm_up": max(round(share * settings.warm_up), fewest),
            "snapshot_every": max(round(share * settings.snapshot_every), 1),
        }
    )


def continued_settings(
    pilot: DQNPilot, steps: int, *, learning_rate: float, epsilon: float
) -> TrainSettings:
    """Return the settings of a further training of a pilot, with other periods scaled to `steps`.

    Args:
        pilot: pilot that is trained further.
        steps: number of steps of the further training.
        learning_rate: step size of Adam at the start.
        epsilon: share of random actions, constant over the training.
    """
    changes = {"learning_rate": learning_rate, "epsilon_start": epsilon, "epsilon_end": epsilon}
    return shortened_settings(settings_of(pilot), steps).model_copy(update=changes)


def numbers_of(pilot: DQNPilot) -> Numbers | None:
    """Return the ranges of the card numbers that varied in a pilot's training.

    The result is `None` if the pilot's provenance is unknown.
    """
    return None if pilot.provenance is None else pilot.provenance.numbers


def provenance(
    contest: CardContest,
    learner: Learner,
    trainer: Trainer,
    *,
    run_seed: int,
    numbers: Numbers | None = None,
) -> Provenance:
    """Return the provenance of the pilot that a training run has produced so far.

    Args:
        contest: cards and players of the training.
        learner: learner that was trained.
        trainer: training run of the learner.
        run_seed: seed of the run.
        numbers: ranges of the card numbers that the training varied.
    """
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
