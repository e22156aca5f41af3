"""What the enemy makes of a turn's end: its own turn, played by an agent in dealt worlds."""

from __future__ import annotations

from typing import Any

from agents.search.turn import mind as of
from agents.search.turn import tree
from agents.search.turn.features import WON, coming_attack, life_of, worth
from agents.search.turn.growth import deal_anew, take
from sim.engine import layout as at
from sim.engine.addresses import call_policy
from sim.engine.compiled import Block, Words, compiled, i64, none
from sim.engine.copying import copy_game
from sim.engine.pointers import words_at
from sim.engine.streams import load32

PARTS = 16  # of the weight `REPLY`
N_ACTIONS_MAX = 60  # of an imagined turn: no agent of ours takes as many
FIRST_WORLD = 1_000  # of those in which the enemy answers


@compiled(none(Words, Words, i64, i64), apart=True)
def _play_turn(game: Any, table: Any, seat: int, agent: int) -> None:
    """Let an agent play until the turn of a seat is over."""
    for _ in range(N_ACTIONS_MAX):
        if game[at.RESULT] != at.RUNNING or game[at.ACTIVE] != seat:
            return
        take(game, table, call_policy(agent, game, table))


@compiled(i64(Block, Words, Words, i64, i64, i64), apart=True)
def worth_in_world(block: Any, table: Any, mind: Any, node: int, agent: int, world: int) -> int:
    """What a node is worth after the enemy's turn in one world, whose game then stands at `GAME`.

    A line that the search has not come to the end of is played on by the agent that answers.
    """
    words, game = words_at(block, 0), words_at(block, tree.GAME)
    seat, flags = words[tree.SEAT], words[tree.node_at(node) + tree.FLAGS]
    copy_game(tree.game_of(block, node), game)
    deal_anew(game, table, tree.world_seed(words, world))
    ends_here = node == tree.ROOT or flags & tree.IS_EXPANDED  # the root stands for ending the turn
    if ends_here and game[at.PHASE] == at.MAIN_PHASE:
        take(game, table, at.END_TURN)
    else:
        _play_turn(game, table, seat, agent)
    if game[at.RESULT] == at.RUNNING and coming_attack(game, 1 - seat) >= life_of(game, seat):
        return -WON  # the agent might not see it
    _play_turn(game, table, 1 - seat, agent)
    return worth(game, table, mind, seat)


@compiled(i64(Block, Words, Words, i64, i64), apart=True)
def answered_worth(block: Any, table: Any, mind: Any, node: int, agent: int) -> int:
    """What a node is worth as the end of the turn, in part by what comes after it.

    Args:
        block: the tree.
        table: the numbers.
        mind: settings and weights.
        node: which one.
        agent: address of the agent that answers, and ends lines that are not at their end.
    """
    words, place = words_at(block, 0), tree.node_at(node)
    score, share = load32(words, place + tree.SCORE), mind[of.REPLY]
    if words[place + tree.FLAGS] & tree.IS_OVER or share == 0:
        return score
    total = 0
    for world in range(mind[of.WORLDS]):
        total += worth_in_world(block, table, mind, node, agent, FIRST_WORLD + world)
    later = total // mind[of.WORLDS] - load32(words, place + tree.LUCK_OFF)
    return (share * later + (PARTS - share) * score) // PARTS
