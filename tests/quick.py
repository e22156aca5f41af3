"""The tests that answer in seconds: `python -m tests.quick`, before every commit.

A fixed core that touches every layer, and the tests named after files that have changed since
`main`: for `balance/cards/power.py` the files `test_power*.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = (
    "tests/test_laws_of_the_code.py",
    "tests/test_public_names.py",
    "tests/sim/test_batch.py",
    "tests/sim/test_card.py",
    "tests/sim/test_draws.py",
    "tests/sim/test_engine_against_reference.py",
    "tests/sim/test_replay.py",
    "tests/agents/test_choices.py",
    "tests/balance/test_evaluation.py",
    "tests/balance/test_matchups.py",
    "tests/balance/test_narrowing.py",
    "tests/balance/test_power.py",
    "tests/balance/test_evolutionary_search.py",
)


def lines_of(*command: str) -> list[str]:
    """Return the lines that a git command prints; none outside a checkout."""
    run = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.splitlines()


def changed_files() -> list[Path]:
    """Return the Python files that differ from the branch point of `main`, committed or not."""
    base = lines_of("merge-base", "main", "HEAD") or ["HEAD"]
    changed = lines_of("diff", "--name-only", base[0])
    changed += lines_of("ls-files", "--others", "--exclude-standard")
    return [Path(name) for name in changed if name.endswith(".py")]


def tests_for(changed: Path) -> list[str]:
    """Return the test files named after a module, or the file itself if it is one."""
    pattern = changed.name if changed.name.startswith("test_") else f"test_{changed.stem}*.py"
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob(pattern))]


def main() -> int:
    """Run the core and the tests for changed files; returns the exit status."""
    files = dict.fromkeys([*CORE, *(test for path in changed_files() for test in tests_for(path))])
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count()), *files]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
