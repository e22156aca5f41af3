"""Tables of the substitutes for missing cards, and sentences on their advantages and drawbacks."""

from __future__ import annotations

from collections.abc import Sequence

from balance.decks.role_words import role_in_words
from balance.decks.substitution import Candidate, Substitution
from experiments.screen import Shown, Table, percent, points

_SENTENCES = 3  # number of substitutes, the best by win rate, that a sentence also describes


def sentence(substitution: Substitution, candidate: Candidate) -> str:
    """Return a sentence on a substitute: `Playing Hired Blade instead costs 0.8 ±0.3 pp; ...`.

    If several cards are missing, the sentence states only the change of the win rate.
    """
    pool = substitution.field.table.pool
    names = substitution.names_of(candidate)
    vacancies = substitution.vacancies.open
    if len(vacancies) > 1:
        return f"Playing {names} instead {_gain_words(candidate)}."
    missing = pool.cards[vacancies[0].card]
    stand_in = pool.cards[candidate.cards[0]]
    return (
        f"Playing {names} instead {_gain_words(candidate)}; it {role_in_words(missing, stand_in)}."
    )


def _gain_words(candidate: Candidate) -> str:
    """Return a phrase on the change of the win rate; `gains` or `costs` if the sign is certain."""
    if candidate.gain is None:
        return f"was not measured (the race left it at {100 * candidate.race_gain:+.1f} pp)"
    gain = points(candidate.gain)
    if candidate.gain.low <= 0 <= candidate.gain.high:
        return f"makes no certain difference ({gain} pp)"
    return f"{'gains' if candidate.gain.low > 0 else 'costs'} {gain.lstrip('+-')} pp"


def shown_lines(substitution: Substitution, n_shown: int) -> list[Shown]:
    """Return tables of the best candidates, and sentences on a few of them.

    The sentences describe the best `_SENTENCES` candidates by win rate, and the candidate that is
    most similar to the missing cards.

    Args:
        substitution: all candidates with their results.
        n_shown: maximum number of candidates in each table.
    """
    cards = substitution.field.table.pool.cards
    missing = ", ".join(
        f"{len(vacancy.slots)} {cards[vacancy.card].name}"
        for vacancy in substitution.vacancies.open
    )
    opponents = ", ".join(f"{o.name} ({o.agent.name})" for o in substitution.field.opponents)
    measured = [
        substitution.candidates[k]
        for k in substitution.by_role
        if substitution.candidates[k].gain is not None
    ]
    by_win_rate = substitution.candidates[:n_shown]
    by_role = measured[:n_shown]
    described = [*substitution.candidates[:_SENTENCES], *by_role[:1]]
    by_cards = {candidate.cards: candidate for candidate in described}
    return [
        f"{substitution.player.name} ({substitution.player.agent.name}) without {missing}, against "
        f"{opponents}: the intact deck wins {percent(substitution.intact)} %",
        *_tables(substitution, by_win_rate, by_role),
        "Distance: steps of the printed numbers, plus 2 for each keyword or effect more or less, "
        "plus 4 for another kind of card",
        "",
        *(sentence(substitution, candidate) for candidate in by_cards.values()),
        f"{len(substitution.candidates)} candidates, {substitution.total_games:,} games",
    ]


def _tables(
    substitution: Substitution,
    by_win_rate: Sequence[Candidate],
    by_role: Sequence[Candidate],
) -> list[Table]:
    """Return the candidates by win rate and by role, in one table if one card is missing."""
    how = (
        f"change in pp ± half of the 95 % interval, {substitution.n_games:,} games against each "
        "opponent, other games than those of the race"
    )
    columns = ("change", "distance")
    if len(substitution.vacancies.open) == 1:
        title = f"Instead, by win rate and by role ({how})"
        pairs = zip(by_win_rate, by_role, strict=False)
        rows = [
            (*_cells(substitution, left), *_cells(substitution, right)) for left, right in pairs
        ]
        return [Table(title, ("by win rate", *columns, "by role", *columns), rows)]
    return [
        Table(
            f"Instead, by {order} ({how})",
            ("cards", *columns),
            [_cells(substitution, candidate) for candidate in ranked],
        )
        for order, ranked in (("win rate", by_win_rate), ("role", by_role))
    ]


def _cells(substitution: Substitution, candidate: Candidate) -> tuple[str, str, str]:
    """Return the cells of a candidate: names, change of the win rate if measured, and distance."""
    return (
        substitution.names_of(candidate),
        "" if candidate.gain is None else points(candidate.gain),
        str(candidate.distance),
    )
