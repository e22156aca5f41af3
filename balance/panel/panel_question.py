"""Question of a panel: one patch that holds in the hands of several pilots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace

from balance.panel.attackers import AttackingDeck, with_attacker_limits, with_attackers
from balance.panel.panel_contest import Hand, PanelContest
from balance.panel.panel_demands import panel_demands, with_first_seat_limits
from balance.panel.panel_run import PanelRun
from balance.run.card_question import CardQuestion, prepare
from balance.run.explanation import RelaxedSpaces
from balance.run.found_patch import FoundPatch
from balance.run.question import BaselineGames, Measured, Question
from balance.settings.budget import CANDIDATES, split_games
from balance.settings.tables import ANY_GROWTH_PP, BalanceSettings, Games, Widening
from balance.space.search_space import SearchSpace
from balance.space.tune import Tune
from balance.verdict.evaluation import Evaluator
from sim.errors import InputError

# Games of the dearest pilot in all stages and matchups together, if no total is set: three minutes
# of two cores for the quickstart, where 4,050 games per matchup are left for the certificate.
DEAREST_GAMES = 90_000
# Fewest such games per matchup: 1,350 are left for the certificate, with intervals of ±2.5 points.
LEAST_PER_MATCHUP = 10_000
# Shares of the games for the selection and for the certificate (patch and baseline), which give a
# patch the smallest margin that both together can have with six candidates: 5.1 points where the
# shares of other runs (14 and 42 %) give 6.1, with 30,000 games of the dearest pilot per matchup.
_SELECT = 0.29
_CERTIFY = 0.27  # see `_SELECT`


@dataclass(frozen=True)
class PanelQuestion(Question[PanelRun]):
    """Question of a patch for a panel; `prepare_panel` makes it.

    Attributes:
        contest: contest of the panel.
        decks: question of a patch for the first pilot alone, which has the search space.
    """

    contest: PanelContest
    decks: CardQuestion

    @property
    def total_games(self) -> int | None:
        """Total number of games of the run, of all pilots."""
        counted = self.settings.games.total
        return None if counted is None else self.contest.all_games(counted)

    def evaluator(self, measured: Measured, try_number: int | None) -> Evaluator:
        """Return the evaluator with which the search begins.

        The guard on the first seat would limit the mean over all pilots. Demands take its place,
        which limit the rate of each pilot, so that the search sees them all.
        """
        evaluator = super().evaluator(measured, try_number)
        growth_pp = self.settings.guards.max_first_seat_pp
        if growth_pp >= ANY_GROWTH_PP:
            return evaluator
        return replace(
            evaluator,
            demands=with_first_seat_limits(self.contest, self.demands, measured.today, growth_pp),
            guards=self.settings.guards.model_copy(update={"max_first_seat_pp": ANY_GROWTH_PP}),
        )

    def measure(self) -> Measured:
        """Play the games of the baseline with which the run begins, of all pilots."""
        today = self.play_today()
        return BaselineGames(today, self.space, first_side=today.parts[0].readings.first_side)

    def wider_space(
        self, narrowed: SearchSpace, tune: Tune, widened: Collection[Widening]
    ) -> SearchSpace:
        """Return the search space of a run after given kinds of relaxations."""
        return self.decks.wider_space(narrowed, tune, widened)

    def relaxed_spaces(self, settings: BalanceSettings, space: SearchSpace) -> RelaxedSpaces:
        """Return search spaces with one relaxed setting each, for an explanation."""
        return self.decks.relaxed_spaces(settings, space)

    def spaces_without_rules(
        self, settings: BalanceSettings, space: SearchSpace
    ) -> dict[str, SearchSpace]:
        """Return search spaces without one design rule each, for a price list."""
        return self.decks.spaces_without_rules(settings, space)

    def result(self, found: FoundPatch, measured: Measured) -> PanelRun:
        """Return the result of the run with the pilots of the panel."""
        del measured
        parts = {part.name: getattr(found, part.name) for part in fields(found)}
        narrowing = self.decks.narrowed({})
        return PanelRun(**parts, contest=self.contest, narrowing=narrowing)


def prepare_panel(
    hands: Sequence[Hand],
    settings: BalanceSettings,
    total: int | None = None,
    attackers: Sequence[AttackingDeck] = (),
    attacker_most: float = 1.0,
) -> PanelQuestion:
    """Return the question of a patch for a panel, checked for all stages; plays no game.

    Args:
        hands: pilots of the panel.
        settings: settings of the run. Its numbers of games are those of a run for the players' own
            pilots, and are replaced by shares of `total`.
        total: number of games of all stages and pilots; `None` for the number with which the
            dearest pilot plays `DEAREST_GAMES`, and at least `LEAST_PER_MATCHUP` per matchup.
        attackers: decks that must not win too often against the others, with any pilot.
        attacker_most: largest permitted mean win rate of such a deck.

    Raises:
        InputError: a setting is invalid or does not fit the contest, or cards are to be narrowed.
    """
    if settings.narrow.by != "none":
        raise InputError(
            f"{settings.narrow.by!r} cannot narrow the cards for a panel of pilots",
            place="narrow.by",
            value=settings.narrow.by,
            limit="none",
            remedy='write narrow.by = "none"',
        )
    n_decks = len(hands[0].contest.players)
    goals = settings.demands_in(hands[0].contest)
    goals = with_attacker_limits(goals, attackers, n_decks, attacker_most)
    limits_growth = settings.guards.max_first_seat_pp < ANY_GROWTH_PP
    contest = PanelContest(
        tuple(with_attackers(hand, attackers, settings) for hand in hands),
        goals.with_first_seat or limits_growth,
    )
    decks = prepare(contest.base, settings.model_copy(update={"games": Games()}))
    split = _split(contest, settings, total, n_numbers=len(decks.space.genes))
    demands = panel_demands(contest, goals, settings.target.band_pp, len(attackers))
    return PanelQuestion(contest, split, decks.space, demands, decks)


def _split(
    contest: PanelContest, settings: BalanceSettings, total: int | None, *, n_numbers: int
) -> BalanceSettings:
    """Return the settings with the total number of games split among the stages.

    Stages count a game of every rate alike, so the total is given in games of that kind.

    Args:
        contest: contest of the panel.
        settings: settings of the run.
        total: number of games of all stages and pilots; `None` for the default.
        n_numbers: number of numbers that may move.

    Raises:
        InputError: the total is too small.
    """
    n_rates = len(contest.matchups)
    n_played = contest.n_tables
    n_matchups = len(contest.base.matchups)
    per_matchup = max(DEAREST_GAMES // n_matchups, LEAST_PER_MATCHUP)
    all_games = total or per_matchup * n_played
    counted = all_games // n_played  # for each rate
    search = settings.search
    n_candidates = search.candidates if "candidates" in search.model_fields_set else CANDIDATES
    games = Games().model_copy(
        update={
            "total": counted * n_rates,
            "select": _even(_SELECT * counted / (n_candidates + 1)),
            "certify": _even(_CERTIFY * counted / 2),
        }
    )
    whole = settings.model_copy(update={"games": games})
    try:
        return split_games(whole, n_matchups=n_rates, n_numbers=n_numbers, n_powers=0)
    except InputError as error:  # which names the counted games
        raise InputError(
            f"{all_games:,} games of all pilots are too few for the stages of a search",
            place="robust.total",
            value=all_games,
            remedy="raise robust.total, or leave it out",
        ) from error


def _even(n_games: float) -> int:
    """Return a number of games rounded down to an even one, and at least 4."""
    return max(int(n_games) // 2 * 2, 4)
