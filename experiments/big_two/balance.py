"""`balance` of Big Two: which numbers of the rules make players and places equal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance.edit_effects import EditEffects, measure_edits
from balance.found_patch import FoundPatch, balance_contest
from balance.methods import method_named, most_rounds
from balance.patch import Edit
from experiments.big_two.experiment import BigTwoExperiment
from experiments.big_two.matchups import RATE_WORDS
from experiments.commands.balance_report import patch_text, summarise
from experiments.commands.found_patch import (
    evaluations,
    patch_figures,
    patch_tables,
    round_words,
    shown_patch,
)
from experiments.results.edits import edit_rows
from experiments.runs.ledger import counted_try
from experiments.runs.run import Findings, RunOf, search_progress
from sim.big_two.rules import BigTwoRules
from sim.files.atomic_file import write_atomically
from sim.files.toml_file import read_text


def run_balance(run: RunOf[BigTwoExperiment]) -> Findings:
    """Balance an experiment; finds everything that a person wants to see of it."""
    began_s = time.perf_counter()
    experiment, name = run.experiment, run.experiment.settings.name
    found, effects = _balanced(run)
    edits = edit_rows(found, effects)
    run.folder.log("certified" if found.certificate.certified else "not certified")
    run.folder.write("evaluations.parquet", evaluations(found))
    target = run.folder.path / "patched_experiment.toml"
    write_patched(experiment.path, target, experiment.rules, found.patch)
    of = RATE_WORDS[experiment.settings.target.of]
    return Findings(
        summary=summarise(experiment, found, effects, seconds=time.perf_counter() - began_s),
        tables=patch_tables(found, edits),
        texts={"patch_notes.txt": patch_text(experiment, found, edits)},
        figures=patch_figures(name, found),
        shown=shown_patch(experiment, found, rates=f"Share of {of}"),
    )


def _balanced(run: RunOf[BigTwoExperiment]) -> tuple[FoundPatch, EditEffects | None]:
    """The search, its selection, its certificate, and why each edit, with a progress bar."""
    experiment = run.experiment
    settings = experiment.balance_settings()
    kind, most = method_named(settings.search.method).kind, most_rounds(settings.search)
    with (
        counted_try(run.folder.path.parent, experiment.question()) as number,
        run.screen.progress("balance", most) as advance,
    ):
        progress = search_progress(run, kind, round_words, advance)
        found = balance_contest(
            experiment.contest(),
            experiment.space(),
            settings,
            threads=run.threads,
            state=progress.state,
            try_number=number,
            on_stage=progress.on_stage,
            on_generation=progress.on_generation,
        )
        progress.on_stage("edits")
        genome = found.selection.genomes[found.selection.recommended]
        return found, measure_edits(found.evaluator, genome, settings.games)


def write_patched(source: Path, target: Path, rules: BigTwoRules, patch: tuple[Edit, ...]) -> None:
    """Write an experiment with the patch in its `[rules]`, as a file that loads.

    Args:
        source: the experiment's file, whose comments stay.
        target: the file to write.
        rules: today's.
        patch: edits of their numbers.
    """
    import tomlkit  # noqa: PLC0415 (slow to load)

    document: Any = tomlkit.parse(read_text(source))
    table = document.setdefault("rules", tomlkit.table())
    patched = rules.with_numbers({edit.field: edit.after for edit in patch})
    table.update(_changed(rules, patched))
    write_atomically(target, tomlkit.dumps(document))


def _changed(before: BigTwoRules, after: BigTwoRules) -> Mapping[str, Any]:
    told, was = after.model_dump(mode="json"), before.model_dump(mode="json")
    return {name: value for name, value in told.items() if value != was[name]}
