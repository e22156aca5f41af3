"""Values of lines after the enemy's answer: its turn, which an agent plays in imagined worlds."""

from __future__ import annotations

from typing import Any

from agents.reading.first_layer import HEADER_SIZE
from agents.reading.position import gather
from agents.search.pressure import coming_attack, life_of
from agents.search.turn import parameters as param
from agents.search.turn import tree
from agents.search.turn.features import WON, worth
from agents.search.turn.growth import deal_anew, take
from agents.search.value.evaluate import value_of_row
from sim.engine import layout as at
from sim.engine.addresses import call_policy, floats_beyond, words_beyond, words_from
from sim.engine.compiled import Words, compiled, i64, none
from sim.engine.kernel import copy_game
from sim.engine.streams import load32

PARTS = 16  # weights in 16ths: fine enough to tune, and a division by a power of two
N_ACTIONS_MAX = 60  # maximum number of actions of an imagined turn, more than any agent here takes
FIRST_WORLD = 1_000  # first world of the enemy's answers; the growth of the tree uses lower numbers


@compiled(none(Words, Words, i64, i64), apart=True)
def play_turn(game: Any, table: Any, seat: int, agent: int) -> None:
    """Let an agent play a seat's turn to its end, with at most `N_ACTIONS_MAX` actions.

    Args:
        game: state of the game, changed in place.
        table: numbers of the cards and rules.
        seat: seat of the turn; nothing happens if the other seat is to move.
        agent: address of the agent.
    """
    for _ in range(N_ACTIONS_MAX):
        if game[at.RESULT] != at.RUNNING or game[at.ACTIVE] != seat:
            return
        take(game, table, call_policy(agent, game, table))


@compiled(i64(Words, Words, Words, i64), apart=True)
def value_of_game(words: Any, table: Any, parameters: Any, value_at: int) -> int:
    """Return the value of the game at `GAME` for the seat of the search, at its turn's start.

    In a running game it is the weighted mean of the features and the learned value.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        value_at: address of the words of the learned value, 0 for none.
    """
    game = words_beyond(words, tree.GAME)
    seat = words[tree.SEAT]
    value = worth(game, table, parameters, seat)
    if value_at == 0 or game[at.RESULT] != at.RUNNING:
        return value
    row = words_beyond(words, tree.ROW)
    gather(game, table, seat, row)
    header = words_from(value_at, HEADER_SIZE)
    sums = floats_beyond(words, tree.SUMS)
    learned = value_of_row(row, header, table, sums, parameters[param.LOGIT])
    share = parameters[param.VALUE]
    return (share * min(max(learned, -WON // 2), WON // 2) + (PARTS - share) * value) // PARTS


@compiled(none(Words, Words, i64, i64, i64), apart=True)
def play_own_turn(words: Any, table: Any, node: int, agent: int, world: int) -> None:
    """Copy a node's game to `GAME`, deal one world, and play the own turn to its end.

    If the search did not expand the node, the agent first plays the rest of the turn.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        node: number of the node.
        agent: address of the agent.
        world: number of the world.
    """
    game = words_beyond(words, tree.GAME)
    flags = words[tree.node_at(node) + tree.FLAGS]
    copy_game(tree.game_of(words, node), game)
    deal_anew(game, table, tree.world_seed(words, world))
    # The root stands for ending the turn at once, even if it was not expanded completely.
    ends_here = node == tree.ROOT or flags & tree.IS_EXPANDED
    if ends_here and game[at.PHASE] == at.MAIN_PHASE:
        take(game, table, at.END_TURN)
    else:
        play_turn(game, table, words[tree.SEAT], agent)


@compiled(i64(Words, Words, Words, i64, i64, i64, i64), apart=True)
def value_in_world(
    words: Any, table: Any, parameters: Any, node: int, agent: int, value_at: int, world: int
) -> int:
    """Return the value of a node after the enemy's turn in one world.

    If the search did not expand the node, the agent first plays the own turn to its end. The value
    is -`WON` if the enemy's attacks can kill the own player; the enemy's turn is then not played.
    At the end `GAME` contains the game that was valued.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        node: number of the node.
        agent: address of the agent that plays for both seats.
        value_at: address of the words of the learned value, 0 for none.
        world: number of the world.
    """
    game = words_beyond(words, tree.GAME)
    seat = words[tree.SEAT]
    play_own_turn(words, table, node, agent, world)
    if game[at.RESULT] == at.RUNNING and coming_attack(game, 1 - seat) >= life_of(game, seat):
        return -WON  # not left to the answering agent, which might overlook its win
    play_turn(game, table, 1 - seat, agent)
    return value_of_game(words, table, parameters, value_at)


@compiled(i64(Words, Words, Words, i64, i64, i64), apart=True)
def answered_value(
    words: Any, table: Any, parameters: Any, node: int, agent: int, value_at: int
) -> int:
    """Return the weighted mean of a node's values before and after the enemy's answer.

    The weights are `PARTS` - `REPLY` and `REPLY`. Only the value before the answer counts if the
    game is over.

    Args:
        words: block with the tree.
        table: numbers of the cards and rules.
        parameters: settings and weights, shape ``[PARAMETERS_SIZE]``.
        node: number of the node.
        agent: address of the agent that plays the enemy's turn, and the rest of the own turn if the
            node was not expanded.
        value_at: address of the words of the learned value, 0 for none.
    """
    place = tree.node_at(node)
    score = load32(words, place + tree.SCORE)
    share = parameters[param.REPLY]
    if words[place + tree.FLAGS] & tree.IS_OVER or share == 0:
        return score
    total = 0
    for world in range(parameters[param.WORLDS]):
        total += value_in_world(
            words, table, parameters, node, agent, value_at, FIRST_WORLD + world
        )
    later = total // parameters[param.WORLDS] - load32(words, place + tree.CHANCE_OFF)
    return (share * later + (PARTS - share) * score) // PARTS
