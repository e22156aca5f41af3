"""Public names: every name can be imported, and importing a package alone loads no heavy one."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.scripts import loaded_by, python
from tests.test_laws_of_the_code import HEAVY, LAYERS, MODULES

ROOT = Path(__file__).parents[1]

FACES = ("agents", "balance", "experiments.plots", "sim", "sim.play")
ON_DEMAND = [
    package for package, path in MODULES.items() if "\non_demand(__name__)\n" in path.read_text()
]

USERS_PROGRAM = """
from agents import agent_named
from balance import BalanceRun, BalanceSettings, CardContest, Edit, Player
from balance import load_contest, matchup_frame, measure_power, play_matchups, run_balance
from balance import load_kontest  # type: ignore[attr-defined]
from sim import load_deck


def patch_of(run: BalanceRun) -> list[Edit]:
    return list(run.patch)


contest = load_contest(("ember_rush", "aggro"), ("tide_keep", "control"))
player = Player("swarm", load_deck("spore_swarm"), agent_named("aggro"))
wider = CardContest(contest.table, (*contest.players, player))
counts = play_matchups(wider, wider.table, n_games=40, run_seed=1, purpose="matchups")
rate: float = matchup_frame(wider, counts)["win_rate_a"].max()
powers = [card.power.estimate for card in measure_power(wider, n_games=40, run_seed=1)]
edits = patch_of(run_balance(wider, BalanceSettings(seed=1)))
"""


@pytest.mark.parametrize("package", FACES)
def test_every_public_name_can_be_imported(package: str) -> None:
    face = importlib.import_module(package)
    assert all(getattr(face, name) is not None for name in face.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'Manager'"):
        face.Manager  # noqa: B018


@pytest.mark.parametrize("package", ON_DEMAND)
def test_completion_offers_the_public_names(package: str) -> None:
    face = importlib.import_module(package)
    assert {name for name in dir(face) if not name.startswith("__")} == {*face.__all__}
    assert {"__doc__", "__all__"} <= {*dir(face)}


def test_type_checkers_of_users_find_a_marker_in_every_package() -> None:
    assert all((ROOT / layer / "py.typed").is_file() for layer in LAYERS)


@pytest.mark.slow
def test_a_users_program_passes_a_strict_type_checker(tmp_path: Path) -> None:
    """The ignored error of the misspelled name counts: `--strict` reports comments without one."""
    program = tmp_path / "program.py"
    program.write_text(USERS_PROGRAM)
    cache = ("--cache-dir", tmp_path / "cache", "--config-file", "")
    python("-m", "mypy", "--strict", *cache, program, PYTHONPATH=str(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize("package", LAYERS[:-1])
def test_public_types_are_complete(package: str, tmp_path: Path) -> None:
    """At least 99 % of the public symbols have a type that every type checker agrees on."""
    pytest.importorskip("pyright")  # the extra `types`
    check = ("--ignoreexternal", "--verifytypes", package, "--outputjson")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        [sys.executable, "-m", "pyright", *check],
        cwd=tmp_path,  # otherwise it would look into files of the repository first
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(run.stdout)["typeCompleteness"]["completenessScore"] >= 0.99


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
    drawing = loaded_by("balance.run.result_tables", "experiments.plots.front_figure")
    assert not drawing & {"matplotlib.pyplot", "pandas"}


def test_the_base_needs_no_extra(tmp_path: Path) -> None:
    """Every command loads, and cards are played, without the packages of any extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["optional-dependencies"]
    extras = {name: groups[name] for name in groups.keys() - {"all", "dev"}}
    requirements = [requirement for packages in extras.values() for requirement in packages]
    missing = {re.split("[^a-z_]", requirement)[0] for requirement in requirements}
    assert {"torch", "gymnasium", "ray"} <= missing
    program = (
        f"import sys\nsys.modules.update(dict.fromkeys({sorted(missing)}))\n"
        "from experiments.cli import main\nfrom experiments.cli.lazy_group import command_of\n"
        "from tests.command_line import LISTED\n"
        "_ = [command_of(listed) for listed in LISTED.values()]\nmain()"
    )
    arguments = ["matchups", "quickstart_scripts", "--no-plots", "--results", str(tmp_path)]
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
