"""Other processors than this one, as far as environment variables can make it reckon like them.

OpenBLAS has kernels for many processors and numpy loops for several; both choose theirs as they are
loaded. As a command, runs Python with the given arguments once in each setting:

    python -m tests.processors -m pytest tests/balance
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
    """Run the same in every setting; returns the first exit status that is not 0."""
    for name, variables in OTHERS.items():
        print(f"as on {name}: {variables}", flush=True)  # noqa: T201 (tells which run failed)
        status = subprocess.call([sys.executable, *sys.argv[1:]], env={**os.environ, **variables})
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
