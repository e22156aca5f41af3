"""Simulation of batches of games: card tables, agents, backends and outcomes."""

from sim.on_demand import on_demand

# Type checkers treat a variable of this name as True. Importing `typing` for it would take longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sim.play.agent import Agent, CompiledAgent, LearnedAgent, Policy
    from sim.play.batch import deck_row, play, row_of_deck, without
    from sim.play.batch_job import Batch
    from sim.play.outcomes import Outcomes, kept, slot_counts
    from sim.play.table import Gene, Table, pack_table
    from sim.play.workers.current import using_threads, working_with
    from sim.play.workers.seam import n_cores

__all__ = [
    "Agent",
    "Batch",
    "CompiledAgent",
    "Gene",
    "LearnedAgent",
    "Outcomes",
    "Policy",
    "Table",
    "deck_row",
    "kept",
    "n_cores",
    "pack_table",
    "play",
    "row_of_deck",
    "slot_counts",
    "using_threads",
    "without",
    "working_with",
]

on_demand(__name__)
