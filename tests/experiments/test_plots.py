from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import stats

from agents.registry import agent_named
from balance.certificate import Certificate, certify, matchup_confidence
from balance.contest import Contest, Player
from balance.evaluation import Evaluator
from balance.intervals import Interval
from balance.matchups import MatchupCounts
from balance.narrowing import Narrowing, narrow, no_scores, power_intervals, scores_of
from balance.power import CardPower, measure_power
from balance.search import SearchState, run_search
from balance.search_space import build_space
from balance.selection import Selection, select
from balance.settings import Guards, Search, Tune
from experiments import plots
from experiments.plots.front import _largest_distance_pp, _side_by_side
from experiments.plots.style import wrapped
from sim.deck import load_deck
from sim.pool_source import load_pool
from sim.ruleset import load_ruleset
from sim.table import pack_table

BAND_PP = 5.0
PLAYERS = (
    ("ember_rush", "aggro"),
    ("tide_keep", "control"),
    ("grove_march", "control"),
    ("spore_swarm", "aggro"),
)
LONG_NAMES = (
    "A deck whose name is a sentence, because somebody wanted it to explain itself",
    "another_deck_with_a_name_that_goes_on_and_on_and_is_joined_by_underscores",
    "ADeckWhoseNameHasNoSpacesOrUnderscoresSoThatItCannotBeBrokenAnywhereDecently",
    "Costs $5 and $6, x_1^2 and 100 %",
)


@dataclass(frozen=True)
class Run:
    """All that can be drawn of one small run."""

    contest: Contest
    targets: np.ndarray
    powers: list[CardPower]
    narrowing: Narrowing
    state: SearchState
    selection: Selection
    certificate: Certificate
    counts: MatchupCounts


def small_run(n_players: int, *, by: str = "power") -> Run:
    players = tuple(Player(d, load_deck(d), agent_named(a)) for d, a in PLAYERS[:n_players])
    contest = Contest(pack_table(load_pool("core"), load_ruleset("duel")), players)
    targets = contest.targets({"ember_rush vs tide_keep": 0.55})
    powers = measure_power(contest, n_games=40, run_seed=1)
    space = build_space(contest, Tune())
    intervals = power_intervals(powers) if by == "power" else {}
    scores = scores_of(intervals) or no_scores(space)
    narrowing = narrow(contest, space, scores, by=by, keep=5, intervals=intervals)
    evaluator = Evaluator(contest, narrowing.space, targets, Guards(), run_seed=1)
    search = Search(population=10, generations=3)
    state = run_search(evaluator, search, n_games=40)
    selection = select(
        evaluator,
        state,
        n_search_games=40,
        n_games=200,
        n_certify=200,
        band_pp=BAND_PP,
        confidence=matchup_confidence(len(targets)),
    )
    genome = selection.genomes[selection.recommended]
    certificate, counts = certify(evaluator, genome, n_games=200, band_pp=BAND_PP)
    return Run(contest, targets, powers, narrowing, state, selection, certificate, counts)


def as_certified(run: Run) -> Run:
    """The same run, had its patch been exactly on target."""
    after = Interval(run.targets, run.targets - 0.01, run.targets + 0.01)
    inside = np.ones(len(run.targets), dtype=bool)
    verdict = replace(run.certificate, certified=True, after=after, inside=inside)
    room = np.ones(len(run.selection.genomes), dtype=bool)
    return replace(run, certificate=verdict, selection=replace(run.selection, has_room=room))


def as_long_named(run: Run) -> Run:
    players = tuple(
        replace(player, name=name)
        for player, name in zip(run.contest.players, LONG_NAMES, strict=True)
    )
    return replace(run, contest=replace(run.contest, players=players))


def study_rows() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "narrow": narrow_by,
            "start": start,
            "method": method,
            "run_seed": seed,
            "certified": bool(rng.random() < 0.5),
            "imbalance_pp": 3 + 4 * rng.random(),
            "change": int(rng.integers(3, 40)),
            "cards_touched": int(rng.integers(1, 12)),
            "seconds": rng.random(),
        }
        for narrow_by in ("lever", "none", "power", "random")
        for start in ("sparse", "dense")
        for method in ("nsga2", "genetic")
        for seed in range(5)
    )


DRAWINGS = {
    "matchup_heatmap": lambda run: plots.matchup_heatmap(
        run.contest, run.counts, title="T", targets=run.targets, band_pp=BAND_PP
    ),
    "power_bars": lambda run: plots.power_bars(
        run.contest, run.powers, title="T", kept=run.narrowing.kept
    ),
    "front_plot": lambda run: plots.front_plot(
        run.selection, run.certificate, targets=run.targets, band_pp=BAND_PP, title="T"
    ),
    "before_after": lambda run: plots.before_after(
        run.contest, run.certificate, targets=run.targets, band_pp=BAND_PP, title="T"
    ),
    "convergence_plot": lambda run: plots.convergence_plot(
        run.state.history, band_pp=BAND_PP, title="T"
    ),
    "narrowing_plot": lambda run: plots.narrowing_plot(
        run.contest, run.narrowing, title="T", n_games=40
    ),
    "played_against_power": lambda run: plots.played_against_power(
        run.contest, run.powers, title="T"
    ),
    "study_plot": lambda _: plots.study_plot(study_rows(), title="T"),
}

LABELS = {
    "matchup_heatmap": {"player: deck (agent)", "win rate of the row's player (%)"},
    "power_bars": {"percentage points (pp)"},
    "front_plot": {"change (steps)", "imbalance (pp)"},
    "before_after": {"matchup", "win rate of the first-named player (%)"},
    "convergence_plot": {
        "distance from target (pp)",
        "change (steps)",
        "games played by the search (number of games)",
    },
    "narrowing_plot": {"largest |power per copy| (pp)"},
    "played_against_power": {
        "power per copy (pp)",
        "win rate when played, less 50 (pp)",
        "card cost (mana)",
    },
    "study_plot": {
        "certified share (%)",
        "imbalance (pp)",
        "change (steps)",
        "cards touched\n(number of cards)",
    },
}

every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@pytest.fixture(scope="module")
def four() -> Run:
    return small_run(4)


@pytest.fixture(scope="module")
def two() -> Run:
    return small_run(2, by="none")


def texts(figure: Figure) -> str:
    """The title and the caption."""
    return " ".join(
        f"{figure.get_suptitle()} {figure.get_supxlabel()}".replace("\xa0", " ").split()
    )


def assert_nothing_is_cut_off(figure: Figure) -> None:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox(canvas.get_renderer())
    boxes = [(box.x0, box.y0, box.x1, box.y1)]
    for artist in (*figure.texts, *figure.legends):
        x0, y0, x1, y1 = artist.get_window_extent(canvas.get_renderer()).extents / figure.dpi
        boxes.append((x0, y0, x1, y1))
    for x0, y0, x1, y1 in boxes:
        assert -0.02 < x0 < x1 < width + 0.02
        assert -0.02 < y0 < y1 < height + 0.02


@every_drawing
def test_axes_are_labelled_with_units(name, four):
    figure = DRAWINGS[name](four)
    assert isinstance(figure, Figure)
    shown = {label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel())}
    assert shown >= LABELS[name]


@every_drawing
def test_captions_give_sample_sizes(name, four):
    assert "n = " in texts(DRAWINGS[name](four))


@every_drawing
def test_the_same_data_give_the_same_bytes(name, four):
    first, second = (plots.figure_png(DRAWINGS[name](four)) for _ in range(2))
    assert first.startswith(b"\x89PNG")
    assert first == second
    assert b"Software" not in first


@every_drawing
def test_nothing_is_cut_off_with_four_players(name, four):
    assert_nothing_is_cut_off(DRAWINGS[name](four))


@pytest.mark.parametrize("name", ["front_plot", "before_after"])
def test_nothing_is_cut_off_when_certified(name, four):
    assert_nothing_is_cut_off(DRAWINGS[name](as_certified(four)))


@every_drawing
def test_nothing_is_cut_off_with_two_players_and_no_narrowing(name, two):
    assert_nothing_is_cut_off(DRAWINGS[name](two))


@every_drawing
def test_nothing_is_cut_off_with_names_that_are_too_long(name, four):
    assert_nothing_is_cut_off(DRAWINGS[name](as_long_named(four)))


@pytest.mark.parametrize("name", ["front_plot", "before_after"])
def test_settings_of_the_caller_neither_matter_nor_change(name, four):
    usual = plots.figure_png(DRAWINGS[name](four))
    with mpl.rc_context({"font.size": 30, "axes.grid": False, "savefig.dpi": 30}):
        before = dict(mpl.rcParams)
        assert plots.figure_png(DRAWINGS[name](four)) == usual
        assert dict(mpl.rcParams) == before


def test_plots_do_without_pyplot_and_computations_without_plots():
    code = (
        "import sys, experiments.plots; assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys, balance.certificate, balance.power; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_verdict_is_told_apart(four):
    refused = replace(four, certificate=replace(four.certificate, certified=False))
    for run, word in ((refused, "not certified"), (as_certified(four), "certified")):
        (legend,) = DRAWINGS["front_plot"](run).legends
        entries = [text.get_text() for text in legend.get_texts()]
        assert [entry for entry in entries if "certified" in entry] == [word]
        caption = texts(DRAWINGS["before_after"](run))
        assert f"{word.capitalize()}. Wilson intervals" in caption


def test_a_broken_guard_is_named(four):
    first, *others = four.certificate.guards
    guards = (replace(first, value=first.high + 1), *others)
    run = replace(four, certificate=replace(four.certificate, guards=guards, certified=False))
    assert "guard broken: max_draw_rate" in texts(DRAWINGS["before_after"](run))


def test_a_front_may_be_drawn_before_its_certificate(four):
    (legend,) = DRAWINGS["front_plot"](replace(four, certificate=None)).legends
    assert not any("certified" in text.get_text() for text in legend.get_texts())


def test_a_matrix_shows_each_matchup_from_both_sides(four):
    (axes, _) = DRAWINGS["matchup_heatmap"](four).axes
    shown = [text.get_text() for text in axes.texts]
    rate = 100 * float(four.counts.win_rate().estimate[0, 0])
    assert f"{rate:.1f}" in shown
    assert f"{100 - rate:.1f}" in shown
    assert shown.count("mirror\n50") == 4
    assert sum("target 55" in text for text in shown) == 1
    assert sum("target 45" in text for text in shown) == 1


def test_cells_outside_the_band_are_outlined_on_both_sides(four):
    points = four.counts.points.copy()
    points[0] = four.counts.n_games * np.array([0.61, 0.54, 0.56, 0.44, 0.46, 0.5])
    figure = plots.matchup_heatmap(
        four.contest,
        replace(four.counts, points=points),
        title="T",
        targets=four.targets,
        band_pp=BAND_PP,
    )
    assert sum(patch.get_linewidth() > 2 for patch in figure.axes[0].patches) == 6


def test_scores_without_intervals_can_be_drawn(four):
    bare = replace(four.narrowing, intervals={})
    caption = texts(plots.narrowing_plot(four.contest, bare, title="T"))
    assert "n = 56 cards" in caption
    assert "Whiskers" not in caption


def test_narrowing_says_what_it_saved(four):
    title = DRAWINGS["narrowing_plot"](four).axes[0].get_title(loc="left")
    full, space = four.narrowing.full, four.narrowing.space
    assert f"genes {len(full.genes)} → {len(space.genes)}" in title
    assert f"10^{{{space.log10_size:.1f}}}" in title


def test_whiskers_of_a_front_end_in_the_band_exactly_if_all_matchups_do():
    targets = np.array([0.5, 0.55])
    inside = Interval(np.array([0.52, 0.53]), np.array([0.50, 0.51]), np.array([0.54, 0.55]))
    worst = _largest_distance_pp(inside, targets)
    np.testing.assert_allclose([float(bound) for bound in worst], [2, 0, 4])
    outside = inside._replace(high=np.array([0.56, 0.55]))
    assert float(_largest_distance_pp(outside, targets).high) > BAND_PP


def test_genomes_of_one_change_never_share_a_place():
    change = np.array([0, 1, 1, 1, 2, 2, 10], dtype=float)
    places = _side_by_side(change, np.array([9, 3, 1, 2, 1, 1, 1], dtype=float))
    assert len(np.unique(places)) == len(places)
    np.testing.assert_array_equal(np.round(places), change)
    assert places[2] < places[3] < places[1]


def test_rank_correlations_are_in_the_titles(four):
    powers = [power for power in four.powers if power.player == 0 and power.n_played]
    x = [float(power.per_copy.estimate) for power in powers]
    y = [float(power.when_played.estimate) for power in powers]
    title = DRAWINGS["played_against_power"](four).axes[0].get_title(loc="left")
    assert f"Spearman {stats.spearmanr(x, y).statistic:+.2f} (" in title


def test_cards_that_were_never_played_are_left_out(four):
    nothing = Interval(np.array(np.nan), np.array(0.0), np.array(1.0))
    powers = [power._replace(n_played=0, when_played=nothing) for power in four.powers]
    for draw in (plots.power_bars, plots.played_against_power):
        figure = draw(four.contest, powers, title="T")
        plots.figure_png(figure)
        assert "When played" not in texts(figure)


def test_a_search_of_one_generation_can_be_drawn(four):
    figure = plots.convergence_plot(four.state.history[:1], band_pp=BAND_PP, title="T")
    assert plots.figure_png(figure).startswith(b"\x89PNG")


def test_a_study_counts_its_runs(four):
    rows = study_rows()
    rows.loc[rows["narrow"] == "power", "certified"] = True
    figure = plots.study_plot(rows[rows["run_seed"] < 3], title="T")
    shares = [text.get_text() for text in figure.axes[0].texts]
    assert len(shares) == 16
    assert shares.count("3/3") >= 4
    names = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
    assert names == ["all cards", "power", "lever", "random"]


def test_a_study_may_have_holes():
    rows = study_rows()
    hole = (rows["narrow"] == "lever") & (rows["start"] == "dense")
    figure = plots.study_plot(rows[~hole].iloc[1:], title="T")
    assert "n = 4 to 5 runs" in texts(figure)
    assert_nothing_is_cut_off(figure)


def test_names_break_where_they_can():
    assert wrapped("another_deck_with_a_name", 14) == "another_deck_\nwith_a_name"
    assert max(map(len, wrapped("x" * 50, 14).splitlines())) <= 14
