"""Many duels at once, and one, for Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim import Pool, Ruleset
from sim.environments.games import DeckChoice, IllegalActions, LearnersGames, SeatChoice, duels
from sim.environments.learners import LearnersEnv, LearnersVectorEnv
from sim.play.agent import Agent


class DuelVectorEnv(LearnersVectorEnv):
    """``N`` duels of a learner against other agents, stepped together by compiled code.

    A step is one action of the learner; the opponent's whole turn happens inside. The values are
    those of `sim.observation.view`: 67 and 40 actions in a plain duel. Rewards are 1 for a win, -1
    for a loss, else 0. The turn cap truncates. The mask of an end shows the end of the turn.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        deck: DeckChoice | Sequence[DeckChoice],
        opponent_deck: DeckChoice | Sequence[DeckChoice],
        opponent: Agent | Sequence[Agent],
        seat: SeatChoice = 1,
        pool: str | Pool | None = None,
        ruleset: str | Ruleset | None = None,
        skip_forced: bool = False,
        illegal: IllegalActions = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """Make the environments; `reset` begins the games.

        Args:
            num_envs: ``N``.
            deck: the learner's: a name, a path that ends in `.toml`, or a deck; or several, of
                which each episode takes one, all equally likely.
            opponent_deck: the opponent's; several belong to the opponents one by one, or all to
                the only one.
            opponent: who pilots it, e.g. `agents.registry.agent_named("control")`; several, each
                with its deck, are met equally often. A learned one is asked inside `step`.
            seat: the learner's: 0 moves first; 1; or `"either"`, both equally often.
            pool: the cards; default the pool that the learner's first deck names.
            ruleset: the rules; likewise.
            skip_forced: whether positions that leave nothing but ending the turn are skipped.
            illegal: what an illegal action does: `"refuse"` raises, `"end_turn"` ends the turn
                (for learners that know no masks).
            render_mode: `"ansi"` or nothing.

        Raises:
            InputError: see `sim.environments.games.duels`.
        """
        played = duels(deck, opponent_deck, opponent, seat, pool, ruleset)
        games = LearnersGames(*played, num_envs, skip_forced=skip_forced, illegal=illegal)
        super().__init__(games, render_mode)


class DuelEnv(LearnersEnv):
    """A learner's duel against another agent; `DuelVectorEnv` is the same many times."""

    def __init__(self, **told: Any) -> None:
        """Arguments as for `DuelVectorEnv`."""
        super().__init__(DuelVectorEnv(1, **told))
