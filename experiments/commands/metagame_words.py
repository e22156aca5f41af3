"""What a metagame comes to, in sentences."""

from __future__ import annotations

from balance.contest import Contest
from balance.metagame.metagame import Metagame


def cyclic_sentence(metagame: Metagame) -> str:
    """How cyclic the matrix is."""
    if len(metagame.ratings.estimate) < 3:
        return "Two decks cannot beat each other in a circle."
    share, low, high = (f"{100 * float(bound):.1f}" for bound in metagame.cyclic)
    return (
        f"Of what parts the win rates from 50 %, {share} % ({low} to {high}) goes in circles, "
        "as in rock, paper, scissors; the ratings, one number per deck, explain the rest."
    )


def unplayed_sentence(contest: Contest, metagame: Metagame) -> str:
    """Which decks are never played, and how sure that is."""
    if not metagame.never_played:
        return "Every deck is played."
    named = [
        f"{contest.players[k].name} (nor in {100 * float(metagame.unplayed[k]):.0f} %)"
        for k in metagame.never_played
    ]
    n_resamples = len(metagame.resampled_shares)
    return f"Never played: {', '.join(named)}, of {n_resamples} resamples of the games."
