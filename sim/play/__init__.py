"""Batches of games: cards packed into a table, agents, backends, and what comes out."""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
if TYPE_CHECKING:
    from sim.play.agent import Agent
    from sim.play.batch import Batch, play, row_of_deck
    from sim.play.outcomes import Outcomes
    from sim.play.table import Gene, Table, pack_table

__all__ = ["Agent", "Batch", "Gene", "Outcomes", "Table", "pack_table", "play", "row_of_deck"]

__getattr__ = on_demand(__name__)
