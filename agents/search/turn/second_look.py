"""Second comparison of the best lines, in which a policy network plays the enemy's answer.

The first comparison lets a script answer many lines. Here the policy network answers the few best
lines in further worlds, until the first action is settled: after each round the worse half of the
lines is dropped, and the number of worlds is doubled (sequential halving; Z. Karnin, T. Koren, O.
Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013). All lines meet the same
worlds. Values are averaged as win probabilities, so that a line that sometimes loses at once is not
punished more than the loss costs.
"""

from __future__ import annotations

from typing import Any

from agents.reading.first_layer import HEADER_SIZE, PARTNER_AT
from agents.search.turn import parameters as param
from agents.search.turn import tree
from agents.search.turn.answers import play_own_turn, play_turn, value_of_game
from agents.search.turn.features import WON
from sim.engine import layout as at
from sim.engine.addresses import words_beyond, words_from
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.streams import load32, load64, store32

SECOND_WORLD = 2_000  # first world of this comparison; the first answers use lower numbers
PRIOR = 3  # worlds that the value of the first comparison counts for; chosen by hand
CERTAIN = 10_000  # chance of a won game; 100 worlds still fit a sum of 32 bits
_LOGIT_MAX = 6_000  # thousandths of a logit beyond which the approximation would exceed 1
# --- words of a line ---
NODE = 0
TOTAL = 1  # sum of the chances so far, two words
LINE_SIZE = TOTAL + 2  # number of words


@compiled(i64(i64, i64))
def chance_of(value: int, points: int) -> int:
    """Return the chance to win of a value, from -`CERTAIN` for a loss to `CERTAIN` for a win.

    It is the hyperbolic tangent of half the logit, by its Pade approximation in whole numbers.

    Args:
        value: value of a position in points.
        points: points of a logit of 1.
    """
    if abs(value) > WON // 2:
        return CERTAIN if value > 0 else -CERTAIN
    half = min(max(1_000 * value // points, -_LOGIT_MAX), _LOGIT_MAX) // 2
    square = half * half
    return CERTAIN * half * (27_000_000 + square) // ((27_000_000 + 9 * square) * 1_000)


@compiled(i64(i64))
def partner_of(value_at: int) -> int:
    """Return the address of the policy that plays in a search, or a negative number for none.

    Args:
        value_at: address of the words of the learned value, 0 for none.
    """
    if value_at == 0:
        return -1
    partner: int = load64(words_from(value_at, HEADER_SIZE), PARTNER_AT)
    return partner - 1


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def _chance_in_world(
    words: Any, table: Any, parameters: Any, node: int, value_at: int, world: int
) -> int:
    """Return the chance to win of a node after the policy's answer in one world.

    Luck on the way to the node is subtracted, as in the first comparison.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        node: number of the node.
        value_at: address of the words of the learned value.
        world: number of the world.
    """
    agent = partner_of(value_at)
    play_own_turn(words, table, node, agent, world)
    game = words_beyond(words, tree.GAME)
    play_turn(game, table, 1 - words[tree.SEAT], agent)
    value = value_of_game(words, table, parameters, value_at)
    if game[at.RESULT] == at.RUNNING:
        limit = WON // 2
        value -= load32(words, tree.node_at(node) + tree.CHANCE_OFF)
        value = max(min(value, limit), -limit)
    return chance_of(value, parameters[param.LOGIT])


@compiled(none(Words, i64))
def _sort_lines(words: Any, n_lines: int) -> None:
    """Sort the lines by their totals, the largest first; equal lines keep their order."""
    for line in range(1, n_lines):
        place = tree.LINES + LINE_SIZE * line
        while place > tree.LINES and load32(words, place + TOTAL) > load32(
            words, place - LINE_SIZE + TOTAL
        ):
            for word in range(place, place + LINE_SIZE):
                moved = words[word]
                words[word] = words[word - LINE_SIZE]
                words[word - LINE_SIZE] = moved
            place -= LINE_SIZE


@compiled(i64(Words, i64))
def _list_answered(words: Any, may_end: int) -> int:
    """List the answered lines, the best first, and return their number.

    Args:
        words: block with the tree.
        may_end: whether the root counts as a line.
    """
    n_lines = 0
    for node in range(words[tree.N_MADE]):
        place = tree.node_at(node)
        is_line = words[place + tree.FLAGS] & tree.IS_TAKEN and (may_end or node != tree.ROOT)
        if is_line and n_lines < tree.LINES_MAX:
            line = tree.LINES + LINE_SIZE * n_lines
            words[line + NODE] = node
            store32(words, line + TOTAL, load32(words, place + tree.ANSWERED))
            n_lines += 1
    _sort_lines(words, n_lines)
    return n_lines


@compiled(i64(Words, i64))
def _is_settled(words: Any, n_lines: int) -> bool:
    """Return whether all lines begin with the same action."""
    first = load32(words, tree.node_at(words[tree.LINES + NODE]) + tree.FIRST)
    for line in range(1, n_lines):
        node = words[tree.LINES + LINE_SIZE * line + NODE]
        if load32(words, tree.node_at(node) + tree.FIRST) != first:
            return False
    return True


@compiled(i64(Words, Words, Words, i64, i64), apart=True)
def best_of_lines(words: Any, table: Any, parameters: Any, may_end: int, value_at: int) -> int:
    """Return the node of the best line by the policy's answers, after all lines were answered once.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        may_end: whether the root counts as a line.
        value_at: address of the words of the learned value.
    """
    n_lines = min(_list_answered(words, may_end), parameters[param.LINES])
    if n_lines == 0:
        return tree.ROOT
    for line in range(n_lines):
        place = tree.LINES + LINE_SIZE * line + TOTAL
        chance = chance_of(load32(words, place), parameters[param.LOGIT])
        store32(words, place, PRIOR * chance)
    world = SECOND_WORLD
    n_worlds = parameters[param.TRIALS]
    while n_lines > 1 and not _is_settled(words, n_lines):
        for _ in range(n_worlds):
            for line in range(n_lines):
                place = tree.LINES + LINE_SIZE * line
                chance = _chance_in_world(
                    words, table, parameters, words[place + NODE], value_at, world
                )
                store32(words, place + TOTAL, load32(words, place + TOTAL) + chance)
            world += 1
        _sort_lines(words, n_lines)
        n_worlds = world - SECOND_WORLD
        n_lines = (n_lines + 1) // 2
    return words[tree.LINES + NODE]
