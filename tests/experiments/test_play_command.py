"""Interactive play: a person types numbers; all other input is answered and loses nothing."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from experiments.commands.conversation import Conversation, Terminal, _numbered
from sim.game_log.game_session import Choice, Option
from tests.command_line import (
    ROOT,
    TINY,
    Outcome,
    command,
    done,
    refusal,
    unchanged,
    write_experiment,
)
from tests.conftest import Golden
from tests.experiments.learners import write_pilot
from tests.experiments.stopping import RUN
from tests.messages import check_message
from tests.sim.test_replay import GOLDENS

FROZEN = """\
name = "frozen"
seed = 20261123
ruleset = "frozen_duel.toml"
pool = "frozen_pool.toml"

[[player]]
deck = "frozen_sparks.toml"
agent = "aggro"

[[player]]
deck = "frozen_stones.toml"
agent = "control"
"""
BIG_TWO = """\
name = "table"
game = "big_two"
seed = 5

[[player]]
agent = "together"

[[player]]
agent = "lowest"

[[player]]
agent = "random"
name = "dice"

[[player]]
agent = "together"
"""


def play(name: str | Path, typed: str, *options: str | Path) -> Outcome:
    """Run `evenhand play` with some lines as the person's input."""
    with mock.patch.object(sys, "stdin", io.StringIO(typed)):
        return command("play", name, *options)


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    for file in GOLDENS.glob("frozen_*.toml"):
        shutil.copy(file, tmp_path)
    return write_experiment(tmp_path, FROZEN, "frozen.toml")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def without_digests(text: str) -> str:
    """Replace digests, which change with every change of the code."""
    return re.sub(r"\bx?[0-9a-f]{12}\b", "<digest>", text)


def without_paths(text: str, folder: Path) -> str:
    return text.replace(str(folder), "FOLDER")


def test_a_short_game_equals_its_golden(
    experiment: Path, results: Path, golden: Golden, tmp_path: Path
) -> None:
    typed = (
        "help\n1\nend turn\n2\nnine\n1\nundo turn\n1\ncards\ndeck\n1\n1\n1\n1\n1\nconcede\nyes\n"
    )
    text = done(play(experiment, typed, "--results", results)).out
    golden.check("play_duel.txt", without_paths(text, tmp_path))
    saved = tomllib.loads((results / "frozen-play" / "game-0.toml").read_text())
    assert saved["undone"] == 2
    assert saved["conceded"]
    replayed = done(command("replay", results / "frozen-play" / "game-0.toml")).out
    check_message(replayed.splitlines()[-1])


def test_a_game_by_the_general_rules_equals_its_golden(
    results: Path, golden: Golden, tmp_path: Path
) -> None:
    """The game has a mulligan, targets and a choice."""
    typed = "1\n1\nshow\n2 1\n" + "2\n1\n1\n" * 6
    options = ("--seat", "second", "--as", "saga_tide", "--agent", "greedy", "--game", "3")
    text = done(play("saga_decks", typed, *options, "--results", results)).out
    golden.check("play_saga.txt", without_paths(text, tmp_path))


def test_no_line_is_longer_than_the_screen(results: Path) -> None:
    for name in ("saga_decks", "big_two"):
        text = done(play(name, "help\ncards\n" + "1 1\n" * 15, "--results", results)).out
        assert max(map(len, [line for line in text.splitlines() if str(results) not in line])) <= 80


@pytest.mark.parametrize("typed", ["0", "99", "-1", "one", "²", "", "x" * 300, "undo"])
def test_wrong_input_is_answered_and_loses_nothing(
    typed: str, experiment: Path, results: Path
) -> None:
    game = results / "frozen-play" / "game-0.toml"
    text = done(play(experiment, f"{typed}\n", "--results", results)).out
    assert text.count("\n>") == 2
    answer = text.split("\n>")[1]
    check_message(answer)
    with unchanged(game.read_text):
        text = done(play(game, f"{typed}\nquit\n", "--results", results)).out
    assert answer in text


def test_the_words_of_a_choice_may_be_typed(experiment: Path, results: Path) -> None:
    by_words = done(play(experiment, "END TURN\n", "--results", results)).out
    number = re.search(r"^ +(\d+)  end turn$", by_words, re.MULTILINE)
    by_number = done(play(experiment, f"{number[1]}\n", "--results", results, "--game", "0")).out
    assert "\nT02 " in by_words
    assert by_number.splitlines()[22:-2] == by_words.splitlines()[22:-2]


CHOICES = [
    Choice("play Market Cat 2/1 [2]", (Option("", 11),)),
    Choice("play Tea Master 1/1 [1]", (Option("", 12),)),
    Choice("attack with Market Cat 2/1", (Option("Toll Ogre 5/3", 13), Option("player", 14))),
    Choice("end turn", (Option("", 1),)),
]


class Table:
    """A session with fixed choices, which records the actions that are carried out."""

    is_over = False

    def __init__(self) -> None:
        self.done: list[object] = []

    def choices(self) -> list[Choice]:
        return CHOICES

    def more(self) -> dict[str, tuple[str, list[str]]]:
        return {"cards": ("the cards", ["all cards"])}

    def position(self, *, whole: bool) -> list[str]:
        return []

    def act(self, action: int) -> list[str]:
        self.done.append(action)
        return []

    def undo(self, at_most: int | None = None) -> int:
        self.done.append(("undo", at_most))
        return 1


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("tea", [12]),
        ("tea mas", [12]),
        ("MASTER", [12]),
        ("play market", [11]),
        ("end", [1]),
        ("attack 2", [14]),
        ("attack\ntoll", [13]),
        ("attack\nundo turn", [("undo", None)]),
        ("market", []),
        ("te", []),
        ("ast", []),
        ("tea 7", []),
        ("cards", []),
        ("undo", [("undo", 1)]),
        ("undo turn", [("undo", None)]),
        ("undo all", []),
    ],
)
def test_an_unambiguous_beginning_of_a_word_selects_its_choice(
    typed: str, expected: list[object]
) -> None:
    table = Table()
    with (
        mock.patch.object(sys, "stdin", io.StringIO(f"{typed}\n")),
        contextlib.redirect_stdout(io.StringIO()) as output,
    ):
        Conversation(table, Terminal(), lambda: None).hold()  # type: ignore[arg-type]
    assert table.done == expected
    check_message(output.getvalue())


def test_a_token_is_shown_with_its_numbers_once(experiment: Path, results: Path) -> None:
    text = done(play(experiment, "1\n" * 60, "--results", results, "--game", "0")).out
    assert re.search(r"(attack with|your|opponent's) token", text)
    assert not re.search(r"token \d+/\d+ \d+/\d+", text)


def test_undo_takes_back_one_action(experiment: Path, results: Path) -> None:
    for typed in ("1\n", "1\n1\nundo\n"):
        done(play(experiment, typed, "--results", results, "--game", "0"))
    straight, undone = (
        tomllib.loads((results / "frozen-play" / name).read_text())
        for name in ("game-0.toml", "game-0-1.toml")
    )
    assert len(straight["actions"]) == 1
    assert undone["actions"] == straight["actions"]
    assert (straight["undone"], undone["undone"]) == (0, 1)


def test_a_saved_game_continues_where_it_was_left(experiment: Path, results: Path) -> None:
    typed = ["1"] * 30
    whole = done(play(experiment, "\n".join(typed), "--results", results)).out
    done(play(experiment, "\n".join(typed[:11]), "--results", results, "--game", "0"))
    game = results / "frozen-play" / "game-0-1.toml"
    done(play(game, "\n".join(typed[11:]), "--results", results))
    uninterrupted = game.with_name("game-0.toml")
    logs = [done(command("replay", path)).out for path in (game, uninterrupted)]
    assert logs[0] == logs[1]
    assert "a person" in logs[0].splitlines()[1]
    check_message(whole.splitlines()[0])


def test_each_game_is_new_and_saved(experiment: Path, results: Path) -> None:
    texts = [done(play(experiment, "", "--results", results)).out for _ in range(2)]
    assert texts[0] != texts[1]
    names = [path.name for path in sorted((results / "frozen-play").iterdir())]
    assert names == ["game-0.toml", "game-1.toml"]
    same = [done(play(experiment, "", "--results", results, "--game", "7")).out for _ in range(2)]
    assert same[0].splitlines()[:-1] == same[1].splitlines()[:-1]
    other = done(play(experiment, "", "--results", results, "--game", "7", "--seed", "1")).out
    assert other.splitlines()[:-1] != same[0].splitlines()[:-1]


def test_replay_deals_the_same_game(experiment: Path, results: Path) -> None:
    done(play(experiment, "", "--results", results))
    of_agents = done(command("replay", experiment, "--purpose", "play")).out
    of_person = done(command("replay", results / "frozen-play" / "game-0.toml")).out
    assert of_agents.splitlines()[3:8] == of_person.splitlines()[3:8]


def test_options_choose_seat_decks_and_agent(experiment: Path, results: Path) -> None:
    options = ("--seat", "second", "--as", "frozen_stones", "--against", "frozen_stones")
    text = done(play(experiment, "", *options, "--agent", "random", "--results", results)).out
    check_message(text.partition("\n\n")[0])


@pytest.mark.parametrize(
    "options",
    [
        ("--seat", "thrid"),
        ("--as", "tide"),
        ("--against", "tide_kep"),
        ("--agent", "contrl"),
        ("--agent", "dqn:no.pt"),
        ("--game", "-1"),
    ],
    ids="=".join,
)
def test_wrong_options_are_named(options: tuple[str, ...], tmp_path: Path) -> None:
    results = tmp_path / "results"
    outcome = play(write_experiment(tmp_path, TINY), "1\n", *options, "--results", results)
    line = refusal(outcome)
    assert options[0] in line
    check_message(line)
    assert not results.exists()


def test_no_game_begins_if_it_cannot_be_saved(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = play(write_experiment(tmp_path, TINY), "1\n", "--results", tmp_path / "file")
    assert "file" in refusal(outcome)


def test_a_saved_game_continues_only_without_changes(experiment: Path, results: Path) -> None:
    done(play(experiment, "1\n", "--results", results))
    game = results / "frozen-play" / "game-0.toml"
    check_message(refusal(play(game, "", "--seat", "first")))
    check_message(refusal(command("replay", game, "--first", "a")))
    edited = experiment.parent / "frozen_sparks.toml"
    edited.write_text(edited.read_text().replace("= 3", "= 2", 1))
    check_message(without_digests(refusal(play(game, "", "--results", results))))


def test_play_and_replay_refuse_damaged_games_alike(experiment: Path, results: Path) -> None:
    done(play(experiment, "1\n", "--seat", "first", "--agent", "greedy", "--results", results))
    game = results / "frozen-play" / "game-0.toml"
    text = game.read_text()
    for old, new in (
        ("actions = [", "actions = [77, "),
        ("actions = [", 'actions = ["a", '),
        ("actions = [", "actions = [-1, "),
        ("actions = [", f"actions = [{10**30}, "),
        ("seed = ", "seed = -"),
        ('made_of = "', 'made_of = "x'),
        ('seat = "first"', 'seat = "last"'),
        ('agent = "greedy"', 'agent = "gredy"'),
        ('seat = "first"', 'player = "x"'),
    ):
        assert old in text
        game.write_text(text.replace(old, new))
        played = refusal(play(game, "1\n"))
        replayed = refusal(command("replay", game))
        explained = refusal(command("replay", game, "--why"))
        assert played == replayed == explained
        assert str(game) in played
        assert "--" not in played
        check_message(without_digests(played))


def test_actions_after_the_end_are_refused(experiment: Path, results: Path) -> None:
    done(play(experiment, "1\n" * 200, "--results", results))
    game = results / "frozen-play" / "game-0.toml"
    ended = game.read_text()
    game.write_text(ended.replace("]", ", 0, 0]"))
    for outcome in (play(game, ""), command("replay", game), command("replay", game, "--why")):
        check_message(refusal(outcome))
    game.write_text(ended.replace("conceded = false", "conceded = true"))
    check_message(refusal(play(game, "")))


@pytest.mark.parametrize(
    ("typed", "is_over"),
    [("concede\nyes", True), ("concede y", True), ("concede", False), ("concede\nno", False)],
)
def test_conceding_needs_a_confirmation(
    typed: str, *, is_over: bool, experiment: Path, results: Path
) -> None:
    text = done(play(experiment, f"{typed}\n", "--results", results)).out
    saved = tomllib.loads((results / "frozen-play" / "game-0.toml").read_text())
    assert (saved["conceded"], "You concede." in text) == (is_over, is_over)


def test_further_words_after_a_complete_choice_are_refused(experiment: Path, results: Path) -> None:
    text = done(play(experiment, "1 1 1 1\nend turn now\n", "--results", results)).out
    _, too_much, unknown, _ = text.split("\n>")
    check_message(too_much)
    check_message(unknown)
    assert tomllib.loads((results / "frozen-play" / "game-0.toml").read_text())["actions"] == []


def test_a_trained_agent_is_an_opponent(tmp_path: Path, results: Path) -> None:
    pilot = write_pilot(tmp_path / "tide.pt", decks=("tide_keep",))
    options = ("--agent", f"dqn:{pilot}", "--results", results)
    experiment = write_experiment(tmp_path, TINY)
    assert "\nT05 " in done(play(experiment, "end turn\n" * 2, *options)).out
    game = results / "tiny-play" / "game-0.toml"
    assert f"dqn:{pilot}" in done(command("replay", game)).out.splitlines()[2]
    options = ("--against", "ember_rush", *options)
    assert "ember_rush" in refusal(play(experiment, "", *options))


# --- Big Two ---


def test_big_two_is_played_by_the_same_commands(tmp_path: Path, results: Path) -> None:
    table = write_experiment(tmp_path, BIG_TWO, "table.toml")
    text = done(play(table, "1\n" * 140, "--results", results, "--seat", "third")).out
    assert re.search(r"^You (win|lose)\b", text, re.MULTILINE)
    replayed = done(command("replay", results / "table-play" / "game-0.toml")).out
    assert len(replayed.splitlines()[0].split()) == 2 + 1 + 1 + 13 - 1
    of_agents = done(command("replay", table, "--purpose", "play")).out
    assert [line[-38:] for line in replayed.splitlines()[:4]] == [
        line[-38:] for line in of_agents.splitlines()[1:5]
    ]
    same = ("--seat", "third", "--game", "0", "--results", results)
    shorter = done(play(table, "1\n" * 3, *same)).out
    assert text.startswith(shorter.rpartition("\n\n")[0].rpartition("\n>")[0])


def test_options_that_big_two_does_not_have_are_refused(tmp_path: Path, results: Path) -> None:
    table = write_experiment(tmp_path, BIG_TWO, "table.toml")
    for options in (("--as", "dice"), ("--seat", "fifth"), ("--agent", "control")):
        line = refusal(play(table, "1\n", *options, "--results", results))
        assert options[0] in line
        check_message(line)


def test_many_short_words_share_lines() -> None:
    lines = list(_numbered([f"{k}d" for k in range(40)], 80))
    assert len(lines) <= 6
    assert max(map(len, lines)) <= 80
    assert sorted(word for line in lines for word in line.split() if word.endswith("d")) == sorted(
        f"{k}d" for k in range(40)
    )


# --- a terminal ---


def read_until(terminal: int, text: str) -> str:
    """Return the output of a command until it contains a text, or until it ends."""
    shown = ""
    while text not in shown and select.select([terminal], [], [], 60)[0]:
        try:
            shown += os.read(terminal, 4096).decode()
        except OSError:  # Linux reports the end of the process so
            break
    return shown


@pytest.mark.parametrize("way", ["ctrl_c", pytest.param("ctrl_d", marks=pytest.mark.thorough)])
def test_leaving_a_terminal_by_a_key_saves_the_game(
    way: str, experiment: Path, results: Path
) -> None:
    own_end, child_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "play", str(experiment), "--results", results],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=child_end,
        stdout=child_end,
        stderr=child_end,
        start_new_session=True,
    )
    os.close(child_end)
    try:
        read_until(own_end, "> ")
        os.write(own_end, b"end turn\n")
        assert "T03 your turn" in read_until(own_end, "turn\r\n> ")
        if way == "ctrl_d":
            os.write(own_end, b"\x04")
        else:
            process.send_signal(signal.SIGINT)
            os.write(own_end, b"\n")  # wakes a line editor that was not waiting yet
        shown = read_until(own_end, "no such words")
    finally:
        status = process.wait(60)
        os.close(own_end)
    assert "evenhand play " in shown
    assert "Traceback" not in shown
    assert status == (130 if way == "ctrl_c" else 0)
    assert "T03 your turn" in done(play(results / "frozen-play" / "game-0.toml", "")).out


class Bytes(io.TextIOWrapper):
    """Standard input with given bytes."""

    def __init__(self, content: bytes, encoding: str) -> None:
        super().__init__(io.BytesIO(content), encoding=encoding, errors="strict")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
@pytest.mark.parametrize(
    "typed",
    [b"\xff\n", b"\0\n", b"\xed\xa0\x80\n", b"\x81 \x8d\n", b"\x1b[31m\n", b"x" * 30_000 + b"\n"],
)
def test_bytes_that_are_not_text_are_answered(
    typed: bytes, encoding: str, experiment: Path, results: Path
) -> None:
    with mock.patch.object(sys, "stdin", Bytes(typed + b"1\nquit\n", encoding)):
        outcome = done(command("play", experiment, "--results", results))
    assert "is neither " in outcome.out
    assert "\0" not in outcome.out
    assert "\x1b" not in outcome.out
    saved = tomllib.loads((results / "frozen-play" / "game-0.toml").read_text())
    assert len(saved["actions"]) >= 1


def test_an_endless_line_ends_the_game(experiment: Path, results: Path) -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    endless = io.TextIOWrapper(io.BufferedReader(Endless()), encoding="utf-8")
    with mock.patch.object(sys, "stdin", endless):
        done(command("play", experiment, "--results", results))


def test_standard_input_that_is_closed_is_refused(experiment: Path, results: Path) -> None:
    closed = io.StringIO()
    closed.close()
    for stdin in (None, closed):
        with mock.patch.object(sys, "stdin", stdin):
            check_message(refusal(command("play", experiment, "--results", results)))
    assert not results.exists()
