"""Conformance suites: what every method of searching owes, as tests that ours and yours inherit.

`MethodSuite` is for whatever `[search] method` may name, `OptimiserSuite` for another choice of
parents and survivors in an evolution. Both need pytest.
"""

from balance.conformance.methods import MethodSuite
from balance.conformance.optimisers import OptimiserSuite

__all__ = ["MethodSuite", "OptimiserSuite"]
