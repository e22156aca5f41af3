"""Big Two at the command line: what each command does with one of its experiments."""

from __future__ import annotations

from experiments.big_two.balance import run_balance
from experiments.big_two.experiment import BigTwoExperiment, check_balance, load_big_two
from experiments.big_two.matchups import run_matchups
from experiments.game import Game
from sim.big_two.cards import N_SEATS
from sim.big_two.story import tell_game
from sim.seeds import game_seed


def _needs_nothing(_: BigTwoExperiment) -> None:
    """A file that loads can be measured."""


def replay_game(experiment: BigTwoExperiment, game: int, purpose: str) -> str:
    """One of the games that `matchups` plays, as text.

    Args:
        experiment: whose rules and players.
        game: its number: deal by deal, and of each all rotations.
        purpose: stream of game seeds.
    """
    settings, (deal, rotation) = experiment.settings, divmod(game, N_SEATS)
    head = f"game {game} of stream {purpose!r} of seed {settings.seed}, rules: "
    lines = tell_game(
        experiment.rules,
        [player.agent for player in experiment.players],
        [player.name for player in experiment.players],
        seed=game_seed(settings.seed, purpose, deal),
        rotation=rotation,
    )
    return "\n".join([head + settings.rules.variant, *lines, ""])


GAME = Game(
    "big_two",
    load_big_two,
    {"matchups": (_needs_nothing, run_matchups), "balance": (check_balance, run_balance)},
    replay_game,
)
"""Big Two, as commands know it."""
