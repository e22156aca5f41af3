"""Three dice: the highest roll wins, and of equal rolls that of the latest seat."""

from dataclasses import dataclass

import numpy as np

from balance import Contest, Parameter, SeatReadings
from experiments.contest_experiment import ContestFile
from experiments.contest_game import contest_game
from sim import Name, StrictModel
from sim.play.table import Gene
from sim.seeds import generator

SEATS = np.arange(3)


class Roller(StrictModel):
    """Player with a die, and what is added to a roll."""

    name: Name
    sides: int = 6
    bonus: int = 0


class DiceFile(ContestFile):
    """Content of an experiment file of the game."""

    player: tuple[Roller, Roller, Roller]


@dataclass(frozen=True)
class Dice(Contest):
    """Three players at one table, each of them once in every seat."""

    players: tuple[Roller, Roller, Roller]
    matchups = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    n_tables = 1
    genes = tuple(Gene(player, field) for player in range(3) for field in ("sides", "bonus"))

    @property
    def player_names(self):
        return tuple(player.name for player in self.players)

    def parameter(self, gene):
        player = self.players[gene.owner]
        return Parameter(player.name, player.name, gene.field, getattr(player, gene.field))

    def play(
        self, steps, genes, *, n_games, run_seed, purpose, first_game=0, matchups=None, **_
    ):  # fmt: skip
        seeds = np.broadcast_to(first_game, len(steps))[:, None] + np.arange(n_games // 3)
        numbers = {
            field: np.array([[getattr(player, field) for player in self.players]] * len(steps))
            for field in ("sides", "bonus")
        }
        for k, gene in enumerate(genes):
            numbers[gene.field][:, gene.owner] += steps[:, k]
        draws = generator(run_seed, purpose).random((seeds.max() + 1, 3))
        seat = (SEATS - SEATS[:, None]) % 3  # [seating, player]
        sides, bonus = (numbers[field][:, None, None] for field in ("sides", "bonus"))
        rolls = np.floor(draws[:, seat][seeds] * sides) + bonus + seat / 3
        won = rolls.argmax(axis=-1)[..., None] == SEATS  # [candidate, seed, seating, player]
        first = [players[0] for players in matchups or self.matchups]
        return SeatReadings.of(np.transpose(won[..., first].astype(float), (0, 3, 2, 1)))


GAME = contest_game("dice", DiceFile, lambda file: Dice(file.player))
