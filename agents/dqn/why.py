"""Why a trained network chose: what it values the legal actions at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from agents.explanation import Compared, Explainer, Explanation, Valuing
from sim.engine.stepping import Words16, action_to_engine, look_through
from sim.observation.view import view_for
from sim.play.reach import reach_of_rows
from sim.play.table import Table


def explainer_of_pilot(
    pilot: Valuing, table: Table, decks: npt.NDArray[np.int16], words: Words16
) -> Explainer:
    """What explains the choices of a pilot in one game, by the values that it chooses by.

    Args:
        pilot: who.
        table: the numbers of all variants.
        decks: ``[2, DECK_ROW_SIZE]`` row of each seat's deck.
        words: the numbers of the game's variant.
    """
    view = view_for(table, pilot, reach_of_rows(table.pool, table.ruleset, decks))
    seen = np.zeros((1, view.size.n_values), dtype=np.float32)
    mask = np.zeros((1, view.size.n_actions), dtype=np.bool_)

    def explain(state: Words16) -> Explanation:
        look_through(state.copy(), words, view.words, seen[0], mask[0].view(np.uint8))
        legal = np.flatnonzero(mask[0])
        actions = [action_to_engine(words, view.words, int(k)) for k in legal]
        if len(actions) == 1:
            return Explanation(actions[0], "only")
        values = pilot.values(seen)[0, legal]
        order = np.argsort(-values, kind="stable")
        compared = tuple(Compared((actions[k],), float(values[k])) for k in order)
        return Explanation(compared[0].actions[0], "value", compared)

    return explain
