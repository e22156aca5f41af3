"""Output of commands: tables, sentences, intervals and marks; modules are loaded at first use."""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # type checkers assume that it is true; importing `typing` takes longer
if TYPE_CHECKING:
    from experiments.screen.bands import BAND_LEGEND, band_words, mark_of
    from experiments.screen.console import Advance, Screen, Shown, Table
    from experiments.screen.guard_words import (
        GUARD_WORDS,
        GuardWords,
        failed_guard_words,
        reach_of,
        state_of,
    )
    from experiments.screen.smaller_patches import smaller_words
    from experiments.screen.wording import (
        Bounds,
        certificate_words,
        demand_entries,
        duration,
        estimate_words,
        explanation_words,
        in_pp,
        level,
        percent,
        percent_between,
        points,
        wanted_words,
        widened_words,
    )

__all__ = [
    "BAND_LEGEND",
    "GUARD_WORDS",
    "Advance",
    "Bounds",
    "GuardWords",
    "Screen",
    "Shown",
    "Table",
    "band_words",
    "certificate_words",
    "demand_entries",
    "duration",
    "estimate_words",
    "explanation_words",
    "failed_guard_words",
    "in_pp",
    "level",
    "mark_of",
    "percent",
    "percent_between",
    "points",
    "reach_of",
    "smaller_words",
    "state_of",
    "wanted_words",
    "widened_words",
]

on_demand(__name__)
