"""Big Two by the commands of card games: one file is measured, balanced and replayed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from agents.big_two import agent_named
from balance.big_two.big_two_contest import PLACES
from experiments.big_two.experiment import NO_SECOND_OPINION, BigTwoExperiment, load_big_two
from experiments.game import game_named
from experiments.results.opinion import no_opinion
from sim.big_two.rules import rules_of
from tests.command_line import (
    ROOT,
    balance,
    command,
    contents,
    done,
    only_folder,
    refusal,
    rows_of,
    summary_of,
    timeless,
    write_experiment,
)
from tests.experiments.stopping import stopped_after
from tests.messages import check_message

pytestmark = pytest.mark.thorough

TABLE = """\
name = "table"
game = "big_two"
seed = 7

[rules]            # too few cards for b
cards = [13, 9, 13, 13]

[[player]]
agent = "lowest"
name = "a"

[[player]]
agent = "lowest"
name = "b"

[[player]]
agent = "lowest"
name = "c"

[[player]]
agent = "lowest"
name = "d"

[target]
win_rate = { a = 0.25, b = 0.25, c = 0.25, d = 0.25, others = "free" }
band_pp = 5

[tune.rules]
cards_of_seat_1 = [8, 13]
double_from = [9, 11]

[games]
matchups = 800
search = 400
select = 4000
certify = 8000

[search]
rounds = 3
"""
CARDS = "\n[rules]            # too few cards for b\ncards = [13, 9, 13, 13]\n"


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_experiment(tmp_path_factory.mktemp("table"), TABLE, "table.toml")


@pytest.fixture(scope="module")
def folder(experiment: Path) -> Path:
    return balance(experiment, experiment.parent / "results", "--threads", "2")


def shares(experiment: BigTwoExperiment, n_games: int, purpose: str) -> np.ndarray:
    games = {"n_games": n_games, "run_seed": experiment.settings.seed, "purpose": purpose}
    return experiment.contest().play(np.zeros((1, 0), np.int16), (), **games).rates[0]


def test_a_search_restores_the_cards_and_its_file_plays_as_certified(experiment, folder) -> None:
    summary = summary_of(folder)
    assert summary["certified"], summary["why_not"]
    assert [(edit["card"], edit["field"]) for edit in summary["patch"]] == [
        ("(rules)", "cards_of_seat_1")
    ]
    assert [row["a"] for row in summary["matchups"]] == ["a", "b", "c", "d", *PLACES]
    assert {*summary["guards"].values()} == {"not watched"}
    assert "narrowing" not in summary
    n_games = summary["matchups"][0]["after"]["n"]
    assert summary["games"]["measure"] == 800
    assert summary["games"]["certify"] == 2 * summary["certificate"]["n"]
    baseline = load_big_two(experiment)
    patched = load_big_two(folder / "patched_experiment.toml")
    for loaded, side in ((baseline, "before"), (patched, "after")):
        rates = [row[side]["win_rate"] for row in summary["matchups"]]
        np.testing.assert_allclose(shares(loaded, n_games, "certify"), rates)
    assert "# too few cards for b" in (folder / "patched_experiment.toml").read_text()
    assert patched.rules.cards[1] == summary["patch"][0]["to"] > 9


def test_one_line_explains_the_missing_second_opinion(folder) -> None:
    assert summary_of(folder)["second_opinion"] == no_opinion(NO_SECOND_OPINION)
    assert NO_SECOND_OPINION in (folder / "patch_notes.txt").read_text().splitlines()
    assert not (folder / "second_opinion.csv").exists()


def test_a_run_writes_the_files_of_its_game(folder) -> None:
    assert set(contents(folder)) == {
        "run.json", "resolved.json", "summary.json", "log.txt", "stages.csv", "front.csv",
        "front_matchups.csv", "front_edits.csv", "edits.csv", "convergence.csv",
        "evaluations.parquet", "patch_notes.txt", "patched_experiment.toml",
        "edit_reasons.csv", "smaller.csv",
    }  # fmt: skip
    notes = (folder / "patch_notes.txt").read_text()
    assert re.search(r"change \d on 1 number; ", notes)
    assert "Rules: seat 1's number of cards 9 -> 1" in notes
    assert re.search(r"^b: \d+\.\d % -> \d+\.\d % \(", notes, flags=re.MULTILINE)
    assert [row["matchup"] for row in rows_of(folder / "stages.csv")][4:] == [*PLACES]


def test_a_stopped_run_resumes_to_the_same_results(experiment, folder, tmp_path) -> None:
    with stopped_after(2):
        stopped = command("balance", experiment, "--results", tmp_path, "--no-plots")
    assert (stopped.status, stopped.err.count("--resume")) == (130, 1)
    assert not (only_folder(tmp_path) / "summary.json").exists()
    assert timeless(balance(experiment, tmp_path, "--resume", "--threads", "1")) == timeless(folder)


def test_equal_questions_are_recognised_as_tries(experiment) -> None:
    asked = load_big_two(experiment)
    other = load_big_two(
        write_experiment(experiment.parent, TABLE.replace("band_pp = 5", "band_pp = 6"), "o.toml")
    )
    assert asked.attempt().asked == asked.with_seed(8).attempt().asked != other.attempt().asked
    assert asked.attempt().how == other.attempt().how


def test_matchups_show_players_and_places(tmp_path) -> None:
    styles = re.sub(r'name = "[a-d]"\n', "", TABLE).replace(CARDS, "")
    styles = styles.replace("a = 0.25, b = 0.25, c = 0.25, d = 0.25", "lowest = 0.25")
    for seat in (1, 3):
        parts = styles.split("[[player]]")
        parts[1 + seat] = parts[1 + seat].replace("lowest", "together", 1)
        styles = "[[player]]".join(parts)
    path = write_experiment(tmp_path, styles, "styles.toml")
    summary = json.loads(done(command("matchups", path, "--results", tmp_path / "r", "--json")).out)
    rows = summary["matchups"]
    assert [row["name"] for row in rows] == ["lowest", "together", *PLACES]
    assert [row["kind"] for row in rows] == ["player"] * 2 + ["place"] * 4
    for of in ("first_places", "points"):
        assert all(row[f"{of}_low"] < row[of] < row[f"{of}_high"] for row in rows)
        assert sum(row[of] for row in rows[:2]) == pytest.approx(0.5)
        assert sum(row[of] for row in rows[2:]) == pytest.approx(1)
    assert {row["n"] for row in rows} == {summary["n"]} == {800}
    assert [entry["demand"] for entry in summary["demands"]] == [row["name"] for row in rows]
    for_people = done(command("matchups", path, "--results", tmp_path / "r")).out
    assert re.search(r"^together +\d\d\.\d ±\d\.\d +\d\d\.\d ±\d\.\d *$", for_people, re.MULTILINE)
    assert len(rows_of(next((tmp_path / "r").glob("*/matchups.csv")))) == 6


def test_a_replay_equals_its_golden(tmp_path) -> None:
    text = TABLE.replace('agent = "lowest"', 'agent = "together"', 1).replace(CARDS, "")
    experiment = write_experiment(tmp_path, text, "table.toml")
    log = done(command("replay", experiment, "--game", "5")).out
    assert log == (ROOT / "tests" / "goldens" / "big_two.txt").read_text(encoding="utf-8")


def test_replays_are_the_games_that_matchups_plays(experiment) -> None:
    loaded = load_big_two(experiment)
    outcomes = loaded.contest().outcomes(12, loaded.settings.seed, "matchups")
    for game in range(12):
        lines = game_named("big_two").replay(loaded, game, "matchups").splitlines()[-4:]
        left = [0 if "wins" in line else len(line.partition(" for ")[2].split()) for line in lines]
        assert f"(seat {outcomes.winner[game]}) wins" in lines[0]
        assert sorted(left) == sorted(outcomes.cards_left[game].tolist())


def test_other_seeds_and_streams_are_other_games(experiment) -> None:
    options = ((), ("--game", "1"), ("--seed", "8"), ("--purpose", "certify"))
    texts = {done(command("replay", experiment, *choice)).out for choice in options}
    assert len(texts) == 4


MISTAKES = {
    "game": ('game = "big_two"', 'game = "big_too"'),
    "variant": ("cards = [13, 9, 13, 13]", 'variant = "x"'),
    "three": ('[[player]]\nagent = "lowest"\nname = "d"\n', ""),
    "agent": ('agent = "lowest"\nname = "d"', 'agent = "low"\nname = "d"'),
    "place": ('name = "d"', 'name = "opener"'),
    "card key": ("seed = 7", 'seed = 7\npool = "core"'),
    "card table": ("[games]", "[guards]\n[games]"),
    "card games": ("matchups = 800", "power = 800"),
    "odd games": ("search = 400", "search = 402"),
    "hand": ("[13, 9, 13, 13]", "[13, 4, 13, 13]"),
    "range": ("[8, 13]", "[8, 14]"),
    "baseline": ("[8, 13]", "[10, 13]"),
    "number": ("double_from =", "double ="),
    "goal": ("a = 0.25", "x = 0.25"),
    "points": ("band_pp = 5", 'of = "money"'),
    "nothing": ("cards_of_seat_1 = [8, 13]\ndouble_from = [9, 11]", ""),
    "method": ("[search]", '[search]\nmethod = "x"'),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named_in_one_line(name: str, tmp_path) -> None:
    old, new = MISTAKES[name]
    assert TABLE.count(old) == 1, name
    path = write_experiment(tmp_path, TABLE.replace(old, new), "table.toml")
    line = refusal(command("balance", path, "--results", tmp_path / "r"))
    assert line.startswith(f"evenhand: {path}: ")
    check_message(line)
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("power", "FILE"),
        ("build", "FILE"),
        ("substitute", "FILE"),
        ("study", "FILE"),
        ("balance", "FILE", "--estimate"),
        ("balance", "FILE", "--preset", "thesis"),
        ("replay", "FILE", "--first", "a"),
        ("report", "RUN"),
        ("build", "--attack", "RUN"),
    ],
    ids=" ".join,
)
def test_commands_for_card_games_are_refused_with_the_name_of_the_game(
    arguments, experiment, folder
) -> None:
    paths = {"FILE": str(experiment), "RUN": str(folder)}
    line = refusal(command(*(paths.get(argument, argument) for argument in arguments)))
    assert "'big_two'" in line
    check_message(line.replace(folder.name, "<run>"))


def test_a_trained_agent_plays_and_its_file_names_the_run(tmp_path) -> None:
    pytest.importorskip("torch")
    from agents.big_two.training import BigTwoTraining
    from agents.dqn.settings import TrainSettings
    from sim.big_two.observers import BigTwoView, observer_named

    few = TrainSettings(n_environments=2, hidden=8, replay=100, batch=4)
    view = BigTwoView(rules_of(), observer_named("table"))
    for seed in (1, 2):
        training = BigTwoTraining.begin(view, [agent_named("lowest")], few, run_seed=seed)
        training.pilot("learned").save(tmp_path / f"{seed}.pt")
    text = TABLE.replace('agent = "lowest"\nname = "d"', 'agent = "dqn:mine.pt"\nname = "d"')
    path = write_experiment(tmp_path, text.replace("= 800", "= 40"), "table.toml")
    check_message(refusal(command("matchups", path)))
    digests = set()
    for seed in (1, 2):
        (tmp_path / f"{seed}.pt").rename(tmp_path / "mine.pt")
        done(command("matchups", path, "--results", tmp_path / str(seed), "--json"))
        resolved = json.loads((only_folder(tmp_path / str(seed)) / "resolved.json").read_text())
        digests.add(resolved["pilots"]["dqn:mine.pt"])
    assert len(digests) == 2
