"""Messages are one line, however long the user's input that they quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import ECHO_MAX, InputError, readable

LONG = "x" * 1_000_000


@given(text=st.text())
def test_any_message_is_one_line(text: str) -> None:
    assert len(readable(text).splitlines()) <= 1


@pytest.mark.parametrize(
    "echo",
    [LONG, "it's " * 99, 'say "x" ' * 99, "\\" * 999, "\n" * 999, "a b " * 99, "\u706b" * 99],
)
def test_quoted_text_is_cut(echo: str) -> None:
    message = str(InputError(f"{echo!r}", place="deck", remedy="fix"))
    shown = message.removeprefix("deck: ").removesuffix("; fix")
    assert shown[-4:-1] == "..."
    assert len(shown) == ECHO_MAX + 2


def test_unquoted_text_is_cut_where_it_is_no_path() -> None:
    path = "/".join(["folder_of_many"] * 20)
    assert str(InputError("missing", place=path)) == f"{path}: missing"
    assert str(InputError(f"{LONG}.toml missing")) == f"{'x' * (ECHO_MAX - 3)}... missing"
    assert len(str(InputError("missing", place=LONG.replace("xx", "x/")))) < 2100


def test_short_messages_stay_as_they_are() -> None:
    for message in (
        "the players' decks and the pilot's cards are not those of 'x', which 'y' has " * 3,
        f"player {'a' * ECHO_MAX!r} occurs twice",
        "'a)' is more than eighty characters away from the next thing in quotes, and so is '(b'",
    ):
        assert str(InputError(message)) == message
