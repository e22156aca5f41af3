"""Small balance runs that tests read, the page about one of them, and copies to spoil."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.command_line import THREE, ask, done, only_folder, run_folder
from tests.experiments.attacked import ATTACKED
from tests.experiments.browsing import launched
from tests.experiments.stopping import stopped_after


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser."""
    with launched() as opened:
        yield opened


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of `TINY`, to be read only."""
    return run_folder("balance", tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of `TINY` that was stopped at its first checkpoint, to be read only."""
    place = tmp_path_factory.mktemp("begun")
    with stopped_after(1):
        assert ask("balance", place, "--no-plots").status == 130
    return place


@pytest.fixture
def unfinished(begun: Path, tmp_path: Path) -> Path:
    """The folder of a copy of that run, below `tmp_path`, to be tampered with."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return only_folder(tmp_path / "results")


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_folder("balance", tmp_path_factory.mktemp("report"), text=THREE)


@pytest.fixture(scope="session")
def page(run: Path):
    from tests.experiments.reports import Page, report_on

    return Page(report_on(run))


@pytest.fixture
def copied(run: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be tampered with."""
    return shutil.copytree(run, tmp_path / run.name)


@pytest.fixture(scope="session")
def attackable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of `ATTACKED`, to be read only."""
    return run_folder("balance", tmp_path_factory.mktemp("attackable"), text=ATTACKED)


@pytest.fixture
def own_copy(attackable: Path, tmp_path: Path) -> Path:
    """A copy of that run in a folder of results of its own."""
    return Path(shutil.copytree(attackable, tmp_path / "copies" / attackable.name))


@pytest.fixture(scope="session")
def few_final_games() -> Iterator[int]:
    """How many games a trained agent is measured by in the end."""
    with mock.patch("experiments.commands.train.FINAL_GAMES", 60):
        yield 60


@pytest.fixture(scope="session")
def trained(few_final_games: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `TRAINING` and the run that trained it, by one thread; to be read only."""
    from tests.experiments.learners import TRAINING

    place = tmp_path_factory.mktemp("trained")
    done(ask("train", place, "--no-plots", "--threads", "1", text=TRAINING))
    return place


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results with a finished training of `WITH_PILOTS`."""
    from tests.experiments.learners import finished_training

    return finished_training(tmp_path / "results").parent
