"""`balance` of Big Two: which numbers of the rules make players and places equal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from balance.found_patch import balance_contest
from balance.methods import most_rounds
from balance.patch import Edit
from experiments.big_two.experiment import BigTwoExperiment
from experiments.big_two.matchups import RATE_WORDS
from experiments.commands.balance_report import summarise
from experiments.commands.found_patch import patch_findings, search_in
from experiments.runs.run import Findings, RunOf
from sim.big_two.rules import BigTwoRules
from sim.files.atomic_file import write_atomically
from sim.files.toml_file import read_text


def run_balance(run: RunOf[BigTwoExperiment]) -> Findings:
    """Balance an experiment; finds everything that a person wants to see of it."""
    began_s = time.perf_counter()
    experiment, settings = run.experiment, run.experiment.balance_settings()
    find = partial(balance_contest, experiment.contest(), experiment.space(), settings)
    with run.screen.progress("balance", most_rounds(settings.search)) as advance:
        found, effects = search_in(run, settings, experiment.question(), find, advance)
    target = run.folder.path / "patched_experiment.toml"
    write_patched(experiment.path, target, experiment.rules, found.patch)
    of = RATE_WORDS[experiment.settings.target.of]
    findings = patch_findings(experiment, found, effects, rates=f"Share of {of}")
    summary = summarise(experiment, found, effects, seconds=time.perf_counter() - began_s)
    return replace(findings, summary=summary)


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
