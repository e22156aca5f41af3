"""`evenhand workbench`: how it begins, what it refuses, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments.commands import workbench as command_module
from experiments.screen.console import Screen
from experiments.workbench.refinement import Player
from experiments.workbench.worker import Worker
from tests.command_line import (
    ROOT,
    TINY,
    assert_refused,
    assert_says,
    command,
    refusal,
    write_experiment,
)
from tests.experiments.benches import Browser


def test_without_the_extra_one_line_names_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(command_module, "find_spec", lambda name: None if name == "uvicorn" else 1)
    assert_refused("workbench", tmp_path, 'pip install "evenhand[workbench]"')


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("big_two",), "is of the game 'big_two'; the workbench is for cards"),
        (("quickstrat",), "did you mean 'quickstart'?"),
        (("quickstart", "--port", "70000"), "'70000' must be a whole number from 0 to 65535"),
        (("quickstart", "--seed", "-1"), "'-1' must be a whole number from 0"),
    ],
)
def test_what_cannot_be_opened_is_refused(
    asked: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in refusal(command("workbench", *asked, "--results", tmp_path / "r"))
    assert not (tmp_path / "r").exists()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        given = ("--results", tmp_path / "r", "--port", port, "--no-open")
        message = refusal(command("workbench", write_experiment(tmp_path), *given))
    assert_says(message, f"--port {port}: ", "leave it out for a free one")


def test_a_deck_whose_numbers_may_not_move_has_nothing_to_step(tmp_path: Path) -> None:
    fixed = TINY.replace("[tune]", "[tune]\nfields = []")
    assert_refused("workbench", tmp_path, "no number may move", text=fixed)


def test_it_says_that_it_prepares_before_anything_is_compiled(tmp_path: Path, monkeypatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Screen, "stage", lambda _, text: said.append(text))
    monkeypatch.setattr(Worker, "start", lambda _: said.append("compiling"))
    monkeypatch.setattr(Player, "warm", lambda _: said.append("compiling"))
    opened = command_module.open_workbench(
        str(write_experiment(tmp_path)), tmp_path / "r", Screen(json=True),
        seed=None, resume=False, port=0, threads=1,
    )  # fmt: skip
    opened.desk.folder.lock.__exit__(None, None, None)
    opened.server._socket.close()
    assert (opened.desk.folder.path / "log.txt").is_file()  # also of one that will be killed
    assert said[1:] == ["compiling"] * 2
    assert "compiled once" in said[0]


def served(path: Path, *options: str) -> Any:
    """A workbench of one thread in a process of its own."""
    given = (path, "--results", path.parent / "r", "--no-open", "--threads", "1", *options)
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", "workbench", *map(str, given)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=path.parent, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def assert_saved(process: Any) -> None:
    """It ends well, and says how to go on."""
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "--resume goes on with it" in out


@pytest.mark.thorough  # loads everything twice
def test_it_is_opened_used_ended_by_a_signal_and_continued(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    revisions = []
    for more, ending in (((), signal.SIGINT), (("--resume",), signal.SIGTERM)):
        with served(path, *more) as process:
            browser = Browser(process.stdout.readline().split()[-1])
            revisions.append(browser.state()["revision"])
            browser.done("/edit", card="ember_whelp", field="attack", to=1 + len(more))
            assert browser.until("rates", lambda rates: rates["settled"])
            heard = browser.events()
            next(heard)
            process.send_signal(ending)
            assert_saved(process)
            heard.close()
    assert revisions == [0, 1]


@pytest.mark.thorough  # loads everything
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's Ctrl-C is for a group")
def test_ctrl_c_in_a_terminal_is_not_heard_by_the_process_that_is_only_starting(
    tmp_path: Path,
) -> None:
    with served(write_experiment(tmp_path)) as process:
        assert "token=" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        assert_saved(process)


def test_a_taken_port_leaves_no_folder(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        given = ("--results", tmp_path / "r", "--port", str(taken.getsockname()[1]), "--no-open")
        refusal(command("workbench", write_experiment(tmp_path), *given))
    assert not (tmp_path / "r").exists()
