"""Decks built against a patch, which join the demands of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from agents.registry import agent_named
from balance.cards.card_contest import Matchup, Player
from balance.contest.demands import Demands
from balance.contest.target import FIELD
from balance.decks.building import plays_any_deck
from balance.decks.double_oracle import deck_of
from balance.panel.panel_contest import Hand
from balance.settings.tables import BalanceSettings
from sim import StrictModel
from sim.play import Agent


class AttackingDeck(StrictModel):
    """Deck built against the decks of an experiment, with its win rate against all of them.

    Attributes:
        name: name of the deck and of its player.
        attack: number of the attack that built the deck, from 1.
        pilot: name of the panel's pilot with which the deck wins most.
        hero: id of the deck's hero; `""` if the deck has no hero.
        cards: number of copies of each card, by card id.
        win_rate: mean win rate against the decks with the patch, with that pilot, in games that
            did not choose the deck.
        low: lower bound of the 95 % interval of `win_rate`.
        high: upper bound of the 95 % interval of `win_rate`.
        n: number of games behind `win_rate`, over all opponents.
        joins: whether the win rate with any pilot exceeds the largest permitted one, or is less
            than three standard errors below it, so that the deck joins the demands.
    """

    name: str
    attack: int
    pilot: str
    hero: str
    cards: dict[str, int]
    win_rate: float
    low: float
    high: float
    n: int
    joins: bool


def pilot_of(hand: Hand, settings: BalanceSettings) -> Agent:
    """Return the agent that plays built decks: the pilot, or that of `[build]`.

    The latter plays them if the pilot is several agents, or trained agents, which play only the
    decks that they learned.

    Args:
        hand: pilot of a panel.
        settings: settings of the run.
    """
    agent, *others = {agent.name: agent for agent in hand.contest.agents}.values()
    if others or not plays_any_deck(agent):
        return agent_named(settings.build.agent)
    return agent


def with_attackers(
    hand: Hand, attackers: Sequence[AttackingDeck], settings: BalanceSettings
) -> Hand:
    """Return a pilot of a panel with the matchups of attacking decks against all other decks.

    Args:
        hand: pilot with the decks of the experiment alone.
        attackers: decks that join.
        settings: settings of the run.
    """
    contest = hand.contest
    if not attackers:
        return hand
    agent = pilot_of(hand, settings)
    joined = [
        Player(one.name, deck_of(contest, name=one.name, hero=one.hero, cards=one.cards), agent)
        for one in attackers
    ]
    n_decks = len(contest.players)
    against = [Matchup(n_decks + k, deck) for k in range(len(joined)) for deck in range(n_decks)]
    extended = replace(
        contest, players=(*contest.players, *joined), only=(*contest.matchups, *against)
    )
    return hand._replace(contest=extended)


def with_attacker_limits(
    demands: Demands, attackers: Sequence[AttackingDeck], n_decks: int, most: float
) -> Demands:
    """Return demands that also limit each attacking deck's mean win rate against all decks.

    Args:
        demands: demands on the rates of the decks alone.
        attackers: decks that join, with the matchups of `with_attackers`.
        n_decks: number of decks of the experiment.
        most: largest permitted win rate.
    """
    if not attackers:
        return demands
    n_matchups = demands.n_rates - demands.with_first_seat
    n_added = len(attackers) * n_decks
    # The columns of the attackers' matchups lie between the other matchups and the first seat.
    weights = np.insert(demands.weights, [n_matchups] * n_added, 0.0, axis=1)
    limits = np.zeros((len(attackers), weights.shape[1]))
    for k in range(len(attackers)):
        first = n_matchups + k * n_decks
        limits[k, first : first + n_decks] = 1 / n_decks
    return replace(
        demands,
        names=(*demands.names, *(f"{one.name} vs {FIELD}" for one in attackers)),
        weights=np.concatenate([weights, limits]),
        low=np.append(demands.low, np.full(len(attackers), -np.inf)),
        high=np.append(demands.high, np.full(len(attackers), most)),
    )
