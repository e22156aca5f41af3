"""Training of an agent for the players of a contest; needs torch.

The training's episodes are described by line-ups: decks, opponent, seat and frequency.
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
from balance.card_contest import CardContest, DeckRows, Player
from balance.learning.learner import SEATS, SELF, Learner
from balance.learning.variants import with_variants
from sim import stream_seed, view_for
from sim.environments.episodes import Episodes, Lineup
from sim.play import without

_PACKAGES = ("evenhand", "numpy", "torch")


class Rival(NamedTuple):
    """Additional pilot of a player's deck, such as an earlier state of another learner.

    Attributes:
        player: index of the player.
        pilot: the pilot.
        is_latest: whether it is the latest state of a learner rather than an earlier one.
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
    """Return a training run at its beginning.

    Args:
        contest: cards and players.
        learner: the learner and its opponents.
        settings: settings of the training, apart from the learner's own variant. Past selves are
            kept only for a learner that meets itself.
        run_seed: seed of the run; every learner of a run has its own streams.
        rivals: additional pilots of the players' decks.
        latest: share of the games against the latest of the rivals; by default all rivals are met
            equally often.
        numbers: ranges of cards' numbers, if the settings ask for variants.
        start: pilot with the initial weights; default: random weights.

    Raises:
        InputError: the view cannot show the learner's or an opponent's deck in full.
    """
    contest.view.check_decks([player.deck for player in contest.players])
    # A trained pilot, as an opponent or as the start, determines the view.
    trained = [pilot for _, pilot in learned_pilots(contest)]
    view = view_for(contest.table, trained[0], contest.reached) if trained else contest.view
    settings = settings.with_variant(learner.variant or settings.variant)
    n_past_selves = max(settings.past_selves, 1) if learner.meets_itself else 0
    kept = settings.model_copy(update={"past_selves": n_past_selves})
    purpose = f"train/{learner.name}"
    # Training asks an opponent for few positions at a time, so small blocks are faster. The last
    # digit of a pilot's values may therefore differ from that in a match.
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
    """Return the line-ups of a learner's episodes.

    Every pair of a deck and an opponent is equally frequent, and so is every seat.

    Args:
        contest: cards and players.
        learner: the learner.
        n_past_selves: number of past selves among the opponents, numbered behind the contest's
            players.
        rivals: indices of the players that additional pilots stand for, as often as the players'
            own agents; they are numbered behind the past selves.
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
    """Return the line-ups, reweighted so that some opponents are met in a share of all games.

    Args:
        all_lineups: line-ups against these opponents, and perhaps against others.
        opponents: indices of the opponents.
        share: their share of all games; relative frequencies within both groups stay.
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
    """Yield the deck, whole and without each of its kinds of cards, with the frequency of each."""
    kinds = np.unique(row[1 : 1 + row[0]]).tolist()
    if leave_out < 1:
        yield row, 1 - leave_out
    if leave_out > 0:
        for card in kinds:
            yield without(row, card), leave_out / len(kinds)


def learned_pilots(contest: CardContest) -> list[tuple[Player, DQNPilot]]:
    """Return the players with trained pilots (`DQNPilot`), each with its pilot, in order."""
    return [
        (player, player.agent) for player in contest.players if isinstance(player.agent, DQNPilot)
    ]


def foreign_to_power(contest: CardContest) -> list[str]:
    """Return a sentence per trained pilot that never met the games that measure card power."""
    return [
        f"{player.name}: {pilot.name} was trained with {' and '.join(gaps)}, but leave-one-out "
        "plays mirrors of decks that lack a card"
        for player, pilot in learned_pilots(contest)
        if (gaps := _gaps(pilot))
    ]


def _gaps(pilot: DQNPilot) -> list[str]:
    """Return which games of the power measurement are missing in a pilot's training, in words."""
    origin = pilot.provenance
    if origin is None:
        return []
    gaps = [f"only the {origin.seat} seat"] * (origin.seat != "either")
    return gaps + ["no decks that lack a card"] * (origin.leave_out == 0)


def unconverged_pilots(contest: CardContest) -> list[str]:
    """Return a sentence per trained pilot that is not known to have converged with the others."""
    return [
        f"{player.name}: {pilot.name} {reason}, so win rates are those of a player that still "
        "changes"
        for player, pilot in learned_pilots(contest)
        if (reason := _reason_unconverged(pilot))
    ]


def _reason_unconverged(pilot: DQNPilot) -> str:
    """Return why a pilot is not known to have converged; empty if it has."""
    origin = pilot.provenance
    together = None if origin is None else origin.settings.together
    if origin is None or origin.moved_pp is None or together is None:
        return "was trained without the others (see [train] together)"
    if origin.moved_pp > together.rest_pp:
        return f"changed a matchup by {origin.moved_pp:.1f} pp in its last round with the others"
    return ""


def settings_of(pilot: DQNPilot) -> TrainSettings:
    """Return the settings of a pilot's training as far as known, with a device of this machine."""
    if pilot.provenance is None:
        architecture = pilot.network.architecture
        variant: Variant = "improved" if architecture.dueling else "dqn"
        return TrainSettings(hidden=architecture.hidden, variant=variant)
    settings = pilot.provenance.settings
    is_missing = settings.device == "cuda" and not torch.cuda.is_available()
    return settings.model_copy(update={"device": "cpu"}) if is_missing else settings


def shortened_settings(settings: TrainSettings, steps: int) -> TrainSettings:
    """Return the same training with all its periods scaled to `steps` steps."""
    share = steps / settings.steps
    fewest = settings.n_environments * (settings.n_step + 1)  # what a first update can draw from
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
    """Return the settings for a pilot's further training.

    Args:
        pilot: the pilot.
        steps: length of the further training.
        learning_rate: Adam's step size at its start.
        epsilon: constant share of random actions.
    """
    changes = {"learning_rate": learning_rate, "epsilon_start": epsilon, "epsilon_end": epsilon}
    return shortened_settings(settings_of(pilot), steps).model_copy(update=changes)


def numbers_of(pilot: DQNPilot) -> Numbers | None:
    """Return the ranges of numbers that a pilot met in training; `None` if unknown."""
    return None if pilot.provenance is None else pilot.provenance.numbers


def provenance(
    contest: CardContest,
    learner: Learner,
    trainer: Trainer,
    *,
    run_seed: int,
    numbers: Numbers | None = None,
) -> Provenance:
    """Return the provenance of a trained pilot.

    Args:
        contest: cards and players.
        learner: the learner.
        trainer: its training run.
        run_seed: seed of the run.
        numbers: ranges of numbers that the training varied.
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
