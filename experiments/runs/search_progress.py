"""The progress of a search in a run: continued from its checkpoint, kept and shown as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from experiments.runs.checkpoint import load_checkpoint, save_checkpoint
from experiments.runs.run import Run

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    class SearchState(DataclassInstance, Protocol):
        """What a checkpoint keeps of a search."""

        @property
        def generation(self) -> int:
            """How many generations are done."""


StateT = TypeVar("StateT", bound="SearchState")


@dataclass(frozen=True)
class SearchProgress(Generic[StateT]):
    """Where a search begins, and whom it tells.

    Attributes:
        state: to continue from; `None` where it begins.
        on_stage: told what the work is at.
        on_generation: told every state that is reached.
    """

    state: StateT | None
    on_stage: Callable[[str], None]
    on_generation: Callable[[StateT], None]


@contextmanager
def search_progress(
    run: Run, what: str, generations: int, kind: type[StateT], figure: Callable[[StateT], str]
) -> Iterator[SearchProgress[StateT]]:
    """A progress bar for a search while the block runs; every generation is kept.

    Args:
        run: whose folder keeps the checkpoint.
        what: the bar's name.
        generations: how many there will be.
        kind: of its states.
        figure: what the bar says of a state.
    """
    state = load_checkpoint(run.folder, kind) if run.resume else None
    reached = 0 if state is None else state.generation
    if state is not None:
        run.screen.note(f"continuing after generation {reached} of {generations}")
    with run.screen.progress(what, generations) as advance:

        def on_stage(stage: str) -> None:
            run.folder.log(stage)
            advance(reached, stage)

        def on_generation(now: StateT) -> None:
            nonlocal reached
            reached = now.generation
            save_checkpoint(run.folder, now)
            advance(reached, figure(now))

        yield SearchProgress(state, on_stage, on_generation)
