"""Patched cards and rules as files that load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from balance import Edit, apply_patch
from balance.patch import apply_to_rules
from experiments.experiment import Experiment
from sim import REAL_POOL, find_data_file
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.ruleset import RULES, write_ruleset

PATCHED_POOL, PATCHED_RULESET = "patched_pool.toml", "patched_ruleset.toml"


def write_patched(experiment: Experiment, patch: Sequence[Edit], folder: Path) -> None:
    """Write `patched_pool.toml`, and `patched_ruleset.toml` where rules move.

    Args:
        experiment: whose cards and rules.
        patch: their edits.
        folder: where to.
    """
    target = folder / PATCHED_POOL
    if experiment.settings.pool == REAL_POOL:  # has no file of its own
        write_pool(apply_patch(experiment.pool, patch), target)
    else:
        source = find_data_file("pools", experiment.settings.pool, near=experiment.path)
        edits = [(one.card, one.field, one.after) for one in patch if one.card != RULES]
        edit_pool_file(source, target, edits)
    if any(edit.card == RULES for edit in patch):
        write_ruleset(apply_to_rules(experiment.ruleset, patch), folder / PATCHED_RULESET)
