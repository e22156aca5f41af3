"""Saving: the numbers as files that load, and what is known of them for people.

All goes below the session's folder, under names of our own.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from balance import Edit
from balance.tune import ALL, USUAL_STEPS, MaxSteps, Tune
from experiments.experiment import PATCHED_POOL, PATCHED_RULESET, Experiment
from experiments.files.agent_files import reference_of
from experiments.loading import SHIPPED
from experiments.report.template import page_template
from experiments.results.compared import ChangeRow, patch_entry, rate_entry
from experiments.runs.run_folder import RunFolder
from experiments.screen import BAND_LEGEND, mark_of, percent, wanted_words
from experiments.workbench.board import Board
from experiments.workbench.draft import Draft, Locked, values_of
from experiments.workbench.session import Session
from sim import find_data_file
from sim.files.whole_file import read_text
from sim.ruleset import RULES

EXPERIMENT = "experiment.toml"
NOTES = "patch_notes.txt"
PAGE = "session.html"
SUMMARY = "summary.json"
_TEMPLATES = Path(__file__).parent / "templates"
STYLE = Path(__file__).parents[1] / "report" / "templates" / "style.css"
"""The report's, for every page."""


def save(
    board: Board, session: Session, draft: Draft, rows: Sequence[ChangeRow], folder: RunFolder
) -> tuple[str, ...]:
    """Write a draft; the names of the files.

    Args:
        board: whose numbers.
        session: what was certified of it.
        draft: what is written.
        rows: rates that are known with its edits; none if it has only just been made.
        folder: where to.

    Raises:
        InputError: a file cannot be written.
    """
    experiment = board.experiment
    patch = board.patch(draft.values)
    moves_rules = any(edit.card == RULES for edit in patch.edits)
    experiment.write_patched(patch.edits, folder.path)
    if not moves_rules:
        (folder.path / PATCHED_RULESET).unlink(missing_ok=True)  # of an earlier save
    told = _Told(board, session, draft, rows)
    folder.write(EXPERIMENT, _experiment_text(board, draft, folder.path, moves_rules))
    folder.write(NOTES, told.notes_text())
    folder.write(PAGE, told.page())
    folder.write_json(SUMMARY, told.summary())
    rules = (PATCHED_RULESET,) if moves_rules else ()
    return (PATCHED_POOL, *rules, EXPERIMENT, NOTES, PAGE, SUMMARY)


def _experiment_text(
    board: Board,
    draft: Draft,
    folder: Path,
    moves_rules: bool,  # noqa: FBT001
) -> str:
    """The experiment's file with the patched cards as today's, and with locks and constraints."""
    import tomlkit  # noqa: PLC0415 (slow to load)

    experiment = board.experiment
    settings = board.experiment.settings
    document: Any = tomlkit.parse(read_text(experiment.path))
    document["seed"] = settings.seed
    document["pool"] = PATCHED_POOL
    if moves_rules:
        document["ruleset"] = PATCHED_RULESET
    else:
        document["ruleset"] = _reached("rulesets", settings.ruleset, experiment, folder)
    for entry, player in zip(document["player"], settings.players, strict=True):
        entry["deck"] = _reached("decks", player.deck, experiment, folder)
        pilot = reference_of(player.agent)
        if pilot.endswith(".pt"):
            there = _way(experiment.pilots[player.agent].path, folder)
            entry["agent"] = player.agent.replace(pilot, there)
    goals = document.get("target", {}).get("win_rate")
    if isinstance(goals, str) and goals.endswith(".csv"):
        document["target"]["win_rate"] = _way(experiment.path.parent / goals, folder)
    _put_tune(document, board, draft, tomlkit)
    return tomlkit.dumps(document)


def _put_tune(document: Any, board: Board, draft: Draft, toml: Any) -> None:
    """Constraints, and locks of cards and of rules; a lock of one number of a card has no word."""
    tune = document.setdefault("tune", toml.table())
    today = board.experiment.settings.tune
    constraints = draft.constraints
    free = [field for field in today.rules if not draft.is_locked(RULES, field)]
    rules = {field: [*today.rules[field]] for field in free}
    for key, value in (
        ("lock", [*_locked_cards(board, draft)]),
        ("rules", rules),
        ("max_cards", constraints.max_cards),
        ("max_change", constraints.max_change),
        ("max_card_change", constraints.max_card_change),
        ("stat_budget", constraints.stat_budget),
        ("max_steps", _steps_told(constraints.max_steps)),
        ("direction", _direction_words(constraints.tune(today))),
    ):
        if value or value == 0:
            tune[key] = value
        elif key in tune:
            del tune[key]


def _steps_told(most: MaxSteps) -> int | dict[str, int]:
    """As files write them: a table names what differs from what is usual."""
    if isinstance(most, int):
        return most
    return {field: steps for field, steps in most.items() if steps != USUAL_STEPS}


def _locked_cards(board: Board, draft: Draft) -> Iterator[str]:
    """Cards of which no number may move, in the order of the locks."""
    for card in dict.fromkeys(lock.card for lock in draft.locks):
        fields = [name for owner, name in board.numbers if owner == card]
        is_held = all(draft.is_locked(card, name) for name in fields)
        if card != RULES and (draft.is_locked(card, None) or (fields and is_held)):
            yield card


def _lone_locks(board: Board, draft: Draft) -> Iterator[str]:
    """Cards of which some numbers are locked and others may move, as their pool could say it."""
    whole = {*_locked_cards(board, draft), RULES}
    values = draft.values
    tune = draft.constraints.tune(board.experiment.settings.tune)
    for card in dict.fromkeys(lock.card for lock in draft.locks if lock.card not in whole):
        free = [
            f"{name} = [{max(number.least, to - steps)}, {min(number.most, to + steps)}]"
            for (owner, name), number in board.numbers.items()
            if owner == card and not draft.is_locked(card, name)
            for to, steps in [(values.get((card, name), number.today), tune.steps_of(name))]
        ]
        yield f"{card}: tunable = {{ {', '.join(free)} }}"


def _direction_words(tune: Tune) -> str | dict[str, str]:
    """As files write them: a word that is for all stands alone."""
    return tune.direction[ALL] if {*tune.direction} == {ALL} else dict(tune.direction)


def _reached(kind: Any, name: str, experiment: Experiment, folder: Path) -> str:
    """What names a file of data from the session's folder."""
    file = find_data_file(kind, name, near=experiment.path)
    is_shipped = not name.endswith(".toml") and _is_shipped(kind, name, file)
    return name if is_shipped else _way(file, folder)


def _is_shipped(kind: Any, name: str, file: Path) -> bool:
    """Whether the name alone finds the same file from anywhere."""
    try:
        return find_data_file(kind, name, near=SHIPPED).samefile(file)
    except ValueError:
        return False


def _way(file: Path, folder: Path) -> str:
    """The way from a folder to a file, as TOML files write it."""
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return file.resolve().as_posix()


class _Told:
    """What is known of a draft, in the forms in which it is told."""

    def __init__(
        self, board: Board, session: Session, draft: Draft, rows: Sequence[ChangeRow]
    ) -> None:
        self.board = board
        self.draft = draft
        self.rows = rows
        self.patch = board.patch(draft.values)
        self.printed = board.printed(self.patch.edits)
        last = session.certificate
        self.verdict = last if last and values_of(last.edits) == draft.values else None
        self.n_games = rows[0].n if rows else 0
        self.notes = [
            (board.name(one), draft.notes[one]) for one in board.shown if one in draft.notes
        ]

    def notes_text(self) -> str:
        """Patch notes for people, and how to see the numbers again."""
        settings = self.board.experiment.settings
        patch = self.patch
        cards = f" on {patch.cards_touched} cards" if patch.cards_touched else ""
        lines = [f"{settings.name}: change {patch.change:g}{cards}", ""]
        lines += [str(edit) for edit in patch.edits] or ["No changes."]
        lines += map(str, self.printed.largest)
        lines += ["", *(f"{name}: {note}" for name, note in self.notes)]
        if self.printed.cards:
            lines += ["", "The changed cards:", *map(str, self.printed.cards)]
        lines += ["", self.status(), *map(_rate_line, self.rows), *self.lock_lines()]
        return "\n".join([*lines, "", *self.commands(), ""])

    def status(self) -> str:
        """How sure all this is."""
        if self.verdict is not None:
            word = "Certified" if self.verdict.certified else "Not certified"
            told = [word, self.verdict.text]
            if self.verdict.opinion:
                told.append(self.verdict.opinion["sentence"].removesuffix("."))
            return ". ".join(told)
        n_games = f"{self.n_games:,}" if self.rows else "no"
        return f"Explored by {n_games} games per matchup, not certified."

    def lock_lines(self) -> list[str]:
        """Locks of single numbers, which the experiment's file cannot say."""
        lone = [*_lone_locks(self.board, self.draft)]
        told = (
            f"Locked numbers that {EXPERIMENT} has no word for, since [tune] locks whole cards "
            f"only. These lines of the cards in {PATCHED_POOL} would lock them:"
        )
        return ["", told, *lone] if lone else []

    def commands(self) -> list[str]:
        """What prints the same rates, if they are known."""
        settings = self.board.experiment.settings
        edits = self.patch.edits
        if not edits or not self.rows:
            return []
        words = [f"{_owner(edit)}.{edit.field}={edit.after}" for edit in edits]
        asked = ["evenhand", "whatif", str(self.board.experiment.path), *words]
        asked += ["--games", str(self.n_games), "--seed", str(settings.seed)]
        return ["The same numbers again:", shlex.join(asked)]

    def summary(self) -> dict[str, Any]:
        """As that of `whatif`."""
        settings = self.board.experiment.settings
        return {
            "command": "workbench",
            "experiment": settings.name,
            "seed": settings.seed,
            "n": self.n_games,
            **patch_entry(self.patch),
            **self.printed.as_entries(),
            "rates": [rate_entry(row) for row in self.rows],
        }

    def page(self) -> str:
        """One HTML file that asks for nothing."""
        experiment = self.board.experiment
        return page_template(_TEMPLATES / "session.html.j2").render(
            style=STYLE.read_text(encoding="utf-8"),
            name=experiment.settings.name,
            seed=experiment.settings.seed,
            players=[(one.name, one.agent.name) for one in self.board.contest.players],
            patch=self.patch,
            printed=self.printed,
            notes=self.notes,
            locks=[_lock_words(self.board, lock) for lock in self.draft.locks],
            constraints=self.draft.constraints,
            rows=[
                (
                    row,
                    wanted_words(row.least, row.most),
                    mark_of(row.verdict_today),
                    mark_of(row.verdict),
                )
                for row in self.rows
            ],
            legend=BAND_LEGEND,
            steps=self.draft.constraints.tune(self.board.experiment.settings.tune).steps_words,
            n_games=self.n_games,
            verdict=self.verdict,
            status=self.status(),
            commands=self.commands(),
        )


def _lock_words(board: Board, lock: Locked) -> str:
    name = board.name(lock.card)
    return name if lock.field is None else f"{name}: {lock.field}"


def _owner(edit: Edit) -> str:
    return "rules" if edit.card == RULES else edit.card


def _rate_line(row: ChangeRow) -> str:
    change = f"{float(row.change.estimate):+.1f} pp" if row.can_change else "same"
    today, patched = (
        f"{percent(rate)} % {mark_of(verdict)}".rstrip()
        for rate, verdict in ((row.today, row.verdict_today), (row.patched, row.verdict))
    )
    return f"{row.rate}: {patched} (today {today}, {change})"
