"""Messages are one line, however much of the user's input they echo."""

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
def test_what_is_quoted_is_cut(echo: str) -> None:
    message = str(InputError(f"a.toml: deck 'x': unknown card {echo!r}; did you mean 'y'?"))
    assert message.startswith("a.toml: deck 'x': unknown card ")
    assert message.endswith(("...'; did you mean 'y'?", "...\"; did you mean 'y'?"))
    shown = message.removeprefix("a.toml: deck 'x': unknown card ").rpartition("; did")[0]
    assert len(shown) == ECHO_MAX + 2


def test_what_is_not_quoted_is_cut_where_it_is_no_path() -> None:
    path = "/".join(["folder_of_many"] * 20)
    assert str(InputError(f"{path}: no such file")) == f"{path}: no such file"
    assert (
        str(InputError(f"{LONG}.toml: no such file")) == f"{'x' * (ECHO_MAX - 3)}... no such file"
    )
    assert len(str(InputError(f"{LONG.replace('xx', 'x/')}: no such file"))) < 2100


def test_short_messages_stay_as_they_are() -> None:
    for message in (
        "the players' decks and the pilot's cards are not those of 'x', which 'y' has " * 3,
        f"player {'a' * ECHO_MAX!r} occurs twice",
        "'a)' is more than eighty characters away from the next thing in quotes, and so is '(b'",
    ):
        assert str(InputError(message)) == message
