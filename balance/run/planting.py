"""Benchmark instances with hidden ("planted") edits of balanced cards.

A search for small patches can be judged only if a small patch is known to exist. The reversal of
hidden edits is not always such a patch: guards compare a patch with the given cards, which contain
the hidden edits, and design rules forbid some reversals. Therefore edits are hidden only if their
reversal is permitted and is certified by the same rules as the patch of a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from balance.cards.card_contest import CardContest, patched
from balance.cards.card_space import build_space
from balance.contest.patch import Edit, patch_of
from balance.contest.readings import Readings
from balance.contest.target import FREE, Target, demands_of
from balance.settings.tables import BalanceSettings
from balance.space.random_edits import draw_edits
from balance.space.search_space import SearchSpace, Steps
from balance.statistics.intervals import Flags
from balance.verdict.certificate import certify
from balance.verdict.evaluation import Evaluator
from sim import InputError, generator, stream_seed
from sim.errors import listed

IMBALANCE_PP = (10.0, 30.0)
"""Minimum and maximum imbalance of an instance, in percentage points."""

_DRAWN = 16  # genomes per screening batch; chosen by hand, not tuned
_MOST_ATTEMPTS = 200  # maximum number of screening batches; chosen by hand, not tuned
# Games per matchup of a screening: intervals of ±3 pp suffice to select 10 to 30 pp.
_SCREENING = 1_000


@dataclass(frozen=True)
class Planted:
    """Hidden edits of a benchmark instance, and the win rates that they cause.

    Attributes:
        edits: edits of the balanced cards.
        win_rates: measured win rates with the edits, by the name of the matchup.
    """

    edits: tuple[Edit, ...]
    win_rates: dict[str, float]


def rates_alone(target: Target, win_rates: Mapping[str, float]) -> Target:
    """Return a target that demands given win rates of the matchups, and nothing else.

    Args:
        target: target from which all other settings are taken.
        win_rates: target win rates by the name of the matchup.
    """
    free = {"win_rate": {**win_rates}, "field": FREE, "first_seat": FREE}
    return target.model_copy(update=free)


@dataclass(frozen=True)
class Planting:
    """Generator of benchmark instances from balanced cards.

    Attributes:
        contest: balanced cards and players.
        settings: settings with the seed, tunable numbers, targets, guards, and the games of a
            certificate.
        n_games: games per matchup for measuring the win rates of an instance.
    """

    contest: CardContest
    settings: BalanceSettings
    n_games: int

    def plant(self, n_steps: int, purpose: str, *, as_target: bool = False) -> Planted:
        """Draw random edits until an instance has the desired imbalance and a certified patch.

        Args:
            n_steps: number of steps to hide.
            purpose: prefix of the names of the streams of seeds.
            as_target: whether the certified patch is the edits themselves, with the win rates that
                they cause as targets; otherwise it is the reversal of the edits, with the targets
                of the settings.

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
            if not self._have_desired_imbalance(readings)[0]:
                continue
            names = map(self.contest.matchup_name, self.contest.matchups)
            # Rates are rounded as in a suite file, so that the certified target is the written one.
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
            remedy="choose another number of steps, or let more numbers change",
        )

    def require_balance(self) -> None:
        """Refuse baseline cards that are not certified as balanced.

        Raises:
            InputError: a demand or guard of the cards is not verified; the message names all of
                them.
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
                f"the cards are not certified as balanced: {listed(missed)} could not be verified",
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
        """Return an evaluator with the demands of the settings, or with given target win rates.

        Args:
            contest: cards and players.
            space: search space of the genomes.
            win_rates: target win rates by the name of the matchup; `None` for the demands of the
                settings.
            name: name of the draw, from which the seed is derived.
        """
        settings = self.settings
        # The shift is needed since stream seeds have 64 bits and run seeds 63.
        seed = stream_seed(self.settings.seed, name) >> 1
        target = rates_alone(settings.target, win_rates) if win_rates else settings.target
        demands = demands_of(self.contest, target, settings.field.weights)
        return Evaluator(contest, space, demands, settings.guards, seed)

    def _draw(
        self, space: SearchSpace, n_steps: int, purpose: str, *, as_patches: bool
    ) -> Iterator[tuple[str, Steps]]:
        """Yield the names and genomes of random edits with the desired imbalance in a screening.

        Args:
            space: search space of the genomes.
            n_steps: number of steps of each genome.
            purpose: prefix of the names of the streams of seeds.
            as_patches: whether to skip genomes that violate a constraint of the space.
        """
        for attempt in range(_MOST_ATTEMPTS):
            name = f"{purpose}/{attempt}"
            rng = generator(self.settings.seed, name)
            genomes = np.stack([draw_edits(space, n_steps, rng) for _ in range(_DRAWN)])
            genomes = genomes[space.allows(genomes)] if as_patches else genomes
            if len(genomes):
                off = self._have_desired_imbalance(
                    self._play(genomes, space, f"{name}/screen", _SCREENING)
                )
                yield from ((f"{name}/{k}", genomes[k]) for k in np.flatnonzero(off))

    def _play(self, genomes: Steps, space: SearchSpace, purpose: str, n_games: int) -> Readings:
        """Play genomes on the stream of seeds that `purpose` names; the baseline is not played."""
        return self.contest.play(
            genomes,
            space.genes,
            n_games=n_games,
            run_seed=self.settings.seed,
            purpose=purpose,
        )

    def _have_desired_imbalance(self, readings: Readings) -> Flags:
        """Return whether each variant's imbalance lies in the range `IMBALANCE_PP`, ``[V]``."""
        demands = self.settings.demands_in(self.contest)
        distance_pp = demands.distance_pp(demands.of(demands.rates(readings))).max(axis=-1)
        least_pp, most_pp = IMBALANCE_PP
        return np.asarray((least_pp <= distance_pp) & (distance_pp <= most_pp))


def _reversal(edits: tuple[Edit, ...], contest: CardContest, space: SearchSpace) -> Steps | None:
    """Return the patch that reverses edits; `None` if the search space does not permit it.

    Args:
        edits: edits that were applied to the contest's cards.
        contest: contest with the edited cards.
        space: search space of the edited cards.

    Returns:
        Patch as steps from the edited cards, shape ``[K]``.
    """
    steps = {(edit.card, edit.field): edit.before - edit.after for edit in edits}
    numbers = [contest.parameter(gene) for gene in space.genes]
    patch = np.array([steps.pop((p.owner, p.field), 0) for p in numbers], np.int16)
    is_inside = not steps and (space.low <= patch).all() and (patch <= space.high).all()
    return patch if is_inside and space.allows(patch[np.newaxis])[0] else None
