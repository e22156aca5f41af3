"""Split of one total number of games (`games.total`) among the stages of a balancing run.

A total limits the cost of balancing players with expensive games. A number of games that the
settings give for a stage replaces the stage's share. The clean-up may spend all games that the
earlier stages did not use, except those of the certificate.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TypeVar

from balance.settings.tables import BalanceSettings
from sim import InputError, StrictModel
from sim.errors import listed

Table = TypeVar("Table", bound=StrictModel)
# Shares of the games that remain after narrowing. They add up to 98 %; the clean-up gets the other
# 2 % and all games that other stages do not use. With 60,000 games in total these shares certified
# 49 of 60 planted questions (docs/method.md, "One number of games").
_MEASURE = Fraction(10, 100)  # share of the measurement of the baseline's matchups
_DESIGN = Fraction(14, 100)  # share of the model's initial design
_RACES = Fraction(18, 100)  # share of the racing rounds of the search
_SELECT = Fraction(14, 100)  # share of the selection
_CERTIFY = Fraction(42, 100)  # share of the certificate, for the patch and the baseline together
_SEARCH = _DESIGN + _RACES
# Share of all games that narrowing gets, before the shares above; chosen by hand, not tuned.
_NARROW = Fraction(15, 100)
# Number of patches that the selection plays again, in addition to the baseline: a tenth of the
# default of 60, so that each patch gets enough games for a ranking.
CANDIDATES = 6
# Minimum seeds of any stage, each of which is played in every seating: one seed has no variance and
# therefore no interval.
_LEAST_SEEDS = 2
_ROUNDS = 8  # number of racing rounds; chosen by hand, not tuned
# Assumed number of genomes that the model plays in each racing round, which determines the games
# per genome; an estimate for small budgets.
_RACED = 33
# Minimum games per matchup and genome of an evolution, if the total permits them; chosen by hand,
# not tuned.
_LEAST_SCORE = 20
_USUAL_GENOMES = 4_900  # number of genomes that an evolution plays with default settings
_LEAST_POPULATION = 4  # minimum number of genomes: two pairs of parents; chosen by hand, not tuned


def split_games(
    settings: BalanceSettings, *, n_matchups: int, n_numbers: int, n_powers: int, unit: int = 2
) -> BalanceSettings:
    """Return the settings with the total number of games split among all stages.

    Settings without `games.total` are returned unchanged. Numbers of games and search settings that
    are set explicitly keep their values.

    Args:
        settings: settings of the run.
        n_matchups: number of matchups of the contest.
        n_numbers: number of numbers that may move; narrowing may measure each one's sensitivity.
        n_powers: number of cards and mirror matches that narrowing by card power would play.
        unit: number of which all numbers of games are multiples: the seatings of a matchup.

    Raises:
        InputError: the total leaves too few games for a stage, or explicit settings exceed it.
    """
    if settings.games.total is None:
        return settings
    per_matchup = _games_after_narrowing(settings) / n_matchups
    n_narrowed = {"power": n_powers, "lever": 2 * n_numbers * n_matchups}
    counts = {
        "matchups": _MEASURE * per_matchup,
        "design": _DESIGN * per_matchup,
        # The model plays about `_RACED` candidates in each round. If the share is too small for
        # them, the model's limit on games reduces the number of rounds.
        "search": max(_RACES * per_matchup / (_ROUNDS * _RACED), Fraction(_LEAST_SEEDS * unit)),
        "select": _SELECT * per_matchup / (CANDIDATES + 1),
        "certify": _CERTIFY * per_matchup / 2,
    }
    if settings.narrow.by in n_narrowed:
        per_narrowed = _NARROW * settings.games.total / n_narrowed[settings.narrow.by]
        counts[settings.narrow.by] = per_narrowed
    if settings.search.method != "model":
        counts["search"] = _games_per_score(per_matchup, assist=settings.search.assist)
    n_genomes = int(_SEARCH * per_matchup / max(_rounded(counts["search"], unit), unit))
    # With population p, an evolution of g generations plays about 2 p g genomes, so p = sqrt(n / 3)
    # leads to about 1.5 p generations; chosen by hand, not tuned.
    population = max(_LEAST_POPULATION, isqrt(n_genomes // 3))
    search = {
        "rounds": _ROUNDS,
        "candidates": CANDIDATES,
        "population": population,
        "generations": max(1, (n_genomes - population - 1) // (2 * population + 1)),
    }
    games = {name: _rounded(count, unit) for name, count in counts.items()}
    smallest = min(games, key=games.__getitem__)
    least = _LEAST_SEEDS * unit
    if games[smallest] < least:
        raise InputError(
            f"{settings.games.total:,} games are too few: they leave {games[smallest]} for "
            f"games.{smallest}, which needs at least {least}",
            place="games.total",
            value=settings.games.total,
            limit=least,
            remedy="raise games.total",
        )
    changed = {
        "games": _fill_in(settings.games, games),
        "search": _fill_in(settings.search, search),
    }
    split = settings.model_copy(update=changed)
    if (
        counts.keys() & n_narrowed.keys()
        and getattr(split.games, settings.narrow.by) > per_narrowed
    ):
        raise InputError(
            f"{settings.games.total:,} games leave {int(per_narrowed):,} for each number or card "
            f"that narrowing measures, but games.{settings.narrow.by} asks for more",
            place="games.total",
            value=settings.games.total,
            limit=int(per_narrowed),
            remedy=f"leave games.{settings.narrow.by} out, or raise games.total",
        )
    explicit = [f"games.{name}" for name in sorted(settings.games.model_fields_set - {"total"})]
    explicit += [
        f"search.{name}"
        for name in ("candidates", "population")
        if name in settings.search.model_fields_set
    ]
    _refuse_more(split, per_matchup, explicit)
    return split


def _games_per_score(per_matchup: Fraction, *, assist: bool) -> Fraction:
    """Return the number of games per matchup that score one genome in an evolution.

    The number is at least `_LEAST_SCORE`, unless the total is too small for an initial population
    with this number of games per genome.

    Args:
        per_matchup: games per matchup that the stages share.
        assist: whether a model assists the evolution; its initial design takes part of the games.
    """
    share = _RACES if assist else _SEARCH
    at_most = share * per_matchup / (_LEAST_POPULATION + 1)  # + 1: the baseline is played too
    return max(_SEARCH * per_matchup / _USUAL_GENOMES, min(Fraction(_LEAST_SCORE), at_most))


def _refuse_more(settings: BalanceSettings, per_matchup: Fraction, explicit: list[str]) -> None:
    """Refuse stage settings that together exceed the total number of games.

    Args:
        settings: settings with games for every stage.
        per_matchup: games per matchup that the stages share.
        explicit: keys of the stage settings that the file gives explicitly, for the message.

    Raises:
        InputError: the search exceeds its share, or the other stages exceed theirs.
    """
    games = settings.games
    stages = games.matchups + (settings.search.candidates + 1) * games.select + 2 * games.certify
    n_first = 1 if settings.search.method == "model" else settings.search.population + 1
    designed = settings.search.method == "model" or settings.search.assist
    least_search = (games.design or 0) * designed + n_first * games.search
    if stages > (1 - _SEARCH) * per_matchup or least_search > _SEARCH * per_matchup:
        raise InputError(
            f"{games.total:,} ({int(per_matchup):,} games per matchup) is too small for "
            f"{listed(explicit or ['all stages'])}",
            place="games.total",
            separator=" = ",
            value=games.total,
            limit=tuple(explicit),
            remedy="raise games.total, or lower or remove "
            f"{'one of these settings' if len(explicit) > 1 else 'that setting'}",
        )


def games_to_spend(settings: BalanceSettings, n_matchups: int) -> int:
    """Return the number of games that a search may play, over all matchups.

    With `games.total` the number is the search's share of the total. Otherwise it is the number of
    games of an evolution, in which each generation plays parents, children and the baseline.

    Args:
        settings: settings of the run.
        n_matchups: number of matchups of the contest.
    """
    if settings.games.total is not None:
        return int(_SEARCH * _games_after_narrowing(settings))
    search = settings.search
    n_genomes = search.population + 1 + search.generations * (2 * search.population + 1)
    return n_genomes * settings.games.search * n_matchups


def left_for_cleanup(settings: BalanceSettings, n_spent: int, n_matchups: int) -> int | None:
    """Return the number of games that the clean-up may play; `None` without `games.total`.

    The games of the certificate, for the patch and the baseline, are reserved.

    Args:
        settings: settings of the run.
        n_spent: games that earlier stages have played, over all matchups.
        n_matchups: number of matchups of the contest.
    """
    total = settings.games.total
    return None if total is None else total - n_spent - 2 * settings.games.certify * n_matchups


def _games_after_narrowing(settings: BalanceSettings) -> Fraction:
    """Return the number of games of the total that remain after narrowing; 0 without a total."""
    narrows = settings.narrow.by in {"power", "lever"}
    return Fraction(settings.games.total or 0) * (1 - _NARROW * narrows)


def _rounded(count: Fraction, unit: int) -> int:
    """Return a number of games rounded down to a multiple of `unit`, as many for each seating."""
    return int(count) // unit * unit


def _fill_in(settings: Table, counts: dict[str, int]) -> Table:
    """Return settings in which values that were not set are replaced, and still count as not set.

    A later split, such as after relaxing the search space, may therefore change them again.

    Args:
        settings: settings of one table of the file.
        counts: values by name; names that the settings set explicitly are ignored.
    """
    missing = {
        name: count for name, count in counts.items() if name not in settings.model_fields_set
    }
    # pydantic marks updated fields as set, which is undone here.
    filled = settings.model_copy(update=missing)
    filled.model_fields_set.difference_update(missing)
    return filled
