"""Files that an earlier version saved, and packages from outside: both load and give equal numbers.

`samples/` holds a finished run of `balance`, one that was stopped, a session of `workbench`, a game
of `play`, a trained pilot and tuned weights. A stopped run and a game name the code that made them
and are refused by other code, so the present code's name is put in its place first: what is shown
is that their content still loads.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from tests.command_line import TINY, command, read_json, run_folder, write_experiment
from tests.experiments.benches import bench
from tests.plugins.installed import evenhand, install
from tests.plugins.test_action_plugin import write_games
from tests.plugins.test_agent_plugin import GAMES

HERE = Path(__file__).parent / "samples"
STOPPED = "tiny-96d3cf79"
SESSION = "tiny-workbench-c882f2ca"
PLAYERS = """\
name = "{name}"
seed = 7

[[player]]
deck = "ember_rush"
agent = "{agent}"

[[player]]
deck = "tide_keep"
agent = "control"
"""


def read_samples(place: Path) -> None:
    """Load everything that is saved in `samples/`; write what was read below `results`."""
    shutil.copytree(HERE, place / "samples")
    results = place / "results"
    _go_on_with_a_run(place / "samples", results / "stopped")
    _compare_a_run(place / "samples", results / "compared")
    _play_with_what_was_trained(place / "samples", results / "trained")
    _replay_a_game(place / "samples", results / "played")
    _open_a_session(place / "samples", results / "session")


def _done(*arguments: str | Path, statuses: tuple[int, ...] = (0,)) -> str:
    """Run a command, which must end well; return what it printed."""
    outcome = command(*arguments)
    if outcome.status not in statuses:
        raise AssertionError(f"{arguments}: {outcome.err}")
    return outcome.out


def _one_folder(results: Path, pattern: str) -> Path:
    (folder,) = (path for path in results.glob(pattern) if path.is_dir())
    return folder


def _go_on_with_a_run(samples: Path, results: Path) -> None:
    """Resume `balance` from a checkpoint, and make the page about it."""
    now = run_folder("matchups", samples.parent, results="other")
    shutil.copytree(samples / STOPPED, results / STOPPED)
    _as_made_by(read_json(now / "run.json"), results / STOPPED / "run.json")
    options = ("--no-plots", "--threads", "1", "--results", results)
    _done("balance", samples / "tiny.toml", "--resume", *options)
    _done("report", results / STOPPED)


def _as_made_by(current: dict[str, Any], provenance: Path) -> None:
    """Put the present code and libraries in place of those that a run names."""
    stored = read_json(provenance)
    stored |= {key: current[key] for key in ("engine_hash", "versions")}
    provenance.write_text(json.dumps(stored), encoding="utf-8")


def _compare_a_run(samples: Path, results: Path) -> None:
    """Make the page of a finished run, and play its patch again beside that of a session."""
    options = ("--games", "40", "--no-plots", "--threads", "1", "--results", results)
    _done("report", samples / "finished")
    _done("compare", samples / "finished", samples / SESSION, *options)


def _play_with_what_was_trained(samples: Path, results: Path) -> None:
    """Play with a network and with tuned weights from files."""
    for agent in ("dqn:pilot.pt", "turn:10:weights.toml"):
        name = agent.partition(":")[0]
        text = PLAYERS.format(name=name, agent=agent)
        path = write_experiment(samples, text, f"{name}.toml")
        options = ("--games", "20", "--no-plots", "--threads", "1", "--results", results)
        _done("matchups", path, *options)


def _replay_a_game(samples: Path, results: Path) -> None:
    """Print a saved game and what agents compared in it, then continue it."""
    results.mkdir(parents=True)
    with mock.patch.object(sys, "stdin", io.StringIO("1\n")):
        _done("play", "quickstart_scripts", "--results", samples.parent / "fresh")
    fresh = (_one_folder(samples.parent / "fresh", "*-play") / "game-0.toml").read_text("utf-8")
    (made_of,) = re.findall(r'^made_of = "(\w+)"', fresh, re.MULTILINE)
    game = samples / "game.toml"
    saved = game.read_text(encoding="utf-8")
    game.write_text(re.sub(r'(?m)^made_of = "\w+"', f'made_of = "{made_of}"', saved), "utf-8")
    (results / "replay.printed").write_text(_done("replay", game), encoding="utf-8")
    (results / "why.json").write_text(_done("replay", game, "--why", "--json"), encoding="utf-8")
    with mock.patch.object(sys, "stdin", io.StringIO("1\n1\n")):
        _done("play", game, "--results", results)
    shutil.copy(game, results)


def _open_a_session(samples: Path, results: Path) -> None:
    """Go on with a session of `workbench`, as its page does."""
    results.mkdir(parents=True)
    place = samples.parent / "workbench"
    shutil.copytree(samples / SESSION, place / "results" / SESSION)
    current = read_json(_one_folder(samples.parent / "other", "*-matchups-*") / "run.json")
    _as_made_by(current, place / "results" / SESSION / "run.json")
    with bench(place, resume=True) as browser:
        for name in ("opened", "undone"):
            state = json.dumps(browser.state())
            (results / f"{name}.json").write_text(state, encoding="utf-8")
            browser.submit("/undo")


def load_plugins(place: Path) -> None:
    """Run the packages of `tests/plugins` as commands do; write what they printed."""
    site, results = place / "site", place / "results"
    site.mkdir()
    for package in ("evenhand_climber", "evenhand_eager", "evenhand_leech"):
        install(package, site)
    options = ("--json", "--no-plots", "--threads", "1", "--results", place / "runs")
    climbing = TINY.replace('method = "nsga2"', 'method = "climber"')
    experiments = {
        "climber": ("balance", write_experiment(place, climbing, "climbing.toml")),
        "eager": ("matchups", write_experiment(place, GAMES["duel"], "eager.toml")),
        "leech": ("balance", write_games(place, "duel")[1]),
    }
    for name, (asked, path) in experiments.items():
        printed = evenhand(site, asked, path, *options)
        (results / f"{name}.json").write_text(printed, encoding="utf-8")


SAMPLES: dict[str, Callable[[Path], None]] = {"samples": read_samples, "plug-ins": load_plugins}
"""By name: what loads saved files or packages, in an empty folder that holds `results`."""
