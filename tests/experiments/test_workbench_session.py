"""Properties of a session: actions, undo and redo give drafts that survive storing and reading."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.space.tune import Tune
from experiments.loading import load_experiment
from experiments.runs.run_folder import RunFolder
from experiments.workbench.draft import (
    Apply,
    Constrain,
    Constraints,
    Draft,
    Edit,
    Edited,
    Lock,
    Note,
    Revert,
)
from experiments.workbench.save import save
from experiments.workbench.server import parse_request
from experiments.workbench.session import (
    SESSION,
    UNDO_MAX,
    Session,
    Timeline,
    read_session,
    write_session,
)
from experiments.workbench.suggest import _DraftProblem
from experiments.workbench.view_model import ViewModel
from sim import InputError
from tests.command_line import TINY, write_experiment
from tests.messages import check_message
from tests.refusals import refused

WITH_RULES = TINY.replace("[tune]", "[tune]\nrules = { life = [15, 25] }")
CARDS = st.sampled_from(["ember_whelp", "shell_warden", "cinder_imp", "(rules)", "nobody"])
FIELDS = st.sampled_from(["attack", "cost", "life", "health"])
VALUES = st.integers(-1, 26)
ACTIONS = st.one_of(
    st.builds(Edit, card=CARDS, field=FIELDS, to=VALUES),
    st.builds(Revert, card=CARDS, field=FIELDS),
    st.builds(Lock, card=CARDS, field=st.none() | FIELDS, locked=st.booleans()),
    st.builds(Note, card=CARDS, text=st.text(max_size=5)),
    st.builds(
        Constrain,
        max_cards=st.none() | st.integers(1, 3),
        max_change=st.none() | st.floats(0.1, 9),
        direction=st.sampled_from(["both", "buffs", "nerfs"]),
        max_card_change=st.none() | st.integers(1, 3),
        stat_budget=st.none() | st.integers(0, 3),
        max_steps=st.integers(1, 3) | st.just({"cost": 1}),
    ),
    st.builds(
        Apply,
        edits=st.lists(st.builds(Edited, card=CARDS, field=FIELDS, to=VALUES), max_size=3).map(
            tuple
        ),
    ),
)
STEPS = st.lists(st.one_of(ACTIONS, st.sampled_from(["undo", "redo"])), max_size=25)


def view_of(folder: Path, text: str) -> ViewModel:
    """Return the view model of an experiment that is written into a folder."""
    return ViewModel.of(load_experiment(str(write_experiment(folder, text))))


@cache
def view() -> ViewModel:
    """Return the view model of the experiment `WITH_RULES`."""
    with tempfile.TemporaryDirectory() as folder:
        return view_of(Path(folder), WITH_RULES)


def saved_tune(own: ViewModel, session: Session, draft: Draft, place: Path) -> tuple[Tune, str]:
    """Save a draft; return `[tune]` of the saved experiment, and the patch notes."""
    folder = place / "saved"
    folder.mkdir(exist_ok=True)
    save(own, session, draft, (), RunFolder(folder))
    tune = load_experiment(str(folder / "experiment.toml")).settings.tune
    return tune, (folder / "patch_notes.txt").read_text()


def new_timeline() -> Timeline:
    """Return a session without actions."""
    return Timeline(Session(first=Draft.first(view())), view())


def take(timeline: Timeline, step) -> bool:
    """Take a step, and return whether it was possible; an impossible one changes nothing."""
    before = timeline.session, timeline.draft
    try:
        if isinstance(step, str):
            {"undo": timeline.undo, "redo": timeline.redo}[step]()
        else:
            timeline.act(step)
    except InputError:
        after = timeline.session, timeline.draft
    else:
        return True
    assert after == before
    return False


def timeline_of(steps) -> Timeline:
    """Return a session in which all possible steps were taken."""
    timeline = new_timeline()
    for step in steps:
        take(timeline, step)
    return timeline


@given(STEPS)
def test_a_stored_session_is_read_back_unchanged(steps) -> None:
    timeline = timeline_of(steps)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_session(timeline.session, folder)
        again = read_session(folder, view())
        assert (again.session, again.draft) == (timeline.session, timeline.draft)
        for timelines in (timeline, again):
            with suppress(InputError):
                while True:
                    timelines.undo()
        assert again.draft == timeline.draft == Draft.first(view())


@given(STEPS, ACTIONS)
def test_undo_and_redo_restore_the_drafts_before_and_after_an_action(steps, action) -> None:
    timeline = timeline_of(steps)
    before = timeline.draft
    revision = timeline.session.revision
    if not take(timeline, action) or timeline.draft == before:
        assert timeline.session.revision == revision
        return
    after = timeline.draft
    assert after == action.apply(before, view())
    assert not take(timeline, "redo")
    assert take(timeline, "undo")
    assert timeline.draft == before
    assert take(timeline, "redo")
    assert (timeline.draft, timeline.session.revision) == (after, revision + 3)


@given(STEPS)
def test_edits_are_in_range_and_differ_from_the_baseline(steps) -> None:
    timeline = new_timeline()
    for step in steps:
        take(timeline, step)
        for (card, field), to in timeline.draft.values.items():
            number = view().number(card, field)
            assert number.least <= to <= number.most
            assert to != number.today


@given(STEPS, st.sampled_from(["ember_whelp", "shell_warden"]), VALUES)
def test_a_locked_number_keeps_its_value(steps, card, to) -> None:
    timeline = timeline_of(steps)
    take(timeline, Lock(card=card, field="attack", locked=True))
    before = timeline.draft.values.get((card, "attack"))
    take(timeline, Edit(card=card, field="attack", to=to))
    take(timeline, Apply(edits=(Edited(card=card, field="attack", to=to),)))
    take(timeline, Apply(edits=()))
    assert timeline.draft.values.get((card, "attack")) == before


def test_at_most_undo_max_actions_can_be_undone() -> None:
    timeline = new_timeline()
    for k in range(UNDO_MAX + 5):
        timeline.act(Note(card="ember_whelp", text=str(k)))
    assert len(timeline.session.actions) == timeline.session.n_done == UNDO_MAX
    assert timeline.session.first.notes == {"ember_whelp": "4"}
    assert timeline.draft.notes == {"ember_whelp": str(UNDO_MAX + 4)}


def test_locks_and_constraints_of_the_file_are_in_the_first_draft(tmp_path: Path) -> None:
    text = TINY.replace(
        "[tune]", '[tune]\nlock = ["ember_whelp"]\ndirection = "nerfs"\nmax_cards = 3'
    )
    own = view_of(tmp_path, text)
    draft = Draft.first(own)
    assert draft.is_locked("ember_whelp", "attack")
    assert draft.constraints == Constraints(max_cards=3, direction="nerfs", max_steps=2)
    assert draft.constraints.tune(own.experiment.settings.tune).stat_budget is None
    assert ("ember_whelp", "attack") in own.numbers  # the lock can be taken off
    freed = Lock(card="ember_whelp", field=None, locked=False).apply(draft, own)
    assert Edit(card="ember_whelp", field="attack", to=1).apply(freed, own).edits
    tune = own.experiment.settings.tune
    assert draft.constraints.tune(tune).direction == {"all": "nerfs"}
    assert Constraints(direction="both").tune(tune).direction == {}


def test_limits_of_a_card_come_from_the_file_and_are_saved(tmp_path: Path) -> None:
    limits = "max_steps = { cost = 1 }\nmax_card_change = 3\nstat_budget = 0"
    own = view_of(tmp_path, TINY.replace("max_steps = 2", limits))
    draft = Draft.first(own)
    tune = own.experiment.settings.tune
    assert (draft.constraints.max_card_change, draft.constraints.stat_budget) == (3, 0)
    assert draft.constraints.tune(tune) == tune
    saved, _ = saved_tune(own, Session(first=draft), draft, tmp_path)
    assert saved == tune


def test_a_locked_edit_counts_among_the_steps_of_its_card(tmp_path: Path) -> None:
    own = view_of(tmp_path, TINY.replace("max_steps = 2", "max_steps = 2\nmax_card_change = 2"))
    drafts: list[Draft] = []
    for to in (2, 1):  # of 3 today
        draft = Edit(card="ember_whelp", field="attack", to=to).apply(Draft.first(own), own)
        drafts.append(Lock(card="ember_whelp", field="attack", locked=True).apply(draft, own))
    one_left, none_left = (_DraftProblem(own, draft, own.contest).space for draft in drafts)
    whelp = own.numbers["ember_whelp", "attack"].gene.owner
    assert one_left.card_change is not None
    assert set(one_left.card_change.most[one_left.owners == whelp]) == {1}
    assert set(one_left.card_change.most[one_left.owners != whelp]) == {2}
    assert whelp not in none_left.cards


@pytest.mark.parametrize(
    ("in_file", "chosen", "saved"),
    [
        ('direction = "buffs"', "both", {}),
        ('direction = "buffs"', "nerfs", {"all": "nerfs"}),
        ("", "buffs", {"all": "buffs"}),
        (
            'direction = { ember_whelp = "down" }',
            "buffs",
            {"all": "buffs", "ember_whelp": "down"},
        ),
        ('direction = { ember_whelp = "down" }', "both", {"ember_whelp": "down"}),
    ],
)
def test_the_saved_file_has_the_constraints_on_suggestions(
    in_file: str, chosen: str, saved: dict[str, str], tmp_path: Path
) -> None:
    own = view_of(tmp_path, TINY.replace("[tune]", f"[tune]\n{in_file}"))
    kept = Constraints(direction=chosen)
    session = Session(first=Draft(constraints=kept))
    tune, _ = saved_tune(own, session, session.first, tmp_path)
    assert tune.direction == saved == kept.tune(own.experiment.settings.tune).direction


def test_locks_are_saved_in_the_file_if_it_can_hold_them_and_in_the_notes_if_not(
    tmp_path: Path,
) -> None:
    own = view_of(tmp_path, WITH_RULES)
    timeline = Timeline(Session(first=Draft.first(own)), own)
    locks = [("shell_warden", None), ("(rules)", "life"), ("ember_whelp", "attack")]
    locks += [("cinder_imp", field) for field in ("cost", "attack", "health")]
    for card, field in locks:
        timeline.act(Lock(card=card, field=field, locked=True))
    timeline.act(Edit(card="ember_whelp", field="cost", to=5))
    tune, notes = saved_tune(own, timeline.session, timeline.draft, tmp_path)
    assert {*tune.lock} == {"shell_warden", "cinder_imp"}
    assert tune.rules == {}
    check_message(notes)
    assert "cinder_imp" not in notes
    timeline.act(Lock(card="(rules)", field="life", locked=False))
    timeline.act(Lock(card="ember_whelp", field="attack", locked=False))
    tune, notes = saved_tune(own, timeline.session, timeline.draft, tmp_path)
    assert tune.rules == {"life": (15, 25)}
    assert "Locked numbers" not in notes


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "[]",
        '{"first": {}, "n_done": 2}',
        '{"first": {}, "actions": [{"do": "edit", "card": "x", "field": "y", "to": 1}]}',
        '{"first": {}, "who": 1}',
    ],
    ids=["no JSON", "no object", "too many done", "unknown card", "unknown key"],
)
def test_a_damaged_session_is_refused_with_its_file_as_the_place(
    damage: str, tmp_path: Path
) -> None:
    (tmp_path / SESSION).write_text(damage)
    with refused() as refusal:
        read_session(tmp_path, view())
    error = refusal.error
    assert (error.place or error.problem).startswith(str(tmp_path / SESSION))
    assert error.remedy


def test_an_interrupted_write_leaves_the_earlier_session(tmp_path: Path, monkeypatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    write_session(new_timeline().session, tmp_path)
    before = (tmp_path / SESSION).read_bytes()
    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_session(timeline_of([Note(card="ember_whelp", text="too fast")]).session, tmp_path)
    assert (tmp_path / SESSION).read_bytes() == before


def test_a_folder_without_the_file_has_no_session(tmp_path: Path) -> None:
    assert read_session(tmp_path, view()) is None


@pytest.mark.parametrize(
    "body",
    [
        *(b"[" * depth + b"]" * depth for depth in (33, 480, 1_000, 30_000)),
        *(b'{"card":' + b"[" * depth + b"]" * depth + b"}" for depth in (33, 480, 1_000, 30_000)),
        *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (33, 480, 1_000, 10_000)),
        *(b"\xff", b"\xff\xfe{}", b"", b"{", b"NaN", b'{"to": 1e400}', b'{"to": Infinity}'),
        *(
            b'{"to": ' + b"9" * 5_000 + b"}",
            b'{"card": "\\ud800"}',
            b'{"\\ud800": 1}',
            b'{"do": 1}',
        ),
    ],
    ids=lambda body: f"{body[:12]!r} {len(body)}",
)
@pytest.mark.parametrize("name", ["edit", "note", "constraints", "undo", "apply"])
def test_a_malformed_body_is_refused_with_one_line(name: str, body: bytes) -> None:
    with pytest.raises(InputError) as refusal:
        parse_request(name, body)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value).encode()) < 3_000
