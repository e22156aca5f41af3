"""Tuning run of one learner: its curve, its results so far and its weights, as files."""

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
    """Point of a tuning curve, rounded as in its file.

    Attributes:
        games: number of tuning games so far.
        win_rate: win rate of the best weights so far against the initial panel, with its 95 %
            interval, in games that are not used for tuning and are the same at every point.
        n: number of games of the evaluation.
    """

    games: int
    win_rate: Annotated[Interval, ("win_rate", "low", "high")]
    n: int


@dataclass
class TuningRun:
    """Tuning of one learner's weights in a run folder, which can be stopped and resumed.

    Attributes:
        trials: games that evaluate weights of the learner.
        experiment: name of the experiment.
        folder: run folder with the files of the tuning.
        curve: rows of the tuning curve so far.
    """

    trials: Trials
    experiment: str
    folder: RunFolder
    curve: list[TuningRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the learner."""
        return self.trials.learner.name

    @property
    def _answers_path(self) -> Path:
        """Path of the file with the results of all rounds so far."""
        return self.folder.path / f"{file_label(self.name)}_answers.npz"

    def tune(self, on_row: Callable[[int, TuningRow], None], *, resume: bool) -> Tuning:
        """Tune to the end, and store the results after each round, so that tuning can be resumed.

        Args:
            on_row: called after each round with the number of games so far and the latest row of
                the curve.
            resume: whether to continue from existing files.

        Raises:
            InputError: `resume` is set, and a stored file is damaged.
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
        """Write the best weights with a note on their origin, and return the weights."""
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
        """Return whether a row of the curve is due: at the beginning, regularly, and at the end."""
        if not self.curve:
            return True
        every = self.trials.settings.evaluate_every
        last = self.curve[-1].games
        # At the end, a row is due unless the last row has the same number of games.
        return tuning.n_games // every > last // every or (
            tuning.is_done > (last == tuning.n_games)
        )

    def _add_row(self, tuning: Tuning) -> None:
        """Evaluate the best weights so far, add a row to the curve, and write the curve's file."""
        rate, n = panel_rate(self.trials, tuning.best)
        rounded = Interval(*np.array([_rounded(float(bound)) for bound in rate]))
        self.curve.append(TuningRow(tuning.n_games, rounded, n))
        self.folder.write_rows(curve_file_name(self.name), TuningRow, self.curve)

    def _stored_tuning(self) -> Tuning:
        """Return the tuning with the stored results, and load the rows of the curve up to them.

        Raises:
            InputError: a stored file is missing or damaged.
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
        """Return the origin of the weights: the experiment, cards, opponents and tuning games."""
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
    """Return the stored win rates, one array per round."""
    data = read_archive(path)
    check_plain_archive(data)
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return np.split(kept["answers"], np.cumsum(kept["lengths"])[:-1])


def _rounded(number: float) -> float:
    """Return a number rounded as in tables, so that curves from files and memory are equal."""
    return float(f"{number:.6g}")
