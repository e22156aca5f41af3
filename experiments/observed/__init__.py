"""Tables with results of games that people or other programs played, read from files.

>>> from experiments.observed import read_results
>>> results = read_results("results.csv", {"player_a": "Deck"})  # doctest: +SKIP
>>> results.matchups.win_rates()  # doctest: +SKIP
"""

from sim.on_demand import on_demand

TYPE_CHECKING = False  # type checkers assume that it is true; importing `typing` takes longer
if TYPE_CHECKING:
    from experiments.observed.observed_results import ObservedResults, read_results

__all__ = ["ObservedResults", "read_results"]

on_demand(__name__)
