"""No mutant of a file or an option makes a command crash, hang or take a gigabyte."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.command_lines import commands, random_line
from tests.fuzz.command_runs import run_apart
from tests.fuzz.mutants import mutant_of
from tests.scripts import python


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--mutants", "30", "--small"), marks=pytest.mark.thorough),
        pytest.param(("--mutants", "2000"), marks=[pytest.mark.slow, pytest.mark.timeout(7_200)]),
    ],
)
def test_mutants_are_done_or_refused(options: tuple[str, ...]) -> None:
    python("-m", "tests.fuzz.commands", *options)


def test_all_commands_and_options_are_drawn() -> None:
    """Options that compile for minutes or open a browser are left out on purpose."""
    chance = random.Random(1)
    lines = [random_line(chance, ["results/run"], is_odd=False) for _ in range(12_000)]
    for name, command in commands().items():
        own_lines = [line for line in lines if line[: len(name.split())] == name.split()]
        assert own_lines, name
        options = {option for parameter in command.params for option in parameter.opts}
        wanted = {option for option in options if option[:2] == "--"}
        wanted -= {"--help", "--open", "--tensorboard"}
        assert wanted <= {word for line in own_lines for word in line}, name


def test_a_mutant_is_a_function_of_chance() -> None:
    for seed in range(200):
        mutants = [mutant_of("a.toml", b'a = 1\nb = "x"\n', random.Random(seed)) for _ in range(2)]
        assert mutants[0] == mutants[1]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("raise ValueError('oops')", "traceback: ValueError: oops"),
        ("raise SystemExit(3)", "status 3"),
        ("raise SystemExit(2)", ""),
        ("x = bytes(b'1') * 2**30; x = bytearray(x)", "MB of memory"),
    ],
)
def test_faulty_commands_are_detected(
    code: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.fuzz import command_runs

    monkeypatch.setattr(command_runs, "main", lambda: exec(code))  # noqa: S102
    folder = tmp_path / "here"
    folder.mkdir()
    detected = run_apart([], folder, b"").fault
    assert fault in detected if fault else not detected.strip() or "MB" in detected


def test_silence_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from tests.fuzz import command_runs

    monkeypatch.setattr(command_runs, "main", lambda: time.sleep(600))
    monkeypatch.setattr(command_runs, "SILENCE_S", 0.2)
    folder = tmp_path / "here"
    folder.mkdir()
    assert run_apart([], folder, b"").fault == "no output for 0 s"
