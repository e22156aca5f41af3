"""Phases of an attack on a patch, as typed data for figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from balance import Interval
from balance.decks.attack import AttackRound


class AttackPhase(NamedTuple):
    """Rounds and final mix of an attack, with one version of the cards.

    Attributes:
        name: name of the phase, `before` or `after` the patch.
        rounds: records of the rounds, in order.
        players: names of the decks in the final mix, shape ``[P]``.
        shares: share of each deck in the final mix, as a fraction, shape ``[P]``.
        n_games: number of games per matchup behind the shares.
    """

    name: str
    rounds: tuple[AttackRound, ...]
    players: tuple[str, ...]
    shares: Interval
    n_games: int


def attack_phase_in(entry: Mapping[str, Any]) -> AttackPhase:
    """Return a phase of an attack, given the phase's entry in an `attack.json`.

    Raises:
        ValueError: a round has other content.
    """
    shares = [[deck[key] for key in ("share", "low", "high")] for deck in entry["equilibrium"]]
    return AttackPhase(
        entry["phase"],
        tuple(map(AttackRound.model_validate, entry["rounds"])),
        tuple(deck["player"] for deck in entry["equilibrium"]),
        Interval(*np.array(shares, float).T),
        entry["n_games"],
    )
