"""Conformance suites: what every agent owes, as tests that ours and yours inherit.

    import pytest

    from agents import agent_named
    from agents.conformance import AgentSuite


    class TestEager(AgentSuite):
        @pytest.fixture
        def agent(self):
            return agent_named("eager")

A learned agent inherits `LearnedAgentSuite` in the same way. Both need pytest.
"""

from __future__ import annotations

try:
    import pytest
except ModuleNotFoundError:
    raise ImportError("agents.conformance needs pytest: pip install pytest") from None

pytest.register_assert_rewrite("agents.conformance.compiled", "agents.conformance.learned")

from agents.conformance.compiled import AgentSuite  # noqa: E402 (after it is to be rewritten)
from agents.conformance.learned import LearnedAgentSuite  # noqa: E402 (likewise)

__all__ = ["AgentSuite", "LearnedAgentSuite"]
