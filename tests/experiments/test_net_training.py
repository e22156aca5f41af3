"""`evenhand train` for learners of kind `net`: rounds, files, resumed runs, and their agents."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from agents.policy.policy_network import PolicyNetwork
from agents.reading.network_file import load_network
from agents.search.value.value_network import ValueNetwork
from tests.command_line import command, refusal, rows_of, summary_of

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
lesson_games = 400
play_rounds = 1
play_games = 400
judge_games = 40
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("net")
    (place / "mine.toml").write_text(FILE)
    command("train", place / "mine.toml", "--results", place / "results")
    return place


def trained_run(place: Path) -> Path:
    """Return the folder of the training run."""
    (folder,) = (place / "results").glob("mine-train*/")
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the content of each file of the learner, by name."""
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("eye*")}


def test_each_round_is_recorded(place: Path) -> None:
    folder = trained_run(place)
    (learner,) = summary_of(folder)["learners"]
    assert learner["kind"] == "net"
    assert learner["n"] == 40
    assert learner["trained"] != learner["shipped"]
    rows = rows_of(folder / "eye_curve.csv")
    assert [(row["network"], row["games"]) for row in rows] == [
        *(("value", "200"), ("value", "400")),
        *(("policy", "400"), ("policy", "400"), ("policy", "400")),
    ]
    assert int(rows[1]["positions"]) > int(rows[0]["positions"]) > 1_000
    assert all(row["loss"] if row["network"] == "value" else not row["loss"] for row in rows)
    assert [bool(row["agreement"]) for row in rows] == [False, False, True, True, False]
    for kind, last in ((ValueNetwork, "eye_value_2.npz"), (PolicyNetwork, "eye_policy_3.npz")):
        networks = (load_network(folder / name, kind) for name in ("eye.npz", last))
        assert len({network.content for network in networks}) == 1
    assert len((folder / "eye.npz").read_bytes()) < 2**20


def test_a_stopped_training_continues_to_the_same_value(place: Path) -> None:
    folder = trained_run(place)
    before = digests(folder)
    for name in (
        "summary.json",
        "eye.npz",
        "eye_value_2.npz",
        "eye_policy_2.npz",
        "eye_policy_3.npz",
    ):
        (folder / name).unlink()
    command("train", place / "mine.toml", "--results", place / "results", "--resume")
    assert digests(folder) == before


def test_the_value_plays_by_the_names_of_its_run_and_of_its_file(place: Path) -> None:
    results = place / "results"
    file = trained_run(place) / "eye.npz"
    rates = []
    for number, name in enumerate((f"turn:20:{file}", "turn:20:mine/eye", "turn:20")):
        out = place / f"games_{number}"
        where = ("--results", results) if "/eye" in name else ("--results", out)
        command("matchups", place / "mine.toml", "--agent", name, "--games", "60", *where)
        folder = next(path for path in where[1].glob("mine-matchups*"))
        rates.append(rows_of(folder / "matchups.csv")[0]["win_rate_a"])
    assert rates[0] == rates[1] != rates[2]


def test_the_policy_plays_by_the_names_of_its_run_and_of_its_file(place: Path) -> None:
    results = place / "results"
    file = trained_run(place) / "eye.npz"
    rates = []
    for number, name in enumerate((f"policy:{file}", "policy:mine/eye", "greedy")):
        out = place / f"policy_games_{number}"
        where = ("--results", results) if "/eye" in name else ("--results", out)
        command("matchups", place / "mine.toml", "--agent", name, "--games", "200", *where)
        folder = max(where[1].glob("mine-matchups*"), key=lambda path: path.stat().st_mtime)
        rates.append(rows_of(folder / "matchups.csv")[0]["win_rate_a"])
    assert rates[0] == rates[1] != rates[2]


@pytest.mark.parametrize(
    "change",
    [
        ('kind = "net"', 'kind = "net"\nseat = "first"'),
        ("[net]", "[turn]\nnodes = 9\n[net]"),
        ("rounds = 2", "rounds = 0"),
        ("games = 400", "games = 4"),
        ("play_rounds = 1", "play_rounds = -1"),
        ("rounds = 2", 'rounds = 2\ndevice = "cuda"'),
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
