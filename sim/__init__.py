"""The games: cards and rules as data, the compiled engine, and batches of games.

    from sim import load_deck, load_pool, load_ruleset
    from sim.play import Batch, pack_table, play

Rooms: `cards` and `ruleset` say what is played, `engine` plays it, `play` is a batch of games in
and outcomes out, `observation` and `environments` are for agents that learn, `game_log` tells
games as text, `real_cards` reads the cards of a published game, `files` reads and writes.
"""

from sim.on_demand import on_demand

__version__ = "0.1.0"

TYPE_CHECKING = False  # a type checker takes it for True; `typing` takes longer to import
if TYPE_CHECKING:
    from sim.cards.card import Card
    from sim.cards.deck import Deck, load_deck
    from sim.cards.effect import Effect
    from sim.cards.pool import Pool
    from sim.cards.pool_source import load_pool
    from sim.errors import CardFault, InputError
    from sim.game_log.replay import playthrough
    from sim.ruleset import Ruleset, load_ruleset

__all__ = [
    "Card",
    "CardFault",
    "Deck",
    "Effect",
    "InputError",
    "Pool",
    "Ruleset",
    "load_deck",
    "load_pool",
    "load_ruleset",
    "playthrough",
]

__getattr__ = on_demand(__name__)
