"""The screen prints text as it is, and shows progress only to a person who watches."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout

import pytest

from experiments.screen.console import Screen, least_label_width
from tests.messages import check_message
from tests.scripts import loaded_by

NAMES = ["a [/b]", "[red]b", "c :fire: [link=x]"]  # markup and emoji codes, were they not text


class Terminal(io.StringIO):
    """A stream that counts as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _a_wide_terminal_and_no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("name", NAMES)
def test_names_that_look_like_markup_are_shown_as_they_are(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen(json=False)
    screen.say(f"said {name}")
    screen.note(f"noted {name}")
    screen.table(f"title {name}", [f"header {name}", "n"], [[f"cell {name}", f"number {name}"]])
    out, err = capsys.readouterr()
    for place in ("said", "title", "header", "cell", "number"):
        assert f"{place} {name}" in out
    assert f"noted {name}" in err


@pytest.mark.parametrize("name", NAMES)
def test_a_progress_bar_shows_such_names_too(name: str) -> None:
    with (
        redirect_stderr(Terminal()) as watched,
        Screen(json=False).progress(f"playing {name}", 2) as advance,
    ):
        advance(1, f"at {name}")
    assert f"playing {name}" in watched.getvalue()
    assert f"at {name}" in watched.getvalue()


def test_tasks_side_by_side_have_a_bar_each() -> None:
    with (
        redirect_stderr(Terminal()) as watched,
        Screen(json=False).side_by_side(["ember", "tide"], 300) as (first, second),
    ):
        first(100, "win rate 40 %")
        second(300, "win rate 60 %")
    shown = watched.getvalue()
    assert all(text in shown for text in ("ember", "100/300", "win rate 40 %"))
    assert all(text in shown for text in ("tide", "300/300", "win rate 60 %"))


def test_a_stage_is_shown_on_a_terminal() -> None:
    with redirect_stderr(Terminal()) as watched:
        Screen(json=False).stage("measuring [red] 3 decks")
        Screen(json=True).stage("playing")
    check_message(watched.getvalue().replace("\x1b", "ESC"))


def test_stages_and_games_are_not_shown_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(json=False).stage("measuring")
    with Screen(json=False).games("balance", {}) as bar:
        bar.begin("measure")
        bar.played(1_000)
    assert capsys.readouterr() == ("", "")


def test_no_number_is_left_out_on_a_narrow_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    numbers = [f"{k}.0 ({k}.0-{k}.9)" for k in range(6)]
    Screen(json=False).table("t", ["label", *"abcdef"], [["a name", *numbers]])
    shown = capsys.readouterr().out
    assert all(number in shown for number in numbers)


def test_a_bar_of_games_names_its_stage_and_has_time_left_to_its_end() -> None:
    with (
        redirect_stderr(Terminal()) as watched,
        Screen(json=False).games("balance", {"measure": 2_000, "search": 8_000}) as bar,
    ):
        bar.begin("measure")
        bar.played(4_000)  # twice as many as was thought, and it may go on
        assert bar.amount == (4_000, 5_000 + 8_000)
        bar.begin("search")
        assert bar.amount == (4_000, 4_000 + 8_000)
        bar.say("round 3")
        bar.played(6_000)
        assert bar.amount == (10_000, 12_000)
        bar.played(4_000)
        assert bar.amount == (14_000, 4_000 + 12_500)
    shown = watched.getvalue()
    assert all(text in shown for text in ("balance: search", "14k/16k games", "round 3"))


def test_a_stage_that_did_not_take_place_is_not_waited_for() -> None:
    with Screen(json=False).games("balance", {"measure": 10, "search": 80, "select": 7}) as bar:
        bar.begin("measure")
        bar.played(10)
        bar.begin("select")
        assert bar.amount == (10, 17)
        bar.begin("explain")  # a stage that was not announced
        bar.played(4)
        assert bar.amount == (14, 15)


def test_a_screen_is_there_before_what_its_words_are_about() -> None:
    loaded = loaded_by("experiments.screen.console")
    assert "rich" in loaded
    assert loaded.isdisjoint(
        {"experiments.screen.wording", "balance.contest.demands", "numba", "scipy"}
    )


MATCHUPS = ["Wok Rush vs Lantern Fest", "Wok Rush vs Tea House", "Tea House vs Rat Guild"]


def test_names_with_spaces_take_two_lines_at_most_on_a_narrow_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    numbers = [f"{k}0.5 ±5.4 off?" for k in range(5)]
    header = ["matchup", *(f"{letter}, %" for letter in "abcde")]
    Screen(json=False).table("t", header, [[name, *numbers] for name in MATCHUPS])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 + 2 * len(MATCHUPS)


@pytest.mark.parametrize("width", [34, *range(60, 110)])
def test_a_terminal_that_is_too_narrow_has_the_columns_below_one_another(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    numbers = [f"{k}0.5 ±5.4 off?" for k in range(5)]
    header = ["matchup", *(f"column{k}" for k in range(5))]
    with redirect_stdout(Terminal()) as watched:
        Screen(json=False).table("title", header, [[name, *numbers] for name in MATCHUPS])
    shown = re.sub("\x1b\\[[0-9;]*m", "", watched.getvalue())
    assert max(map(len, shown.splitlines())) <= width
    for number, name in zip(numbers, header[1:], strict=True):
        assert shown.count(number) == len(MATCHUPS)
        assert shown.count(name) == 1
    assert shown.count("title") == 1


@pytest.mark.parametrize(
    ("labels", "width"),
    [
        ([], 0),
        (["ab"], 2),
        (["ab cd"], 2),
        (["ab cd ef"], 5),
        (["x" * 40], 24),
        (["Wok Rush vs Lantern Fest"], 12),
    ],
)
def test_a_column_of_labels_is_as_wide_as_two_lines_of_each(labels: list[str], width: int) -> None:
    assert least_label_width(labels) == width
