"""Output of commands: tables, sentences, intervals and marks; modules are loaded at first use."""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # type checkers assume that it is true; importing `typing` takes longer
if TYPE_CHECKING:
    from experiments.screen.console import Advance, Screen, Shown, Table
    from experiments.screen.guard_words import (
        GUARD_WORDS,
        GuardWords,
        failed_guard_lines,
        reach_of,
        state_of,
    )
    from experiments.screen.price_words import price_tables
    from experiments.screen.smaller_patches import smaller_words
    from experiments.screen.verdict_words import (
        BAND_LEGEND,
        SHORT_LEGEND,
        VERDICT_WORDS,
        legend_of,
        marked,
    )
    from experiments.screen.wording import (
        Bounds,
        between,
        certificate_words,
        counted,
        demand_entries,
        duration,
        estimate_words,
        explanation_words,
        few_games_words,
        in_pp,
        level,
        patched_rate_words,
        percent,
        percent_between,
        plus_minus,
        points,
        wanted_words,
        widened_words,
    )

__all__ = [
    "BAND_LEGEND",
    "GUARD_WORDS",
    "SHORT_LEGEND",
    "VERDICT_WORDS",
    "Advance",
    "Bounds",
    "GuardWords",
    "Screen",
    "Shown",
    "Table",
    "between",
    "certificate_words",
    "counted",
    "demand_entries",
    "duration",
    "estimate_words",
    "explanation_words",
    "failed_guard_lines",
    "few_games_words",
    "in_pp",
    "legend_of",
    "level",
    "marked",
    "patched_rate_words",
    "percent",
    "percent_between",
    "plus_minus",
    "points",
    "price_tables",
    "reach_of",
    "smaller_words",
    "state_of",
    "wanted_words",
    "widened_words",
]

on_demand(__name__)
