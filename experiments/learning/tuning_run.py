"""Tuning run of one learner, with files for its curve, its rounds' results, and its weights."""

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
    """Point of a tuning's curve: one evaluation of the best weights, rounded as in its file.

    Attributes:
        games: number of tuning games so far.
        win_rate: win rate of the best weights so far against the panel without `self`, in games
            that are not used for tuning and have the same seeds at every point.
        n: number of games of the evaluation.
    """

    games: int
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


@dataclass
class TuningRun:
    """Tuning of one learner's weights in a run folder, which can be interrupted and continued.

    Attributes:
        trials: learner, decks and settings of the tuning games.
        experiment: name of the experiment.
        folder: folder with the files of the tuning.
        curve: rows of the curve so far.
    """

    trials: Trials
    experiment: str
    folder: RunFolder
    curve: list[TuningRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the learner to which the tuned weights belong."""
        return self.trials.learner.name

    @property
    def _answers_path(self) -> Path:
        """Path of the file with the win rates of all rounds so far."""
        return self.folder.path / f"{file_label(self.name)}_answers.npz"

    def tune(self, on_row: Callable[[int, TuningRow], None], *, resume: bool) -> Tuning:
        """Tune to the end, and return the finished tuning.

        The win rates are stored after each round, so that an interrupted tuning can be continued.

        Args:
            on_row: callback for the number of games so far and the latest row of the curve, called
                before each round and at the end.
            resume: whether to continue from existing files.

        Raises:
            InputError: a stored file is damaged.
        """
        is_begun = resume and self._answers_path.exists()
        tuning = self._stored_tuning() if is_begun else Tuning(self.trials)
        while True:
            if self._is_row_due(tuning):
                self._add_row(tuning)
            on_row(tuning.n_games, self.curve[-1])
            if tuning.is_done:
                return tuning
            tuning.play_round()
            self.folder.write_arrays(
                self._answers_path.name,
                answers=np.concatenate(tuning.answers),
                lengths=np.array([len(rates) for rates in tuning.answers]),
            )

    def finish(self, tuning: Tuning) -> Weights:
        """Write the weights at the tuning's best point, with their origin, and return them."""
        weights = self.trials.space.weights_at(tuning.best).model_copy(
            update={
                "note": f"tuned by {self.trials.settings.method} in {tuning.n_games:,} games",
                "ruleset": self.trials.contest.table.ruleset.name,
                "origin": self._origin(tuning),
            }
        )
        self.folder.write(weights_file_name(self.name), weights_text(weights))
        return weights

    def _is_row_due(self, tuning: Tuning) -> bool:
        """Return whether a row must be added to the curve in the current state of the tuning.

        Rows are added at the start, whenever `evaluate_every` more games were played, and at the
        end.
        """
        if not self.curve:
            return True
        every = self.trials.settings.evaluate_every
        last = self.curve[-1].games
        return tuning.n_games // every > last // every or (
            tuning.is_done > (last == tuning.n_games)
        )

    def _add_row(self, tuning: Tuning) -> None:
        """Evaluate the best weights so far, and add a row to the curve and its file."""
        rate, n = panel_rate(self.trials, tuning.best)
        rounded = Interval(*np.array([_rounded(float(bound)) for bound in rate]))
        self.curve.append(TuningRow(tuning.n_games, rounded, n))
        self.folder.write_rows(curve_file_name(self.name), TuningRow, self.curve)

    def _stored_tuning(self) -> Tuning:
        """Return the tuning after the stored rounds, and load the rows of the curve up to them.

        Raises:
            InputError: a stored file is missing, damaged or belongs to another tuning.
        """
        try:
            tuning = Tuning(self.trials, _answers(self._answers_path))
            rows = read_rows(self.folder.path / curve_file_name(self.name), TuningRow)
        except _DAMAGE as error:
            remedy = "run without --resume"
            raise InputError("damaged", place=self._answers_path, remedy=remedy) from error
        self.curve = [row for row in rows if row.games <= tuning.n_games]
        return tuning

    def _origin(self, tuning: Tuning) -> Origin:
        """Return the origin of the tuned weights: games, settings and seed of the tuning."""
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


# Exceptions that numpy, zipfile and `Tuning` raise for a damaged file.
_DAMAGE = (InputError, OSError, ValueError, KeyError, EOFError, BadZipFile, MemoryError)


def _answers(path: Path) -> list[Floats]:
    """Return the win rates in a stored file, one array per round.

    Raises:
        Exception: the file is damaged; one of the types in `_DAMAGE`.
    """
    data = read_archive(path)
    check_plain_archive(data)
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return np.split(kept["answers"], np.cumsum(kept["lengths"])[:-1])


def _rounded(number: float) -> float:
    """Return a number with the 6 significant digits of the curve's file.

    A figure drawn from the returned numbers equals one drawn from the file.
    """
    return float(f"{number:.6g}")
