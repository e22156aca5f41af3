"""`evenhand replay`: one game, move by move."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.commands.play import tell_saved_game
from experiments.experiment import load_experiment, players_at
from experiments.files.option_errors import OptionError
from experiments.files.saved_game import saved_game_at
from experiments.game import game_of
from sim import playthrough


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
        experiment: file or shipped name, or a game that `play` saved, of which only `results` is
            asked.
        game: index of the game in its stream.
        first: player in seat 0; default the experiment's first other than `second`.
        second: player in seat 1; default the experiment's first other than the one in seat 0.
            The only player of an experiment meets itself.
        purpose: stream of game seeds.
        seed: run seed instead of the file's.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: the experiment is wrong, or a player is unknown.
    """
    saved = saved_game_at(experiment)
    if saved is not None:
        for option, value in (("first", first), ("second", second), ("seed", seed)):
            if value is not None:
                raise OptionError(option, f"{value!r}: has no meaning for a game that was played")
        return tell_saved_game(Path(experiment), saved, results)
    path, other = game_of(experiment)
    if other is not None:
        for option, value in (("first", first), ("second", second)):
            if value is not None:
                raise OptionError(option, f"{value!r}: has no meaning in {other.name!r}")
        return other.replay(other.load(path).with_seed(seed), game, purpose)
    loaded = load_experiment(experiment, results).with_seed(seed)
    contest = loaded.contest()
    seats = players_at(loaded, first, second)
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
