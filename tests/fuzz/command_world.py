"""A folder with every kind of file that commands read, from which mutants are made."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from unittest import mock

from tests.command_line import TINY, command
from tests.experiments.test_conformance_command import POOL, scenario

BIG_TWO = 'name = "table"\ngame = "big_two"\nseed = 5\n' + "".join(
    f'\n[[player]]\nagent = "{agent}"\n' for agent in ("together", "lowest", "random", "lowest")
)
SUITE = """\
name = "ours"
seed = 5
experiment = "tiny.toml"
base = []

[make]
planted = 1
control = 1
steps = [1, 1]
games = 40

[[instance]]
kind = "target"
half = "reported"
hidden = []
"""
LEARNING = """
[[learner]]
name = "pilot"
decks = ["ember_rush"]
opponents = ["tide_keep"]
seat = "second"

[train]
steps = 200
n_environments = 8
steps_per_update = 8
batch = 16
hidden = 8
epsilon_steps = 100
replay = 200
warm_up = 64
target_every = 10
snapshot_every = 100
evaluate_every = 100
evaluate_games = 10

[evaluate]
games = 20
rollout_games = 2
histogram_games = 10
"""
TURN = """
[[learner]]
name = "swift"
kind = "turn"
decks = ["night_tide"]
opponents = ["lantern_watch"]

[turn]
nodes = 2
games = 144
panel = ["greedy"]
candidates = 4
"""


def make_world(folder: Path, *, is_small: bool = False) -> None:
    """Fill a folder with files that users write and files that commands write.

    Args:
        folder: the folder, which must be the current one.
        is_small: leave out slow files: no agent is trained.
    """
    _run("init", ".")
    experiment = TINY.replace('"ember_rush"', '"night_tide"').replace(
        '"tide_keep"', '"lantern_watch"'
    )
    experiment = experiment.replace("seed = 7\n", 'seed = 7\nruleset = "rules"\npool = "cards"\n')
    files = {
        "tiny.toml": experiment,
        "learn.toml": TINY.replace('"tiny"', '"learn"') + LEARNING,
        "turn.toml": experiment.replace('"tiny"', '"turn"') + TURN,
        "table.toml": BIG_TWO,
        "suite.toml": SUITE,
        "owned.csv": "card,copies\n" + "".join(f"{card},2\n" for card in _cards(folder)),
        "target.csv": ",night_tide,lantern_watch\nnight_tide,,55\nlantern_watch,45,\n",
        "scenarios.jsonl": json.dumps(scenario("one", 29)) + "\n",
        "sparring.toml": POOL,
        "study.toml": experiment.replace('"tiny"', '"study"')
        + '\n[study]\nnarrow = ["none"]\nmethod = ["ga"]\nrun_seeds = 2\n',
        "matrix.toml": experiment.replace("[target]\n", '[target]\nwin_rate = "target.csv"\n'),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for ending in ("xlsx", "ods", "json"):
        _run("cards", "export", "cards.toml", "--out", f"cards.{ending}")
    for form in ("text", "cod", "dck"):
        listed = command("deck", "export", "night_tide.toml", "--format", form).out
        (folder / f"list.{form}").write_text(listed, encoding="utf-8")
    _run("balance", "tiny.toml", "--no-plots")
    _run("whatif", "tiny.toml", "--no-plots", f"{_cards(folder)[0]}.attack+1")
    if not is_small:
        _run("train", "learn.toml", "--no-plots")
        _run("train", "turn.toml", "--no-plots")
    with mock.patch("sys.stdin", io.StringIO("1\n1\nquit\n")):
        _run("play", "tiny.toml")


def _run(*arguments: str) -> None:
    outcome = command(*arguments)
    if outcome.status not in {0, 1}:
        raise RuntimeError(f"{arguments}: {outcome.err}")


def _cards(folder: Path) -> list[str]:
    lines = (folder / "cards.toml").read_text(encoding="utf-8").splitlines()
    return [line.split('"')[1] for line in lines if line.startswith("id = ")]


def files_of(folder: Path) -> list[Path]:
    """Return all files of a world, by their paths below it."""
    paths = [Path(path) / name for path, _, names in os.walk(folder) for name in names]
    return sorted(path.relative_to(folder) for path in paths)
