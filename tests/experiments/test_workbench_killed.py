"""A workbench that is killed at any moment comes back as it was."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from experiments.loading import load_experiment
from experiments.workbench.answers import state_of
from experiments.workbench.board import Board
from experiments.workbench.draft import Constrain, Draft, Edit, Lock, Note, Revert
from experiments.workbench.session import Session, Timeline
from tests.command_line import ROOT, TINY, write_experiment
from tests.experiments.benches import Browser

TIMES = 20
KEEPER = """
import os, sys
from pathlib import Path
from experiments.loading import load_experiment
from experiments.runs.run_folder import open_run_folder
from experiments.workbench.board import Board
from experiments.workbench.desk import Desk
from experiments.workbench.refinement import Player
from experiments.workbench.server import WorkbenchServer
from experiments.workbench.worker import Worker

path, results = sys.argv[1], Path(sys.argv[2])
board = Board.of(load_experiment(path, results))
Player(board, 1).warm()
for line in sys.stdin:
    child = os.fork()
    if not child:
        kept = open_run_folder(results, board.experiment, "workbench", resume="resume" in line)
        desk = Desk(board, kept, Worker(board, 1), 1)
        server = WorkbenchServer(desk, 0)
        desk.open()
        print(os.getpid(), server.url, flush=True)
        server.serve_until_stopped()
    os.waitpid(child, 0)
    print("dead", flush=True)
"""
"""Serves the same workbench again and again, without loading all that it takes each time."""


def action(rng: random.Random):
    """Something that a designer does."""
    card = rng.choice(["ember_whelp", "shell_warden"])
    edit = Edit(card=card, field=rng.choice(["attack", "cost"]), to=rng.randint(0, 5))
    return rng.choice([
        edit, edit, edit, "undo", "undo", "redo",
        Revert(card=card, field="attack"),
        Lock(card=card, field="cost", locked=rng.random() < 0.4),
        Note(card=card, text=f"{rng.random()} \\u00fcber"),
        Constrain(max_cards=rng.randint(1, 9), max_change=rng.random() + 0.1, max_steps=2),
    ])  # fmt: skip


def asked(deed) -> tuple[str, dict]:
    """The same as a request."""
    return (deed, {}) if isinstance(deed, str) else (deed.do, deed.model_dump(exclude={"do"}))


def after(timeline: Timeline, deed, board: Board) -> Timeline:
    """A session once that is done; it may be refused."""
    other = Timeline(timeline.session, board)
    try:
        {"undo": other.undo, "redo": other.redo}.get(deed, lambda: other.act(deed))()
    except ValueError:
        return timeline
    return other


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the keeper forks")
def test_a_session_killed_at_any_moment_is_continued_as_it_was(tmp_path: Path) -> None:
    path, results = write_experiment(tmp_path, TINY), tmp_path / "results"
    board, rng = Board.of(load_experiment(str(path))), random.Random(22)
    timeline = Timeline(Session(first=Draft.first(board)), board)
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(path), str(results)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        for time in range(TIMES + 1):
            keeper.stdin.write("resume\n")
            keeper.stdin.flush()
            pid, url = keeper.stdout.readline().split()
            browser = Browser(url)
            found = browser.state()
            if time == 0:  # which session it is, chance tells; from then on it is the same one
                timeline.session = timeline.session.model_copy(update={"key": found["session"]})
            state = json.dumps(found, sort_keys=True)
            sessions = [timeline] if time == 0 else [timeline, hoped]  # noqa: F821
            told = [
                json.dumps(
                    json.loads(json.dumps(state_of(
                        board, one.session, one.draft, tries=[], busy=None))), sort_keys=True)
                for one in sessions
            ]  # fmt: skip
            assert state in told
            timeline = sessions[told.index(state)]
            killer = threading.Timer(rng.random() * 0.2, os.kill, (int(pid), signal.SIGKILL))
            killer.start()
            hoped = timeline
            while True:
                deed = action(rng)
                hoped = after(timeline, deed, board)
                name, data = asked(deed)
                try:
                    browser.post(f"/{name}", **data)
                except (OSError, http.client.HTTPException):
                    break
                timeline = hoped
            killer.join()
            assert keeper.stdout.readline() == "dead\n"
        keeper.stdin.close()
    assert timeline.session.revision > TIMES
