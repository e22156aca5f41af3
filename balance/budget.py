"""The budget: one number of games for a whole question, split among the stages that answer it.

For players that are dear to ask. What a stage spends less than its share is left; the clean-up has
what is left before the certificate. Whatever the settings themselves say of a stage holds.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TypeVar

from balance.settings import BalanceSettings
from sim import InputError, StrictModel

Table = TypeVar("Table", bound=StrictModel)
_MEASURE, _DESIGN, _RACES, _SELECT, _CERTIFY = (
    Fraction(percent, 100) for percent in (10, 14, 18, 14, 42)
)
_SEARCH = _DESIGN + _RACES
_NARROW = Fraction(15, 100)  # of all games, before the others have their shares
_CANDIDATES = 6  # played again, beside today's
_LEAST = 4  # games of anything
_ROUNDS = 8
_RACED = 33  # of the model, where there are few games
_LEAST_SCORE = 20
_USUAL_GENOMES = 4_900  # games of a score in an evolution, and its genomes
_LEAST_POPULATION = 4


def split_games(
    settings: BalanceSettings, *, n_matchups: int, n_numbers: int, n_powers: int
) -> BalanceSettings:
    """The settings with the games of all stages; as they are where there is no `games.total`.

    Args:
        settings: of which `games.total` is split.
        n_matchups: of the contest.
        n_numbers: that may move, of which narrowing may measure levers.
        n_powers: cards, of which narrowing may measure the power, and mirrors.

    Raises:
        InputError: there are too few games.
    """
    if settings.games.total is None:
        return settings
    each = _to_share(settings) / n_matchups
    n_narrowed = {"power": n_powers, "lever": 2 * n_numbers * n_matchups}
    counts = {
        "matchups": _MEASURE * each,
        "design": _DESIGN * each,
        "search": max(_RACES * each / (_ROUNDS * _RACED), Fraction(_LEAST)),
        "select": _SELECT * each / (_CANDIDATES + 1),
        "certify": _CERTIFY * each / 2,
    }
    if settings.narrow.by in n_narrowed:
        of_each = _NARROW * settings.games.total / n_narrowed[settings.narrow.by]
        counts[settings.narrow.by] = of_each
    if settings.search.method != "model":
        counts["search"] = _games_of_a_score(each, assist=settings.search.assist)
    n_genomes = int(_SEARCH * each / max(_even(counts["search"]), 2))
    population = max(_LEAST_POPULATION, isqrt(n_genomes // 3))
    search = {
        "rounds": _ROUNDS,
        "candidates": _CANDIDATES,
        "population": population,
        "generations": max(1, (n_genomes - population - 1) // (2 * population + 1)),
    }
    games = {name: _even(count) for name, count in counts.items()}
    least = min(games, key=games.__getitem__)
    if games[least] < _LEAST:
        raise InputError(
            f"games.total: {settings.games.total:,} games are too few: of those, games.{least} "
            f"is {games[least]}, and at least {_LEAST}"
        )
    changed = {
        "games": _filled(settings.games, games),
        "search": _filled(settings.search, search),
    }
    split = settings.model_copy(update=changed)
    if counts.keys() & n_narrowed.keys() and getattr(split.games, settings.narrow.by) > of_each:
        raise InputError(
            f"games.total: {settings.games.total:,} games leave {int(of_each):,} for each that "
            f"narrowing measures; games.{settings.narrow.by} is more"
        )
    said = [f"games.{name}" for name in sorted(settings.games.model_fields_set - {"total"})]
    said += [
        f"search.{name}"
        for name in ("candidates", "population")
        if name in settings.search.model_fields_set
    ]
    _refuse_more(split, each, said)
    return split


def _games_of_a_score(each: Fraction, *, assist: bool) -> Fraction:
    """Of one genome in an evolution: fewer than usual where else not even parents were played."""
    share = _RACES if assist else _SEARCH  # a model that assists has played its design before
    at_most = share * each / (_LEAST_POPULATION + 1)  # today's numbers are played too
    return max(_SEARCH * each / _USUAL_GENOMES, min(Fraction(_LEAST_SCORE), at_most))


def _refuse_more(settings: BalanceSettings, each: Fraction, said: list[str]) -> None:
    """Refuse what the settings say themselves where it does not fit.

    Raises:
        InputError: says of what, and how much there is.
    """
    games = settings.games
    stages = games.matchups + (settings.search.candidates + 1) * games.select + 2 * games.certify
    n_first = 1 if settings.search.method == "model" else settings.search.population + 1
    designed = settings.search.method == "model" or settings.search.assist
    least_search = (games.design or 0) * designed + n_first * games.search
    if stages > (1 - _SEARCH) * each or least_search > _SEARCH * each:
        raise InputError(
            f"games.total: {games.total:,} games, {int(each):,} per matchup, are too few for what "
            f"else is said ({', '.join(said)})"
        )


def games_to_spend(settings: BalanceSettings, n_matchups: int) -> int:
    """How many games a search may take, all matchups together.

    Its share of the total; where there is none, those of an evolution, whose every generation plays
    parents and children, and today's numbers along with them.
    """
    if settings.games.total is not None:
        return int(_SEARCH * _to_share(settings))
    search = settings.search
    n_genomes = search.population + 1 + search.generations * (2 * search.population + 1)
    return n_genomes * settings.games.search * n_matchups


def left_for_cleanup(settings: BalanceSettings, n_spent: int, n_matchups: int) -> int | None:
    """What the certificate leaves of the total when so much is spent; `None` if there is none."""
    total = settings.games.total
    return None if total is None else total - n_spent - 2 * settings.games.certify * n_matchups


def _to_share(settings: BalanceSettings) -> Fraction:
    """All games but those that narrow."""
    narrows = settings.narrow.by in {"power", "lever"}
    return Fraction(settings.games.total or 0) * (1 - _NARROW * narrows)


def _even(count: Fraction) -> int:
    return int(count) // 2 * 2


def _filled(said: Table, counts: dict[str, int]) -> Table:
    """Settings with what they do not say, which stays unsaid, so that it may be split anew."""
    unsaid = {name: count for name, count in counts.items() if name not in said.model_fields_set}
    filled = said.model_copy(update=unsaid)
    filled.model_fields_set.difference_update(unsaid)
    return filled
