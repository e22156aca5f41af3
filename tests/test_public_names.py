"""What notebooks import: every public name is there, and naming none loads nothing heavy."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

FACES = ("agents", "balance", "experiments.plots", "sim", "sim.play")


@pytest.mark.parametrize("package", FACES)
def test_every_public_name_can_be_had(package: str) -> None:
    face = importlib.import_module(package)
    assert all(getattr(face, name) is not None for name in face.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'Manager'"):
        face.Manager  # noqa: B018


def test_a_face_alone_loads_no_engine() -> None:
    program = f"import sys, {', '.join(FACES)}\nprint({{'numba', 'matplotlib'}} & {{*sys.modules}})"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "set()\n"


def test_a_balance_run_loads_no_torch() -> None:
    program = "import sys, experiments.commands.balance; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
