"""What an attack comes to: the entries of `attack.json`, and its conclusion in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.double_oracle import Attack
from balance.intervals import Interval, difference_of_shares, wilson
from experiments.commands.metagame import cyclic_summary

PHASES = ("before", "after")
WHEN = {"before": "before the patch", "after": "with the patch"}


def phase_entry(phase: str, attack: Attack) -> dict[str, Any]:
    """One of the `phases` of `attack.json`."""
    names = [player.name for player in attack.contest.players]
    metagame = attack.metagame
    return {
        "phase": phase,
        "rounds": [entry.model_dump(mode="json") for entry in attack.rounds],
        "equilibrium": [
            {
                "player": name,
                **dict(zip(("share", "low", "high"), share, strict=True)),
                "original": k < attack.n_original,
            }
            for k, (name, *share) in enumerate(zip(names, *metagame.shares, strict=True))
        ],
        "players": names,
        "win_rates": metagame.win_rates.estimate,
        "n_games": metagame.n_games,
        "cyclic": cyclic_summary(metagame),
    }


def conclusion(attacks: Sequence[tuple[str, Attack]], *, agent: str, margin: float) -> list[str]:
    """What the attack shows, in sentences with numbers.

    Args:
        attacks: by phase: today's cards, then the patched ones.
        agent: the pilot of the built decks.
        margin: what a deck had to win above one half to join.
    """
    sentences = [f"Built decks are piloted by {agent}. {_first_blows(attacks)}"]
    sentences += [_course(phase, attack) for phase, attack in attacks]
    sentences += [_worst(phase, attack) for phase, attack in attacks if _n_joined(attack)]
    return [*sentences, _verdict(attacks[-1][1], margin)]


def percent_between(rate: Interval | Sequence[float], unit: str = " %") -> str:
    """`57.3 % (56.8 to 57.8)`."""
    estimate, low, high = (100 * float(bound) for bound in rate)
    return f"{estimate:.1f}{unit} ({low:.1f} to {high:.1f})"


def _first_blows(attacks: Sequence[tuple[str, Attack]]) -> str:
    """By how much the first built deck beats the mix of the original ones, in both phases."""
    firsts = [attack.rounds[0] for _, attack in attacks]
    rates = [Interval(*map(np.array, (one.win_rate, one.low, one.high))) for one in firsts]
    parts = [
        f"{percent_between(rate)} {WHEN[phase]}, n = {one.n:,}"
        for (phase, _), rate, one in zip(attacks, rates, firsts, strict=True)
    ]
    more = percent_between(difference_of_shares(rates[-1], rates[0]), " pp")
    return (
        f"The first deck built against the mix of the original ones wins {'; '.join(parts)}. "
        f"The patch makes that {more} more."
    )


def _course(phase: str, attack: Attack) -> str:
    """How the rounds went, and what is left to the original decks."""
    last, n_joined = attack.rounds[-1], _n_joined(attack)
    kept = percent_between(attack.metagame.share_of(range(attack.n_original)))
    decks = "1 built deck joins" if n_joined == 1 else f"{n_joined or 'no'} built decks join"
    ending = (
        "the rounds were used up while decks still joined, so more might follow"
        if last.added
        else f"the last one wins {percent_between((last.win_rate, last.low, last.high))} "
        "against the mix, too little to join"
    )
    of = f"{len(attack.rounds)} round" + ("s" if len(attack.rounds) > 1 else "")
    return (
        f"{WHEN[phase].capitalize()}: in {of} {decks}, and the original decks keep {kept} of the "
        f"mix; {ending}."
    )


def _worst(phase: str, attack: Attack) -> str:
    """The worst matchup of each original deck."""
    rates, n_games = attack.metagame.win_rates.estimate, attack.metagame.n_games
    players = attack.contest.players
    parts = []
    for k in range(attack.n_original):
        worst = int(np.argmin(rates[k]))
        rate = percent_between(wilson(rates[k, worst] * n_games, n_games))
        parts.append(f"{players[k].name} {rate} against {players[worst].name}")
    return f"Worst matchups {WHEN[phase]}, n = {n_games:,}: {'; '.join(parts)}."


def _verdict(patched: Attack, margin: float) -> str:
    """Whether the patch outlasts people who build decks."""
    bar = f"{50 + 100 * margin:g} %"
    if not _n_joined(patched):
        return (
            f"The patched decks stay balanced: no built deck certainly wins more than {bar} "
            "against their mix. A longer search, or another agent, may find one."
        )
    kept = patched.metagame.share_of(range(patched.n_original))
    if float(kept.high) < 1e-9:
        return (
            "The patched decks do not stay balanced once people build against them: in the end "
            "only built decks are played. The certificate speaks of the decks that it names."
        )
    return (
        "The patched decks do not stay as they are once people build against them: built decks "
        f"take {percent_between(Interval(1 - kept.estimate, 1 - kept.high, 1 - kept.low))} of "
        "the mix. The certificate speaks of the decks that it names."
    )


def _n_joined(attack: Attack) -> int:
    return sum(entry.added for entry in attack.rounds)
