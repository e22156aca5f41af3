"""Why a turn search chose: its own tree, read after the very search that an agent makes.

What a line is worth comes apart into features because it is a sum of them: each is asked for by
a parameters that knows but one weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agents.explanation import Compared, Explainer, Explanation
from agents.search.turn import parameters as of
from agents.search.turn import tree
from agents.search.turn.features import WON, worth
from agents.search.turn.search import FIRST_WORLD, PARTS, search_turn, worth_in_world
from agents.search.turn.weights import ProspectWeights, SideWeights
from agents.search.turn.win import N_CHILDREN_MAX
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, i64, none
from sim.engine.kernel import copy_game
from sim.engine.stepping import Words16, new_state

N_SHOWN = 8  # lines whose features are told


@compiled(i64(Block, Block, Block, Block, i64), from_python=True)
def search_in(block: Any, table: Any, parameters: Any, state: Any, agent: int) -> int:
    """The choice of `agents.search.turn.search.best_turn`, with its tree left in the block."""
    return search_turn(
        words_at(block, 0), words_at(table, 0), words_at(parameters, 0), words_at(state, 0), agent
    )


@compiled(i64(Block, Block, Block, i64, i64, i64), from_python=True)
def _answer(block: Any, table: Any, parameters: Any, node: int, agent: int, world: int) -> int:
    """What a node is worth after the enemy's answer in a world, whose game is left in the block."""
    return worth_in_world(
        words_at(block, 0), words_at(table, 0), words_at(parameters, 0), node, agent, world
    )


@compiled(i64(Block, i64, Block, Block, i64), from_python=True)
def _worth_at(block: Any, place: int, table: Any, parameters: Any, seat: int) -> int:
    """What the game at a place of the block is worth."""
    return worth(words_at(block, place), words_at(table, 0), words_at(parameters, 0), seat)


@compiled(none(Block, i64, Block), from_python=True)
def _copy_out(block: Any, place: int, state: Any) -> None:
    """Copy a game out of the block."""
    copy_game(words_at(block, place), words_at(state, 0))


def turn_explainer(
    table: Words16, parameter_rows: tuple[Words16, Words16], agents: tuple[int, int]
) -> Explainer:
    """What explains the choices of one search in the games of one table.

    Args:
        table: the numbers.
        parameter_rows: what the search is told in plain games, and in all others.
        agents: the addresses of who answers for the enemy, likewise.
    """

    def explain(state: Words16) -> Explanation:
        general = bool(state[at.GENERAL])
        parameters = parameter_rows[general]
        agent = agents[general]
        n_nodes = max(int(parameters[of.NODES]), int(parameters[of.WINS]) + N_CHILDREN_MAX)
        block = np.empty(tree.block_size(n_nodes), np.int16)
        action = search_in(block, table, parameters, state.copy(), agent)
        decided = block[tree.DECIDED_BY]
        if decided == tree.BY_NECESSITY:
            return Explanation(action, "only")
        if decided == tree.BY_MULLIGAN:
            told = {"cheap": int(parameters[of.CHEAP]), "dearest": int(parameters[of.DEAREST])}
            return Explanation(action, "mulligan", facts=told)
        grown = _Tree(block, table, parameters, agent, int(state[at.ACTIVE]))
        facts = {"positions": int(block[tree.N_SPENT])}
        if decided == tree.BY_WIN:
            won = (grown.line(int(block[tree.N_MADE]), WON, is_over=True),)
            return Explanation(action, "win", won, facts, grown.start())
        compared = tuple(grown.lines(may_end=state[at.PHASE] == at.MAIN_PHASE))
        facts |= {"lines": len(compared), "worlds": int(parameters[of.WORLDS])}
        return Explanation(action, "worth", compared, facts, grown.start())

    return explain


class _Tree:
    """A tree that was grown, as Python reads it."""

    def __init__(
        self, block: Words16, table: Words16, parameters: Words16, agent: int, seat: int
    ) -> None:
        self._block = block
        self._table = table
        self._mind = parameters
        self._agent = agent
        self._seat = seat
        self._nodes = block[tree.NODES : tree.HEAP].reshape(-1, tree.NODE_SIZE)

    def start(self) -> Words16:
        """The position to choose in, as world 0 has it."""
        state = new_state()
        _copy_out(self._block, tree.POOL, state)
        return state

    def lines(self, *, may_end: bool) -> Iterator[Compared]:
        """The lines that the enemy has answered, the best first; of the first ones, the parts."""
        nodes = range(int(self._block[tree.N_MADE]))
        taken = [k for k in nodes if self._flags(k) & tree.IS_TAKEN and (may_end or k != tree.ROOT)]
        taken.sort(key=lambda k: (-self._number(k, tree.ANSWERED), -self._number(k, tree.SCORE), k))
        for rank, node in enumerate(taken):
            score = self._number(node, tree.ANSWERED)
            parts = self._parts(node) if rank < N_SHOWN else {}
            yield self.line(node, score, parts, is_over=bool(self._flags(node) & tree.IS_OVER))

    def line(
        self, node: int, score: int, parts: dict[str, float] | None = None, *, is_over: bool
    ) -> Compared:
        """The actions from the root to a node."""
        way = list[int]()
        sure = list[bool]()
        ends = is_over or self._may_end(node)
        is_won = is_over and parts is None  # a win that is sure is no node, and has no flags
        while node != tree.ROOT:
            way.append(self._number(node, tree.ACTION))
            sure.append(is_won or not self._flags(node) & tree.IS_LUCKY)
            node = int(self._nodes[node, tree.PARENT])
        n_sure = sum(sure)  # luck, once it is in a line, stays
        return Compared(tuple(way[::-1]), score, n_sure, ends, parts or {})

    def _may_end(self, node: int) -> bool:
        """Whether a node stands for ending the turn there, and not for playing on somehow."""
        phase = self._block[tree.POOL + tree.SLOT * node + at.PHASE]
        is_searched = node == tree.ROOT or bool(self._flags(node) & tree.IS_EXPANDED)
        return is_searched and bool(phase == at.MAIN_PHASE)

    # --- parts ---

    def _parts(self, node: int) -> dict[str, float]:
        """What the worth of a line is the sum of: features of its end and of what comes after."""
        share = 0 if self._flags(node) & tree.IS_OVER else int(self._mind[of.REPLY])
        total = {"luck": -float(self._number(node, tree.LUCK_OFF))}
        _add(total, self._end_of(node), (PARTS - share) / PARTS)
        n_worlds = int(self._mind[of.WORLDS]) if share else 0
        for world in range(n_worlds):
            told = _answer(
                self._block, self._table, self._mind, node, self._agent, FIRST_WORLD + world
            )
            is_dead = told == -WON  # seen before the enemy's turn is played, or after
            after = {"lost": -float(WON)} if is_dead else self._features(tree.GAME)
            _add(total, after, share / PARTS / n_worlds)
        return {name: part for name, part in total.items() if part}

    def _end_of(self, node: int) -> dict[str, float]:
        """The features of a node; a win after luck is one in one of the ways it could have gone."""
        told = self._features(tree.POOL + tree.SLOT * node)
        is_lucky = node and self._flags(int(self._nodes[node, tree.PARENT])) & tree.IS_LUCKY
        return {"won": WON / 2} if is_lucky and "won" in told else told

    def _features(self, place: int) -> dict[str, float]:
        """What each feature of the game at a place counts; of a game that is over, its end."""
        whole = _worth_at(self._block, place, self._table, self._mind, self._seat)
        result = self._block[place + at.RESULT]
        if result != at.RUNNING:
            ends = {self._seat: "won", 1 - self._seat: "lost", at.DRAWN: "drawn"}
            return {ends.get(int(result), "stopped"): float(whole)}
        counted = {name: self._alone(place, word) for name, word in FEATURES.items()}
        clipped = whole - sum(counted.values())
        return counted | {"limit": float(clipped)}

    def _alone(self, place: int, word: int) -> float:
        if not self._mind[word]:
            return 0.0
        one = np.zeros_like(self._mind)
        one[word] = self._mind[word]
        return float(_worth_at(self._block, place, self._table, one, self._seat))

    # --- words of nodes ---

    def _flags(self, node: int) -> int:
        return int(self._nodes[node, tree.FLAGS])

    def _number(self, node: int, word: int) -> int:
        return int(self._nodes[node, word : word + 2].copy().view("<i4")[0])


def _add(total: dict[str, float], parts: dict[str, float], share: float) -> None:
    for name, part in parts.items():
        total[name] = total.get(name, 0.0) + share * part


FEATURES: dict[str, int] = {
    **{
        f"{side} {name}": start + getattr(of, name.upper())
        for side, start in (("own", of.OWN), ("enemy", of.ENEMY))
        for name in SideWeights.model_fields
    },
    **{name: getattr(of, name.upper()) for name in ProspectWeights.model_fields},
}
"""Where the weight of each feature stands in a parameters (`agents.search.turn.parameters`)."""
