"""A bar of games: how many have been played, how many may come, and the time that is left."""

from __future__ import annotations

from collections.abc import Mapping

from rich.progress import Progress

_MORE = 1.25  # times the games that a stage has played it may take, if that is more than thought


class GamesBar:
    """The bar of a job in stages, whose games are guessed until each has been played."""

    def __init__(self, progress: Progress, what: str, stages: Mapping[str, int]) -> None:
        """A bar called `what`, of stages in their order with the games that each may take."""
        self._progress, self._what, self._coming = progress, what, dict(stages)
        self._before, self._here, self._expected = 0, 0, 0
        self._id = progress.add_task(what, total=sum(stages.values()), figure="")
        self._task = progress.tasks[-1]

    @property
    def amount(self) -> tuple[int, int]:
        """Games played, and games that there may be in all."""
        here = max(self._expected, round(_MORE * self._here))
        return self._before + self._here, self._before + here + sum(self._coming.values())

    def begin(self, stage: str) -> None:
        """The next stage begins; those before it are over, whatever they were thought to take."""
        self._before, self._here, self._expected = self._before + self._here, 0, 0
        if stage in self._coming:
            names = [*self._coming]
            self._expected = self._coming[stage]
            for name in names[: names.index(stage) + 1]:
                del self._coming[name]
        name = self._what if stage == self._what else f"{self._what}: {stage}"
        self._progress.update(self._id, description=name, figure="")
        self.played(0)

    def played(self, n_games: int) -> None:
        """So many more games have been played."""
        self._here += n_games
        completed, total = self.amount
        self._task.total = total  # by `update` the bar would forget how fast it went
        self._progress.update(self._id, completed=completed)

    def say(self, figure: str) -> None:
        """Show the figure that matters."""
        self._progress.update(self._id, figure=figure)
