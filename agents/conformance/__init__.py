"""Conformance suites: tests of the rules that every agent must keep, built-in or from a plug-in.

    import pytest

    from agents import agent_named
    from agents.conformance import AgentSuite


    class TestEager(AgentSuite):
        @pytest.fixture
        def agent(self):
            return agent_named("eager")

A learned agent inherits from `LearnedAgentSuite` in the same way. Both classes need pytest.
"""

try:
    import pytest
except ModuleNotFoundError:
    raise ImportError("agents.conformance needs pytest: pip install pytest") from None

pytest.register_assert_rewrite("agents.conformance.suites")

from agents.conformance.suites import (  # noqa: E402 - pytest must rewrite its asserts first
    AgentSuite,
    LearnedAgentSuite,
)

__all__ = ["AgentSuite", "LearnedAgentSuite"]
