"""Experiment of a game that a simulator plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

from balance import Edit
from balance.contest.contest import Contest
from balance.simulator.simulated_contest import SimulatedContest
from experiments.contest_experiment import PATCHED, ContestExperiment
from experiments.runs.json_file import read_object
from experiments.runs.run_folder import RESOLVED
from experiments.simulator.load import load_contest
from experiments.simulator.simulator_file import SimulatorFile
from sim import error_place, validate, write_atomically
from sim.files.toml_document import load_tomlkit
from sim.files.whole_file import read_text
from sim.play.table import Gene


@dataclass(frozen=True)
class SimulatorExperiment(ContestExperiment):
    """Experiment of a simulator: the contents of its file, and the contest."""

    no_opinion: ClassVar[str] = (
        "No second opinion: the players of a simulator are its own; other players may disagree."
    )

    @property
    def folder_of_code(self) -> Path:
        """Folder to which the names of code in the file are relative."""
        return _folder_of_code(self.path)

    @property
    def code(self) -> SimulatedContest:
        """Contest with the numbers of the declarations."""
        return cast("SimulatedContest", self.unmoved)

    @property
    def rates(self) -> str:
        """Name of the rates in titles of tables."""
        is_share = self.code.rate == "points"
        return f"{'Share of the points' if is_share else 'Win rate'} of the first-named"

    def ranges(self, contest: Contest) -> dict[Gene, tuple[int, int]]:
        """Return the range of each number: of the file's `[tune.numbers]`, else as declared.

        Args:
            contest: contest with the numbers that the file sets.

        Raises:
            InputError: a number does not exist, or its range does not contain its value.
        """
        declared = self.code.parameters
        steps = {}
        for gene, (low, high) in declared.ranges.items():
            moved = contest.parameter(gene).value - declared.by_gene[gene].value
            # A value that the file sets beyond the declared range may stay or come back.
            steps[gene] = min(low - moved, 0), max(high - moved, 0)
        return steps | super().ranges(contest)

    def weights(self) -> dict[Gene, float]:
        """Return the weight of one step of each number: as the file says, else as declared."""
        return {**self.code.parameters.weights, **super().weights()}

    def write_patched(self, patch: Sequence[Edit], folder: Path) -> None:
        """Write a copy of the file with a patch, which names the folder of the code.

        Args:
            patch: edits of numbers.
            folder: folder of the new file.

        Raises:
            InputError: the experiment file cannot be read, or the new one cannot be written.
        """
        super().write_patched(patch, folder)
        settings = cast("SimulatorFile", self.settings)
        _with_folder(folder / PATCHED, self.folder_of_code / settings.simulator.folder)

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data that results depend on: settings, declarations, and a hash of the code.

        A run of other code is therefore not continued.
        """
        parameters = self.code.parameters.entries
        return {
            **super().resolved(command),
            "parameters": {name: entry.model_dump() for name, entry in parameters.items()},
            "code": self.code.simulator.identity,
        }


def _with_folder(path: Path, folder: Path) -> None:
    """Write the folder of the code into a patched experiment file, which lies elsewhere."""
    tomlkit = load_tomlkit()
    document: Any = tomlkit.parse(read_text(path))
    document["simulator"]["folder"] = str(folder.resolve())
    write_atomically(path, tomlkit.dumps(document))


def read_simulator(
    tables: Mapping[str, Any],
    path: Path,
    total: int | None = None,
    results: Path | None = None,
) -> SimulatorExperiment:
    """Return the experiment that a file with a simulator describes, after checking it.

    Args:
        tables: content of the file.
        path: path of the file, or of the recorded settings in a run folder.
        total: number of games of all stages, in place of that of the file; `None` for the file's.
        results: parent of the run folders, in which played games are kept; `None` to keep none.

    Raises:
        InputError: a value is not permitted, or the code cannot be loaded.
    """
    settings = validate(SimulatorFile, tables, source=str(path))
    if total is not None:
        games = settings.games.model_copy(update={"total": total})
        settings = settings.model_copy(update={"games": games})
    with error_place(path):
        contest = load_contest(settings, _folder_of_code(path), results)
        return cast("SimulatorExperiment", SimulatorExperiment(path, settings, contest).checked())


def _folder_of_code(path: Path) -> Path:
    """Return the folder to which the names of code in a file are relative.

    For the recorded settings of a run it is the folder of the run's experiment file.
    """
    if path.name != RESOLVED:
        return path.parent
    return Path(read_object(path.with_name("run.json"))["folder"])
