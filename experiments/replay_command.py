"""`evenhand replay`: one game, move by move."""

from __future__ import annotations

import numpy as np

from balance.contest import Contest
from experiments.experiment import load_experiment
from sim.errors import InputError, unknown_word
from sim.replay import playthrough


def run_replay(
    experiment: str,
    *,
    game: int,
    first: str | None,
    second: str | None,
    purpose: str,
    seed: int | None,
) -> str:
    """The playthrough of one game as text.

    Args:
        experiment: file or shipped name.
        game: index of the game in its stream.
        first: player in seat 0; default the experiment's first.
        second: player in seat 1; default the experiment's second, or its only one.
        purpose: stream of game seeds.
        seed: run seed instead of the file's.

    Raises:
        InputError: the experiment is wrong, or a player is unknown.
    """
    loaded = load_experiment(experiment).with_seed(seed)
    contest = loaded.contest()
    seats = [
        0 if first is None else _position(contest, first, "--first"),
        min(1, len(contest.players) - 1)
        if second is None
        else _position(contest, second, "--second"),
    ]
    players = [contest.players[seat] for seat in seats]
    return playthrough(
        contest.table,
        np.ascontiguousarray(contest.deck_rows[seats]),
        [player.agent for player in players],
        names=[player.name for player in players],
        run_seed=loaded.settings.seed,
        purpose=purpose,
        game_index=game,
    )


def _position(contest: Contest, name: str, option: str) -> int:
    names = [player.name for player in contest.players]
    if name not in names:
        raise InputError(f"{option}: {unknown_word('player', name, names)}")
    return names.index(name)
