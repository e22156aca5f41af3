"""Conformance suites: tests that every search method and every optimiser must pass.

`MethodSuite` tests a search method (a value of `[search] method`). `OptimiserSuite` tests a
selection of parents and survivors in an evolution. Both need pytest.
"""

from balance.conformance.methods import MethodSuite
from balance.conformance.optimisers import OptimiserSuite

__all__ = ["MethodSuite", "OptimiserSuite"]
