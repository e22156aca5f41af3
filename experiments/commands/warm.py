"""`evenhand warm`: compile all code in advance, which makes later commands start faster."""

from __future__ import annotations

import time
from importlib import import_module

import numpy as np
import numpy.typing as npt

from agents.registry import agent_names, compiled_agent_named
from experiments.cli.session import Session, Work, session_command
from sim import load_pool, load_ruleset
from sim.engine.compiled import compile_entries
from sim.engine.layout import DECK_ROW_SIZE
from sim.play.table import pack_table

COMPILED = (
    "sim.play.batch",
    "sim.environments.episodes",
    "sim.game_log.deal",
    "sim.big_two.environment",
    "agents.big_two.roster",
    "agents.dqn.sampler",
    "agents.search.flat",
    "agents.search.turn.why",
    "agents.policy.recording",
    "agents.policy.why",
    "agents.search.value.recording",
    "balance.search.model.model_search",
)
"""Modules that together import every compiled function that Python code calls."""


@session_command()
def warm(session: Session) -> Work:
    """Compile all code now, so that later commands start faster."""
    cpu_s = compile_everything()
    return lambda: session.screen.say(f"All compiled ({cpu_s:.1f} s of CPU time)")


def compile_everything() -> float:
    """Load all compiled code, and compile code that is not in the cache.

    Returns:
        The CPU time in seconds.
    """
    began_s = time.process_time()
    for module in COMPILED:
        import_module(module)
    compile_entries()
    plain = pack_table(load_pool("core"), load_ruleset("duel"))
    rich = pack_table(load_pool("saga"), load_ruleset("legacy"))  # compiles the general rules
    # Reading an agent's address compiles the agent; each kind of rules has its own address.
    for name in agent_names():
        agent = compiled_agent_named(name)
        for table, general in ((plain, False), (rich, True)):
            _ = agent.seated(table, _no_decks).address(general=general)
    return time.process_time() - began_s


def _no_decks() -> npt.NDArray[np.int16]:
    """Return the rows of no deck, since built-in agents without a pilot do not read decks."""
    return np.empty((0, DECK_ROW_SIZE), dtype=np.int16)
