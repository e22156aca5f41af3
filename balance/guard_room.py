"""Room for guards: how far inside its limits a patch must lie to be shown to hold them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from balance.evaluation import first_seat_growth, read_guards, worst_breach
from balance.game_length import most_length_change
from balance.guards import LOOKS
from balance.readings import Readings
from balance.settings import Guards
from balance.statistics.binomial import most_that_shows
from balance.statistics.intervals import Floats, z_score

_FINE = 1_000_000  # parts of all games in which a share is told


def violation_with_room(
    guards: Guards,
    played: Readings,
    is_today: npt.NDArray[np.bool_],
    *,
    n_certify: int,
    likely: float,
) -> Floats:
    """``[P]`` the worst breach of a guard, less its room, in multiples of what it allows.

    What the certificate's last look leaves possible beyond its own estimate, and the luck of
    both samples, must fit below a limit. Seeds are counted as in `balance.guards`.

    Args:
        guards: the limits.
        played: the selection's games of ``P`` genomes and, as the last variant, today's cards.
        is_today: ``[P]`` genomes without edits: they were not chosen for their luck, and they
            let nothing grow or move.
        n_certify: games per matchup of the certificate's first look.
        likely: wanted chance that the guard is shown to hold.
    """
    look = LOOKS[-1]
    n_here = played.n_games // played.n_seatings
    n_there = look.times * n_certify // played.n_seatings
    luck = z_score(2 * likely - 1)
    per_trial = luck * math.sqrt(1 / n_here + 1 / n_there)
    readings = read_guards(played)
    here, today = readings.take(slice(-1)), readings.take(slice(-1, None))

    limit = guards.max_draw_rate
    most = most_that_shows(limit, n_there, look.error) / n_there
    spread = per_trial * math.sqrt(limit * (1 - limit))
    draws = here.draw_rate + limit - most + np.where(is_today, 0.0, spread)
    if played.drawn_share() is None:
        draws = here.draw_rate

    growth_pp, error_pp = first_seat_growth(here, today)
    then = math.sqrt(n_here / n_there)  # the certificate's error as a share of the one here
    errors = z_score(1 - 2 * look.error) * then + luck * math.sqrt(1 + then * then)
    growth_pp = np.where(is_today, 0.0, growth_pp + errors * error_pp)

    shift = np.zeros(len(is_today))
    if played.turns is not None:
        reach = 0.5 - most_that_shows(0.5, n_there, look.error) / n_there + per_trial / 2
        n_shorter = math.floor(_FINE * (0.5 - reach))
        *patched, before = played.turns
        moved = [most_length_change(turns, before, n_shorter, _FINE) for turns in patched]
        shift = np.where(is_today, 0.0, moved)
    return worst_breach(guards, draws, growth_pp, shift)
