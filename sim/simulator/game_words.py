"""Description of a simulated game in messages: seed, players and parameters."""

from __future__ import annotations

from sim.simulator.block import Block

_NUMBERS_MAX = 8  # parameters in a message; more would hide the seed and the players


def game_words(block: Block, game: int) -> str:
    """Return the words that identify a game, so that its author can play it again.

    Args:
        block: block of the game.
        game: position of the game in the block.
    """
    numbers = [f"{name} = {value!r}" for name, value in block.numbers.items()]
    shown = ", ".join(numbers[:_NUMBERS_MAX])
    if len(numbers) > _NUMBERS_MAX:
        shown += f" and {len(numbers) - _NUMBERS_MAX} more"
    left_out = [group for group in block.without if group is not None]
    without = f" without {', '.join(left_out)}" if left_out else ""
    return (
        f"game with seed {int(block.seeds[game])}, players {', '.join(block.players)}{without}, "
        f"numbers {shown or 'none'}"
    )
