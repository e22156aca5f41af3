"""Conformance suites: tests that every search method and optimiser must pass, ours and yours.

`MethodSuite` is for any value of `[search] method`; `OptimiserSuite` is for another selection of
parents and survivors in an evolution. Both need pytest.
"""

from balance.conformance.methods import MethodSuite
from balance.conformance.optimisers import OptimiserSuite

__all__ = ["MethodSuite", "OptimiserSuite"]
