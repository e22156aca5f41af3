"""Pilots of a panel with their bands and their shares of the games."""

from __future__ import annotations

from collections.abc import Mapping

from balance.cards.card_contest import CardContest
from balance.panel.panel_contest import Hand
from balance.second_opinion.verdicts import is_script
from balance.settings.agent_names import OWN
from balance.settings.robust import Robust
from sim.errors import InputError
from sim.play import Agent, CompiledAgent

# Games of a pilot for each game of the dearest one. The least total time for given standard errors
# has games in proportion to 1 / sqrt(time of a game). A duel takes a script 3 us, `light` and
# `policy` 0.2 ms and `reader` 2.8 ms: 30 and 4 times as many games. Twice as many are played, since
# the model takes the effects of edits from the cheap pilots.
_OF_SCRIPTS = 64
_OF_CHEAP = 8  # see `_OF_SCRIPTS`
_CHEAP = ("light", "policy")
# Bands of pilots other than the players' own, in multiples of the target's. Chosen by hand: edits
# move the rates of all pilots alike, so that they bring pilots hardly nearer to each other.
_WIDER = 1.5


def hands_of(
    contests: Mapping[str, CardContest], robust: Robust, band_pp: float
) -> tuple[Hand, ...]:
    """Return the pilots of a panel, those with the cheapest games first.

    The dearest pilot plays one game for each game counted. If the players' own agents are one of
    the other pilots, the narrower band of both holds.

    Args:
        contests: the decks in the hands of each of `robust.pilots`.
        robust: settings of the panel.
        band_pp: half-width of the bands of the target, in percentage points.

    Raises:
        InputError: `[robust]` gives a setting of a pilot that it does not name.
    """
    _refuse_unnamed(robust)
    hands = dict[str, Hand]()
    for name, decks in contests.items():
        agents = {agent.name for agent in decks.agents}
        shown = name if len(agents) > 1 else decks.agents[0].name
        band = band_of(name, robust, band_pp)
        repeats = robust.games.get(name) or min(map(_repeats_of, decks.agents))
        if shown in hands:
            band = min(band, hands[shown].band_pp)
            repeats = robust.games.get(name) or hands[shown].repeats
        hands[shown] = Hand(shown, decks, repeats, band)
    cheapest_first = sorted(hands.values(), key=lambda hand: -hand.repeats)
    fewest = cheapest_first[-1].repeats
    return tuple(hand._replace(repeats=hand.repeats // fewest) for hand in cheapest_first)


def band_of(name: str, robust: Robust, band_pp: float) -> float:
    """Return the half-width of the bands of a pilot's rates, in percentage points.

    Args:
        name: name of the pilot in `[robust]`.
        robust: settings of the panel.
        band_pp: half-width of the bands of the target.
    """
    return robust.bands_pp.get(name, band_pp if name == OWN else _WIDER * band_pp)


def _repeats_of(agent: Agent) -> int:
    """Return the usual number of games of an agent for each game of a search that takes long."""
    if agent.name.partition(":")[0] in _CHEAP:
        return _OF_CHEAP
    if is_script(agent):
        return _OF_SCRIPTS
    return 1 if isinstance(agent, CompiledAgent) else _OF_CHEAP


def _refuse_unnamed(robust: Robust) -> None:
    """Refuse settings of pilots that are not in the panel.

    Raises:
        InputError: `bands_pp` or `games` has a pilot that `pilots` does not name.
    """
    tables: dict[str, Mapping[str, float]] = {"bands_pp": robust.bands_pp, "games": robust.games}
    for key, table in tables.items():
        for name in table:
            if name not in robust.pilots:
                raise InputError(
                    f"{name!r} is not a pilot of the panel",
                    place=f"robust.{key}",
                    value=name,
                    limit=robust.pilots,
                    remedy=f"add it to robust.pilots, or leave it out of robust.{key}",
                )
