"""`evaluate` writes tables that add up and sentences that follow from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from balance.learning.learner import pairings
from balance.statistics.intervals import wilson, z_score
from experiments.commands.evaluate_report import Evaluated, card_differences, tables_of
from experiments.learning.places import play_in_place
from experiments.learning.playing_style import (
    PlayingStyle,
    playing_style,
)
from experiments.loading import load_experiment
from sim.engine.viewing import N_ACTIONS
from tests.command_line import (
    ask,
    assert_refused,
    assert_says,
    contents,
    done,
    json_of,
    only_folder,
    refusal,
    rows_of,
    summary_of,
    unchanged,
)
from tests.experiments.learners import TRAINING, write_pilot, write_run
from tests.experiments.test_run_contract import assert_shape
from tests.experiments.test_train_command import INTERVAL, PAIRING, SCRIPTED
from tests.messages import check_message

STYLE = {
    "attacks_on_player": {"share": float, "low": float, "high": float},
    "cards_per_game": float, "cards_per_turn": float,
    "turns": {"mean": float, "low": float, "high": float}, "n": int,
}  # fmt: skip
SUMMARY = {
    "command": str, "seed": int,
    "learners": [{"name": str, "pilot": str, "pairings": [{
        **PAIRING, "learned": INTERVAL, "scripted": SCRIPTED, "best_scripted": str,
        "rollout": {"agent": str, **INTERVAL},
        "style": dict.fromkeys(("learned", *SCRIPTED), STYLE),
        "cards_played": [{"card": str, "learned": float, "scripted": float,
                          "difference_pp": float, "low_pp": float, "high_pp": float}],
    }]}],
}  # fmt: skip
FILES = {
    "run.json", "resolved.json", "summary.json", "log.txt", "win_rates.csv", "actions.csv",
    "card_plays.csv", "ember_actions.png", "ember_cards.png",
    "both_decks_actions.png", "both_decks_cards.png",
}  # fmt: skip
SEARCHES = {"rollout:9:control": 90, "rollout:2:control:dqn:x.pt": 70}
AGENTS = ("learned", "random", "greedy", "aggro", "control")


def evaluate(place: Path, *options: str, text: str = TRAINING) -> Path:
    """Run `evaluate` and return its folder."""
    done(ask("evaluate", place, *options, text=text))
    (folder,) = place.glob("results/tiny-evaluate-????????")
    return folder


@pytest.fixture
def place(trained: Path, tmp_path: Path) -> Path:
    """Return a copy of the trained folder, which a test may damage."""
    return copytree(trained, tmp_path / "copy")


@pytest.fixture(scope="module")
def evaluated(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evaluate(copytree(trained, tmp_path_factory.mktemp("evaluated"), dirs_exist_ok=True))


@pytest.mark.thorough
def test_it_leaves_its_files_and_a_summary_of_its_shape(evaluated: Path) -> None:
    assert {path.name for path in evaluated.iterdir()} == FILES
    summary = summary_of(evaluated)
    for pairing in [entry for learner in summary["learners"] for entry in learner["pairings"]]:
        assert isinstance(pairing.pop("headroom_closed"), float | None)
    assert_shape(summary, SUMMARY)
    ember, both = summary["learners"]
    assert (len(ember["pairings"]), len(both["pairings"])) == (1, 6)
    place = ember["pairings"][0]
    assert place["learned"]["n"] == 100
    assert place["rollout"] == {**place["rollout"], "agent": "rollout:200:control", "n": 2}
    assert place["style"]["learned"]["n"] == 60
    rates = {name: place["scripted"][name]["win_rate"] for name in AGENTS[1:]}
    assert rates[place["best_scripted"]] == max(rates.values())


@pytest.mark.thorough
def test_the_summary_is_what_json_prints(place: Path) -> None:
    text = TRAINING.replace("rollout_games = 2", "rollout_games = 0")
    for learner in json_of(ask("evaluate", place, "--no-plots", "--json", text=text))["learners"]:
        assert {pairing["rollout"] for pairing in learner["pairings"]} == {None}


@pytest.mark.thorough
def test_counts_of_actions_add_up(evaluated: Path) -> None:
    rows = rows_of(evaluated / "actions.csv")
    assert len(rows) == 7 * len(AGENTS) * N_ACTIONS
    place = [row for row in rows if row["learner"] == "ember"]
    for agent in AGENTS:
        own = [row for row in place if row["agent"] == agent]
        assert [int(row["action"]) for row in own] == list(range(N_ACTIONS))
        assert sum(float(row["share_of_actions"]) for row in own) == pytest.approx(1, abs=1e-4)
        cards = [row for row in rows_of(evaluated / "card_plays.csv") if row["agent"] == agent]
        played = sum(int(row["copies_played"]) for row in cards if row["learner"] == "ember")
        assert played == sum(int(row["times"]) for row in own if row["group"] == "play a card")


def style(agent: str) -> PlayingStyle:
    """Return how a script plays 200 games in the place of the learner `ember`."""
    experiment = load_experiment("thesis_dqn")
    contest = experiment.contest()
    learner = experiment.settings.learners[1]
    played = play_in_place(
        contest, learner, [agent], n_games=200, run_seed=1, purpose="test",
        keep=("actions", "cards"),
    )  # fmt: skip
    (pairing,) = pairings(contest, learner)
    return playing_style(contest, pairing, played[agent], 0)


def test_a_turn_ends_once() -> None:
    for agent in ("aggro", "random"):
        played = style(agent)
        # A turn in which the game is won has no end of its own.
        assert played.times("end") <= played.own_turns <= played.times("end") + played.n_games


def test_tables_say_what_the_counts_say() -> None:
    experiment = load_experiment("thesis_dqn")
    contest = experiment.contest()
    learner = experiment.settings.learners[1]
    learner_style = style("random")
    script_style = style("control")
    chosen = learner_style.chosen.copy()
    chosen[9:39] = 0
    rates = {name: (wilson(won, 100), 100) for name, won in (("ember", 30), *SEARCHES.items())}
    rates |= {name: (wilson(50 if name == "control" else 9, 100), 100) for name in SCRIPTED}
    styles = {
        "ember": learner_style,
        "control": script_style,
        "random": replace(learner_style, chosen=chosen),
    }
    evaluated_pairing = Evaluated("ember", pairings(contest, learner)[0], rates, styles)
    played, headroom, cards = (part for part in tables_of(contest, evaluated_pairing) if part)
    assert headroom == "Headroom to rollout:9:control closed: -0.50"  # from 50 to 90 %
    rows = {row[0]: row[1:] for row in played.rows}
    share = 100 * float(learner_style.attacks_on_player.estimate)
    assert rows["learned"][:2] == ("30.0 ±8.8", "100")
    assert rows["learned"][2].startswith(f"{share:.1f} ±")
    assert rows["learned"][3] == f"{learner_style.cards_per_game:.2f}"
    assert rows["random"][2] == "none"
    assert all(rows[search][2:] == ("", "", "") for search in SEARCHES)
    differences = card_differences(learner_style, script_style)
    clear = [card for card in differences if card.difference.low > 0 or card.difference.high < 0]
    assert 0 < len(cards.rows) == len(clear)
    held = clear[0]
    assert cards.rows[0][0] == contest.table.pool.cards[held.card].name
    assert cards.rows[0][1].startswith(f"{100 * float(held.learned.estimate):.1f} ±")
    alike = Evaluated(
        "ember",
        evaluated_pairing.pairing,
        rates,
        {"ember": learner_style, "control": learner_style},
    )
    assert len(list(filter(None, tables_of(contest, alike)))) == 2
    hopeless = replace(
        evaluated_pairing,
        rates={name: evaluated_pairing.rates[name] for name in ("ember", *SCRIPTED)},
    )
    assert hopeless.headroom_closed is None


def test_game_length_is_the_mean_of_the_turns() -> None:
    played = style("control")
    lengths = np.repeat(np.arange(len(played.turns)), played.turns)
    mean, low, high = (float(bound) for bound in played.game_length)
    assert mean == pytest.approx(lengths.mean())
    half = z_score(0.95) * lengths.std(ddof=1) / np.sqrt(len(lengths))
    assert (mean - low, high - mean) == pytest.approx((half, half))


@pytest.mark.thorough
def test_a_reference_plays_on_in_a_second_search_and_is_nobody_measured(place: Path) -> None:
    pilot = write_pilot(place / "reference.pt", decks=("ember_rush", "tide_keep"))
    text = TRAINING.replace(
        "rollout_games = 2", 'rollout_games = 2\nreference = "dqn:reference.pt"'
    )
    folder = evaluate(place, "--no-plots", text=text)
    searched = [row["agent"] for row in rows_of(folder / "win_rates.csv") if row["n"] == "2"]
    assert searched[:2] == ["rollout:200:control", "rollout:16:control:dqn:reference.pt"]
    pilot.write_bytes((next(place.glob("results/tiny-train-*")) / "ember.pt").read_bytes())
    for reference in ("dqn:reference.pt", "control", "dqn:gone.pt"):
        message = refusal(ask("evaluate", place, text=text.replace("dqn:reference.pt", reference)))
        assert f"evaluate.reference: '{reference}'" in message
        check_message(message)


@pytest.mark.thorough
def test_the_newest_run_counts_when_the_last_one_is_unfinished(place: Path) -> None:
    results = place / "results"
    run = only_folder(results)
    copytree(run, results / f"{run.name}.1")
    (run / "summary.json").unlink()
    log = (evaluate(place, "--no-plots") / "log.txt").read_text(encoding="utf-8")
    assert f"learner ember is {results / run.name}.1/ember.pt (sha256 " in log


@pytest.mark.thorough
@pytest.mark.parametrize(
    "change",
    [
        ("steps = 700", "steps = 701"),
        ("seed = 7", "seed = 8"),
        ('name = "ember"', 'name = "embers"'),
    ],
)
def test_an_experiment_that_was_not_trained_names_the_command(
    change: tuple[str, str], trained: Path
) -> None:
    with unchanged(contents, trained / "results"):
        message = refusal(ask("evaluate", trained, text=TRAINING.replace(*change)))
    assert_says(
        message,
        f"run: evenhand train {trained / 'tiny.toml'} --seed ",
        f" --results {trained / 'results'}",
    )


def test_a_dot_in_the_name_does_not_hide_that_another_training_is_there(tmp_path: Path) -> None:
    write_run(tmp_path / "results", "v1.2-train-00000000", "ember", "both_decks", experiment="v1.2")
    text = TRAINING.replace('name = "tiny"', 'name = "v1.2"')
    assert_refused(
        "evaluate", tmp_path, "has no finished training run with its current settings", text=text
    )


@pytest.mark.thorough
def test_a_pilot_that_is_gone_or_damaged_is_named(place: Path) -> None:
    pilot = only_folder(place / "results") / "ember.pt"
    pilot.write_bytes(pilot.read_bytes()[:500])
    assert_refused("evaluate", place, f"{pilot}: the file is truncated", text=TRAINING)
    pilot.unlink()
    says = f"learner 'ember': {pilot} is missing; run: evenhand train"
    assert_refused("evaluate", place, says, text=TRAINING)
