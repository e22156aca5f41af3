"""The panel's contest: rates of every pilot, cheap pilots with more games than dear ones."""

from __future__ import annotations

import numpy as np
import pytest

from balance import Tune, build_space
from balance.panel.panel_readings import PanelReadings
from sim.errors import InputError
from tests.balance.panel.panels import hands, panel

PANEL = panel()
GENES = tuple(gene for gene in build_space(PANEL.base, Tune()).genes if gene.field == "cost")[:3]
STEPS = np.array([[0, 0, 0], [1, 0, 1], [0, 1, 0]], dtype=np.int16)
RATES = 4  # of one pilot: three matchups and the first seat


def played(n_games: int = 40, first_game: int = 0, **options: object) -> PanelReadings:
    return PANEL.play(
        STEPS,
        GENES,
        n_games=n_games,
        run_seed=3,
        purpose="panel",
        first_game=first_game,
        **options,
    )


def test_a_cheap_pilot_plays_more_games_for_each_one_counted() -> None:
    readings = played()
    assert readings.n_games == 40
    assert readings.rates_by_seed().shape == (3, 2 * RATES, 20)
    for hand, part, first in zip(PANEL.hands, readings.parts, (0, RATES), strict=True):
        alone = hand.contest.play(
            STEPS, GENES, n_games=40 * hand.repeats, run_seed=3, purpose="panel"
        )
        assert part.repeats == hand.repeats
        np.testing.assert_array_equal(readings.rates[:, first : first + 3], alone.rates)
        of_first = alone.first_seat_by_seed().mean(axis=(1, 2))
        np.testing.assert_allclose(readings.rates[:, first + 3], of_first, rtol=0, atol=1e-12)


def test_blocks_of_seeds_have_a_smaller_variance() -> None:
    by_seed = played(800).rates_by_seed(0)
    cheap, dear = by_seed[0].var(), by_seed[RATES].var()
    assert 2.5 < dear / cheap < 6  # four games for one


def test_readings_join_and_follow_as_if_played_together() -> None:
    whole = played(40)
    joined = played(24).joined(played(16, first_game=12))
    np.testing.assert_array_equal(joined.shares, whole.shares)
    np.testing.assert_array_equal(joined.parts[0].readings.turns, whole.parts[0].readings.turns)
    split = whole.take(slice(0, 1)).followed_by(whole.take(slice(1, None)))
    np.testing.assert_array_equal(split.shares, whole.shares)
    assert split.n_games == whole.n_games == 40


@pytest.mark.parametrize("which", [[0], [5], [3], [7, 1]])
def test_some_matchups_have_the_games_of_all(which: list[int]) -> None:
    some = played(matchups=[PANEL.matchups[m] for m in which])
    np.testing.assert_array_equal(some.rates, played().rates[:, which])


def test_a_rate_counts_the_games_behind_it() -> None:
    np.testing.assert_array_equal(PANEL.repeats, [4, 4, 4, 4, 1, 1, 1, 1])
    np.testing.assert_allclose(PANEL.spreads[[0, 3]], [1, np.sqrt(2 / 3)])
    # As many independent games as readings count, and as many games as all pilots play.
    np.testing.assert_allclose(PANEL.repeats / PANEL.spreads**2, played().repeats)
    assert PANEL.n_tables == 3 * (4 + 1)
    np.testing.assert_allclose(PANEL.game_shares.sum(), len(PANEL.matchups))
    assert PANEL.game_shares[3] == 0


def test_each_rate_is_led_by_that_of_the_next_cheaper_pilot() -> None:
    assert PANEL.leaders == (None,) * RATES + (0, 1, 2, 3)
    assert PANEL.first_seat_rates == {3: (0, 1, 2), 7: (4, 5, 6)}
    names = PANEL.matchup_names
    assert [name.partition(": ")[2] for name in names[:RATES]] == [
        name.partition(": ")[2] for name in names[RATES:]
    ]
    assert len(set(names)) == 2 * RATES
    assert PANEL.sides(names[4]) == ("greedy: ember_rush", "tide_keep")


def test_a_number_reaches_first_seats_through_any_deck() -> None:
    reach = PANEL.matchup_reach(GENES)
    assert reach[:, [3, 7]].all()
    np.testing.assert_array_equal(reach[:, :3], reach[:, 4:7])


def test_own_agents_that_are_a_pilot_of_the_panel_are_named_once() -> None:
    own = hands(pilots=("greedy", "own"))
    assert [hand.name for hand in own] == ["own", "greedy"]
    one = hands(pilots=("greedy",), games={})
    assert [(hand.name, hand.repeats) for hand in one] == [("greedy", 1)]


def test_settings_of_unnamed_pilots_are_refused() -> None:
    with pytest.raises(InputError) as raised:
        hands(bands_pp={"light": 8.0})
    assert raised.value.place == "robust.bands_pp"
    assert raised.value.value == "light"
