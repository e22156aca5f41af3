"""Other processors than this one, as far as environment variables can make it reckon like them.

OpenBLAS has kernels for many processors and numpy loops for several; both choose theirs as they are
loaded. As a command, runs Python with the given arguments as on one of them:

    python -m tests.processors Prescott -m pytest tests/balance

What these settings change is numpy's floats, and no more: the engine and the model's linear
algebra are compiled for the processor that is there, sums that the model leaves to BLAS are exact,
torch and HiGHS choose for themselves, and counts are whole numbers. A test can come out otherwise
only where such floats decide, or are compared to the last bit. `make processors` has the tests of
`balance/` for that, as on Prescott, where products, loops and sorts are all other ones than here;
of Haswell only the products are. `tests/experiments/test_processors.py` compares whole commands on
Prescott.
"""

from __future__ import annotations

import os
import subprocess
import sys

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

_WIDEST = [name for name in __cpu_dispatch__ if name == "X86_V4" or name.startswith("AVX512")]

OTHERS = {
    # Only where there are the instructions: a kernel without them would end the process.
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"} if __cpu_features__.get("AVX2") else {},
    # In numpy the variable may name only what this build of it chooses among.
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": " ".join(_WIDEST)},
}
"""Environment variables by the processor that they stand for."""


def main() -> int:
    """Run Python as on the named processor; returns its exit status."""
    name, *arguments = sys.argv[1:]
    variables = OTHERS[name]
    print(f"as on {name}: {variables}", flush=True)  # noqa: T201 (tells which run failed)
    return subprocess.call([sys.executable, *arguments], env={**os.environ, **variables})


if __name__ == "__main__":
    sys.exit(main())
