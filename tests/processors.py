"""Runs of Python as on another processor, as far as environment variables can imitate one.

OpenBLAS has kernels for many processors and numpy has loops for several; both choose theirs when
they are loaded. As a command, runs Python with the given arguments as on one of them:

    python -m tests.processors Prescott -m pytest tests/balance

These settings change only numpy's floats. The engine and the model's linear algebra are compiled
for the actual processor, sums that the model leaves to BLAS are exact, torch and HiGHS choose for
themselves, and counts are whole numbers. The result of a test can differ only where such floats
decide, or are compared to the last bit. `make processors` runs the tests of `balance/` as on
Prescott, where products, loops and sorts all differ from those here; on Haswell only the products
do. `tests/experiments/test_processors.py` compares whole commands on Prescott.
"""

from __future__ import annotations

import os
import subprocess
import sys

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

_WIDEST = [name for name in __cpu_dispatch__ if name == "X86_V4" or name.startswith("AVX512")]

OTHERS = {
    # Only where the processor has the instructions: a kernel without them ends the process.
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"} if __cpu_features__.get("AVX2") else {},
    # numpy rejects names of features that its build does not choose among.
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": " ".join(_WIDEST)},
}
"""Environment variables by the processor that they imitate."""


def main() -> int:
    """Run Python as on the named processor; returns its exit status."""
    name, *arguments = sys.argv[1:]
    variables = OTHERS[name]
    print(f"as on {name}: {variables}", flush=True)  # noqa: T201 (names the run in the log)
    return subprocess.call([sys.executable, *arguments], env={**os.environ, **variables})


if __name__ == "__main__":
    sys.exit(main())
