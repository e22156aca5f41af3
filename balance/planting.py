"""Planting: hidden edits of balanced cards, which a small patch is known to reverse.

Whether a search finds small patches can be judged only if one is known to exist. The reversal of
hidden edits is not necessarily sufficient: guards compare a patch with the given cards, which
contain the hidden edits, and design rules forbid some reversals. Edits are therefore hidden only if
their reversal is permitted and earns the certificate that a search's patch must earn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from balance.card_contest import CardContest, patched
from balance.card_space import build_space
from balance.certificate import certify
from balance.evaluation import Evaluator
from balance.patch import Edit, patch_of
from balance.readings import Readings
from balance.search_space import SearchSpace, Steps
from balance.sense import BETTER
from balance.settings import BalanceSettings
from balance.statistics.intervals import Flags
from balance.target import FREE, Target, demands_of
from sim import InputError, generator, stream_seed

IMBALANCE_PP = (10.0, 30.0)
"""Least and most distance of an instance's worst matchup from its target, in percentage points."""

_MOST_CARDS = 5  # cards with hidden edits; chosen by hand, about the size of published patches
_MOST_DRAWS = 10_000  # draws after which the ranges surely leave no place for the steps
_DRAWN = 16  # genomes per screening batch; chosen by hand
_MOST_ATTEMPTS = 200  # screening batches before giving up; chosen by hand
_SCREENING = 1_000  # games per matchup of a screening: ±3 pp, against 10 to 30 pp that are wanted


@dataclass(frozen=True)
class Planted:
    """Hidden edits and the win rates that they cause.

    Attributes:
        edits: edits of the balanced cards.
        win_rates: win rate of each matchup with the edits, by the matchup's name.
    """

    edits: tuple[Edit, ...]
    win_rates: dict[str, float]


def rates_alone(target: Target, win_rates: Mapping[str, float]) -> Target:
    """Return a target with other win rates of the matchups, and without any other demand.

    Args:
        target: target to change.
        win_rates: target win rates by the names of the matchups.
    """
    free = {"win_rate": {**win_rates}, "field": FREE, "first_seat": FREE}
    return target.model_copy(update=free)


@dataclass(frozen=True)
class Planting:
    """Balanced cards, and the settings by which instances are made from them.

    Attributes:
        contest: balanced cards and players.
        settings: seed, tunable numbers, targets, guards, and the games of a certificate.
        n_games: games per matchup that measure win rates.
        threads: number of threads; default all cores.
    """

    contest: CardContest
    settings: BalanceSettings
    n_games: int
    threads: int | None = None

    def plant(self, n_steps: int, purpose: str, *, as_target: bool = False) -> Planted:
        """Draw edits until they move a matchup far enough and the patch between is certified.

        Args:
            n_steps: number of steps to hide.
            purpose: prefix of the names of the streams of seeds.
            as_target: whether the patch leads from the balanced cards to the win rates with the
                edits, instead of back from the edited cards.

        Raises:
            InputError: no draw satisfies the conditions.
        """
        space = build_space(self.contest, self.settings.tune)
        for name, genome in self._draw(space, n_steps, purpose, as_patches=as_target):
            edits = patch_of(genome, space, self.contest)
            start = self.contest
            patch_space = space
            patch = genome
            if not as_target:
                start = patched(self.contest, edits)
                patch_space = build_space(start, self.settings.tune)
                back = _reversal(edits, start, patch_space)
                if back is None:
                    continue
                patch = back
            readings = self._play(genome[np.newaxis], space, f"{name}/rates", self.n_games)
            if not self._are_off(readings)[0]:
                continue
            names = map(self.contest.matchup_name, self.contest.matchups)
            # Rounded as a suite file writes them, so that the target is the one that is certified.
            rates = np.round(readings.rates[0], 4).tolist()
            planted = Planted(edits, dict(zip(names, rates, strict=True)))
            evaluator = self._evaluator(
                start, patch_space, planted.win_rates if as_target else None, name
            )
            if certify(evaluator, patch, n_games=self.settings.games.certify)[0].certified:
                return planted
        raise InputError(
            f"none of {_MOST_ATTEMPTS * _DRAWN:,} draws of {n_steps} steps moved the worst matchup "
            f"by {IMBALANCE_PP[0]:g} to {IMBALANCE_PP[1]:g} pp and was certified when reversed",
            value=n_steps,
            limit=IMBALANCE_PP,
            remedy="hide another number of steps, or let more numbers move",
        )

    def require_balance(self) -> None:
        """Refuse cards that are not certified as balanced.

        Raises:
            InputError: they are not; names the demands and guards that are not verified.
        """
        space = build_space(self.contest, self.settings.tune)
        evaluator = self._evaluator(self.contest, space, None, "base")
        nothing = np.zeros(len(space.genes), np.int16)
        certificate, _ = certify(evaluator, nothing, n_games=self.settings.games.certify)
        if not certificate.certified:
            rates = zip(certificate.demands.names, certificate.inside, strict=True)
            guards = ((guard.name, guard.holds) for guard in certificate.guards)
            missed = [name for name, holds in (*rates, *guards) if not holds]
            raise InputError(
                f"the cards are not certified as balanced: not verified are {', '.join(missed)}",
                place="base",
                value=tuple(missed),
            )

    def _evaluator(
        self,
        contest: CardContest,
        space: SearchSpace,
        win_rates: dict[str, float] | None,
        name: str,
    ) -> Evaluator:
        """Return an evaluator with the settings' demands, or with given win rates as targets.

        Args:
            contest: cards and players.
            space: search space of the genomes.
            win_rates: target win rates by the names of the matchups; `None` for the settings'
                demands.
            name: name of the draw, which determines the seed.
        """
        settings = self.settings
        seed = stream_seed(self.settings.seed, name) >> 1  # run seeds have 63 bits
        target = rates_alone(settings.target, win_rates) if win_rates else settings.target
        demands = demands_of(self.contest, target, settings.field.weights)
        return Evaluator(contest, space, demands, settings.guards, seed, self.threads)

    def _draw(
        self, space: SearchSpace, n_steps: int, purpose: str, *, as_patches: bool
    ) -> Iterator[tuple[str, Steps]]:
        """Yield genomes that a screening measures as far enough off, each with a name."""
        for attempt in range(_MOST_ATTEMPTS):
            name = f"{purpose}/{attempt}"
            rng = generator(self.settings.seed, name)
            genomes = np.stack([draw_edits(space, n_steps, rng) for _ in range(_DRAWN)])
            genomes = genomes[space.allows(genomes)] if as_patches else genomes
            if len(genomes):
                off = self._are_off(self._play(genomes, space, f"{name}/screen", _SCREENING))
                yield from ((f"{name}/{k}", genomes[k]) for k in np.flatnonzero(off))

    def _play(self, genomes: Steps, space: SearchSpace, purpose: str, n_games: int) -> Readings:
        """Play genomes on a stream of seeds."""
        return self.contest.play(
            genomes,
            space.genes,
            n_games=n_games,
            run_seed=self.settings.seed,
            purpose=purpose,
            threads=self.threads,
        )

    def _are_off(self, readings: Readings) -> Flags:
        """Return whether each variant's worst matchup is as far off target as wanted, ``[V]``."""
        demands = self.settings.demands_in(self.contest)
        distance_pp = demands.distance_pp(demands.of(demands.rates(readings))).max(axis=-1)
        least_pp, most_pp = IMBALANCE_PP
        return np.asarray((least_pp <= distance_pp) & (distance_pp <= most_pp))


def draw_edits(space: SearchSpace, n_steps: int, rng: np.random.Generator) -> Steps:
    """Return a random genome of some steps on one to five cards, each made stronger or weaker.

    Args:
        space: search space; its ranges must leave place for the steps.
        n_steps: number of steps.
        rng: random generator; advanced by the call.

    Returns:
        The genome, shape ``[K]``.

    Raises:
        InputError: the ranges leave no place for so many steps.
    """
    stronger = np.array([BETTER.get(gene.field, 1) for gene in space.genes], np.int16)
    for _ in range(_MOST_DRAWS):
        n_cards = int(rng.integers(1, min(_MOST_CARDS, n_steps, len(space.cards)) + 1))
        cards = rng.permutation(space.cards)[:n_cards]
        sides = rng.choice([-1, 1], n_cards)
        genome = np.zeros(len(space.genes), np.int16)
        # The first steps go to different cards, so that each of them is edited.
        for step in range(n_steps):
            card = step if step < n_cards else int(rng.integers(n_cards))
            moved = genome + sides[card] * stronger
            has_room = (space.low <= moved) & (moved <= space.high) & (space.owners == cards[card])
            if not has_room.any():
                break
            k = rng.choice(np.flatnonzero(has_room))
            genome[k] = moved[k]
        else:
            return genome
    raise InputError(
        f"the ranges of {len(space.genes)} numbers leave no place for {n_steps} steps",
        place="tune",
        value=n_steps,
        limit=len(space.genes),
    )


def _reversal(edits: tuple[Edit, ...], contest: CardContest, space: SearchSpace) -> Steps | None:
    """Return the patch that reverses edits, ``[K]``; `None` if the space does not permit it."""
    steps = {(edit.card, edit.field): edit.before - edit.after for edit in edits}
    numbers = [contest.parameter(gene) for gene in space.genes]
    patch = np.array([steps.pop((p.owner, p.field), 0) for p in numbers], np.int16)
    is_inside = not steps and (space.low <= patch).all() and (patch <= space.high).all()
    return patch if is_inside and space.allows(patch[np.newaxis])[0] else None
