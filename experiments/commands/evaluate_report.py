"""Rows and tables of `evenhand evaluate`, for each learner in each pairing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

from balance import CardContest, Pairing
from balance.statistics.intervals import Interval, difference_of_shares
from experiments.learning.places import SCRIPTED, pairing_columns, pairing_title
from experiments.learning.playing_style import PlayingStyle
from experiments.screen import Shown, Table, percent, points

# Searches that learners are compared with. A rollout that continues with a network plays each game
# far more slowly than one with a script, so it gets fewer simulations.
ROLLOUT = "rollout:200"
ROLLOUT_ON_REFERENCE = "rollout:16"


# First columns of every CSV table: the pairing and the measured agent.
_PLACE = ("learner", "deck", "opponent", "opponent_agent", "seat", "agent")
RATE_COLUMNS = (*_PLACE, "win_rate", "low", "high", "n")
ACTION_COLUMNS = (
    *(*_PLACE, "action", "what", "group", "times"),
    *("per_game", "share_of_actions", "n"),
)
CARD_PLAY_COLUMNS = (
    *(*_PLACE, "card", "cost", "copies", "copies_drawn", "copies_played"),
    *("share_played", "share_low", "share_high", "n"),
)
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Evaluated:
    """Measurements of a learner in one of its pairings, and of other agents for comparison.

    Attributes:
        learner: name of the learner.
        pairing: deck, opponent and seat of the measured agents.
        rates: win rate and number of games, by name of the learner, script or search.
        styles: playing style, by name of the learner or script.
    """

    learner: str
    pairing: Pairing
    rates: dict[str, tuple[Interval, int]]
    styles: dict[str, PlayingStyle]

    @property
    def best_scripted(self) -> str:
        """Name of the script with the highest win rate in this pairing."""
        return max(SCRIPTED, key=self._rate)

    @property
    def rollout(self) -> str | None:
        """Name of the search with the highest win rate; `None` if no search played."""
        searches = (agent for agent in self.rates if agent.startswith("rollout:"))
        return max(searches, key=self._rate, default=None)

    @property
    def headroom_closed(self) -> float | None:
        """Gain of the learner over the best script, as a share of the best search's gain.

        `(learner - script) / (search - script)`, of win rates; `None` if no search has a higher
        win rate than the best script.
        """
        worst = self._rate(self.best_scripted)
        best = worst if self.rollout is None else self._rate(self.rollout)
        return (self._rate(self.learner) - worst) / (best - worst) if best > worst else None

    def _rate(self, agent: str) -> float:
        """Return the win rate of an agent in this pairing."""
        return float(self.rates[agent][0].estimate)


def _label(evaluated: Evaluated, agent: str) -> str:
    """Return the name of an agent for tables and the summary: `learned` for the learner itself."""
    return "learned" if agent == evaluated.learner else agent


def _place(contest: CardContest, evaluated: Evaluated, agent: str) -> Row:
    """Return the cells of the columns `_PLACE`, which name the pairing and the agent."""
    return (
        evaluated.learner,
        *pairing_columns(contest, evaluated.pairing).values(),
        _label(evaluated, agent),
    )


def rate_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return a row with the win rate of each agent in each pairing."""
    return [
        (*_place(contest, place, agent), rate, n)
        for place in evaluated
        for agent, (rate, n) in place.rates.items()
    ]


def action_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return a row for each pairing, agent and action, with the number of times it was chosen."""
    return [
        (
            *_place(contest, place, agent),
            action,
            style.kinds[action].words,
            style.kinds[action].group,
            times,
            times / style.n_games,
            times / int(style.chosen.sum()),
            style.n_games,
        )
        for place in evaluated
        for agent, style in place.styles.items()
        for action, times in enumerate(style.chosen.tolist())
    ]


def card_rows(contest: CardContest, evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return a row for each pairing, agent and card, with the share of drawn copies played."""
    cards = contest.table.pool.cards
    return [
        (
            *_place(contest, place, agent),
            cards[plays.card].id,
            cards[plays.card].cost,
            plays.n_copies,
            plays.drawn,
            plays.played,
            plays.share,
            style.n_games,
        )
        for place in evaluated
        for agent, style in place.styles.items()
        for plays in style.cards
    ]


def pairing_entry(contest: CardContest, evaluated: Evaluated) -> dict[str, Any]:
    """Return the entry of a pairing in the summary: win rates, playing styles and played cards."""
    rates = {agent: rate.as_entry(n=n) for agent, (rate, n) in evaluated.rates.items()}
    rollout = None
    if evaluated.rollout:
        rollout = {"agent": evaluated.rollout, **rates[evaluated.rollout]}
    return {
        **pairing_columns(contest, evaluated.pairing),
        "learned": rates[evaluated.learner],
        "scripted": {agent: rates[agent] for agent in SCRIPTED},
        "best_scripted": evaluated.best_scripted,
        "rollout": rollout,
        "headroom_closed": evaluated.headroom_closed,
        "style": {
            _label(evaluated, agent): _style_entry(style)
            for agent, style in evaluated.styles.items()
        },
        "cards_played": [
            {
                "card": contest.table.pool.cards[card.card].id,
                "learned": float(card.learned.estimate),
                "scripted": float(card.scripted.estimate),
                "difference_pp": 100 * float(card.difference.estimate),
                "low_pp": 100 * float(card.difference.low),
                "high_pp": 100 * float(card.difference.high),
            }
            for card in card_differences(
                evaluated.styles[evaluated.learner], evaluated.styles[evaluated.best_scripted]
            )
        ],
    }


def _style_entry(style: PlayingStyle) -> dict[str, Any]:
    """Return the entry of a playing style in the summary, with 95 % intervals."""
    attacks = style.attacks_on_player
    length = style.game_length
    return {
        "attacks_on_player": attacks.as_entry("share"),
        "cards_per_game": style.cards_per_game,
        "cards_per_turn": style.cards_per_turn,
        "turns": length.as_entry("mean"),
        "n": style.n_games,
    }


class CardDifference(NamedTuple):
    """Shares of a card's drawn copies that a learner and a script play, with 95 % intervals.

    Attributes:
        card: index of the card in its pool.
        learned: share of the drawn copies that the learner plays.
        scripted: share of the drawn copies that the script plays.
        difference: the learner's share minus the script's share.
    """

    card: int
    learned: Interval
    scripted: Interval
    difference: Interval


def card_differences(learned: PlayingStyle, scripted: PlayingStyle) -> list[CardDifference]:
    """Return the difference for each card that both agents drew, by increasing difference."""
    differences = [
        CardDifference(
            own.card, own.share, other.share, difference_of_shares(own.share, other.share)
        )
        for own, other in zip(learned.cards, scripted.cards, strict=True)
        if own.drawn and other.drawn
    ]
    return sorted(differences, key=lambda card: float(card.difference.estimate))


def tables_of(contest: CardContest, evaluated: Evaluated) -> list[Shown]:
    """Return tables on a pairing: strength and style of each agent, and differences by card.

    A card is listed if the interval of the difference between the learner's and the best script's
    share of played copies excludes 0.
    """
    best = evaluated.best_scripted
    pairing = pairing_title(contest, evaluated.pairing)
    cards = [
        (
            contest.table.pool.cards[card.card].name,
            *map(percent, card[1:3]),
            points(card.difference),
        )
        for card in card_differences(evaluated.styles[evaluated.learner], evaluated.styles[best])
        if card.difference.low > 0 or card.difference.high < 0
    ]
    strengths = Table(
        f"{evaluated.learner}: {pairing}: strength and style of each agent (± half of the 95 % "
        "interval)",
        ("agent", "win rate, %", "games", "attacks on the player, %", "cards a game", "turns"),
        [
            (
                _label(evaluated, agent),
                percent(rate),
                f"{n:,}",
                *(
                    _style_cells(evaluated.styles[agent])
                    if agent in evaluated.styles
                    else ("", "", "")
                ),
            )
            for agent, (rate, n) in evaluated.rates.items()
        ],
    )
    differing = Table(
        f"Share of the drawn copies that are played, for cards where it differs from {best}'s",
        ("card", "learned, %", f"{best}, %", "pp"),
        cards,
    )
    shown: list[Shown] = ["", strengths]
    if evaluated.headroom_closed is not None:
        shown.append(f"Headroom to {evaluated.rollout} closed: {evaluated.headroom_closed:.2f}")
    return [*shown, "", differing] if cards else shown


def _style_cells(style: PlayingStyle) -> tuple[str, str, str]:
    """Return cells: attacks on the player in percent, cards per game, and turns per game."""
    attacks = style.attacks_on_player
    return (
        "none" if isnan(attacks.estimate) else percent(attacks),
        f"{style.cards_per_game:.2f}",
        f"{float(style.game_length.estimate):.2f}",
    )
