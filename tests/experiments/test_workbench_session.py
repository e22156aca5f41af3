"""Laws of a session: whatever is done, undone and done again is kept, and comes back the same."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.tune import Tune
from experiments.loading import load_experiment
from experiments.runs.run_folder import RunFolder
from experiments.workbench.board import Board
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
from experiments.workbench.refused import Refused
from experiments.workbench.save import save
from experiments.workbench.server import asked
from experiments.workbench.session import (
    SESSION,
    UNDO_MAX,
    Session,
    Timeline,
    read_session,
    write_session,
)
from experiments.workbench.suggest import _Question
from sim import InputError
from tests.command_line import TINY, assert_says, write_experiment

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
DEEDS = st.lists(st.one_of(ACTIONS, st.sampled_from(["undo", "redo"])), max_size=25)


def board_of(folder: Path, text: str) -> Board:
    return Board.of(load_experiment(str(write_experiment(folder, text))))


@cache
def board() -> Board:
    with tempfile.TemporaryDirectory() as folder:
        return board_of(Path(folder), WITH_RULES)


def saved_tune(own: Board, session: Session, draft: Draft, place: Path) -> tuple[Tune, str]:
    """The `[tune]` of the experiment that is saved, and the patch notes beside it."""
    folder = place / "saved"
    folder.mkdir(exist_ok=True)
    save(own, session, draft, (), RunFolder(folder))
    tune = load_experiment(str(folder / "experiment.toml")).settings.tune
    return tune, (folder / "patch_notes.txt").read_text()


def begun() -> Timeline:
    return Timeline(Session(first=Draft.first(board())), board())


def do(timeline: Timeline, deed) -> bool:
    """Whether it could be done; what could not has changed nothing."""
    before = timeline.session, timeline.draft
    try:
        if isinstance(deed, str):
            {"undo": timeline.undo, "redo": timeline.redo}[deed]()
        else:
            timeline.act(deed)
    except Refused:
        after = timeline.session, timeline.draft
    else:
        return True
    assert after == before
    return False


def done(deeds) -> Timeline:
    """A session in which all that could be done was."""
    timeline = begun()
    for deed in deeds:
        do(timeline, deed)
    return timeline


@given(DEEDS)
def test_what_is_kept_comes_back_the_same(deeds) -> None:
    timeline = done(deeds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_session(timeline.session, folder)
        again = read_session(folder, board())
        assert (again.session, again.draft) == (timeline.session, timeline.draft)
        for timelines in (timeline, again):
            with suppress(Refused):
                while True:
                    timelines.undo()
        assert again.draft == timeline.draft == Draft.first(board())


@given(DEEDS, ACTIONS)
def test_undo_takes_back_and_redo_does_again(deeds, action) -> None:
    timeline = done(deeds)
    before = timeline.draft
    revision = timeline.session.revision
    if not do(timeline, action) or timeline.draft == before:
        assert timeline.session.revision == revision
        return
    after = timeline.draft
    assert after == action.done(before, board())
    assert not do(timeline, "redo")
    assert do(timeline, "undo")
    assert timeline.draft == before
    assert do(timeline, "redo")
    assert (timeline.draft, timeline.session.revision) == (after, revision + 3)


@given(DEEDS)
def test_edits_are_in_range_and_differ_from_today(deeds) -> None:
    timeline = begun()
    for deed in deeds:
        do(timeline, deed)
        for (card, field), to in timeline.draft.values.items():
            number = board().number(card, field)
            assert number.least <= to <= number.most
            assert to != number.today


@given(DEEDS, st.sampled_from(["ember_whelp", "shell_warden"]), VALUES)
def test_what_is_locked_stays(deeds, card, to) -> None:
    timeline = done(deeds)
    do(timeline, Lock(card=card, field="attack", locked=True))
    before = timeline.draft.values.get((card, "attack"))
    do(timeline, Edit(card=card, field="attack", to=to))
    do(timeline, Apply(edits=(Edited(card=card, field="attack", to=to),)))
    do(timeline, Apply(edits=()))
    assert timeline.draft.values.get((card, "attack")) == before


def test_of_very_many_actions_the_last_can_be_undone() -> None:
    timeline = begun()
    for k in range(UNDO_MAX + 5):
        timeline.act(Note(card="ember_whelp", text=str(k)))
    assert len(timeline.session.actions) == timeline.session.n_done == UNDO_MAX
    assert timeline.session.first.notes == {"ember_whelp": "4"}
    assert timeline.draft.notes == {"ember_whelp": str(UNDO_MAX + 4)}


def test_the_file_says_what_is_locked_and_asked(tmp_path: Path) -> None:
    text = TINY.replace(
        "[tune]", '[tune]\nlock = ["ember_whelp"]\ndirection = "nerfs"\nmax_cards = 3'
    )
    own = board_of(tmp_path, text)
    draft = Draft.first(own)
    assert draft.is_locked("ember_whelp", "attack")
    assert draft.constraints == Constraints(max_cards=3, direction="nerfs", max_steps=2)
    assert draft.constraints.tune(own.experiment.settings.tune).stat_budget is None
    assert ("ember_whelp", "attack") in own.numbers  # the lock can be taken off
    freed = Lock(card="ember_whelp", field=None, locked=False).done(draft, own)
    assert Edit(card="ember_whelp", field="attack", to=1).done(freed, own).edits
    tune = own.experiment.settings.tune
    assert draft.constraints.tune(tune).direction == {"all": "nerfs"}
    assert Constraints(direction="both").tune(tune).direction == {}


def test_limits_of_one_card_are_the_files_and_are_saved(tmp_path: Path) -> None:
    limits = "max_steps = { cost = 1 }\nmax_card_change = 3\nstat_budget = 0"
    own = board_of(tmp_path, TINY.replace("max_steps = 2", limits))
    draft = Draft.first(own)
    tune = own.experiment.settings.tune
    assert (draft.constraints.max_card_change, draft.constraints.stat_budget) == (3, 0)
    assert draft.constraints.tune(tune) == tune
    saved, _ = saved_tune(own, Session(first=draft), draft, tmp_path)
    assert saved == tune


def test_a_locked_edit_counts_among_the_steps_of_its_card(tmp_path: Path) -> None:
    own = board_of(tmp_path, TINY.replace("max_steps = 2", "max_steps = 2\nmax_card_change = 2"))
    asked: list[Draft] = []
    for to in (2, 1):  # of 3 today
        draft = Edit(card="ember_whelp", field="attack", to=to).done(Draft.first(own), own)
        asked.append(Lock(card="ember_whelp", field="attack", locked=True).done(draft, own))
    one_left, none_left = (_Question(own, draft, own.contest).space for draft in asked)
    whelp = own.numbers["ember_whelp", "attack"].gene.owner
    assert one_left.card_change is not None
    assert set(one_left.card_change.most[one_left.owners == whelp]) == {1}
    assert set(one_left.card_change.most[one_left.owners != whelp]) == {2}
    assert whelp not in none_left.cards


@pytest.mark.parametrize(
    ("told", "chosen", "saved"),
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
def test_the_file_that_is_saved_asks_what_suggestions_keep(
    told: str, chosen: str, saved: dict[str, str], tmp_path: Path
) -> None:
    own = board_of(tmp_path, TINY.replace("[tune]", f"[tune]\n{told}"))
    kept = Constraints(direction=chosen)
    session = Session(first=Draft(constraints=kept))
    tune, _ = saved_tune(own, session, session.first, tmp_path)
    assert tune.direction == saved == kept.tune(own.experiment.settings.tune).direction


def test_locks_are_saved_where_the_file_has_a_word_for_them_and_told_where_not(
    tmp_path: Path,
) -> None:
    own = board_of(tmp_path, WITH_RULES)
    timeline = Timeline(Session(first=Draft.first(own)), own)
    locks = [("shell_warden", None), ("(rules)", "life"), ("ember_whelp", "attack")]
    locks += [("cinder_imp", field) for field in ("cost", "attack", "health")]
    for card, field in locks:
        timeline.act(Lock(card=card, field=field, locked=True))
    timeline.act(Edit(card="ember_whelp", field="cost", to=5))
    tune, notes = saved_tune(own, timeline.session, timeline.draft, tmp_path)
    assert {*tune.lock} == {"shell_warden", "cinder_imp"}
    assert tune.rules == {}
    assert "ember_whelp: tunable = { cost = [3, 5], health = [1, 4] }" in notes
    assert "cinder_imp" not in notes
    timeline.act(Lock(card="(rules)", field="life", locked=False))
    timeline.act(Lock(card="ember_whelp", field="attack", locked=False))
    tune, notes = saved_tune(own, timeline.session, timeline.draft, tmp_path)
    assert tune.rules == {"life": (15, 25)}
    assert "Locked numbers" not in notes


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("{", "is no JSON"),
        ("[]", "must hold a JSON object"),
        ('{"first": {}, "n_done": 2}', "n_done = 2 of 0 actions"),
        ('{"first": {}, "actions": [{"do": "edit", "card": "x", "field": "y", "to": 1}]}', "'x'"),
        ('{"first": {}, "who": 1}', "unknown key 'who'"),
    ],
)
def test_a_damaged_session_is_refused_by_its_file(
    damage: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / SESSION).write_text(damage)
    with pytest.raises(InputError, match=r"session\.json: damaged") as refusal:
        read_session(tmp_path, board())
    assert_says(str(refusal.value), message, "without --resume")


def test_a_session_is_put_in_place_whole(tmp_path: Path, monkeypatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    write_session(begun().session, tmp_path)
    before = (tmp_path / SESSION).read_bytes()
    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_session(done([Note(card="ember_whelp", text="too fast")]).session, tmp_path)
    assert (tmp_path / SESSION).read_bytes() == before


def test_where_nothing_is_kept_there_is_no_session(tmp_path: Path) -> None:
    assert read_session(tmp_path, board()) is None


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
def test_a_malformed_body_is_refused_in_a_line(name: str, body: bytes) -> None:
    with pytest.raises(InputError) as refusal:
        asked(name, body)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value).encode()) < 3_000
