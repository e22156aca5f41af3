"""Tables of the substitutes for missing cards, and sentences on their advantages and drawbacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from balance import Interval
from balance.decks.roles import RoleDifference, role_difference
from balance.decks.substitutes import Candidate, Substitution
from experiments.experiment import Experiment
from experiments.screen import Shown, Table, percent, points
from sim import Card, Effect, Pool, entry
from sim.cards.text.card_text import action_words
from sim.errors import listed

_SENTENCES = 3  # number of substitutes, the best by win rate, that a sentence also describes


def sentence(pool: Pool, substitution: Substitution, candidate: Candidate) -> str:
    """Return a sentence on a substitute: `Playing Hired Blade instead costs 0.8 ± 0.3 pp; ...`.

    If several cards are missing, the sentence states only the change of the win rate.
    """
    names = stand_in_names(pool, candidate)
    vacancies = substitution.vacancies.open
    if len(vacancies) > 1:
        return f"Playing {names} instead {_gain_words(candidate)}."
    missing = pool.cards[vacancies[0].card]
    stand_in = pool.cards[candidate.cards[0]]
    return (
        f"Playing {names} instead {_gain_words(candidate)}; it {role_in_words(missing, stand_in)}."
    )


def stand_in_names(pool: Pool, candidate: Candidate) -> str:
    """Return the names of a candidate's cards, in the order of the missing cards."""
    return ", ".join(pool.cards[card].name for card in candidate.cards)


def role_in_words(missing: Card, stand_in: Card) -> str:
    """Return a phrase on the difference of a substitute: `keeps the curve but loses haste`."""
    difference = role_difference(missing, stand_in)
    if not difference.distance:
        return "does exactly the same"
    better, worse = _curve(difference.steps["cost"])
    worse += [f"is a {difference.kind}"] if difference.kind else []
    gains, losses = _gains_and_losses(difference)
    better += [f"gains {listed(gains)}"] if gains else []
    worse += [f"loses {listed(losses)}"] if losses else []
    return " but ".join(" and ".join(parts) for parts in (better, worse) if parts)


def _gain_words(candidate: Candidate) -> str:
    """Return a phrase on the change of the win rate; `gains` or `costs` if the sign is certain."""
    if candidate.gain is None:
        return f"was not measured (the race left it at {100 * candidate.race_gain:+.1f} pp)"
    gain, low, high = (100 * float(bound) for bound in candidate.gain)
    half = (high - low) / 2
    if low <= 0 <= high:
        return f"makes no certain difference ({gain:+.1f} ± {half:.1f} pp)"
    return f"{'gains' if gain > 0 else 'costs'} {abs(gain):.1f} ± {half:.1f} pp"


def _curve(steps: int) -> tuple[list[str], list[str]]:
    """Return phrases on a substitute's cost: a list of advantages and a list of drawbacks.

    Args:
        steps: cost of the substitute minus the cost of the missing card, in mana.
    """
    if steps > 0:
        return [], [f"is {steps} mana dearer"]
    return [f"is {-steps} mana cheaper" if steps else "keeps the curve"], []


def _gains_and_losses(difference: RoleDifference) -> tuple[list[str], list[str]]:
    """Return phrases on the numbers, keywords and effects that a substitute gains and loses."""
    gains = list[str]()
    losses = list[str]()
    for field, steps in difference.steps.items():
        if steps and field != "cost":
            is_gain = (steps > 0) != (field == "overload")
            (gains if is_gain else losses).append(f"{abs(steps)} {field.replace('_', ' ')}")
    changed = (f"another amount ({action_words(effect)})" for effect in difference.effects_changed)
    return (
        [*gains, *difference.gained, *map(_effect, difference.effects_gained), *changed],
        [*losses, *difference.lost, *map(_effect, difference.effects_lost)],
    )


_EFFECTS = {"draw": "the draw", "heal": "the healing", "damage": "the damage"}


def _effect(effect: Effect) -> str:
    """Return a short name of an effect, such as `the draw`."""
    if effect.do == "summon" and effect.token is not None:
        return f"the {effect.token.attack}/{effect.token.health} beside it"
    return _EFFECTS.get(effect.do, f"the effect to {action_words(effect)}")


class SubstituteRow(NamedTuple):
    """Row of `substitutes.csv`: cards that replace the missing cards, and the measured change.

    Attributes:
        rank: rank by win rate, from 1 for the best.
        role_rank: rank by similarity to the missing cards, from 1 for the most similar.
        cards: ids of the cards, separated by blanks.
        names: names of the cards, separated by commas.
        distance: distance to the missing cards, in steps of printed numbers.
        gain_pp: change of the win rate in percentage points, with its 95 % interval; `None` if the
            race dropped the candidate before it was measured.
        n: number of games that measured `gain_pp` against each opponent; `None` if not measured.
        race_gain_pp: change of the win rate estimated by the race, in percentage points.
        games_spent: number of games that the race played with the candidate.
        what_changes: difference to the missing cards, in words.
    """

    rank: int
    role_rank: int
    cards: str
    names: str
    distance: int
    gain_pp: Annotated[Interval, ("gain_pp", "low_pp", "high_pp")] | None
    n: int | None
    race_gain_pp: float
    games_spent: int
    what_changes: str


def substitute_rows(pool: Pool, substitution: Substitution) -> list[SubstituteRow]:
    """Return a row for each candidate, sorted by decreasing win rate."""
    role_rank = {k: place for place, k in enumerate(substitution.by_role, 1)}
    return [
        SubstituteRow(
            rank,
            role_rank[rank - 1],
            " ".join(pool.cards[card].id for card in candidate.cards),
            stand_in_names(pool, candidate),
            candidate.distance,
            None if candidate.gain is None else candidate.gain.times(100),
            None if candidate.gain is None else substitution.n_games,
            100 * candidate.race_gain,
            candidate.n_games,
            "; ".join(
                role_in_words(pool.cards[vacancy.card], pool.cards[card])
                for vacancy, card in zip(substitution.vacancies.open, candidate.cards, strict=True)
            ),
        )
        for rank, candidate in enumerate(substitution.candidates, 1)
    ]


def summarise(
    experiment: Experiment, substitution: Substitution, rows: Sequence[SubstituteRow]
) -> dict[str, Any]:
    """Return the content of `summary.json` for `substitute`, as documented in `docs/formats.md`."""
    pool = experiment.pool
    columns = ("cards", "distance", "gain_pp", "low_pp", "high_pp", "n")
    ranked = [
        {column: value for column, value in entry(row).items() if column in columns}
        | {"cards": row.cards.split()}
        for row in rows
        if row.gain_pp is not None
    ]
    measured = [
        k for k, candidate in enumerate(substitution.candidates) if candidate.gain is not None
    ]
    return {
        "command": "substitute",
        "seed": experiment.settings.seed,
        "deck": substitution.player.name,
        "agent": substitution.player.agent.name,
        "missing": [
            {"card": pool.cards[vacancy.card].id, "copies": len(vacancy.slots)}
            for vacancy in substitution.vacancies.open
        ],
        "field": {
            opponent.name: float(weight)
            for opponent, weight in zip(
                substitution.field.opponents, substitution.field.weights, strict=True
            )
        },
        "intact": substitution.intact.as_entry() | {"n": substitution.n_games},
        "by_win_rate": ranked,
        "by_role": [ranked[measured.index(k)] for k in substitution.by_role if k in measured],
        "candidates": len(substitution.candidates),
        "games": substitution.total_games,
    }


def shown_lines(pool: Pool, substitution: Substitution, n_shown: int) -> list[Shown]:
    """Return tables of the best candidates, and sentences on a few of them.

    The sentences describe the best `_SENTENCES` candidates by win rate, and the candidate that is
    most similar to the missing cards.

    Args:
        pool: the card pool.
        substitution: all candidates with their results.
        n_shown: maximum number of candidates in each table.
    """
    missing = ", ".join(
        f"{len(vacancy.slots)} {pool.cards[vacancy.card].name}"
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
        *_tables(pool, substitution, by_win_rate, by_role),
        "Distance: steps of the printed numbers, plus 2 for each keyword or effect more or less, "
        "plus 4 for another kind of card",
        "",
        *(sentence(pool, substitution, candidate) for candidate in by_cards.values()),
        f"{len(substitution.candidates)} candidates, {substitution.total_games:,} games",
    ]


def _tables(
    pool: Pool,
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
        rows = [(*_cells(pool, left), *_cells(pool, right)) for left, right in pairs]
        return [Table(title, ("by win rate", *columns, "by role", *columns), rows)]
    return [
        Table(
            f"Instead, by {order} ({how})",
            ("cards", *columns),
            [_cells(pool, candidate) for candidate in ranked],
        )
        for order, ranked in (("win rate", by_win_rate), ("role", by_role))
    ]


def _cells(pool: Pool, candidate: Candidate) -> tuple[str, str, str]:
    """Return the cells of a candidate: names, change of the win rate if measured, and distance."""
    return (
        stand_in_names(pool, candidate),
        "" if candidate.gain is None else points(candidate.gain),
        str(candidate.distance),
    )
