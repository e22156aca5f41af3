"""What the enemy makes of a turn's end: its own turn, played by an agent in dealt worlds."""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from agents.search.turn import tree as in_
from agents.search.turn.features import WON, coming_attack, life_of, worth
from agents.search.turn.growth import deal_anew, take
from sim.engine import layout as at
from sim.engine.addresses import call_policy
from sim.engine.compiled import Block, Words, compiled, i64, none, u64
from sim.engine.copying import copy_game
from sim.engine.pointers import words_at
from sim.engine.streams import load32, number

PARTS = 16  # of the weight `REPLY`
N_ACTIONS_MAX = 60  # of an imagined turn: no agent of ours takes as many
FIRST_WORLD = 1_000  # of those in which the enemy answers


@compiled(none(Words, Words, i64, i64), apart=True)
def _play_turn(game: Any, table: Any, seat: int, agent: int) -> None:
    """Let an agent play until its turn is over."""
    for _ in range(N_ACTIONS_MAX):
        if state_is_over(game, seat):
            return
        take(game, table, call_policy(agent, game, table))


@compiled(i64(Words, i64))
def state_is_over(game: Any, seat: int) -> bool:
    """Whether a seat has nothing more to do."""
    return game[at.RESULT] != at.RUNNING or game[at.ACTIVE] != seat


@compiled(i64(Block, Words, Words, i64, i64, i64, i64, u64), apart=True)
def _worth_in_world(
    block: Any,
    table: Any,
    mind: Any,
    node: int,
    seat: int,
    own_agent: int,
    enemy_agent: int,
    world_seed: int,
) -> int:
    """What a node is worth after the enemy's turn in one world.

    A line that the search has not come to the end of is played on by `own_agent`.
    """
    game, flags = words_at(block, in_.GAME), words_at(block, 0)[in_.node_at(node) + in_.FLAGS]
    copy_game(in_.game_of(block, node), game)
    deal_anew(game, table, world_seed)
    if flags & in_.IS_EXPANDED and game[at.PHASE] == at.MAIN_PHASE:
        take(game, table, at.END_TURN)
    else:
        _play_turn(game, table, seat, own_agent)
    if game[at.RESULT] == at.RUNNING and coming_attack(game, 1 - seat) >= life_of(game, seat):
        return -WON  # the agent might not see it
    _play_turn(game, table, 1 - seat, enemy_agent)
    return worth(game, table, mind, seat)


@compiled(i64(Block, Words, Words, i64, i64, i64, i64, u64), apart=True)
def answered_worth(
    block: Any,
    table: Any,
    mind: Any,
    node: int,
    seat: int,
    own_agent: int,
    enemy_agent: int,
    stream: int,
) -> int:
    """What a node is worth as the end of the turn, in part by what comes after it.

    Args:
        block: the tree.
        table: the numbers.
        mind: settings and weights.
        node: which one.
        seat: whose turn it is.
        own_agent: address of the agent that ends lines that are not at their end.
        enemy_agent: of the one that answers.
        stream: of the worlds' seeds.
    """
    tree, place = words_at(block, 0), in_.node_at(node)
    score = load32(tree, place + in_.SCORE)
    n_worlds, share = mind[of.WORLDS], mind[of.REPLY]
    if tree[place + in_.FLAGS] & in_.IS_OVER:
        return score
    total = 0
    for world in range(n_worlds):
        seed = number(stream, FIRST_WORLD + world)
        total += _worth_in_world(block, table, mind, node, seat, own_agent, enemy_agent, seed)
    later = total // n_worlds - load32(tree, place + in_.LUCK_OFF)
    return (share * later + (PARTS - share) * score) // PARTS
