"""Executes notebooks, each in a clean kernel of this Python, and writes their outputs.

    python notebooks/execute.py                  all of them
    python notebooks/execute.py 01*.ipynb        some

They run in an empty folder of their own, so nothing that they write stays.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent
CELL_LIMIT_S = 600  # ends what hangs, however busy the machine
# Only what is the same everywhere, so that a notebook executed elsewhere has no other file.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks() -> list[Path]:
    """All notebooks, in reading order."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path) -> NotebookNode:
    """The notebook with fresh outputs; the file stays as it is.

    Raises:
        CellExecutionError: a cell failed.
        CellTimeoutError: a cell took more than `CELL_LIMIT_S` seconds.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    with TemporaryDirectory() as folder:
        places = {name: Path(folder) / name for name in ("work", "ipython")}
        for place in places.values():
            place.mkdir()
        manager = AsyncKernelManager(
            # Without folders to look into, `python3` is the kernel of the running interpreter.
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            kernel_name="python3",
            connection_file=str(Path(folder) / "connection.json"),
            transport="ipc" if os.name == "posix" else "tcp",
        )
        client = NotebookClient(
            notebook,
            km=manager,
            timeout=CELL_LIMIT_S,
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": str(places["work"])}},
        )
        # One's own settings of IPython and matplotlib are no part of the notebook.
        environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
        environment["IPYTHONDIR"] = str(places["ipython"])
        client.execute(env=environment, cleanup_kc=True)
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def main(names: Sequence[str]) -> None:
    """Execute the notebooks with these names, or all, and write them."""
    for path in map(Path, names) if names else notebooks():
        sys.stdout.write(f"{path.name}\n")
        nbformat.write(executed(path), path)


if __name__ == "__main__":
    main(sys.argv[1:])
