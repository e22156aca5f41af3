"""`evenhand replay`: one game, move by move."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from balance.card_contest import Player
from experiments.experiment import Experiment, load_experiment
from experiments.files.option_errors import OptionError
from experiments.game import game_of
from sim import InputError, playthrough
from sim.play.agent import CompiledAgent


def run_replay(
    experiment: str,
    *,
    game: int,
    first: str | None,
    second: str | None,
    purpose: str,
    seed: int | None,
    results: Path,
) -> str:
    """The playthrough of one game as text.

    Args:
        experiment: file or shipped name.
        game: index of the game in its stream.
        first: player in seat 0; default the experiment's first other than `second`.
        second: player in seat 1; default the experiment's first other than the one in seat 0.
            The only player of an experiment meets itself.
        purpose: stream of game seeds.
        seed: run seed instead of the file's.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: the experiment is wrong, a player is unknown, or a trained agent plays.
    """
    path, other = game_of(experiment)
    if other is not None:
        for option, value in (("first", first), ("second", second)):
            if value is not None:
                raise OptionError(option, f"{value!r}: has no meaning in {other.name!r}")
        return other.replay(other.load(path).with_seed(seed), game, purpose)
    loaded = load_experiment(experiment, results).with_seed(seed)
    contest = loaded.contest()
    seats = _seats(loaded, first, second)
    players = [contest.players[seat] for seat in seats]
    return playthrough(
        contest.table,
        np.ascontiguousarray(contest.deck_rows[seats]),
        [_compiled(player) for player in players],
        names=[player.name for player in players],
        run_seed=loaded.settings.seed,
        purpose=purpose,
        game_index=game,
    )


def _compiled(player: Player) -> CompiledAgent:
    if not isinstance(player.agent, CompiledAgent):
        raise InputError(
            f"player {player.name!r}: games of the trained agent {player.agent.name!r} cannot be "
            "told move by move"
        )
    return player.agent


def _seats(experiment: Experiment, first: str | None, second: str | None) -> list[int]:
    """Who sits where; a player that is not named is another than the one that is."""
    one = None if first is None else experiment.position(first, "first")
    other = None if second is None else experiment.position(second, "second")
    if one is None:
        one = 0 if other is None else _first_but(experiment, other)
    return [one, _first_but(experiment, one) if other is None else other]


def _first_but(experiment: Experiment, player: int) -> int:
    """The first player other than this one; the player itself where it is the only one."""
    return next((k for k in range(len(experiment.decks)) if k != player), player)
