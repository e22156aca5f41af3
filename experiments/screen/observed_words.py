"""Sentences on observed games: what they are, what they show, and what is not computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.screen.wording import counted, percent, percent_between
from sim.errors import cut, listed

_NAMED_MAX = 6  # names in a sentence; more would hide what it says
_NAME_MAX = 40  # characters of a name in a sentence


def origin_words(summary: Mapping[str, Any]) -> str:
    """Return a sentence on the games behind all numbers: the file, their number and their time.

    Args:
        summary: content of `summary.json`.
    """
    by = f" ({summary['source']})" if summary["source"] else ""
    days = summary["days"]
    when = f", {days[0]} to {days[1]}" if days else ""
    groups = "".join(
        f", {noun} {named(names)}"
        for noun, names in (("patches", summary["patches"]), ("brackets", summary["brackets"]))
        if names
    )
    return (
        f"{summary['n']:,} observed games of {len(summary['players'])} players in "
        f"{summary['file']}{by}{when}{groups}. The results describe these games, and the people or "
        "programs that played them; evenhand played none"
    )


def named(names: Sequence[str]) -> str:
    """Return names as text; after `_NAMED_MAX` names, the number of further names."""
    shown = [cut(name, _NAME_MAX) for name in names]
    if len(shown) <= _NAMED_MAX:
        return listed(shown)
    return f"{', '.join(shown[:_NAMED_MAX])} and {len(shown) - _NAMED_MAX} more"


def assumed_words(n_games: int | None) -> list[str]:
    """Return a sentence on an assumed number of games behind each rate; none if it is known."""
    if n_games is None:
        return []
    return [
        f"The table has rates without games. All intervals assume {n_games:,} games behind each "
        "rate (--games)"
    ]


def few_words(n_few: int, n_pairs: int, few: int) -> list[str]:
    """Return a sentence on pairs with few games; none if there are none.

    Args:
        n_few: number of pairs with few games.
        n_pairs: number of pairs with games.
        few: number of games below which a pair has few games.
    """
    if not n_few:
        return []
    return [
        f"Fewer than {few} games (*): {n_few} of {counted(n_pairs, 'matchup')}; even 50 % has an "
        "interval of at least ±17 points there"
    ]


def missing_words(pairs: Sequence[str], n_all: int) -> list[str]:
    """Return a sentence on pairs without games; none if there are none.

    Args:
        pairs: names of the pairs without games.
        n_all: number of all pairs.
    """
    if not pairs:
        return []
    return [f"No games: {len(pairs)} of {counted(n_all, 'matchup')}, {named(pairs)}"]


def seat_words(first_seat: Mapping[str, Any] | None, *, is_given: bool) -> str:
    """Return a sentence on the first seat's win rate, or on why it is not known.

    Args:
        first_seat: win rate with bounds and number of games; `None` if not known.
        is_given: whether the file says who moved first.
    """
    if first_seat is not None:
        rate = percent([first_seat[key] for key in ("win_rate", "low", "high")])
        return (
            f"First seat: {rate} % of {first_seat['n']:,} games with a known first seat, as the "
            "mean of both seatings of each matchup"
        )
    if is_given:
        return "First seat: not computed, since no matchup was played in both seatings"
    return "First seat: not known; a column of who moved first would show it"


def draw_words(draw_rate: Mapping[str, Any] | None) -> str:
    """Return a sentence on the share of draws, which may not be known."""
    if draw_rate is None:
        return "Draws: not known, since the table has no column of draws"
    rate = percent_between([draw_rate[key] for key in ("rate", "low", "high")])
    return f"Draws: {rate}; each counts as half a win for both"


def rated_words(unrated: Sequence[str]) -> list[str]:
    """Return a sentence on players without a rating; none if all are rated."""
    if not unrated:
        return []
    return [f"Not rated, since no chain of games connects them with the others: {named(unrated)}"]


def mix_words(
    left_out: Sequence[str], n_mixed: int, most: int, unplayed: Sequence[tuple[str, float]]
) -> list[str]:
    """Return sentences on the equilibrium: who is left out, and who is never played.

    Args:
        left_out: players that are left out of the equilibrium.
        n_mixed: number of players in the equilibrium; 0 if it was not computed.
        most: maximum number of players of an equilibrium.
        unplayed: players without a share, with the fraction of resamples that agree.
    """
    if not n_mixed:
        return ["Equilibrium and cyclic share: not computed, since no two players have met"]
    lines = []
    if left_out:
        lines.append(
            f"Equilibrium and cyclic share: only of the {n_mixed} players that have all met each "
            f"other (of more than {most}, those with the most games); left out: {named(left_out)}"
        )
    if unplayed:
        shares = [f"{name} ({100 * share:.0f} %)" for name, share in unplayed]
        lines.append(
            "Without a share of the equilibrium, with the share of resamples that agree: "
            f"{named(shares)}"
        )
    return lines


def cyclic_words(cyclic: Mapping[str, Any] | None) -> list[str]:
    """Return a sentence on the cyclic share of the win rates; none if it was not computed."""
    if cyclic is None:
        return []
    share, low, high = (f"{100 * cyclic[key]:.1f}" for key in ("share", "low", "high"))
    return [
        f"Of the deviations of the win rates from 50 %, {share} % ({low} to {high}) are cyclic, as "
        "in rock, paper, scissors; ratings explain the rest"
    ]


def change_words(changes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return one sentence per pair of consecutive patches or brackets on the changed matchups.

    Args:
        changes: entries `changes` of a summary.
    """
    return [
        f"{change['by'].capitalize()} {change['earlier']} to {change['later']}, "
        f"{counted(change['matchups'], 'matchup')} with games in both: changed by intervals that "
        f"hold for all together at 95 %: {change['differ']}; by the interval of each alone: "
        f"{change['differ_alone']}, of which about {0.05 * change['matchups']:.1f} are expected if "
        "nothing changed"
        for change in changes
    ]


def card_words(cards: Mapping[str, Any]) -> list[str]:
    """Return sentences on what the estimated effects of cards cannot separate.

    Args:
        cards: entry `card_effects` of a summary.
    """
    lines = [
        f"Estimated from {cards['decks']} decks with {cards['cards']} cards: an effect includes "
        "whatever else differs between decks with and without the card, such as their plan and "
        "their players"
    ]
    if cards["together"]:
        lines.append(
            f"{cards['together']} cards always occur together with others in the same numbers; "
            "only their joint effect is estimated, and divided equally (always_with in "
            "card_effects.csv)"
        )
    if cards["of_one_archetype"]:
        lines.append(
            f"{cards['of_one_archetype']} cards occur in decks of one archetype only: their effect "
            "is not separated from that of the archetype"
        )
    if not cards["knows_archetypes"]:
        lines.append(
            "The lists name no archetypes, so that effects of archetypes are not separated either"
        )
    if cards["in_all"]:
        lines.append(f"In all decks alike, so without an estimate: {named(cards['in_all'])}")
    if cards["without_list"]:
        lines.append(f"Without a list: {named(cards['without_list'])}")
    if cards["unknown"]:
        lines.append(f"Lists of no player of the results: {named(cards['unknown'])}")
    return lines
