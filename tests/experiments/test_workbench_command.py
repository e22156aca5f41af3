"""`evenhand workbench`: its start, refused arguments, and its end."""

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
    ask,
    command,
    contents,
    refusal,
    unchanged,
    write_experiment,
)
from tests.experiments.benches import Browser
from tests.messages import check_message


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(command_module, "find_spec", lambda name: None if name == "uvicorn" else 1)
    check_refusal(tmp_path)


def check_refusal(folder: Path, text: str = TINY) -> None:
    """Check that the workbench of an experiment is refused and writes nothing."""
    write_experiment(folder, text)
    with unchanged(contents, folder):
        check_message(refusal(ask("workbench", folder, text=text)))


@pytest.mark.parametrize(
    "arguments",
    [
        ("big_two",),
        ("quickstrat",),
        ("quickstart", "--port", "70000"),
        ("quickstart", "--seed", "-1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[str, ...], tmp_path: Path) -> None:
    check_message(refusal(command("workbench", *arguments, "--results", tmp_path / "r")))
    assert not (tmp_path / "r").exists()


def test_a_port_in_use_is_refused_with_its_number(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ("--results", tmp_path / "r", "--port", port, "--no-open")
        message = refusal(command("workbench", write_experiment(tmp_path), *arguments))
    assert port in message
    check_message(message.replace(port, "N"))


def test_a_deck_without_numbers_that_may_change_is_refused(tmp_path: Path) -> None:
    check_refusal(tmp_path, TINY.replace("[tune]", "[tune]\nfields = []"))


def test_the_preparation_is_announced_before_code_is_compiled(tmp_path: Path, monkeypatch) -> None:
    steps = list[str]()
    monkeypatch.setattr(Screen, "stage", lambda _, text: steps.append(text))
    monkeypatch.setattr(Worker, "start", lambda _: steps.append("compiling"))
    monkeypatch.setattr(Player, "warm", lambda _: steps.append("compiling"))
    opened = command_module.open_workbench(
        str(write_experiment(tmp_path)), tmp_path / "r", Screen(json=True),
        seed=None, resume=False, port=0,
    )  # fmt: skip
    opened.controller.folder.lock.__exit__(None, None, None)
    opened.server._socket.close()
    assert (opened.controller.folder.path / "log.txt").is_file()
    assert steps[1:] == ["compiling"] * 2
    check_message(steps[0])


def served(path: Path, *options: str) -> Any:
    """Start a workbench with one thread in a process of its own."""
    arguments = (path, "--results", path.parent / "r", "--no-open", "--threads", "1", *options)
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", "workbench", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=path.parent, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def assert_saved(process: Any) -> None:
    """Check that a workbench ends without an error, and prints how to resume its session."""
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "--resume" in out


@pytest.mark.thorough  # loads everything twice
def test_a_session_that_a_signal_ended_is_resumed(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    revisions = []
    for more, ending in (((), signal.SIGINT), (("--resume",), signal.SIGTERM)):
        with served(path, *more) as process:
            browser = Browser(process.stdout.readline().split()[-1])
            revisions.append(browser.state()["revision"])
            browser.submit("/edit", card="ember_whelp", field="attack", to=1 + len(more))
            assert browser.until("rates", lambda rates: rates["settled"])
            events = browser.events()
            next(events)
            process.send_signal(ending)
            assert_saved(process)
            events.close()
    assert revisions == [0, 1]


@pytest.mark.thorough  # loads everything
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's Ctrl-C is for a group")
def test_ctrl_c_in_a_terminal_does_not_reach_a_starting_worker(
    tmp_path: Path,
) -> None:
    with served(write_experiment(tmp_path)) as process:
        assert "token=" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        assert_saved(process)


def test_a_port_in_use_leaves_no_folder(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        arguments = (
            "--results",
            tmp_path / "r",
            "--port",
            str(taken.getsockname()[1]),
            "--no-open",
        )
        refusal(command("workbench", write_experiment(tmp_path), *arguments))
    assert not (tmp_path / "r").exists()
