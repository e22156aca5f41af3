"""`evenhand train` for learners of kind `net`: rounds, files, resumed runs, and their agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import command, only_folder, refusal, rows_of, summary_of

pytest.importorskip("torch")

FILE = """
name = "mine"
seed = 3
[[player]]
deck = "ember_rush"
agent = "greedy"
[[player]]
deck = "tide_keep"
agent = "greedy"
[[learner]]
name = "eye"
kind = "net"
decks = ["ember_rush"]
opponents = ["tide_keep"]
[net]
rounds = 2
games = 400
judge_games = 40
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("net")
    (place / "mine.toml").write_text(FILE)
    command("train", place / "mine.toml", "--results", place / "results")
    return place


def test_each_round_is_recorded(place: Path) -> None:
    folder = only_folder(place / "results")
    (learner,) = summary_of(folder)["learners"]
    assert learner["kind"] == "net"
    assert learner["n"] == 40
    assert learner["trained"] != learner["shipped"]
    rows = rows_of(folder / "eye_curve.csv")
    assert [row["games"] for row in rows] == ["200", "400"]
    assert int(rows[1]["positions"]) > int(rows[0]["positions"]) > 1_000
    assert (folder / "eye.npz").read_bytes() == (folder / "eye_round_2.npz").read_bytes()
    assert len((folder / "eye.npz").read_bytes()) < 2**20


def test_a_stopped_training_continues_to_the_same_value(place: Path) -> None:
    folder = only_folder(place / "results")
    before = {path.name: path.read_bytes() for path in folder.glob("eye*")}
    for name in ("summary.json", "eye.npz", "eye_round_2.npz"):
        (folder / name).unlink()
    command("train", place / "mine.toml", "--results", place / "results", "--resume")
    assert {path.name: path.read_bytes() for path in folder.glob("eye*")} == before


def test_the_value_plays_by_the_names_of_its_run_and_of_its_file(place: Path) -> None:
    results = place / "results"
    file = only_folder(results) / "eye.npz"
    rates = []
    for number, name in enumerate((f"turn:20:{file}", "turn:20:mine/eye", "turn:20")):
        out = place / f"games_{number}"
        where = ("--results", results) if "/eye" in name else ("--results", out)
        command("matchups", place / "mine.toml", "--agent", name, "--games", "60", *where)
        folder = next(path for path in where[1].glob("mine-matchups*"))
        rates.append(rows_of(folder / "matchups.csv")[0]["win_rate_a"])
    assert rates[0] == rates[1] != rates[2]


@pytest.mark.parametrize(
    "change",
    [
        ('kind = "net"', 'kind = "net"\nseat = "first"'),
        ("[net]", "[turn]\nnodes = 9\n[net]"),
        ("rounds = 2", "rounds = 0"),
        ("games = 400", "games = 4"),
        (
            "[net]",
            '[[learner]]\nname = "x"\ndecks = ["ember_rush"]\nopponents = ["self"]\n[net]',
        ),
        ('kind = "net"', 'kind = "dqn"'),
    ],
)
def test_settings_that_do_not_fit_are_refused(tmp_path: Path, change: tuple[str, str]) -> None:
    assert change[0] in FILE
    path = tmp_path / "mine.toml"
    path.write_text(FILE.replace(*change))
    refusal(command("train", path, "--results", tmp_path / "results"))
    assert not (tmp_path / "results").exists()
