"""`evenhand warm`: compile all code in advance, which makes later commands start faster."""

from __future__ import annotations

import time
from importlib import import_module

COMPILED = (
    "sim.play.batch",
    "sim.environments.episodes",
    "sim.game_log.deal",
    "sim.big_two.environment",
    "agents.big_two.roster",
    "agents.dqn.sampler",
    "agents.search.flat",
    "agents.search.turn.why",
    "balance.search.model.model_search",
)
"""Modules that together import every compiled function that Python code calls."""


def compile_everything() -> float:
    """Load all compiled code, and compile code that is not in the cache.

    Returns:
        The CPU time in seconds.
    """
    began_s = time.process_time()
    from agents.registry import agent_names, compiled_agent_named  # noqa: PLC0415 (compiles)
    from sim import load_pool, load_ruleset  # noqa: PLC0415
    from sim.engine.compiled import compile_entries  # noqa: PLC0415
    from sim.play.table import pack_table  # noqa: PLC0415

    for module in COMPILED:
        import_module(module)
    compile_entries()
    pack_table(load_pool("saga"), load_ruleset("legacy"))  # compiles the general rules
    # Reading an agent's address compiles the agent; each kind of rules has its own address.
    for name in agent_names():
        agent = compiled_agent_named(name)
        _ = agent.address(general=False), agent.address(general=True)
    return time.process_time() - began_s
