"""Functions that save a draft: an experiment for other commands, patch notes and an HTML page.

All files are written to the session's folder, under fixed names.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from balance import Edit
from balance.space.tune import ALL, USUAL_STEPS, MaxSteps, Tune
from experiments.contest_experiment import PATCHED
from experiments.experiment import PATCHED_POOL, PATCHED_RULESET, Experiment
from experiments.files.agent_files import reference_of
from experiments.loading import SHIPPED
from experiments.report.template import page_template
from experiments.results.compared import ChangeRow, patch_entry, rate_entry
from experiments.runs.run_folder import RunFolder
from experiments.screen import counted, marked, percent, wanted_words
from experiments.workbench.draft import Draft, Locked, values_of
from experiments.workbench.session import Session
from experiments.workbench.view_model import ViewModel
from sim import find_data_file
from sim.files.toml_document import load_tomlkit
from sim.files.whole_file import read_text
from sim.ruleset import RULES

EXPERIMENT = "experiment.toml"
NOTES = "patch_notes.txt"
PAGE = "session.html"
SUMMARY = "summary.json"
_TEMPLATES = Path(__file__).parent / "templates"
STYLE = Path(__file__).parents[1] / "report" / "templates" / "style.css"
"""Style sheet of the report, which all pages use."""


def save(
    view: ViewModel, session: Session, draft: Draft, rows: Sequence[ChangeRow], folder: RunFolder
) -> tuple[str, ...]:
    """Write a draft to files in the session's folder; return the names of the files.

    Args:
        view: view model of the experiment.
        session: session of the draft; its last certificate is saved if it certified these edits.
        draft: draft to save.
        rows: one row per rate with the draft; empty before the first games.
        folder: folder of the session.

    Raises:
        InputError: a file cannot be written.
    """
    rendering = _Rendering(view, session, draft, rows)
    files = _write_inputs(view, draft, folder)
    folder.write(NOTES, rendering.notes_text())
    folder.write(PAGE, rendering.page())
    folder.write_json(SUMMARY, rendering.summary())
    return (*files, NOTES, PAGE, SUMMARY)


def _write_inputs(view: ViewModel, draft: Draft, folder: RunFolder) -> tuple[str, ...]:
    """Write the patched experiment, and what it names; return the names of the files.

    Args:
        view: view model of the experiment.
        draft: draft to save.
        folder: folder of the session.
    """
    patch = view.patch(draft.values)
    view.experiment.write_patched(patch.edits, folder.path)
    if not view.has_cards:
        return (PATCHED,)
    moves_rules = any(edit.card == RULES for edit in patch.edits)
    if not moves_rules:
        # An earlier save may have written a ruleset, which would not belong to this draft.
        (folder.path / PATCHED_RULESET).unlink(missing_ok=True)
    folder.write(EXPERIMENT, _experiment_text(view, draft, folder.path, moves_rules))
    rules = (PATCHED_RULESET,) if moves_rules else ()
    return (PATCHED_POOL, *rules, EXPERIMENT)


def _experiment_text(
    view: ViewModel,
    draft: Draft,
    folder: Path,
    moves_rules: bool,  # noqa: FBT001
) -> str:
    """Return the text of an experiment file with the patched cards, locks and constraints.

    Comments and order of the original file stay. Paths are relative to the session's folder.

    Args:
        view: view model of the experiment.
        draft: draft with the locks and constraints to write.
        folder: folder of the session, which will contain the file.
        moves_rules: whether the draft edits numbers of the rules, so that the file must refer to
            the patched ruleset.
    """
    tomlkit = load_tomlkit()

    experiment = view.experiment
    settings = view.experiment.settings
    document: Any = tomlkit.parse(read_text(experiment.path))
    document["seed"] = settings.seed
    document["pool"] = PATCHED_POOL
    if moves_rules:
        document["ruleset"] = PATCHED_RULESET
    else:
        document["ruleset"] = _data_file_name("rulesets", settings.ruleset, experiment, folder)
    for entry, player in zip(document["player"], settings.players, strict=True):
        entry["deck"] = _data_file_name("decks", player.deck, experiment, folder)
        pilot = reference_of(player.agent)
        if pilot.endswith(".pt"):
            path = _relative_path(experiment.pilots[player.agent].path, folder)
            entry["agent"] = player.agent.replace(pilot, path)
    goals = document.get("target", {}).get("win_rate")
    if isinstance(goals, str) and goals.endswith(".csv"):
        document["target"]["win_rate"] = _relative_path(experiment.path.parent / goals, folder)
    _put_tune(document, view, draft, tomlkit)
    return str(tomlkit.dumps(document))


def _put_tune(document: Any, view: ViewModel, draft: Draft, toml: Any) -> None:
    """Write a draft's constraints, locked cards and locked rules to `[tune]` of an experiment.

    Constraints without a value are removed. `[tune]` cannot lock a single number of a card;
    `_number_locks` describes such locks.

    Args:
        document: document of tomlkit, which is changed.
        view: view model of the experiment.
        draft: draft with the locks and constraints.
        toml: module `tomlkit`.
    """
    tune = document.setdefault("tune", toml.table())
    today = view.settings.tune
    constraints = draft.constraints
    free = [field for field in today.rules if not draft.is_locked(RULES, field)]
    rules = {field: [*today.rules[field]] for field in free}
    for key, value in (
        ("lock", [*_locked_cards(view, draft)]),
        ("rules", rules),
        ("max_cards", constraints.max_cards),
        ("max_change", constraints.max_change),
        ("max_card_change", constraints.max_card_change),
        ("stat_budget", constraints.stat_budget),
        ("max_steps", _steps_entry(constraints.max_steps)),
        ("direction", _direction_words(constraints.tune(today))),
    ):
        if value or value == 0:  # 0 is a limit, unlike `None` and empty tables
            tune[key] = value
        elif key in tune:
            del tune[key]


def _steps_entry(most: MaxSteps) -> int | dict[str, int]:
    """Return limits of steps for an experiment file: one number, or a table by field.

    The table omits fields with the default limit.
    """
    if isinstance(most, int):
        return most
    return {field: steps for field, steps in most.items() if steps != USUAL_STEPS}


def _locked_cards(view: ViewModel, draft: Draft) -> Iterator[str]:
    """Yield the ids of cards that are locked as a whole or in each of their numbers.

    The order is the order of the locks. The rules are left out.
    """
    for card in dict.fromkeys(lock.card for lock in draft.locks):
        fields = [name for owner, name in view.numbers if owner == card]
        are_all_locked = all(draft.is_locked(card, name) for name in fields)
        if card != RULES and (draft.is_locked(card, None) or (fields and are_all_locked)):
            yield card


def _number_locks(view: ViewModel, draft: Draft) -> Iterator[str]:
    """Yield one line of a pool file for each card with some, but not all, numbers locked.

    The line `tunable` lists the ranges of the card's unlocked numbers, so that all others are
    locked.
    """
    whole = {*_locked_cards(view, draft), RULES}
    values = draft.values
    tune = draft.constraints.tune(view.settings.tune)
    for card in dict.fromkeys(lock.card for lock in draft.locks if lock.card not in whole):
        free = [
            f"{name} = [{max(number.least, to - steps)}, {min(number.most, to + steps)}]"
            for (owner, name), number in view.numbers.items()
            if owner == card and not draft.is_locked(card, name)
            for to, steps in [(values.get((card, name), number.today), tune.steps_of(name))]
        ]
        yield f"{card}: tunable = {{ {', '.join(free)} }}"


def _direction_words(tune: Tune) -> str | dict[str, str]:
    """Return directions for an experiment file: a table, or a word for a single entry `all`."""
    return tune.direction[ALL] if {*tune.direction} == {ALL} else dict(tune.direction)


def _data_file_name(kind: Any, name: str, experiment: Experiment, folder: Path) -> str:
    """Return the name by which a TOML file in the session's folder refers to a data file.

    Args:
        kind: kind of the data file, such as `decks`.
        name: name of the data file in the experiment.
        experiment: experiment that uses the data file.
        folder: folder of the session.

    Returns:
        The name itself if it names a shipped file, else a path relative to the folder.
    """
    file = find_data_file(kind, name, near=experiment.path)
    is_shipped = not name.endswith(".toml") and _is_shipped(kind, name, file)
    return name if is_shipped else _relative_path(file, folder)


def _is_shipped(kind: Any, name: str, file: Path) -> bool:
    """Return whether a name refers to a shipped file, so that it is valid in every folder.

    Args:
        kind: kind of the data file, such as `decks`.
        name: name of the data file in an experiment.
        file: file that the experiment uses under this name.
    """
    try:
        return find_data_file(kind, name, near=SHIPPED).samefile(file)
    except ValueError:
        return False


def _relative_path(file: Path, folder: Path) -> str:
    """Return the path of a file relative to a folder, with forward slashes.

    On Windows, the path is absolute if file and folder are on different drives.
    """
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # raised on Windows if file and folder are on different drives
        return file.resolve().as_posix()


class _Rendering:
    """Rendering of a draft and its results as patch notes, summary and HTML page.

    Attributes:
        view: view model of the experiment.
        draft: draft to render.
        rows: one row per rate with the draft; empty before the first games.
        patch: edits of the draft, with their size.
        printed: printed cards before and after the edits.
        verdict: last certificate; `None` if there is none or it certified other edits.
        n_games: number of games per matchup behind the rates; 0 before the first games.
        notes: name of each card with a note, and text of the note.
    """

    def __init__(
        self, view: ViewModel, session: Session, draft: Draft, rows: Sequence[ChangeRow]
    ) -> None:
        self.view = view
        self.draft = draft
        self.rows = rows
        self.patch = view.patch(draft.values)
        self.printed = view.printed(self.patch.edits)
        last = session.certificate
        self.verdict = last if last and values_of(last.edits) == draft.values else None
        self.n_games = rows[0].n if rows else 0
        self.notes = [
            (view.name(card), draft.notes[card])
            for card in view.decks_by_card
            if card in draft.notes
        ]

    def notes_text(self) -> str:
        """Return the patch notes: edits, notes, printed cards, rates, locks and commands."""
        settings = self.view.experiment.settings
        patch = self.patch
        n_cards = patch.cards_touched
        thing = "card" if self.view.has_cards else "owner"
        cards = f" on {counted(n_cards, thing)}" if n_cards else ""
        lines = [f"{settings.name}: change {patch.change:g}{cards}", ""]
        lines += [str(edit) for edit in patch.edits] or ["No changes."]
        lines += map(str, self.printed.largest)
        lines += ["", *(f"{name}: {note}" for name, note in self.notes)]
        if self.printed.cards:
            lines += ["", "The changed cards:", *map(str, self.printed.cards)]
        lines += ["", self.status(), *map(_rate_line, self.rows), *self.lock_lines()]
        return "\n".join([*lines, "", *self.commands(), ""])

    def status(self) -> str:
        """Return the verdict and the second opinion of the draft's certificate as sentences.

        If these edits were not certified, return a sentence with the number of games behind the
        rates.
        """
        if self.verdict is not None:
            word = "Certified" if self.verdict.certified else "Not certified"
            sentences = [word, self.verdict.text]
            if self.verdict.opinion:
                sentences.append(self.verdict.opinion["sentence"].removesuffix("."))
            return ". ".join(sentences)
        n_games = f"{self.n_games:,}" if self.rows else "no"
        return f"Explored by {n_games} games per matchup, not certified."

    def lock_lines(self) -> list[str]:
        """Return a heading and one line per card with locks that the experiment file cannot hold.

        Return no lines if there are no locks of single numbers.
        """
        if not self.view.has_cards:
            return []
        locks = [*_number_locks(self.view, self.draft)]
        heading = (
            f"Locked numbers that {EXPERIMENT} cannot hold, since [tune] locks whole cards "
            f"only. These lines in the cards of {PATCHED_POOL} would lock them:"
        )
        return ["", heading, *locks] if locks else []

    def commands(self) -> list[str]:
        """Return lines with the command that computes the same rates.

        Return no lines if the draft has no edits or no rates.
        """
        settings = self.view.experiment.settings
        edits = self.patch.edits
        if not edits or not self.rows:
            return []
        words = [f"{_owner(edit)}.{edit.field}={edit.after}" for edit in edits]
        command = ["evenhand", "whatif", str(self.view.experiment.path), *words]
        command += ["--games", str(self.n_games), "--seed", str(settings.seed)]
        return ["To compute the same numbers again:", shlex.join(command)]

    def summary(self) -> dict[str, Any]:
        """Return the data of `summary.json`, in the same format as `evenhand whatif` writes."""
        settings = self.view.experiment.settings
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
        """Return the HTML page of the draft, which loads no other files."""
        experiment = self.view.experiment
        return page_template(_TEMPLATES / "session.html.j2").render(
            style=STYLE.read_text(encoding="utf-8"),
            name=experiment.settings.name,
            seed=experiment.settings.seed,
            players=self.view.players,
            patch=self.patch,
            thing="card" if self.view.has_cards else "owner",
            printed=self.printed,
            notes=self.notes,
            locks=[_lock_words(self.view, lock) for lock in self.draft.locks],
            constraints=self.draft.constraints,
            rows=[(row, wanted_words(row.least, row.most)) for row in self.rows],
            steps=self.draft.constraints.tune(self.view.settings.tune).steps_words,
            n_games=self.n_games,
            verdict=self.verdict,
            status=self.status(),
            commands=self.commands(),
        )


def _lock_words(view: ViewModel, lock: Locked) -> str:
    """Return the name of a locked card, followed by the field if only one number is locked."""
    name = view.name(lock.card)
    return name if lock.field is None else f"{name}: {lock.field}"


def _owner(edit: Edit) -> str:
    """Return the id of the edited card, or `rules`, as in an edit on the command line."""
    return "rules" if edit.card == RULES else edit.card


def _rate_line(row: ChangeRow) -> str:
    """Return a line of patch notes with a rate: patched, at the baseline, and its change.

    The change is `same` if the edits cannot affect the rate.
    """
    change = f"{float(row.change.estimate):+.1f} pp" if row.can_change else "same"
    today, patched = (
        marked(f"{percent(rate)} %", verdict)
        for rate, verdict in ((row.today, row.verdict_today), (row.patched, row.verdict))
    )
    return f"{row.rate}: {patched} (today {today}, {change})"
