"""Patches: genomes as edits, and edits applied to pools and files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.contest.patch import Edit, apply_patch, patch_notes, patch_of
from sim import find_data_file, load_pool
from sim.cards.pool_file import edit_pool_file
from sim.play.table import Gene, pack_table
from tests.balance.contests import THREE, free_space, space_of
from tests.duels import CORE, DUEL
from tests.messages import check_message

SPACE = space_of(THREE)
genomes = st.lists(st.integers(0, len(SPACE.genes) - 1), max_size=8, unique=True).flatmap(
    lambda edited: st.tuples(
        *(
            st.integers(int(SPACE.low[k]), int(SPACE.high[k])) if k in edited else st.just(0)
            for k in range(len(SPACE.genes))
        )
    )
)


@pytest.mark.thorough
@given(genomes)
def test_a_patched_pool_is_the_variant_that_was_played(steps: tuple[int, ...]) -> None:
    genome = np.array(steps, np.int16)
    patched = apply_patch(CORE, patch_of(genome, SPACE, THREE))
    variant = THREE.table.vary(SPACE.genes, genome[np.newaxis])
    np.testing.assert_array_equal(pack_table(patched, DUEL).words, variant.words)


@pytest.mark.thorough
@given(genomes)
def test_a_patch_has_one_edit_per_step_that_is_not_zero(steps: tuple[int, ...]) -> None:
    patch = patch_of(np.array(steps, np.int16), SPACE, THREE)
    made = {(CORE.index(edit.card), edit.field): edit.after - edit.before for edit in patch}
    asked = {tuple(gene): step for gene, step in zip(SPACE.genes, steps, strict=True) if step}
    assert made == asked
    assert len(patch) == len(made)
    for edit in patch:
        card = CORE.card(edit.card)
        assert (edit.name, edit.before) == (card.name, card.number(edit.field))


def test_an_edited_pool_file_is_the_patched_pool(tmp_path: Path) -> None:
    genome = np.random.default_rng(1).integers(SPACE.low, SPACE.high + 1).astype(np.int16)
    patch = patch_of(genome, SPACE, THREE)
    target = tmp_path / "patched.toml"
    edits = [(edit.card, edit.field, edit.after) for edit in patch]
    edit_pool_file(find_data_file("pools", "core"), target, edits)
    assert load_pool(str(target)) == apply_patch(CORE, patch)


def test_notes_are_one_line_per_edit() -> None:
    whelp = CORE.index("ember_whelp")
    collector = CORE.index("tithe_collector")
    genes = (Gene(whelp, "attack"), Gene(whelp, "health"), Gene(collector, "cost"))
    space = replace(free_space([-2] * 3, [2] * 3), genes=genes)
    patch = patch_of(np.array([-1, 2, 1], np.int16), space, THREE)
    assert len(patch_notes(patch).splitlines()) == len(patch)
    check_message(patch_notes(patch))
    assert patch[0] == Edit("ember_whelp", "Ember Whelp", "attack", 3, 2)


def test_no_edit_is_said_so() -> None:
    nothing = patch_of(np.zeros(len(SPACE.genes), np.int16), SPACE, THREE)
    assert nothing == ()
    check_message(patch_notes(nothing))
    assert apply_patch(CORE, nothing) == CORE
