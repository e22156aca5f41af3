"""The stage of `evenhand balance` after the certificate: the patch in the hands of other pilots."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from balance import BalanceRun
from balance.second_opinion.opinion import (
    OpinionRow,
    PilotOpinion,
    Question,
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
from experiments.screen import Shown, Table, percent, wanted_words
from experiments.screen.opinion_words import VERDICTS
from sim import error_place
from sim.play import Agent
from sim.ruleset import RULES

FIELD = "second_opinion.pilots"
TABLE = "second_opinion.csv"
_MOST_SHOWN = 24  # rows of the table on the screen: three pilots of a table of eight matchups
_MORE = 4  # times as many games halve an interval


@dataclass(frozen=True)
class OpinionReport:
    """What is shown of a second opinion, wherever that is.

    Attributes:
        summary: as `summary.json` holds it.
        rows: of the table.
        shown: for the screen, behind the patch.
        notes: for the patch notes, behind the win rates.
    """

    summary: dict[str, Any]
    rows: Sequence[OpinionRow] = ()
    shown: Sequence[Shown] = ()
    notes: Sequence[str] = ()

    @property
    def headline(self) -> list[str]:
        """For whom the patch holds, directly below what it is."""
        return [line for line in (self.summary["sentence"], self.summary["about"]) if line]

    @property
    def tables(self) -> dict[str, Rows]:
        """By the names of their files."""
        return {TABLE: (OpinionRow, self.rows)} if self.rows else {}


def without_opinion(why: str) -> OpinionReport:
    """The report where nobody else played, and why."""
    return OpinionReport(no_opinion(why))


def with_other_pilots(experiment: Experiment, results: Path) -> Experiment:
    """The experiment, depending on the trained agents that its second opinion names.

    Raises:
        InputError: there is no such agent, or it cannot play these decks.
    """
    named = [(name, FIELD) for name in experiment.settings.second_opinion.pilots]
    found = experiment.with_pilots(find_pilots(named, near=experiment.path, results=results))
    other_pilots(found, results)
    return found


def other_pilots(experiment: Experiment, results: Path) -> list[Agent]:
    """The agents that are asked, but for one that pilots every deck already.

    Args:
        experiment: whose `[second_opinion]` names them.
        results: parent of the run folders, where trained agents are looked for.

    Raises:
        InputError: there is no such agent, or it cannot play these decks.
    """
    with error_place(FIELD):
        pilots = [
            agent_for(name, experiment, experiment.decks, results)
            for name in experiment.settings.second_opinion.pilots
        ]
    return others_of(experiment.contest(), pilots)


def ask_others(run: Run, found: BalanceRun) -> OpinionReport:
    """Play a found patch in the hands of other pilots, with a progress bar of games."""
    experiment = run.experiment
    if not experiment.settings.second_opinion.pilots:
        return without_opinion("No second opinion: [second_opinion] pilots names nobody.")
    pilots = other_pilots(experiment, run.folder.path.parent)
    if not pilots:
        return without_opinion(
            "No second opinion: every pilot of [second_opinion] plays all decks already."
        )
    run.folder.log("second opinion")
    most = experiment.settings.second_opinion.games
    n_matchups = len(found.contest.matchups)
    stages = {one.name: n_matchups * (most or most_games_of(one)) for one in pilots}
    with run.screen.games("second opinion", stages) as bar:
        contest = replace(found.contest, on_games=bar.played if run.screen.is_watched else None)
        question = Question.of(contest, found.evaluator, found.selection.genome)
        opinions = ask_pilots(question, pilots, most, bar.begin)
    return report_of(run, found, opinions)


def report_of(run: Run, found: BalanceRun, opinions: Sequence[PilotOpinion]) -> OpinionReport:
    """What is shown of the opinions of some pilots."""
    rows = opinion_rows(opinions)
    here = _beside_today(run.experiment, found, run.folder.path)
    from_folder = _beside_today(run.experiment, found, None)
    return OpinionReport(
        opinion_summary(
            found.contest, opinions, certified=found.certificate.certified, patch=found.patch
        ),
        rows,
        ["", *_table(rows), *_commands(here, opinions)],
        _notes(opinions, _commands(from_folder, opinions)),
    )


def _table(rows: Sequence[OpinionRow]) -> list[Shown]:
    """The rates; where they are many, those that are not inside, the worst first."""
    if not rows:
        return []
    shown = list(rows)
    if len(rows) > _MOST_SHOWN:
        shown = sorted(rows, key=lambda row: (row.verdict == "inside", -row.off_pp))[:_MOST_SHOWN]
    left_out = f". {len(rows) - len(shown)} more rows in {TABLE}" if len(rows) > len(shown) else ""
    today = ", ".join({f"{row.before_n:,} ({row.agent})": None for row in rows})
    table = Table(
        "Second opinion, no part of the certificate: win rate of the first-named when one pilot "
        "plays all decks, % (± half of the interval, 95 % over all looks at the games)",
        ("matchup", "target", "today", "patched", "games", "patched is"),
        [line for pilot in {row.agent: None for row in rows} for line in _lines(pilot, shown)],
    )
    return [table, f"{VERDICTS}. Today's cards played {today} games per matchup{left_out}"]


def _lines(pilot: str, rows: Sequence[OpinionRow]) -> list[tuple[str, ...]]:
    """The lines of one pilot: its name, and its rates."""
    lines = [
        (
            f"  {row.matchup}",
            wanted_words(row.least, row.most),
            percent(row.before),
            percent(row.after),
            f"{row.after_n:,}",
            row.verdict.upper() if row.verdict == "outside" else row.verdict,
        )
        for row in rows
        if row.agent == pilot
    ]
    return [(f"{pilot}:", *[""] * 5), *lines] if lines else []


def _commands(beside: Sequence[str], opinions: Iterable[PilotOpinion]) -> list[str]:
    """What plays more games where something is not shown, a line for each pilot.

    Args:
        beside: the command that plays the patch beside today's numbers.
        opinions: of the pilots.
    """
    lines = list[str]()
    for one in opinions:
        games = [row.after_n for row in one.rows if row.verdict == "not shown"]
        if not games:
            continue
        asked = ["--agent", one.agent, "--games", str(_MORE * max(games))]
        command = shlex.join(["evenhand", *beside, *asked])
        lines.append(f"More games of {one.agent}: {command}")
    return lines


def _beside_today(experiment: Experiment, found: BalanceRun, folder: Path | None) -> list[str]:
    """The command that plays a patch beside today's numbers.

    Args:
        experiment: today.
        found: the patch.
        folder: of the run; `None` for a command in that folder, which names no other place and so
            is the same wherever the run lies.
    """
    path = experiment.path
    name = path.stem if path.parent == SHIPPED else str(path) if folder else path.name
    if any(edit.card == RULES for edit in found.patch):  # which no pool can hold
        return ["compare", str(folder or ".")]
    return ["whatif", name, "--pool", str((folder or Path()) / PATCHED_POOL)]


def _notes(opinions: Iterable[PilotOpinion], more: Sequence[str]) -> list[str]:
    """The rates, as Markdown, and the commands that play `more` games."""
    lines = ["## In other hands"]
    for one in opinions:
        lines += ["", f"{one.agent}:"]
        lines += [f"- games could not be played to their end: {one.fault}"] if one.fault else []
        lines += map(_note, one.rows)
    return [*lines, *([""] if more else []), *more]


def _note(row: OpinionRow) -> str:
    before = row.before.times(100)
    after = row.after.times(100)
    shown = row.verdict if row.verdict != "not shown" else "not shown either way"
    return (
        f"- {row.matchup}: {before.estimate:.1f} % -> {after.estimate:.1f} % [{after.low:.1f}, "
        f"{after.high:.1f}] {shown}, {row.after_n:,} games"
    )
