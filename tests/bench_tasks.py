"""A task of `evenhand bench` for a checkout: the duel, played by the plain reference."""

from __future__ import annotations

from balance.cards.card_contest import CardContest
from experiments.benchmarks.duel import AGGRO, CONTROL, PURPOSE, REFERENCE, Task
from tests.duels import reference_singly

GAMES = 400


def tasks(contest: CardContest) -> list[Task]:
    """Return the task of playing the duel's games by the reference."""

    def play_reference() -> None:
        for seats in ([AGGRO, CONTROL], [CONTROL, AGGRO]):
            names = [contest.players[player].agent.name for player in seats]
            decks = contest.deck_rows[seats]
            reference_singly(contest.table, decks, names, GAMES // 2, run_seed=0, purpose=PURPOSE)

    return [Task(REFERENCE, "games", GAMES, play_reference)]
