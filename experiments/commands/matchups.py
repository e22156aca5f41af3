"""`evenhand matchups`: win rates of the decks against each other with the current cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from balance import CONFIDENCE, CardContest, Demands, Floats, Interval, MatchupCounts, play_matchups
from balance.contest.band import BandVerdict, band_verdict
from balance.run.result_tables import CARD_COLUMNS, MatchupRow, card_rows, matchup_rows
from balance.verdict.first_seat import FirstSeat
from experiments import plots
from experiments.agents import check_contest
from experiments.cli.session import MEASURING, Session, Work, session_command
from experiments.commands.pilots import (
    find_weak_pilots,
    weak_pilot_entries,
    weak_pilot_lines,
    with_pilots_named,
)
from experiments.files.option_errors import option_error
from experiments.observed.results_file import is_results_file
from experiments.runs.run import Findings, Run
from experiments.screen import (
    SHORT_LEGEND,
    VERDICT_WORDS,
    Shown,
    Table,
    demand_entries,
    legend_of,
    marked,
    percent,
    wanted_words,
)
from experiments.screen.first_seat_words import first_seat_words
from experiments.screen.matrix_table import MATRIX_FROM, matrix_table
from sim import entry
from sim.files.row_file import columns

_MANY_DRAWS = 0.2  # share of draws above which to warn; card games usually have below 0.01


@session_command(*MEASURING, "agent", "games")
def matchups(
    session: Session,
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT",
            help="An experiment file, the name of a shipped experiment, or a table with results of "
            "games: .csv, .tsv or .xlsx.",
        ),
    ],
    *,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEANING=TITLE",
            help="Of a table of results: titles of its columns, such as "
            "player_a=Deck,player_b=Opponent.",
        ),
    ] = None,
    decks: Annotated[
        Path | None,
        typer.Option(
            help="Of a table of results: a table or a folder with the lists of the decks, to "
            "estimate the effect of each card."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(help='Of a table of results: who played the games, such as "ladder, May".'),
    ] = None,
) -> Work:
    """Measure the win rate of every pair of decks.

    The run folder also contains a table with statistics of each card. Given a table of results, the
    command computes the win rates, ratings and the metagame of its games, and plays none.
    """
    if is_results_file(experiment):
        from experiments.commands.observed_matchups import observed_work  # noqa: PLC0415

        return observed_work(session, experiment, columns=columns, decks=decks, source=source)
    _refuse_results_options(columns=columns, decks=decks, source=source)
    work = with_pilots_named(run_matchups)
    return partial(session.run, "matchups", experiment, check_contest, work)


def _refuse_results_options(**given: object) -> None:
    """Refuse options that apply to a table of results.

    Raises:
        InputError: an option is given.
    """
    for option, value in given.items():
        if value is not None:
            raise option_error(
                option,
                "applies only to a table of results, a .csv, .tsv or .xlsx file",
                value=value,
                remedy="leave it out, or name such a table",
            )


def run_matchups(run: Run) -> Findings:
    """Play all matchups; return the win rates, the use of cards, a heatmap, and warnings."""
    settings = run.experiment.settings
    contest = run.experiment.contest()
    counts = play_current_matchups(run, contest, keep_cards=True)
    rows = matchup_rows(contest, counts)
    demands = settings.demands_in(contest).with_matchups(contest.matchup_names)
    rates = demands.read(counts, CONFIDENCE).at(0)
    verdicts = _verdicts(rows, demands)
    seats = _first_seats(contest, counts, rows, run.experiment.first_seat_bounds)
    run.screen.stage("comparing the pilots with light")
    weak = find_weak_pilots(run.experiment)
    return Findings(
        summary=summarise(contest, counts, rows, verdicts, settings.seed, seats)
        | {"demands": demand_entries(demands, rates)}
        | weak_pilot_entries(weak),
        tables={
            "matchups.csv": (
                (*columns(MatchupRow), "least", "most", "verdict"),
                [
                    (*row, *bounds, verdict)
                    for row, bounds, verdict in zip(
                        rows, demands.bounds.T[: len(rows)], verdicts, strict=True
                    )
                ],
            ),
            "cards.csv": (CARD_COLUMNS, card_rows(contest, counts)),
        },
        figures={
            "matchups.png": lambda: plots.matchup_heatmap(
                contest,
                counts,
                title=f"{settings.name}: win rates today",
                bounds=demands.bounds[:, : len(rows)],
            )
        },
        shown=[*_shown(contest, rows, verdicts, demands, rates, seats), *weak_pilot_lines(weak)],
    )


def _verdicts(rows: Sequence[MatchupRow], demands: Demands) -> list[BandVerdict]:
    """Return the verdict on each matchup: whether its interval is inside its band."""
    bounds = demands.bounds.T[: len(rows)].tolist()
    return [band_verdict(row.win_rate, *ends) for row, ends in zip(rows, bounds, strict=True)]


def play_current_matchups(
    run: Run, contest: CardContest, purpose: str = "matchups", *, keep_cards: bool = False
) -> MatchupCounts:
    """Play the games of all matchups with the current cards, and count their results.

    Args:
        run: the run of the experiment, which sets the number of games and the seed.
        contest: the contest to play.
        purpose: name of the stream of game seeds.
        keep_cards: whether to count the plays of each card.
    """
    n_games = run.experiment.settings.games.matchups
    n_matchups = len(contest.matchups)
    with run.watched(f"playing {n_matchups} matchups", contest, n_matchups * n_games) as watched:
        return play_matchups(
            watched,
            contest.table,
            n_games=n_games,
            run_seed=run.experiment.settings.seed,
            purpose=purpose,
            keep_cards=keep_cards,
        )


class _FirstSeats(NamedTuple):
    """First seat's share of wins: over all matchups, and in each matchup, shape ``[M]``."""

    overall: FirstSeat
    by_matchup: Sequence[FirstSeat]


def _first_seats(
    contest: CardContest,
    counts: MatchupCounts,
    rows: Sequence[MatchupRow],
    bounds: tuple[float, float],
) -> _FirstSeats:
    """Return the first seat's share of wins over all matchups and in each matchup.

    Args:
        contest: the contest that was played.
        counts: results of the games.
        rows: results by matchup.
        bounds: lower and upper bound of the band of the first seat's share.
    """
    n_games = counts.n_games * len(contest.matchups)
    return _FirstSeats(
        FirstSeat(counts.first_seat().at(0), *bounds, n_games),
        [FirstSeat(row.first_seat, *bounds, row.n) for row in rows],
    )


def summarise(
    contest: CardContest,
    counts: MatchupCounts,
    rows: Sequence[MatchupRow],
    verdicts: Sequence[BandVerdict],
    seed: int,
    seats: _FirstSeats,
) -> dict[str, Any]:
    """Return the content of `summary.json` for `matchups`, which `--json` prints."""
    draws = counts.draw_rate()
    return {
        "command": "matchups",
        "seed": seed,
        "matchups": [
            matchup_entry(row)
            | {
                "verdict": verdict,
                "first_seat_outside": seat.is_outside,
                "first_seat_verdict": seat.verdict,
            }
            for row, verdict, seat in zip(rows, verdicts, seats.by_matchup, strict=True)
        ],
        "first_seat": seats.overall.as_entry(),
        "draw_rate": {"rate": draws.estimate[0], "low": draws.low[0], "high": draws.high[0]},
        "n": counts.n_games * len(contest.matchups),
    }


def matchup_entry(row: MatchupRow) -> dict[str, Any]:
    """Return a row as the entry of a summary, with the key `win_rate_a` renamed to `win_rate`."""
    return {"win_rate" if key == "win_rate_a" else key: value for key, value in entry(row).items()}


def _shown(
    contest: CardContest,
    matchups: Sequence[MatchupRow],
    verdicts: Sequence[BandVerdict],
    demands: Demands,
    rates: Interval,
    seats: _FirstSeats,
) -> list[Shown]:
    """Return the matchups as a list, or as a matrix for many players, and the other demands."""
    bounds = demands.bounds.T[: len(matchups)]
    others = [
        f"{demands.names[n]}: {marked(f'{percent(rates.at(n))} %', verdict)} "
        f"(wanted: {wanted_words(*demands.bounds[:, n])})"
        for n, verdict in enumerate(demands.verdicts(rates))
        if n >= len(matchups)
    ]
    if not demands.with_first_seat:  # otherwise the first seat is one of the demands
        others.append(f"First seat over all matchups: {first_seat_words(seats.overall)}")
    others += _draw_warning(contest, matchups)
    legend = legend_of([*verdicts, *(s.verdict for s in (seats.overall, *seats.by_matchup))])
    if len(contest.players) < MATRIX_FROM:
        return [_list_table(matchups, bounds, verdicts, seats.by_matchup), *legend, *others]
    return [
        _matrix_table(contest, matchups, verdicts),
        *legend,
        *_sentences(matchups, verdicts, seats.by_matchup),
        *others,
    ]


def _draw_warning(contest: CardContest, matchups: Sequence[MatchupRow]) -> list[str]:
    """Return a warning on the matchup with most draws, if its share is above `_MANY_DRAWS`."""
    drawn = [row for row in matchups if row.draw_rate > _MANY_DRAWS]
    if not drawn:
        return []
    worst = max(drawn, key=lambda row: row.draw_rate)
    return [
        f"Draws: {100 * worst.draw_rate:.0f} % of the games of {worst.a} vs {worst.b}; each counts "
        "as half a win for both. A game without a winner ends at the rule turn_cap = "
        f"{contest.table.ruleset.turn_cap}; raise it if games end too early"
    ]


def _list_table(
    matchups: Sequence[MatchupRow],
    bounds: Floats,
    verdicts: Sequence[BandVerdict],
    seats: Sequence[FirstSeat],
) -> Table:
    """Return a table with a row for each matchup, with the marks of the bands."""
    return Table(
        f"Win rate of the first-named over {matchups[0].n:,} games, both seatings "
        "(± half of the 95 % interval)",
        ("matchup", "target", "win rate, %", "first seat, %", "draws, %", "turns"),
        [
            (
                f"{row.a} vs {row.b}",
                wanted_words(*wanted),
                marked(percent(row.win_rate), verdict),
                marked(percent(seat.win_rate), seat.verdict),
                f"{100 * row.draw_rate:.2f}",
                f"{row.mean_turns:.1f}",
            )
            for row, wanted, verdict, seat in zip(matchups, bounds, verdicts, seats, strict=True)
        ],
    )


def _matrix_table(
    contest: CardContest, matchups: Sequence[MatchupRow], verdicts: Sequence[BandVerdict]
) -> Table:
    """Return the matrix of win rates of all pairs of decks in whole percent, with row means."""
    # Half the width of the widest interval, so that the printed width is valid for every cell.
    half = max(50 * float(row.win_rate.high - row.win_rate.low) for row in matchups)
    return matrix_table(
        f"Win rate of the row's deck against each other's, % ({matchups[0].n:,} games each, "
        f"± {half:.1f} at most at 95 %; {SHORT_LEGEND})",
        [player.name for player in contest.players],
        contest.matchups,
        [float(row.win_rate.estimate) for row in matchups],
        [VERDICT_WORDS[verdict].short_mark for verdict in verdicts],
    )


def _sentences(
    matchups: Sequence[MatchupRow], verdicts: Sequence[BandVerdict], seats: Sequence[FirstSeat]
) -> list[str]:
    """Return sentences on all matchups: counts of rates outside their bands, draws and lengths."""
    n_outside = verdicts.count("outside")
    n_not_shown = verdicts.count("not shown")
    draws, turns = np.mean([(row.draw_rate, row.mean_turns) for row in matchups], axis=0)
    n_seats = sum(seat.is_outside for seat in seats)
    return [
        f"{n_outside} of {len(matchups)} matchups are outside their bands, and {n_not_shown} more "
        "are not shown to be inside",
        f"In {n_seats} of {len(matchups)} matchups the first seat's share is outside its band; "
        f"{100 * draws:.2f} % of games are draws, and a game has {turns:.1f} turns on average; "
        "matchups.csv has these numbers for each pair",
    ]
