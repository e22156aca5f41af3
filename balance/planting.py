"""Planting: hidden edits of balanced cards, which a small patch is known to take back.

Whether a search finds a small patch can be judged only where one is known to exist. That hidden
edits can be taken back does not say so yet: guards compare a patch with the cards as they are
given, which are those with the hidden edits, and rules of sense forbid some ways back. So edits are
hidden only where taking them back is allowed, and earns the very certificate that a search must.
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
"""How far the worst matchup of an instance is from its target, at least and at most."""

_MOST_CARDS = 5
_MOST_DRAWS = 10_000  # until there is surely no room
_DRAWN = 16  # genomes screened at once
_MOST_ATTEMPTS = 200  # of as many
_SCREENING = 1_000  # games per matchup that show roughly how far off a genome is


@dataclass(frozen=True)
class Planted:
    """Hidden edits.

    Attributes:
        edits: of the balanced cards.
        win_rates: of the matchups with them, by name.
    """

    edits: tuple[Edit, ...]
    win_rates: dict[str, float]


def rates_alone(target: Target, win_rates: Mapping[str, float]) -> Target:
    """The target with other win rates of the matchups, and with nothing asked besides."""
    told = {"win_rate": {**win_rates}, "field": FREE, "first_seat": FREE}
    return target.model_copy(update=told)


@dataclass(frozen=True)
class Planting:
    """Balanced cards, and what instances are made of them.

    Attributes:
        contest: the balanced cards.
        settings: seed, what may move, targets, guards, and the games of a certificate.
        n_games: per matchup, which measure win rates.
        threads: threads to use; default all cores.
    """

    contest: CardContest
    settings: BalanceSettings
    n_games: int
    threads: int | None = None

    def plant(self, n_steps: int, purpose: str, *, as_target: bool = False) -> Planted:
        """Draw edits until they move a matchup far enough and the way between is certified.

        Args:
            n_steps: how many steps to hide.
            purpose: names the streams of seeds.
            as_target: the win rates with the edits are to be reached from the balanced cards,
                rather than the other way round.

        Raises:
            InputError: none of many draws is as it should be.
        """
        space = build_space(self.contest, self.settings.tune)
        for name, genome in self._drawn(space, n_steps, purpose, as_patches=as_target):
            edits = patch_of(genome, space, self.contest)
            asked = self.contest
            there = space
            patch = genome
            if not as_target:
                asked = patched(self.contest, edits)
                there = build_space(asked, self.settings.tune)
                back = _back(edits, asked, there)
                if back is None:
                    continue
                patch = back
            readings = self._play(genome[np.newaxis], space, f"{name}/rates", self.n_games)
            if not self._are_off(readings)[0]:
                continue
            names = map(self.contest.matchup_name, self.contest.matchups)
            rates = np.round(readings.rates[0], 4).tolist()
            found = Planted(edits, dict(zip(names, rates, strict=True)))
            evaluator = self._evaluator(asked, there, found.win_rates if as_target else None, name)
            if certify(evaluator, patch, n_games=self.settings.games.certify)[0].certified:
                return found
        raise InputError(
            f"of {_MOST_ATTEMPTS * _DRAWN:,} draws of {n_steps} steps none came to "
            f"{IMBALANCE_PP[0]:g} to {IMBALANCE_PP[1]:g} pp in the worst matchup and was certified "
            "when it was taken back"
        )

    def require_balance(self) -> None:
        """Refuse to begin with cards that are not balanced.

        Raises:
            InputError: no certificate says that they are.
        """
        space = build_space(self.contest, self.settings.tune)
        evaluator = self._evaluator(self.contest, space, None, "base")
        nothing = np.zeros(len(space.genes), np.int16)
        verdict, _ = certify(evaluator, nothing, n_games=self.settings.games.certify)
        if not verdict.certified:
            rates = zip(verdict.demands.names, verdict.inside, strict=True)
            guards = ((guard.name, guard.holds) for guard in verdict.guards)
            missed = [name for name, holds in (*rates, *guards) if not holds]
            raise InputError(
                "base: the cards are not certified as balanced; not shown to hold: "
                + ", ".join(missed)
            )

    def _evaluator(
        self,
        contest: CardContest,
        space: SearchSpace,
        win_rates: dict[str, float] | None,
        name: str,
    ) -> Evaluator:
        """By the demands of the settings, or, with win rates, with those rates as targets."""
        settings = self.settings
        seed = stream_seed(self.settings.seed, name) >> 1
        target = rates_alone(settings.target, win_rates) if win_rates else settings.target
        demands = demands_of(self.contest, target, settings.field.weights)
        return Evaluator(contest, space, demands, settings.guards, seed, self.threads)

    def _drawn(
        self, space: SearchSpace, n_steps: int, purpose: str, *, as_patches: bool
    ) -> Iterator[tuple[str, Steps]]:
        """Genomes that look far enough off, each with a name for its streams."""
        for attempt in range(_MOST_ATTEMPTS):
            name = f"{purpose}/{attempt}"
            rng = generator(self.settings.seed, name)
            genomes = np.stack([draw_edits(space, n_steps, rng) for _ in range(_DRAWN)])
            genomes = genomes[space.allows(genomes)] if as_patches else genomes
            if len(genomes):
                off = self._are_off(self._play(genomes, space, f"{name}/screen", _SCREENING))
                yield from ((f"{name}/{k}", genomes[k]) for k in np.flatnonzero(off))

    def _play(self, genomes: Steps, space: SearchSpace, purpose: str, n_games: int) -> Readings:
        return self.contest.play(
            genomes,
            space.genes,
            n_games=n_games,
            run_seed=self.settings.seed,
            purpose=purpose,
            threads=self.threads,
        )

    def _are_off(self, readings: Readings) -> Flags:
        """``[V]`` whether the worst matchup is as far from its target as it should be."""
        demands = self.settings.demands_in(self.contest)
        distance_pp = demands.distance_pp(demands.of(demands.rates(readings))).max(axis=-1)
        least_pp, most_pp = IMBALANCE_PP
        return np.asarray((least_pp <= distance_pp) & (distance_pp <= most_pp))


def draw_edits(space: SearchSpace, n_steps: int, rng: np.random.Generator) -> Steps:
    """``[K]`` a genome of so many steps on one to five cards, each made stronger or weaker.

    Args:
        space: what may move; it must have room for the steps.
        n_steps: how many.
        rng: where chance comes from.

    Raises:
        InputError: there is no room for so many steps on one card.
    """
    stronger = np.array([BETTER.get(gene.field, 1) for gene in space.genes], np.int16)
    for _ in range(_MOST_DRAWS):
        n_cards = int(rng.integers(1, min(_MOST_CARDS, n_steps, len(space.cards)) + 1))
        cards = rng.permutation(space.cards)[:n_cards]
        sides = rng.choice([-1, 1], n_cards)
        genome = np.zeros(len(space.genes), np.int16)
        for step in range(n_steps):
            place = step if step < n_cards else int(rng.integers(n_cards))
            moved = genome + sides[place] * stronger
            has_room = (space.low <= moved) & (moved <= space.high) & (space.owners == cards[place])
            if not has_room.any():
                break
            k = rng.choice(np.flatnonzero(has_room))
            genome[k] = moved[k]
        else:
            return genome
    raise InputError(
        f"tune: {len(space.genes)} numbers that may move have no room for {n_steps} steps"
    )


def _back(edits: tuple[Edit, ...], contest: CardContest, space: SearchSpace) -> Steps | None:
    """``[K]`` the patch that takes edits back, if the space holds it."""
    steps = {(one.card, one.field): one.before - one.after for one in edits}
    numbers = [contest.parameter(gene) for gene in space.genes]
    patch = np.array([steps.pop((one.owner, one.field), 0) for one in numbers], np.int16)
    is_inside = not steps and (space.low <= patch).all() and (patch <= space.high).all()
    return patch if is_inside and space.allows(patch[np.newaxis])[0] else None
