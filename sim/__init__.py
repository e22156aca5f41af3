"""Card games: cards and rules as data, the compiled engine, and batches of games.

    >>> from sim import load_deck, load_pool, load_ruleset
    >>> from sim.play import pack_table, row_of_deck
    >>> pool = load_pool("core")
    >>> pack_table(pool, load_ruleset("duel"))
    Table(n_variants=1, pool='core', ruleset='duel')
    >>> deck = load_deck("ember_rush")
    >>> print(f"{deck.n_cards} cards with a mean cost of {deck.mean_cost(pool):.2f}")
    30 cards with a mean cost of 2.47

Packages: `cards` and `ruleset` define the game, `engine` plays it, `play` runs batches of games and
returns their results, `observation` and `environments` serve agents that learn, `game_log` prints
games as text, `real_cards` reads the cards of a published game, `simulator` plays games of other
authors, and `files` reads and writes files.
"""

from sim.cards.supplied import supply
from sim.on_demand import on_demand

__version__ = "0.1.0"

# Python executes this file before any module of the package, in every process. Cards that are
# imported directly, by a test, a plug-in or a worker, therefore find what they need.
supply(
    declared_actions="sim.actions:declared_actions",
    measures="sim.engine.general.measures:DECLARED",
    real_pool="sim.real_cards.hearthstone:real_pool",
    real_card_name="sim.real_cards.hearthstone:real_card_name",
)

# Type checkers treat this name as True. Importing it from `typing` would be slow.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sim import play
    from sim.cards.card import Card
    from sim.cards.deck import Deck, check_deck, load_deck
    from sim.cards.effect import Effect
    from sim.cards.fields import AMOUNTS, FIELDS
    from sim.cards.pool import REAL_POOL, Pool, check_pool, load_pool
    from sim.errors import (
        CardFault,
        InputError,
        did_you_mean,
        error_place,
        known_word,
        system_error_place,
        unknown_word,
    )
    from sim.files.atomic_file import write_atomically
    from sim.files.row_file import Row, entry, read_rows
    from sim.files.toml_file import find_data_file, read_toml
    from sim.files.validation import Name, StrictModel, content_hash, validate
    from sim.game_log.deal import playthrough
    from sim.observation.view import View, check_view, view_for
    from sim.ruleset import DECK_CAPACITY, RULES, Ruleset, load_ruleset
    from sim.seeds import SEED_MAX, game_seed, generator, stream_seed
    from sim.simulator.result import Infeasible, Result

__all__ = [
    "AMOUNTS",
    "DECK_CAPACITY",
    "FIELDS",
    "REAL_POOL",
    "RULES",
    "SEED_MAX",
    "Card",
    "CardFault",
    "Deck",
    "Effect",
    "Infeasible",
    "InputError",
    "Name",
    "Pool",
    "Result",
    "Row",
    "Ruleset",
    "StrictModel",
    "View",
    "check_deck",
    "check_pool",
    "check_view",
    "content_hash",
    "did_you_mean",
    "entry",
    "error_place",
    "find_data_file",
    "game_seed",
    "generator",
    "known_word",
    "load_deck",
    "load_pool",
    "load_ruleset",
    "play",
    "playthrough",
    "read_rows",
    "read_toml",
    "stream_seed",
    "system_error_place",
    "unknown_word",
    "validate",
    "view_for",
    "write_atomically",
]

on_demand(__name__)
