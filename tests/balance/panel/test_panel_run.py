"""A patch for a panel: its demands, its guards, and a whole run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from balance import BalanceSettings, RunContext, run_stages
from balance.contest.target import Target
from balance.panel.panel_demands import panel_demands, with_first_seat_limits
from balance.panel.panel_look import disagreements
from balance.panel.panel_question import prepare_panel
from balance.panel.panel_readings import PanelReadings
from balance.panel.panel_run import PanelRow, PanelRun
from balance.settings.tables import Guards
from balance.verdict.guard import GuardGames
from balance.verdict.guards import judge_guards
from sim.errors import InputError
from sim.play.workers.current import using_threads
from tests.balance.panel.panels import SETTINGS, TOTAL, hands, panel

PANEL = panel()
OF_DECKS = SETTINGS.demands_in(PANEL.base)
DEMANDS = panel_demands(PANEL, OF_DECKS, SETTINGS.target.band_pp)


def today(n_games: int = 400) -> PanelReadings:
    nothing = np.zeros((1, 0), dtype=np.int16)
    return PANEL.play(nothing, (), n_games=n_games, run_seed=3, purpose="today")


def test_each_pilot_has_the_demands_with_its_own_band() -> None:
    assert len(DEMANDS) == 2 * len(OF_DECKS)
    np.testing.assert_allclose(DEMANDS.low, np.repeat([0.40, 0.35], 3))
    np.testing.assert_allclose(DEMANDS.high, np.repeat([0.60, 0.65], 3))
    np.testing.assert_allclose(DEMANDS.errors, np.repeat([0.5, 1.0], 3))
    np.testing.assert_array_equal(DEMANDS.games_of(100), np.repeat([400, 100], 3))
    error, half_pp = DEMANDS.tightest
    assert (error, round(half_pp, 9)) == (1.0, 15.0)


def test_a_narrow_goal_does_not_widen_other_bands() -> None:
    goals = {"ember_rush vs tide_keep": [0.48, 0.52], "others": 0.5}
    target = Target(win_rate=goals, band_pp=10.0)
    settings = SETTINGS.model_copy(update={"target": target})
    demands = panel_demands(PANEL, settings.demands_in(PANEL.base), target.band_pp)
    np.testing.assert_allclose(demands.low, [0.48, 0.40, 0.40, 0.43, 0.35, 0.35])
    assert demands.band_pp == pytest.approx(2.0)


def test_a_goal_and_a_limit_of_the_first_seat_are_one_demand() -> None:
    target = SETTINGS.target.model_copy(update={"first_seat": (0.3, 0.75)})
    goals = SETTINGS.model_copy(update={"target": target}).demands_in(PANEL.base)
    demands = panel_demands(PANEL, goals, target.band_pp)
    limited = with_first_seat_limits(PANEL, demands, today(4_000), growth_pp=0.0)
    assert limited.names == demands.names
    assert len(set(limited.names)) == len(limited)
    seats = [k for k, name in enumerate(limited.names) if "first seat" in name]
    assert (limited.high[seats] < demands.high[seats]).all()
    assert (limited.low[seats] >= demands.low[seats]).all()


def test_the_growth_of_the_first_seats_advantage_is_limited_for_each_pilot() -> None:
    readings = today(4_000)
    limited = with_first_seat_limits(PANEL, DEMANDS, readings, growth_pp=4.0)
    leads = [part.readings.first_seat_over_matchups().mean() - 0.5 for part in readings.parts]
    reach = limited.high[-2:] - 0.5
    assert (reach <= np.array(leads) + 0.04).all()  # today's lead is read at its lower end
    assert (reach >= np.array(leads) + 0.02).all()
    np.testing.assert_allclose(limited.low[-2:], 1 - limited.high[-2:])
    np.testing.assert_array_equal(limited.of(readings.rates)[0, -2:], readings.rates[0, [3, 7]])


def test_a_guard_holds_only_if_it_holds_with_every_pilot() -> None:
    readings = today(1_000)
    cheap, dear = (part.readings for part in readings.parts)
    drawn = replace(dear, winners=np.full_like(dear.winners, 2))
    parts = [
        part._replace(readings=games)
        for part, games in zip(readings.parts, (cheap, drawn), strict=True)
    ]
    broken = PanelReadings.of_parts(parts, readings.columns)
    verdicts = [
        {
            verdict.name: verdict
            for verdict in judge_guards(
                Guards(), GuardGames.of(games, readings), 0.05, first_side=1
            )
        }
        for games in (readings, broken)
    ]
    fine, drawn_all = (by_name["max_draw_rate"] for by_name in verdicts)
    assert fine.holds
    assert not drawn_all.holds
    assert drawn_all.n_games == dear.n_games


def test_pilots_disagree_by_the_difference_that_bands_do_not_permit() -> None:
    readings = today(4_000)
    apart = disagreements(PANEL, DEMANDS, readings)
    assert len(apart) == 3
    assert [one.beyond for one in apart] == sorted((one.beyond for one in apart), reverse=True)
    for one in apart:
        assert one.rate_a.estimate <= one.rate_b.estimate
        assert (one.beyond > 0) == (one.steps > 0)
    narrow = replace(DEMANDS, low=np.full(6, 0.499), high=np.full(6, 0.501), band_pp=0.1)
    by_rate = {one.rate: one for one in apart}
    for one in disagreements(PANEL, narrow, readings):
        assert one.beyond >= by_rate[one.rate].beyond
        assert one.beyond > 0


@pytest.fixture(scope="module")
def run() -> PanelRun:
    return run_stages(prepare_panel(hands(2), SETTINGS, TOTAL))


def test_a_patch_is_certified_for_all_pilots(run: PanelRun) -> None:
    assert run.certificate.certified
    assert run.holds_for == {"own": True, "greedy": True}
    rows = run.rows(PanelRow)
    assert {row.pilot for row in rows} == {"own", "greedy"}
    assert len(rows) == 4  # the matchup and the first seat, twice
    own, greedy = ([row for row in rows if row.pilot == name] for name in ("own", "greedy"))
    n_greedy = {row.n for row in greedy}
    assert len(n_greedy) == 1
    assert {row.n for row in own} == {4 * n for n in n_greedy}
    assert sum(run.games.values()) <= TOTAL
    entries = run.to_dict()
    assert len(entries["panel"]) == 4
    assert [pilot["name"] for pilot in entries["panel_pilots"]] == ["own", "greedy"]
    # The patch holds in games of other seeds, too.
    judged = run.evaluator.play(run.selection.genome[np.newaxis], n_games=4_000, purpose="judge")
    demands = run.evaluator.demands
    assert demands.spare_pp(demands.of(demands.rates(judged)))[0] > -1.5


def test_a_run_is_the_same_on_any_threads_and_when_it_is_continued(run: PanelRun) -> None:
    states = []
    with using_threads(1):
        again = run_stages(
            prepare_panel(hands(2), SETTINGS, TOTAL), RunContext(on_generation=states.append)
        )
    assert again.patch == run.patch
    np.testing.assert_array_equal(again.certificate.after, run.certificate.after)
    continued = run_stages(
        prepare_panel(hands(2), SETTINGS, TOTAL), RunContext(state=states[len(states) // 2])
    )
    assert continued.patch == run.patch


def test_cards_cannot_be_narrowed_for_a_panel() -> None:
    settings = BalanceSettings(seed=1, narrow={"by": "power"})
    with pytest.raises(InputError) as raised:
        prepare_panel(hands(), settings)
    assert raised.value.place == "narrow.by"
