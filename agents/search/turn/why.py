"""Explanations of the choices of a turn search, read from the tree that the search grew.

The value of a line is a sum of weighted features. The part of one feature is therefore the value
that results if all other weights are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agents.explanation import Compared, Explainer, Explanation
from agents.reading.seated_network import SeatedNetwork
from agents.search.turn import parameters as param
from agents.search.turn import tree
from agents.search.turn.answers import FIRST_WORLD, PARTS, value_in_world
from agents.search.turn.features import WON, worth
from agents.search.turn.search import search_turn
from agents.search.turn.weights import ProspectWeights, SideWeights
from agents.search.turn.win import N_CHILDREN_MAX
from sim.engine import layout as at
from sim.engine.addresses import words_at
from sim.engine.compiled import Block, compiled, i64, none
from sim.engine.kernel import copy_game
from sim.engine.stepping import Words16, new_state

N_SHOWN = 8  # number of lines with parts: about as many as a reader compares; chosen by hand


@compiled(i64(Block, Block, Block, Block, i64, i64), from_python=True)
def search_in(
    block: Any, table: Any, parameters: Any, state: Any, agent: int, value_at: int
) -> int:
    """Return the choice of `search_turn` for arrays that are passed from Python.

    Args:
        block: memory for the tree, shape ``[block_size(n_nodes)]``; contains the tree at the end.
        table: words of the table of the game.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        state: state of the game.
        agent: address of the agent that answers for the enemy.
        value_at: address of the words of the learned value, 0 for none.
    """
    return search_turn(
        words_at(block, 0),
        words_at(table, 0),
        words_at(parameters, 0),
        words_at(state, 0),
        agent,
        value_at,
    )


@compiled(i64(Block, Block, Block, i64, i64, i64, i64), from_python=True)
def _answer(
    block: Any, table: Any, parameters: Any, node: int, agent: int, value_at: int, world: int
) -> int:
    """Return the result of `value_in_world` for arrays that are passed from Python."""
    return value_in_world(
        words_at(block, 0),
        words_at(table, 0),
        words_at(parameters, 0),
        node,
        agent,
        value_at,
        world,
    )


@compiled(i64(Block, i64, Block, Block, i64), from_python=True)
def _worth_at(block: Any, place: int, table: Any, parameters: Any, seat: int) -> int:
    """Return the value for a seat of the game at offset `place` of the block."""
    return worth(words_at(block, place), words_at(table, 0), words_at(parameters, 0), seat)


@compiled(none(Block, i64, Block), from_python=True)
def _copy_out(block: Any, place: int, state: Any) -> None:
    """Copy the game at offset `place` of the block to `state`."""
    copy_game(words_at(block, place), words_at(state, 0))


def turn_explainer(
    table: Words16,
    parameter_rows: tuple[Words16, Words16],
    agents: tuple[int, int],
    values: tuple[SeatedNetwork, SeatedNetwork] | None = None,
    mulligan: Explainer | None = None,
) -> Explainer:
    """Return a function that explains the choices of a turn search by the lines that it compared.

    The function repeats the search in the state to be explained.

    Args:
        table: words of the table of the games.
        parameter_rows: settings and weights for plain games and for all other games.
        agents: addresses of the agent that answers for the enemy, in plain games and in all other
            games.
        values: learned values in both; `None` if the agent uses none.
        mulligan: function that explains the choices in a mulligan; `None` if a rule makes them.
    """

    def explain(state: Words16) -> Explanation:
        general = bool(state[at.GENERAL])
        parameters = parameter_rows[general]
        agent = agents[general]
        value_at = values[general].address if values else 0
        n_nodes = max(int(parameters[param.NODES]), int(parameters[param.WINS]) + N_CHILDREN_MAX)
        block = np.empty(tree.block_size(n_nodes), np.int16)
        action = search_in(block, table, parameters, state.copy(), agent, value_at)
        decided = block[tree.DECIDED_BY]
        if decided == tree.BY_NECESSITY:
            return Explanation(action, "only")
        if decided == tree.BY_MULLIGAN and mulligan is not None:
            return mulligan(state)
        if decided == tree.BY_MULLIGAN:
            limits = {
                "cheap": int(parameters[param.CHEAP]),
                "dearest": int(parameters[param.DEAREST]),
            }
            return Explanation(action, "mulligan", facts=limits)
        grown = _Tree(block, table, parameters, agent, value_at, int(state[at.ACTIVE]))
        facts = {"positions": int(block[tree.N_SPENT])}
        if decided == tree.BY_WIN:
            won = (grown.line(int(block[tree.N_MADE]), WON, is_over=True),)
            return Explanation(action, "win", won, facts, grown.start())
        compared = tuple(grown.lines(action, may_end=state[at.PHASE] == at.MAIN_PHASE))
        if value_at and parameters[param.LINES]:
            facts["compared again"] = int(parameters[param.LINES])
        facts |= {"lines": len(compared), "worlds": int(parameters[param.WORLDS])}
        return Explanation(action, "worth", compared, facts, grown.start())

    return explain


class _Tree:
    """Reader of the tree that a turn search left in its block of memory."""

    def __init__(
        self,
        block: Words16,
        table: Words16,
        parameters: Words16,
        agent: int,
        value_at: int,
        seat: int,
    ) -> None:
        self._block = block
        self._table = table
        self._parameters = parameters
        self._agent = agent
        self._value_at = value_at
        self._seat = seat
        self._nodes = block[tree.NODES : tree.HEAP].reshape(-1, tree.NODE_SIZE)

    def start(self) -> Words16:
        """Return a copy of the root's game, with the hidden information of world 0."""
        state = new_state()
        _copy_out(self._block, tree.POOL, state)
        return state

    def lines(self, action: int, *, may_end: bool) -> Iterator[Compared]:
        """Yield the lines that the enemy answered, best first, but the chosen one before all.

        The first `N_SHOWN` lines have the parts of their values.

        Args:
            action: chosen action, with which the best line begins.
            may_end: whether the turn may end at once, so that the root counts as a line.
        """
        nodes = range(int(self._block[tree.N_MADE]))
        taken = [k for k in nodes if self._flags(k) & tree.IS_TAKEN and (may_end or k != tree.ROOT)]
        taken.sort(key=lambda k: (-self._number(k, tree.ANSWERED), -self._number(k, tree.SCORE), k))
        # A second comparison may choose a line that was not the best of the first.
        chosen = next((k for k in taken if self._number(k, tree.FIRST) == action), None)
        taken.sort(key=lambda k: k != chosen)
        for rank, node in enumerate(taken):
            score = self._number(node, tree.ANSWERED)
            parts = self._parts(node) if rank < N_SHOWN else {}
            yield self.line(node, score, parts, is_over=bool(self._flags(node) & tree.IS_OVER))

    def line(
        self, node: int, score: int, parts: dict[str, float] | None = None, *, is_over: bool
    ) -> Compared:
        """Return the line of actions from the root to a node.

        Args:
            node: number of the node at the end of the line.
            score: value of the line.
            parts: contributions to the value by name; `None` if the line is a certain win.
            is_over: whether the game is over after the line.
        """
        actions = list[int]()
        sure = list[bool]()
        ends = is_over or self._may_end(node)
        # The game of a certain win is not stored as a node, so its flags are not set.
        is_won = is_over and parts is None
        while node != tree.ROOT:
            actions.append(self._number(node, tree.ACTION))
            sure.append(is_won or not self._flags(node) & tree.HAD_CHANCE)
            node = int(self._nodes[node, tree.PARENT])
        # `HAD_CHANCE` stays set in all later nodes, so the sure actions are the first of the line.
        n_sure = sum(sure)
        return Compared(tuple(actions[::-1]), score, n_sure, ends, parts or {})

    def _may_end(self, node: int) -> bool:
        """Return whether a node was valued as if the turn ended in its position.

        Otherwise the answering agent completed the turn first.
        """
        phase = self._block[tree.POOL + tree.SLOT * node + at.PHASE]
        is_searched = node == tree.ROOT or bool(self._flags(node) & tree.IS_EXPANDED)
        return is_searched and bool(phase == at.MAIN_PHASE)

    # --- parts of the values of lines ---

    def _parts(self, node: int) -> dict[str, float]:
        """Return the contributions by name to a node's value after the enemy's answer, if not 0.

        The contributions are those of the features, of a finished game, and of chance (`luck`).
        """
        share = 0 if self._flags(node) & tree.IS_OVER else int(self._parameters[param.REPLY])
        total = {"luck": -float(self._number(node, tree.CHANCE_OFF))}
        _add(total, self._end_of(node), (PARTS - share) / PARTS)
        n_worlds = int(self._parameters[param.WORLDS]) if share else 0
        for world in range(n_worlds):
            value = _answer(
                self._block,
                self._table,
                self._parameters,
                node,
                self._agent,
                self._value_at,
                FIRST_WORLD + world,
            )
            _add(total, self._after_answer(value), share / PARTS / n_worlds)
        return {name: part for name, part in total.items() if part}

    def _after_answer(self, value: int) -> dict[str, float]:
        """Return the contributions to the value of the game at `GAME` after an answer, by name.

        Args:
            value: the value, a mean of the features and the learned value.
        """
        if value == -WON:  # if the enemy can kill, its turn is not played, and `GAME` is not over
            return {"lost": -float(WON)}
        features = self._features(tree.GAME)
        is_mixed = self._value_at and self._block[tree.GAME + at.RESULT] == at.RUNNING
        if not is_mixed:
            return features
        own = (PARTS - float(self._parameters[param.VALUE])) / PARTS
        mixed = {name: own * part for name, part in features.items()}
        return mixed | {"learned": value - sum(mixed.values())}

    def _end_of(self, node: int) -> dict[str, float]:
        """Return the contributions to the value of a node's game by name, before any answer.

        A win counts half of `WON` if something random happened before the last action.
        """
        features = self._features(tree.POOL + tree.SLOT * node)
        parent = int(self._nodes[node, tree.PARENT])
        had_chance = node and self._flags(parent) & tree.HAD_CHANCE
        return {"won": WON / 2} if had_chance and "won" in features else features

    def _features(self, place: int) -> dict[str, float]:
        """Return the contributions to the value of the game at an offset of the block, by name.

        A finished game has one contribution, named after its result. For a running game, `limit` is
        the amount by which the value was clipped.
        """
        total = _worth_at(self._block, place, self._table, self._parameters, self._seat)
        result = self._block[place + at.RESULT]
        if result != at.RUNNING:
            ends = {self._seat: "won", 1 - self._seat: "lost", at.DRAWN: "drawn"}
            return {ends.get(int(result), "stopped"): float(total)}
        values = {name: self._feature_value(place, word) for name, word in FEATURES.items()}
        clipped = total - sum(values.values())  # not 0 if the value exceeds half of `WON`
        return values | {"limit": float(clipped)}

    def _feature_value(self, place: int, word: int) -> float:
        """Return the contribution of one weight to the value of the game at an offset of the block.

        Args:
            place: offset of the game in the block.
            word: offset of the weight in the row of parameters.
        """
        if not self._parameters[word]:
            return 0.0
        single = np.zeros_like(self._parameters)
        single[word] = self._parameters[word]
        return float(_worth_at(self._block, place, self._table, single, self._seat))

    # --- words that nodes store ---

    def _flags(self, node: int) -> int:
        """Return the flags of a node, as bits of `agents.search.turn.tree`."""
        return int(self._nodes[node, tree.FLAGS])

    def _number(self, node: int, word: int) -> int:
        """Return the signed 32-bit number that a node stores in two words from offset `word` on."""
        return int(self._nodes[node, word : word + 2].copy().view("<i4")[0])


def _add(total: dict[str, float], parts: dict[str, float], share: float) -> None:
    """Add each part, multiplied by `share`, to the total of the same name, in place."""
    for name, part in parts.items():
        total[name] = total.get(name, 0.0) + share * part


FEATURES: dict[str, int] = {
    **{
        f"{side} {name}": start + getattr(param, name.upper())
        for side, start in (("own", param.OWN), ("enemy", param.ENEMY))
        for name in SideWeights.model_fields
    },
    **{name: getattr(param, name.upper()) for name in ProspectWeights.model_fields},
}
"""Offset of each feature's weight (`agents.search.turn.parameters`), by its name in parts."""
