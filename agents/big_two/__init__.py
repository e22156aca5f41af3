"""Agents of Big Two: scripts, trained agents, and their names in experiments.

Example::

    from agents.big_two import agent_named

    agent = agent_named("lowest")
"""

from pathlib import Path

from sim.big_two import BIG_TWO_HASH
from sim.engine.cache import source_hash, use_cache
from sim.on_demand import on_demand

# Type checkers treat a variable of this name as True. Importing `typing` for it would take longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agents.big_two.roster import agent_named, agent_names

__all__ = ["agent_named", "agent_names"]

# The modules of this package contain compiled code, so their cache folder must be set first.
use_cache(__name__, f"big-two-{BIG_TWO_HASH}-{source_hash(Path(__file__).parent)}")

on_demand(__name__)
