"""Count the files through which a reader follows a balance run from the command to a certificate.

    python -m tests.call_path [--commit b69c6365]

A small balance run is traced from the work of the command until the patch is certified. A function
is on the path if it plays games, itself or through functions that it calls: helpers that only
compute are not, nor are decorators. Two counts describe the path:

- files: number of files of the four packages that contain a function on the path;
- returns: number of pairs of a function on the path and its caller on the path, in different files.
  A reader who follows each call once goes back to the caller's file so many times.

With `--commit` an older version of the code is traced, in a temporary checkout.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import tomllib
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGES = ("sim", "agents", "balance", "experiments")
BEGIN = ("experiments/commands/balance.py", "run_balance")  # the work of the command
PLAYS = ("sim/play/batch.py", "play")  # every game of a contest of cards is played by this function
END = "certify"  # the function that certifies the patch, in whatever file it stands
DECORATORS = "sim/arguments.py"
EXPERIMENT = """
name = "path"
seed = 7
ruleset = "duel"
pool = "core"

[[player]]
deck = "ember_rush"
agent = "aggro"

[[player]]
deck = "tide_keep"
agent = "control"

[games]
matchups = 200
power = 40
search = 40
select = 200
certify = 400

[narrow]
by = "power"
keep = 3

[search]
rounds = 2
widen = false
"""


class Tracer:
    """Observer of calls, which records those on the path to played games.

    Attributes:
        calls: pairs of a function on the path and its caller on the path, each a file and a name.
    """

    def __init__(self, root: Path) -> None:
        self.calls = set[tuple[tuple[str, str], tuple[str, str]]]()
        self._root = str(root) + "/"
        self._stack = list[tuple[str, str]]()
        self._is_over = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Record an event of `sys.setprofile`."""
        if event not in {"call", "return"} or self._is_over:
            return
        name = frame.f_code.co_filename
        if not name.startswith(self._root):
            return
        file = name.removeprefix(self._root)
        function = (file, frame.f_code.co_qualname)
        if file.partition("/")[0] not in PACKAGES or file == DECORATORS:
            return
        if not self._stack and function != BEGIN:
            return
        if event == "return":
            self._stack.pop()
            self._is_over = function[1] == END
            return
        self._stack.append(function)
        if function == PLAYS:
            self.calls.update(zip(self._stack[1:], self._stack, strict=False))

    def counts(self) -> dict[str, int]:
        """Return the number of files and of returns between files."""
        functions = {function for call in self.calls for function in call}
        returns = {call for call in self.calls if call[0][0] != call[1][0]}
        return {"files": len({file for file, _ in functions}), "returns": len(returns)}


def trace(root: Path) -> dict[str, int]:
    """Run a small balance with the code below `root`, and return the counts of its path."""
    scripts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, function = scripts["project"]["scripts"]["evenhand"].partition(":")
    main = getattr(import_module(module), function)
    tracer = Tracer(root)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "path.toml"
        file.write_text(EXPERIMENT, encoding="utf-8")
        sys.argv = ["evenhand", "balance", str(file), "--results", folder, "--no-plots"]
        sys.setprofile(tracer)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main()
        sys.setprofile(None)
    return tracer.counts()


def trace_commit(commit: str) -> dict[str, int]:
    """Return the counts of an older commit, traced in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder).resolve() / "checkout")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", place, commit], check=True)
        try:
            command = [sys.executable, str(Path(__file__).resolve()), "--root", place]
            run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
        finally:
            subprocess.run([*git, "remove", "--force", place], check=True)
    counts: dict[str, int] = json.loads(run.stdout.splitlines()[-1])
    return counts


def main() -> None:
    """Print the counts of this code, and of another commit if one is named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--commit", help="an older commit to compare with")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root))
    if options.commit:
        sys.stdout.write(f"{options.commit} {json.dumps(trace_commit(options.commit))}\n")
    sys.stdout.write(f"{json.dumps(trace(options.root))}\n")


if __name__ == "__main__":
    main()
