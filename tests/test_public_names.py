"""Public names: every name can be imported, and importing a package alone loads no heavy one."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.scripts import loaded_by
from tests.test_laws_of_the_code import HEAVY, LAYERS

ROOT = Path(__file__).parents[1]

FACES = ("agents", "balance", "experiments.plots", "sim", "sim.play")


@pytest.mark.parametrize("package", FACES)
def test_every_public_name_can_be_imported(package: str) -> None:
    face = importlib.import_module(package)
    assert all(getattr(face, name) is not None for name in face.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'Manager'"):
        face.Manager  # noqa: B018


def test_a_face_alone_loads_no_engine() -> None:
    assert not loaded_by(*FACES) & {"numba", "matplotlib"}


def test_playing_loads_no_heavy_package_and_no_layer_above() -> None:
    modules = ("sim.play.batch", "sim.game_log.deal", "sim.cards.pool_file")
    loaded = loaded_by(*modules)
    assert loaded >= {*modules}
    assert not loaded & (HEAVY | {*LAYERS[1:]})


def test_reading_a_sheet_loads_no_heavy_package() -> None:
    assert not loaded_by("experiments.spreadsheet.pool_sheet") & HEAVY


@pytest.mark.thorough
def test_plots_do_without_pyplot_and_computations_without_plots() -> None:
    assert "matplotlib" not in loaded_by("balance.verdict.certificate", "balance.cards.power")
    drawing = loaded_by("balance.run.result_tables", "experiments.plots.front")
    assert not drawing & {"matplotlib.pyplot", "pandas"}


def test_the_base_needs_no_extra(tmp_path: Path) -> None:
    """Cards are played in an environment without the packages of any extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["optional-dependencies"]
    extras = {name: groups[name] for name in groups.keys() - {"all", "dev"}}
    requirements = [requirement for packages in extras.values() for requirement in packages]
    missing = {re.split("[^a-z_]", requirement)[0] for requirement in requirements}
    assert {"torch", "gymnasium", "ray"} <= missing
    program = (
        f"import sys\nsys.modules.update(dict.fromkeys({sorted(missing)}))\n"
        "import experiments.commands.balance\nfrom experiments.cli import main\nmain()"
    )
    arguments = ["matchups", "quickstart_scripts", "--no-plots", "--results", str(tmp_path)]
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
