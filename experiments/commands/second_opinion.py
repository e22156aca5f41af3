"""Second-opinion stage of `evenhand balance`: the found patch played by other pilots."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance import CardContest, FoundPatch
from balance.second_opinion.opinion import (
    OpinionRow,
    PatchTrial,
    PilotOpinion,
    ask_pilots,
    others_of,
)
from balance.second_opinion.verdicts import most_games_of
from experiments.agents import agent_for
from experiments.experiment import PATCHED_POOL, Experiment
from experiments.files.agent_files import find_pilots
from experiments.loading import SHIPPED
from experiments.results.opinion import no_opinion, opinion_rows, opinion_summary
from experiments.runs.run import Rows, Run
from experiments.screen import (
    Shown,
    Table,
    patched_rate_words,
    percent,
    wanted_words,
)
from sim import error_place
from sim.play import Agent
from sim.ruleset import RULES

FIELD = "second_opinion.pilots"
TABLE = "second_opinion.csv"
_MOST_SHOWN = 24  # maximum number of rows on the screen: three pilots with eight matchups each
_MORE = 4  # factor of games that halves an interval, as its width falls with the square root


@dataclass(frozen=True)
class OpinionReport:
    """Result of a second opinion: its summary, and the parts to show and to write.

    Attributes:
        summary: entry of `summary.json`.
        rows: rows of `second_opinion.csv`.
        shown: tables and lines for the screen, to be shown after the patch.
        notes: lines for the patch notes, to be written after the win rates.
    """

    summary: dict[str, Any]
    rows: Sequence[OpinionRow] = ()
    shown: Sequence[Shown] = ()
    notes: Sequence[str] = ()

    @property
    def headline(self) -> list[str]:
        """Sentences on the pilots with which the patch holds, to be shown below the patch."""
        return [line for line in (self.summary["sentence"], self.summary["about"]) if line]

    @property
    def tables(self) -> dict[str, Rows]:
        """Rows of the table by file name; empty if no pilot played."""
        return {TABLE: (OpinionRow, self.rows)} if self.rows else {}


def without_opinion(reason: str) -> OpinionReport:
    """Return the report of a run in which no other pilots played.

    Args:
        reason: sentence on why no other pilots played.
    """
    return OpinionReport(no_opinion(reason))


def with_other_pilots(experiment: Experiment, results: Path) -> Experiment:
    """Return the experiment with the trained agents of its second opinion.

    Args:
        experiment: the experiment; its `[second_opinion]` names the pilots.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: an agent is unknown, or cannot play these decks.
    """
    names = [(name, FIELD) for name in experiment.settings.second_opinion.pilots]
    complete = experiment.with_pilots(find_pilots(names, near=experiment.path, results=results))
    other_pilots(complete, results)  # raises an error if an agent cannot play these decks
    return complete


def other_pilots(experiment: Experiment, results: Path) -> list[Agent]:
    """Return the pilots of the second opinion, except pilots that already play every deck.

    Args:
        experiment: the experiment; its `[second_opinion]` names the pilots.
        results: parent of the run folders, which is searched for trained agents.

    Raises:
        InputError: an agent is unknown, or cannot play these decks.
    """
    with error_place(FIELD):
        pilots = [
            agent_for(name, experiment, experiment.decks, results)
            for name in experiment.settings.second_opinion.pilots
        ]
    return others_of(experiment.contest(), pilots)


def ask_others(
    run: Run, result: FoundPatch, trial: PatchTrial, playing: Sequence[str] = ()
) -> OpinionReport:
    """Play a found patch with other pilots, and return their rates.

    If no pilot is named, or all named pilots already play every deck, play no games and return a
    report with the reason.

    Args:
        run: run of the experiment that names the pilots.
        result: result of the search.
        trial: the found patch with the decks and the demands of the experiment.
        playing: names of the pilots that the certificate is about; by default those of the decks.
    """
    experiment = run.experiment
    if not experiment.settings.second_opinion.pilots:
        return without_opinion("No second opinion: [second_opinion] pilots names no pilot.")
    pilots = [
        pilot
        for pilot in other_pilots(experiment, run.folder.path.parent)
        if pilot.name not in playing
    ]
    if not pilots:
        return without_opinion(
            "No second opinion: every pilot of [second_opinion] plays all decks already."
        )
    run.folder.log("second opinion")
    most = experiment.settings.second_opinion.games
    n_matchups = len(trial.contest.matchups)
    stages = {pilot.name: n_matchups * (most or most_games_of(pilot)) for pilot in pilots}
    with run.screen.games("second opinion", stages) as bar:
        contest = replace(trial.contest, on_games=bar.played if run.screen.is_watched else None)
        opinions = ask_pilots(replace(trial, contest=contest), pilots, most, bar.begin)
    return _report_of(run, result, trial.contest, opinions, playing)


def _report_of(
    run: Run,
    result: FoundPatch,
    contest: CardContest,
    opinions: Sequence[PilotOpinion],
    playing: Sequence[str],
) -> OpinionReport:
    """Return the report on the rates of other pilots, with commands that play more games.

    Args:
        run: run of the experiment that was balanced.
        result: result of the search.
        contest: decks with their own pilots.
        opinions: rates of each other pilot.
        playing: names of the pilots of the certificate; empty for those of the decks.
    """
    rows = opinion_rows(opinions)
    comparing = _comparing_command(run.experiment, result, run.folder.path)
    comparing_in_folder = _comparing_command(run.experiment, result, None)
    return OpinionReport(
        opinion_summary(
            contest,
            opinions,
            certified=result.certificate.certified,
            patch=result.patch,
            own=playing,
        ),
        rows,
        ["", *_table(rows), *_commands(comparing, opinions)],
        _notes(opinions, _commands(comparing_in_folder, opinions)),
    )


def _table(rows: Sequence[OpinionRow]) -> list[Shown]:
    """Return a table of rates and a line on the games; empty if there are no rows.

    If there are more than `_MOST_SHOWN` rates, rates outside their bands and far from them come
    first, and the others are left out.
    """
    if not rows:
        return []
    shown = list(rows)
    if len(rows) > _MOST_SHOWN:
        shown = sorted(rows, key=lambda row: (row.verdict == "inside", -row.off_pp))[:_MOST_SHOWN]
    left_out = f". {len(rows) - len(shown)} more rows in {TABLE}" if len(rows) > len(shown) else ""
    # A dictionary, because a set would lose the order in which the pilots played.
    today = ", ".join({f"{row.before_n:,} ({row.agent})": None for row in rows})
    table = Table(
        "Second opinion (not part of the certificate): win rate of the first-named when one pilot "
        "plays all decks, % (± half of the interval, 95 % over all looks at the games)",
        ("matchup", "target", "today", "patched", "games", "patched is"),
        [line for pilot in {row.agent: None for row in rows} for line in _lines(pilot, shown)],
    )
    return [table, f"The cards before the patch: {today} games per matchup{left_out}"]


def _lines(pilot: str, rows: Sequence[OpinionRow]) -> list[tuple[str, ...]]:
    """Return the table lines of one pilot: its name, then its rates; empty if it has no rates."""
    lines = [
        (
            f"  {row.matchup}",
            wanted_words(row.least, row.most),
            percent(row.before),
            percent(row.after),
            f"{row.after_n:,}",
            row.verdict,
        )
        for row in rows
        if row.agent == pilot
    ]
    return [(f"{pilot}:", *[""] * 5), *lines] if lines else []


def _commands(comparing: Sequence[str], opinions: Iterable[PilotOpinion]) -> list[str]:
    """Return a command that plays more games for each pilot with a rate that is `not shown`.

    Args:
        comparing: words of the command that compares the patch with the baseline.
        opinions: rates of each pilot.
    """
    lines = list[str]()
    for opinion in opinions:
        games = [row.after_n for row in opinion.rows if row.verdict == "not shown"]
        if not games:
            continue
        options = ["--agent", opinion.agent, "--games", str(_MORE * max(games))]
        command = shlex.join(["evenhand", *comparing, *options])
        lines.append(f"More games of {opinion.agent}: {command}")
    return lines


def _comparing_command(
    experiment: Experiment, result: FoundPatch, folder: Path | None
) -> list[str]:
    """Return the words of the command that compares a patch with the baseline.

    Args:
        experiment: the experiment that was balanced.
        result: result of the search.
        folder: the run's folder; `None` for a command that is to be run in that folder, which stays
            valid if the folder is moved.
    """
    path = experiment.path
    name = path.stem if path.parent == SHIPPED else str(path) if folder else path.name
    # A pool file cannot contain changes of the rules, so `whatif` cannot apply them.
    if any(edit.card == RULES for edit in result.patch):
        return ["compare", str(folder or ".")]
    return ["whatif", name, "--pool", str((folder or Path()) / PATCHED_POOL)]


def _notes(opinions: Iterable[PilotOpinion], more: Sequence[str]) -> list[str]:
    """Return the rates of all pilots as Markdown, followed by the commands that play more games."""
    lines = ["## In other hands"]
    for opinion in opinions:
        lines += ["", f"{opinion.agent}:"]
        lines += (
            [f"- games could not be played to their end: {opinion.fault}"] if opinion.fault else []
        )
        lines += map(_note, opinion.rows)
    return [*lines, *([""] if more else []), *more]


def _note(row: OpinionRow) -> str:
    """Return a rate before and after the patch as an item of a Markdown list."""
    rate = patched_rate_words(row.matchup, row.before, row.after, row.verdict)
    return f"- {rate}, {row.after_n:,} games"
