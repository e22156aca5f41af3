"""Conclusion of an attack in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance import Attack, Interval, wilson
from experiments.screen import counted, percent_between

PHASES = ("before", "after")
WHEN = {"before": "before the patch", "after": "with the patch"}


def conclusion(
    attacks: Sequence[tuple[str, Attack]], *, agent: str, margin: float, is_certified: bool
) -> list[str]:
    """Return sentences with numbers on the results of an attack.

    Args:
        attacks: name and attack of each phase: first the original cards, then the patched cards.
        agent: name of the pilot of the built decks.
        margin: amount by which a deck's win rate had to exceed 0.5 for the deck to join the mix.
        is_certified: whether the attacked patch is certified.
    """
    sentences = [
        f"Built decks are piloted by {agent}; in other hands they may win more.",
        _first_decks(attacks),
    ]
    sentences += [_course(phase, attack) for phase, attack in attacks]
    sentences += [_worst(phase, attack) for phase, attack in attacks if _n_joined(attack)]
    sentences.append(_verdict(attacks[-1][1], margin))
    if is_certified:
        sentences.append("The patch is certified for the decks that its certificate names.")
    return sentences


def _first_decks(attacks: Sequence[tuple[str, Attack]]) -> str:
    """Return a sentence on the first built deck of each phase and its win rate."""
    firsts = [(phase, attack.rounds[0]) for phase, attack in attacks]
    parts = [
        f"{percent_between((first.win_rate, first.low, first.high))} {WHEN[phase]} (the mix is "
        f"{', '.join(deck.name for deck in first.opponents)}; n = {first.n:,})"
        for phase, first in firsts
    ]
    return (
        f"Against the mix of the original decks, the first built deck wins {'; '.join(parts)}. "
        "Other cards lead to another mix and to another built deck."
    )


def _course(phase: str, attack: Attack) -> str:
    """Return a sentence on the rounds of a phase and on the original decks' share of the mix."""
    last = attack.rounds[-1]
    n_joined = _n_joined(attack)
    kept = percent_between(attack.metagame.share_of(range(attack.n_original)))
    decks = "1 built deck joins" if n_joined == 1 else f"{n_joined or 'no'} built decks join"
    ending = (
        "the rounds were used up while decks still joined, so more may follow"
        if last.added
        else f"the last one wins {percent_between((last.win_rate, last.low, last.high))} "
        "against the mix, too little to join"
    )
    return (
        f"{WHEN[phase].capitalize()}: in {counted(len(attack.rounds), 'round')} {decks}, and the "
        f"original decks keep {kept} of the mix; {ending}."
    )


def _worst(phase: str, attack: Attack) -> str:
    """Return a sentence on each original deck's worst matchup, with its win rate."""
    rates = attack.metagame.win_rates.estimate
    n_games = attack.metagame.n_games
    players = attack.contest.players
    parts = []
    for k in range(attack.n_original):
        # The matchup of a deck against itself is left out.
        worst = int(np.argmin(np.where(np.arange(len(players)) == k, np.inf, rates[k])))
        rate = percent_between(wilson(rates[k, worst] * n_games, n_games))
        parts.append(f"{players[k].name} {rate} against {players[worst].name}")
    return f"Worst matchups {WHEN[phase]}, n = {n_games:,}: {'; '.join(parts)}."


def _verdict(patched: Attack, margin: float) -> str:
    """Return a sentence on whether built decks displace the patched decks from the mix."""
    if not _n_joined(patched):
        best = patched.rounds[-1]
        comparison = "wins more" if best.high <= 0.5 + margin else "was shown to win more"
        return (
            f"No built deck {comparison} than {50 + 100 * margin:g} % against the mix of the "
            "patched decks; the best one found wins "
            f"{percent_between((best.win_rate, best.low, best.high))}. A longer search, or another "
            "agent, may find a better one."
        )
    kept = patched.metagame.share_of(range(patched.n_original))
    # The shares solve a linear program, which leaves rounding errors in place of zeros.
    if float(kept.high) < 1e-9:
        return (
            "The patched decks do not last once players build against them: in the end, only "
            "built decks are played."
        )
    taken = percent_between(Interval(1 - kept.estimate, 1 - kept.high, 1 - kept.low))
    return (
        "The mix does not stay as it is once players build against the patched decks: built decks "
        f"take {taken} of it."
    )


def _n_joined(attack: Attack) -> int:
    """Return the number of built decks that joined the mix."""
    return sum(entry.added for entry in attack.rounds)
