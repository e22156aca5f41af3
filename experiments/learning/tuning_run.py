"""One learner's tuning on disk: its curve, the answers to continue from, its weights."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple
from zipfile import BadZipFile

import numpy as np

from agents.search.turn.weights import Origin, Weights, weights_text
from balance.statistics.intervals import Floats, Interval
from balance.tuning.trials import Trials
from balance.tuning.tuning import Tuning, panel_rate
from experiments.files.output_file import curve_file_name, file_label, weights_file_name
from experiments.runs.run_folder import RunFolder
from sim import InputError, read_rows
from sim.files.plain_archive import check_plain_archive, read_archive


class TuningRow(NamedTuple):
    """A point of a tuning's curve, rounded as its file has it.

    Attributes:
        games: played so far to tune.
        win_rate: of the best so far against the panel as it was at the start, in games that
            chose nothing and are the same at every point.
        n: games of the evaluation.
    """

    games: int
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


@dataclass
class TuningRun:
    """Tunes one learner's weights into a run folder, to be stopped and continued at will.

    Attributes:
        trials: its games.
        experiment: the name of the experiment.
        folder: where its files go.
        curve: the rows so far.
    """

    trials: Trials
    experiment: str
    folder: RunFolder
    curve: list[TuningRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The learner's."""
        return self.trials.learner.name

    @property
    def _answers_path(self) -> Path:
        return self.folder.path / f"{file_label(self.name)}_answers.npz"

    def tune(self, on_row: Callable[[int, TuningRow], None], *, resume: bool) -> Tuning:
        """Tune to the end; after each round all is kept that is needed to go on.

        Args:
            on_row: told how many games are played, and the latest row of the curve.
            resume: go on from the files that are there.

        Raises:
            InputError: what was kept is damaged.
        """
        is_begun = resume and self._answers_path.exists()
        tuning = self._continued() if is_begun else Tuning(self.trials)
        while True:
            if self._wants_row(tuning):
                self._add_row(tuning)
            on_row(tuning.n_games, self.curve[-1])
            if tuning.is_done:
                return tuning
            tuning.play_round()
            self.folder.write_arrays(
                self._answers_path.name,
                answers=np.concatenate(tuning.answers),
                lengths=np.array([len(one) for one in tuning.answers]),
            )

    def finish(self, tuning: Tuning) -> Weights:
        """Write the weights, and where they come from."""
        weights = self.trials.space.weights_at(tuning.best).model_copy(
            update={
                "note": f"tuned by {self.trials.settings.method} in {tuning.n_games:,} games",
                "ruleset": self.trials.contest.table.ruleset.name,
                "origin": self._origin(tuning),
            }
        )
        self.folder.write(weights_file_name(self.name), weights_text(weights))
        return weights

    def _wants_row(self, tuning: Tuning) -> bool:
        if not self.curve:
            return True
        every = self.trials.settings.evaluate_every
        last = self.curve[-1].games
        return tuning.n_games // every > last // every or (
            tuning.is_done > (last == tuning.n_games)
        )

    def _add_row(self, tuning: Tuning) -> None:
        rate, n = panel_rate(self.trials, tuning.best)
        rounded = Interval(*np.array([_rounded(float(bound)) for bound in rate]))
        self.curve.append(TuningRow(tuning.n_games, rounded, n))
        self.folder.write_rows(curve_file_name(self.name), TuningRow, self.curve)

    def _continued(self) -> Tuning:
        """The tuning behind the answers that are kept, and the curve up to there."""
        try:
            tuning = Tuning(self.trials, _answers(self._answers_path))
            rows = read_rows(self.folder.path / curve_file_name(self.name), TuningRow)
        except _DAMAGE as error:
            raise InputError(f"{self._answers_path}: damaged; run without --resume") from error
        self.curve = [row for row in rows if row.games <= tuning.n_games]
        return tuning

    def _origin(self, tuning: Tuning) -> Origin:
        contest = self.trials.contest
        learner = self.trials.learner
        settings = self.trials.settings
        return Origin(
            experiment=self.experiment,
            ruleset=contest.table.ruleset.name,
            pool=contest.table.pool.name,
            decks=learner.decks,
            opponents=learner.opponents,
            panel=settings.panel,
            method=settings.method,
            start=settings.start,
            nodes=settings.nodes,
            games=tuning.n_games,
            seed=self.trials.run_seed,
        )


_DAMAGE = (InputError, OSError, ValueError, KeyError, EOFError, BadZipFile, MemoryError)


def _answers(path: Path) -> list[Floats]:
    data = read_archive(path)
    check_plain_archive(data)
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return np.split(kept["answers"], np.cumsum(kept["lengths"])[:-1])


def _rounded(number: float) -> float:
    """As tables have it, so that a curve that was read back draws the same figure."""
    return float(f"{number:.6g}")
