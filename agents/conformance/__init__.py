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

try:
    import pytest
except ModuleNotFoundError:
    raise ImportError("agents.conformance needs pytest: pip install pytest") from None

pytest.register_assert_rewrite("agents.conformance.suites")

from agents.conformance.suites import (  # noqa: E402 (after they are to be rewritten)
    AgentSuite,
    LearnedAgentSuite,
)

__all__ = ["AgentSuite", "LearnedAgentSuite"]
