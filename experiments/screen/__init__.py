"""What people read: tables, sentences, intervals, marks; a module of it loads when first used."""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
if TYPE_CHECKING:
    from experiments.screen.console import Advance, Screen, Shown, Table
    from experiments.screen.wording import (
        OFF_LEGEND,
        Bounds,
        advice,
        certificate_words,
        demand_entries,
        duration,
        entry_of,
        estimate_words,
        explanation_words,
        in_pp,
        level,
        off_mark,
        percent,
        percent_between,
        points,
        reach_of,
        smaller_words,
        state_of,
        wanted_words,
        widened_words,
    )

__all__ = [
    "OFF_LEGEND",
    "Advance",
    "Bounds",
    "Screen",
    "Shown",
    "Table",
    "advice",
    "certificate_words",
    "demand_entries",
    "duration",
    "entry_of",
    "estimate_words",
    "explanation_words",
    "in_pp",
    "level",
    "off_mark",
    "percent",
    "percent_between",
    "points",
    "reach_of",
    "smaller_words",
    "state_of",
    "wanted_words",
    "widened_words",
]

__getattr__ = on_demand(__name__)
