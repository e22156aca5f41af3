"""Figures of results: labels, sample sizes, reproducible bytes, and agreement with the data."""

from __future__ import annotations

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

from balance.contest.band import band_verdict
from balance.observed.observed_matchups import FEW_GAMES
from balance.run.patch_rows import ConvergenceRow
from balance.statistics.intervals import Interval
from experiments import plots
from experiments.plots.matrix import OBSERVED_MAX
from experiments.plots.style import fit_columns
from experiments.results.verdict import verdict_in
from tests.balance.observed_counts import counts_of
from tests.experiments.drawings import (
    BAND_PP,
    DRAWINGS,
    LOCKED,
    Run,
    as_certified,
    drawn,
    observed_games,
    small_run,
    study_runs,
    substitution,
)
from tests.experiments.figure_checks import assert_legible, legend_names, texts
from tests.messages import check_message
from tests.refusals import refusal_of

LABELS = {
    "matchup_heatmap": {
        "player: deck (agent)",
        "opponent: deck (agent)",
        "win rate of the row's player (%)",
    },
    "observed_heatmap": {"player", "opponent", "win rate of the row's player (%)"},
    "agreement_plot": {
        "player",
        "mean win rate over the pairs (%)",
        "observed win rate of a pair (%)",
        "simulated win rate of the pair (%)",
    },
    "list_agreement_plot": {
        "observed win rate (%)",
        "simulated win rate against the field (%)",
        "observed difference from the archetype (pp)",
        "simulated difference (pp)",
    },
    "retrodiction_plot": {"card: change", "change of the deck's mean win rate (pp)"},
    "before_after_matrix": {"player: deck (agent)", "win rate of the row's player (%)"},
    "power_bars": {"difference in win rate (pp)", "card and its copies"},
    "front_plot": {"changed cards (number)", "imbalance (pp)"},
    "before_after": {"matchup", "win rate of the first-named player (%)"},
    "convergence_plot": {
        "distance from target (pp)",
        "change (steps)",
        "front so far (% of all pairs beaten)",
        "games played by the search (number of games)",
    },
    "narrowing_plot": {"largest |power per copy| (pp)", "card"},
    "played_against_power": {
        "power per copy (pp)",
        "win rate when played, less 50 (pp)",
        "card cost (mana)",
    },
    "sensitivity_plot": {"change of the win rate per step (pp)", "number: matchup"},
    "study_plot": {
        "certified share (%)",
        "imbalance (pp)",
        "change (steps)",
        "cards touched (number of cards)",
    },
    "learning_curves": {"steps (decisions learned from)", "win rate (%)"},
    "tuning_curves": {"games used (number of games)", "win rate (%)"},
    "action_histogram": {
        "actions (number per game)",
        "place in hand or on the board (1 is the oldest)",
    },
    "card_plays": {"copies played, of those drawn (%)", "card (cost in mana)"},
    "deck_curve": {"cost (mana)", "copies (number of cards)"},
    "metagame_plot": {"player", "share (%)", "rating (Elo points)", "win rate (%)"},
    "attack_plot": {"round (number)", "win rate against the mix (%)", "share (%)", "player"},
    "compared_plot": {
        "matchup, or deck",
        "win rate of the first-named player (%)",
        "change from today (pp)",
    },
    "substitutes_plot": {
        "substitute",
        "change of the deck's win rate (pp)",
        "role distance (steps)",
    },
}

every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@pytest.fixture(scope="module")
def four() -> Run:
    """A small run of four players."""
    return small_run(4)


@every_drawing
def test_axes_are_labelled_with_units_and_captions_give_sample_sizes(name):
    figure = drawn(name)
    shown = {label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel())}
    assert {" ".join(label.split()) for label in shown} >= LABELS[name.split()[0]]
    assert "n = " in texts(figure)


@pytest.mark.thorough
@every_drawing
def test_the_same_data_give_the_same_bytes(name, four):
    first, second = (plots.figure_png(figure) for figure in (drawn(name), DRAWINGS[name](four)))
    assert first.startswith(b"\x89PNG")
    assert first == second
    assert b"Software" not in first


def test_every_figure_function_is_drawn_here():
    functions = {name for name in plots.__all__ if name.islower() and "figure" not in name}
    assert {name.split()[0] for name in DRAWINGS} == functions == set(LABELS)


@pytest.mark.parametrize("name", ["front_plot", "before_after"])
def test_settings_of_the_caller_have_no_effect_and_stay(name, four):
    usual = plots.figure_png(DRAWINGS[name](four))
    with mpl.rc_context({"font.size": 30, "axes.grid": False, "savefig.dpi": 30}):
        before = dict(mpl.rcParams)
        assert plots.figure_png(DRAWINGS[name](four)) == usual
        assert dict(mpl.rcParams) == before


def test_the_legend_shows_the_verdict(four):
    refused = replace(four, certificate=replace(as_certified(four).certificate, certified=False))
    for run, word, expected in (
        (refused, "not certified", ["played once more", "tried, not certified"]),
        (as_certified(four), "certified", ["certified", "recommended"]),
    ):
        verdicts = {"certified", "recommended", "played once more", "tried, not certified"}
        assert sorted(verdicts & set(legend_names(DRAWINGS["front_plot"](run)))) == expected
        assert f"{word.capitalize()}. Intervals of" in texts(DRAWINGS["before_after"](run))


def test_a_failed_guard_is_named(four):
    first, *others = four.certificate.guards
    guards = (replace(first, bound=first.limit + 1), *others)
    run = replace(four, certificate=replace(four.certificate, guards=guards, certified=False))
    caption = texts(DRAWINGS["before_after"](run))
    assert first.name in caption
    check_message(caption)


def test_observed_pairs_without_games_have_no_cell_and_few_games_are_dashed():
    axes = drawn("observed_heatmap").axes[0]
    counts = observed_games()
    (mesh,) = axes.collections
    assert mesh.get_array().count() == 2 * len(counts.pairs)
    assert not mesh.cmap.get_bad()[3]
    dashed = [patch for patch in axes.patches if patch.get_linestyle() not in ("-", "solid")]
    assert len(dashed) == 2 * int((counts.pair_games < FEW_GAMES).sum())


def test_of_many_observed_players_those_with_most_games_are_drawn():
    n = OBSERVED_MAX + 3
    games = np.triu(np.full((n, n), 5.0), 1)
    games[:3] = 0
    many = counts_of(games, games, names=[f"player {k}" for k in range(n)])
    axes = plots.observed_heatmap(many, title="T").axes[0]
    assert len(axes.get_yticks()) == OBSERVED_MAX


def test_a_matrix_shows_each_matchup_from_both_sides(four):
    (axes, _) = drawn("matchup_heatmap").axes
    shown = [text.get_text() for text in axes.texts]
    rate = 100 * float(four.certified_counts.win_rate().estimate[0, 0])
    assert f"{rate:.1f}" in shown
    assert f"{100 - rate:.1f}" in shown
    assert shown.count("50") == 4
    assert [text for text in shown if "target" in text] == ["target 55", "target 45"]


def test_both_matrices_agree_with_the_certificate(four):
    before, after, _ = drawn("before_after_matrix").axes
    for axes, rates in ((before, four.certificate.before), (after, four.certificate.after)):
        shown = [text.get_text() for text in axes.texts]
        for rate in rates.estimate:
            assert f"{100 * rate:.1f}" in shown
            assert f"{100 - 100 * rate:.1f}" in shown


def test_narrow_columns_have_numbers_instead_of_names(four):
    axes = drawn("matchup_heatmap", size="column").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3", "4"]
    assert axes.get_yticklabels()[1].get_text().startswith("2.\N{NO-BREAK SPACE}tide_keep")


def test_cells_outside_the_band_are_outlined_on_both_sides(four):
    points = four.certified_counts.points.copy()
    points[0] = four.certified_counts.n_games * np.array([0.61, 0.54, 0.56, 0.44, 0.46, 0.5])
    counts = replace(four.certified_counts, points=points)
    bounds = verdict_in(four.to_dict()).bounds
    figure = plots.matchup_heatmap(four.contest, counts, title="T", bounds=bounds)
    outlines = [patch for patch in figure.axes[0].patches if patch.get_facecolor()[3] == 0]
    (cells,) = figure.axes[0].collections
    assert all(patch.get_zorder() > cells.get_zorder() for patch in outlines)
    rates = counts.win_rate().at(0)
    verdicts = [band_verdict(rates.at(m), *bounds[:, m].tolist()) for m in range(6)]
    assert len(outlines) == 2 * sum(verdict != "inside" for verdict in verdicts) > 0
    n_solid = sum(patch.get_linestyle() in {"-", "solid"} for patch in outlines)
    assert n_solid == 2 * verdicts.count("outside")


def test_scores_without_intervals_can_be_drawn(four):
    unmeasured = replace(four.measurement.narrowing, intervals={})
    caption = texts(plots.narrowing_plot(four.contest, unmeasured, title="T"))
    assert "n = 56 cards" in caption
    assert "Whiskers" not in caption
    unscored = replace(unmeasured, by="none")
    assert_legible(plots.narrowing_plot(four.contest, unscored, title="T"))


def test_narrowing_shows_the_sizes_of_the_search_space(four):
    title = drawn("narrowing_plot").axes[0].get_title(loc="left")
    full = four.measurement.narrowing.full
    space = four.measurement.narrowing.space
    assert f"{len(full.genes)} → {len(space.genes)} numbers" in title
    assert f"10^{{{space.log10_size:.1f}}}" in title


def test_locked_cards_are_neither_kept_nor_dropped(four):
    figure = drawn("narrowing_plot")
    names = legend_names(figure)
    assert [name.partition(":")[0] for name in names] == ["kept", "dropped", "locked"]
    shown = dict.fromkeys(names, 0)
    for axes in figure.axes:
        for line in axes.lines:
            if line.get_label() in shown:
                shown[line.get_label()] += len(line.get_xdata())
    movable = four.measurement.narrowing.full.cards
    n_kept = len(four.measurement.narrowing.kept)
    n_cards = len(four.measurement.narrowing.scores)
    assert list(shown.values()) == [n_kept, len(movable) - n_kept, n_cards - len(movable)]
    assert n_cards - len(movable) == len(LOCKED)
    assert f"{len(LOCKED)} locked" in texts(figure)


def test_the_recommended_patch_is_described(four):
    best = four.selection.recommended
    change = four.selection.scores.change[best]
    n_cards = four.selection.scores.cards_touched[best]
    notes = [text.get_text() for text in drawn("front_plot").axes[0].texts]
    assert sum(f"change {change:g} on {n_cards} card" in note for note in notes) == 1
    assert f"{change:g}" in notes  # above its mark


def test_rank_correlations_are_in_the_titles(four):
    powers = [power for power in four.measurement.powers if power.player == 0 and power.n_played]
    x = [float(power.per_copy.estimate) for power in powers]
    y = [float(power.when_played.estimate) for power in powers]
    title = drawn("played_against_power").axes[0].get_title(loc="left")
    assert f"Spearman {stats.spearmanr(x, y).statistic:+.2f} (" in title


@pytest.mark.thorough
def test_cards_that_were_never_played_are_left_out(four):
    nothing = Interval(np.array(np.nan), np.array(0.0), np.array(1.0))
    powers = [power._replace(n_played=0, when_played=nothing) for power in four.measurement.powers]
    for draw in (plots.power_bars, plots.played_against_power):
        figure = draw(four.contest, powers, title="T")
        plots.figure_png(figure)
        assert "When played" not in texts(figure)


@pytest.mark.parametrize(
    ("n", "rounds"),
    [(1, "only round"), (4, "4 rounds")],
)
def test_rounds_are_counted(n, rounds, four):
    figure = plots.convergence_plot(
        four.rows(ConvergenceRow)[:n], n_select=[200], band_pp=BAND_PP, title="T"
    )
    assert rounds in texts(figure)
    assert_legible(figure)


def test_hypervolumes_are_drawn_against_games(four):
    games, share = drawn("convergence_plot").axes[2].lines[0].get_data()
    assert list(games) == four.state.history[:, 0].tolist()
    assert list(share) == [row.hypervolume.estimate for row in four.rows(ConvergenceRow)]


def test_a_study_counts_its_runs(four):
    runs = [run._replace(certified=run.certified or run.narrow == "power") for run in study_runs()]
    figure = plots.study_plot([run for run in runs if run.run_seed < 3], title="T")
    shares = [text.get_text() for text in figure.axes[0].texts]
    assert len(shares) == 16
    assert shares.count("3/3") >= 4
    names = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
    assert names == ["all cards", "power", "sensitivity", "random"]


def test_a_study_may_lack_a_combination():
    runs = [run for run in study_runs() if (run.narrow, run.method) != ("lever", "ga")]
    figure = plots.study_plot(runs[1:], title="T")
    assert "n = 4 to 5 runs" in texts(figure)
    assert_legible(figure)


def test_a_curve_counts_copies_by_cost(four):
    pool = four.contest.table.pool
    player = four.contest.players[0]
    (axes,) = plots.deck_curve(pool, [player.deck], title="T").axes
    costs = [pool.cards[card].cost for card in player.deck.slots(pool)]
    heights = {round(bar.get_center()[0]): bar.get_height() for bar in axes.patches}
    assert heights == {cost: costs.count(cost) for cost in set(costs)}
    title = axes.get_title(loc="left")
    assert title.endswith(f" {np.mean(costs):.2f}")
    assert f"{len(costs)} cards" in title
    error = refusal_of(plots.deck_curve, pool, [], title="T")
    assert (error.place, error.value, error.limit) == ("decks", 0, 1)


def test_substitutes_are_shown_in_both_rankings(four):
    drawn_from = substitution(four, n_candidates=7)
    gains, distances = plots.substitutes_plot(four.contest.table.pool, drawn_from, title="T").axes
    measured = [candidate for candidate in drawn_from.candidates if candidate.gain is not None]
    assert 0 < len(measured) < len(drawn_from.candidates)
    (points,) = (line for line in gains.lines if line.get_marker() == "o")
    assert points.get_xdata() == pytest.approx([100 * other.gain.estimate for other in measured])
    ranks = [int(text.get_text().removeprefix("no. ")) for text in distances.texts]
    assert ranks == [1 + drawn_from.by_role.index(k) for k in range(len(measured))]


def test_panels_are_in_rows_of_similar_length():
    assert [fit_columns(n, most=3, narrowest=1) for n in (1, 2, 3, 4, 5, 7)] == [1, 2, 3, 2, 3, 3]
    with plots.figure_size("column"):
        assert fit_columns(4, most=3, narrowest=2) == 1
    with plots.figure_size("page"):
        assert fit_columns(6, most=3, narrowest=2) == 3
