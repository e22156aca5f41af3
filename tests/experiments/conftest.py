"""A small balance run that all tests of the report read, its page, and copies to spoil."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.experiments.reports import three_run

    return three_run(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="session")
def page(run: Path):
    from tests.experiments.reports import Page, report_on

    return Page(report_on(run))


@pytest.fixture
def copied(run: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be tampered with."""
    return shutil.copytree(run, tmp_path / run.name)
