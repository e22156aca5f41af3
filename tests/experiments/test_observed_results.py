"""Tables of results: forms that are read, laws of the counts, warnings, and bad input."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.observed.observed_matchups import ObservedMatchups
from experiments.observed import read_results
from experiments.observed.columns import SYNONYMS
from experiments.observed.row_reader import GROUPS_MAX
from sim import InputError
from sim.names import packed
from tests.experiments.result_tables import (
    GAME_TITLES,
    GAMES,
    PLAYERS,
    Game,
    game_rows,
    read,
    table,
)

COUNTS = ("points", "games", "draws", "first_points", "first_games", "turns", "timed_games")


def assert_equal_counts(one: ObservedMatchups, other: ObservedMatchups) -> None:
    """Check that two sets of counts agree to the last bit."""
    assert one.names == other.names
    for name in COUNTS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def pair_rows(games: list[Game]) -> list[str]:
    """Return one row per pair, first seat and patch, with sums over its games."""
    won, lost, drawn = (
        Counter((g.a, g.b, g.first, g.patch) for g in games if g.points == points)
        for points in (1.0, 0.0, 0.5)
    )
    keys = sorted({*won, *lost, *drawn})
    return [
        f"{a},{b},{won[k]},{lost[k]},{drawn[k]},{first},{patch}"
        for k in keys
        for a, b, first, patch in [k]
    ]


@given(GAMES)
def test_counts_of_games_are_those_of_a_plain_count(games: list[Game]) -> None:
    found = read(table(GAME_TITLES, *game_rows(games))).matchups
    for a, b in [(a, b) for a in found.names for b in found.names if a != b]:
        points = sum(g.points for g in games if (g.a, g.b) == (a, b))
        points += sum(1 - g.points for g in games if (g.a, g.b) == (b, a))
        n_games = sum({g.a, g.b} == {a, b} for g in games)
        place = found.names.index(a), found.names.index(b)
        assert found.points[place] == points
        assert found.games[place] == n_games
        first = [g for g in games if (g.a, g.b, g.first) == (a, b, "first")]
        turned = [g for g in games if (g.a, g.b, g.first) == (b, a, "second")]
        assert found.first_games[place] == len(first) + len(turned)
        assert found.first_points[place] == (
            sum(g.points for g in first) + sum(1 - g.points for g in turned)
        )
    mirrors = sum(g.a == g.b for g in games)
    assert found.n_mirrors == mirrors
    assert found.n_games == len(games)


@given(GAMES, st.integers(1, 7), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_size_of_chunks_matters(
    games: list[Game], chunk: int, rng: random.Random
) -> None:
    rows = game_rows(games)
    whole = read(table(GAME_TITLES, *rows))
    rng.shuffle(rows)
    shuffled = read(table(GAME_TITLES, *rows), chunk=chunk)
    assert_equal_counts(whole.matchups, shuffled.matchups)
    assert [*whole.by_patch] == [*shuffled.by_patch]
    for patch, counts in whole.by_patch.items():
        assert_equal_counts(counts, shuffled.by_patch[patch])


@given(GAMES)
def test_sums_of_pairs_are_the_sums_of_their_games(games: list[Game]) -> None:
    ordered = [g if g.a <= g.b else Game(g.b, g.a, 1 - g.points, TURNED[g.first], g.patch)
               for g in games]  # fmt: skip
    by_game = read(table(GAME_TITLES, *game_rows(ordered)))
    by_pair = read(table("a,b,wins,losses,draws,first,patch", *pair_rows(ordered)))
    assert not by_pair.warnings
    assert_equal_counts(by_game.matchups, by_pair.matchups)
    for patch, counts in by_game.by_patch.items():
        assert_equal_counts(counts, by_pair.by_patch[patch])


TURNED = {"first": "second", "second": "first", "": ""}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), min_size=3, max_size=3))
def test_a_table_from_both_sides_counts_each_pair_once(results: list[tuple[int, int]]) -> None:
    pairs = [("Zoo", "Control"), ("Zoo", "Mage"), ("Control", "Mage")]
    one = [f"{a},{b},{w},{n}" for (a, b), (w, n) in zip(pairs, results, strict=True)]
    other = [f"{b},{a},{n},{w}" for (a, b), (w, n) in zip(pairs, results, strict=True)]
    half = read(table("deck,opponent,wins,losses", *one))
    whole = read(table("deck,opponent,wins,losses", *one, *other))
    assert_equal_counts(half.matchups, whole.matchups)
    assert [(w.kind, w.n) for w in whole.warnings] == [("two sides", 3)]


def test_both_sides_that_disagree_are_named_and_averaged() -> None:
    text = table("deck,opponent,wins,losses", "A,B,21,17", "B,A,17,27", "A,C,5,6", "C,A,6,5")
    found = read(text)
    warnings = {w.kind: w for w in found.warnings}
    assert warnings["contradiction"].names == ("A", "B")
    assert warnings["contradiction"].n == 38 + 44
    assert found.matchups.points[0, 1] == (21 + 27) / 2
    assert found.matchups.games[0, 1] == (38 + 44) / 2


def test_rows_of_both_orders_that_disagree_are_different_games() -> None:
    found = read(table("a,b,wins,losses", "A,B,20,10", "B,A,18,12", "A,C,5,6", "C,A,5,6"))
    assert not found.warnings
    assert found.matchups.games[0, 1] == 60
    assert found.matchups.points[0, 1] == 32


def test_rates_that_agree_up_to_rounding_are_the_same_games() -> None:
    found = read(table("a,b,win rate,games", "A,B,33.3 %,3", "B,A,66.7 %,3"))
    assert [w.kind for w in found.warnings] == ["two sides"]
    assert found.matchups.points[0, 1] == pytest.approx(1, abs=0.002)


@pytest.mark.parametrize(
    ("titles", "rows", "points"),
    [
        ("a,b,winner", ["X,Y,X", "X,Y,Y", "X,Y,X"], 2),
        ("a,b,winner", ["X,Y,x", "X,Y,y", "Y,X,X"], 2),
        ("a,b,result", ["X,Y,1", "X,Y,0", "X,Y,1"], 2),
        ("a,b,result", ["X,Y,1", "X,Y,2", "X,Y,0"], 1.5),
        ("a,b,result", ["X,Y,1", "X,Y,-1", "X,Y,0"], 1.5),
        ("a,b,won", ["X,Y,yes", "X,Y,no", "X,Y,yes"], 2),
        ("a,b,outcome", ["X,Y,Win", "X,Y,LOSS", "X,Y,tie"], 1.5),
        ("a;b;outcome", ["X;Y;victory", "X;Y;defeat", "X;Y;won"], 2),
        ("a\tb\toutcome", ["X\tY\tw", "X\tY\tl", "X\tY\tw"], 2),
        ("a,b,won,games", ["X,Y,2,3"], 2),
        ("a,b,wins,games,draws", ["X,Y,1,3,1"], 1.5),
        ("a,b,wins,games,win rate", ["X,Y,1,3,33 %"], 1),
        ("a,b,wins,losses,draws", ["X,Y,1,1,1"], 1.5),
        ("a,b,win rate,n", ["X,Y,50,3"], 1.5),
        ("a,b,win rate,n", ['X,Y,"50,0 %",3'], 1.5),
        ("a,b,win_rate,n", ["X,Y,0.5,3"], 1.5),
        ("a;b;WR;games", ["X;Y;0,5;3"], 1.5),
        ("a;b;win rate (%);games", ["X;Y;0,5;3"], 0.015),
        ("sep=;\na;b;winner", ["X;Y;X", "X;Y;X", "X;Y;Y"], 2),
        ("\na,b,winner", ["X,Y,X", "", "X,Y,X", "X,Y,Y"], 2),
        ("Deck,Opposing deck,Winning deck", ["X,Y,X", "X,Y,X", '"Y","X",Y'], 2),
    ],
)
def test_common_forms_of_results_are_read(titles: str, rows: list[str], points: float) -> None:
    found = read(table(titles, *rows)).matchups
    assert found.names == ("X", "Y")
    assert found.games[0, 1] == 3
    assert found.points[0, 1] == pytest.approx(points, abs=1e-6)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_and_line_ends_do_not_matter(encoding: str) -> None:
    text = "a,b,winner\r\nMüller,Ōta,Müller\r\n"
    assert read(text.encode(encoding)).matchups.names == ("Müller", "Ōta")


def test_workbooks_and_tab_separated_files_are_read_like_csv(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Deck", "Opponent", "Wins", "Games"], ["X", "Y", 3, 5], ["X", "Z", 1, 2]):
        book.active.append(row)
    book.save(tmp_path / "results.xlsx")
    sheet = read_results(tmp_path / "results.xlsx")
    book.active["F3"] = "stray"
    book.save(tmp_path / "stray.xlsx")
    with pytest.raises(InputError) as refused:
        read_results(tmp_path / "stray.xlsx")
    assert refused.value.value == "stray"
    text = read("Deck\tOpponent\tWins\tGames\nX\tY\t3\t5\nX\tZ\t1\t2\n", name="results.tsv")
    assert_equal_counts(sheet.matchups, text.matchups)


def test_patches_are_in_the_order_of_their_days_and_brackets_in_that_of_ranks() -> None:
    titles = "a,b,winner,patch,date,rank"
    rows = ["X,Y,X,beta,2026-01-02,gold", "X,Y,X,alpha,2026-02-03,Bronze", "X,Y,Y,beta,2026-01-09,"]
    found = read(table(titles, *rows))
    assert [*found.by_patch] == ["beta", "alpha"]
    assert [*found.by_bracket] == ["Bronze", "gold"]
    assert found.days == ("2026-01-02", "2026-02-03")
    assert found.by_patch["beta"].n_games == 2
    assert [*read(table("a,b,winner,patch", "X,Y,X,1.10", "X,Y,X,1.9")).by_patch] == ["1.9", "1.10"]


def test_lengths_are_averaged_over_games_with_a_length() -> None:
    found = read(table("a,b,winner,turns", "X,Y,X,8", "X,Y,Y,", 'X,Y,Y,"9,5"')).matchups
    assert found.mean_turns(found.pairs[0]) == 8.75


def test_a_name_in_a_mirror_does_not_say_who_moved_first() -> None:
    found = read(table("a,b,winner,first", "X,X,a,X", "X,X,a,a", "X,Y,X,Y")).matchups
    assert found.first_games.tolist() == [[1, 0], [1, 0]]
    assert found.first_points.tolist() == [[1, 0], [0, 0]]


def test_columns_may_be_chosen_by_title() -> None:
    text = table("player,deck,opponent,won by", "Ann,X,Y,X", "Bob,Y,X,X")
    with pytest.raises(InputError) as refused:
        read(text)
    assert refused.value.limit == "player_a"
    assert refused.value.value == ("player", "deck")
    found = read(text, {"player_a": "Deck"})
    assert found.columns == {"player_a": "deck", "player_b": "opponent", "winner": "won by"}
    assert found.matchups.points[0, 1] == 2


def test_no_title_has_two_meanings() -> None:
    words = [packed(word) for synonyms in SYNONYMS.values() for word in synonyms]
    assert len(words) == len({*words})


@pytest.mark.parametrize(
    ("rows", "kind", "names", "n"),
    [
        (["Zoo,Y,a", "zoo,Y,a", "ZOO,Y,b", "Zoo,Y,a"], "spellings", ("Zoo", "ZOO", "zoo"), 2),
        (["Face-Hunter,Y,a", "Face Hunter,Y,a", "Face Hunter,Y,a"], "spellings",
         ("Face Hunter", "Face-Hunter"), 1),
        (["Hunter,Y,a", "Huntr,Y,a", "Hunter,Y,b"], "similar", ("Hunter", "Huntr"), 1),
        (["Zoolock,Y,a", "Zoo Lock,Y,a"], "similar", ("Zoo Lock", "Zoolock"), 1),
    ],
)  # fmt: skip
def test_spellings_of_one_name_are_said(
    rows: list[str], kind: str, names: tuple[str, ...], n: int
) -> None:
    (warning,) = read(table("a,b,winner", *rows)).warnings
    assert (warning.kind, warning.names, warning.n) == (kind, names, n)


@pytest.mark.parametrize("names", [("Deck 1", "Deck 2"), ("Zoo+", "Zoo-"), ("Mage", "Sage")])
def test_names_that_differ_on_purpose_are_two_players(names: tuple[str, str]) -> None:
    found = read(table("a,b,winner", f"{names[0]},{names[1]},a"))
    assert {*found.matchups.names} == {*names}
    assert not found.warnings


def test_games_with_an_id_are_counted_once_also_from_both_players_views() -> None:
    rows = ["1,X,Y,a", "1,Y,X,b", "2,X,Y,a", "2,X,Y,a", "3,X,Y,a", "3,X,Y,b", "4,X,Y,b", ",X,Y,a"]
    found = read(table("match id,a,b,winner", *rows), chunk=3)
    assert [(w.kind, w.n) for w in found.warnings] == [
        ("repeated game", 2),
        ("contradictory game", 1),
    ]
    assert found.matchups.games[0, 1] == 4
    assert found.matchups.points[0, 1] == 3


def test_of_a_game_that_two_players_record_the_same_row_is_kept_in_any_order() -> None:
    rows = ["1,X,Y,a,gold", "1,Y,X,b,bronze", "2,X,Y,b,bronze", "2,X,Y,b,gold"]
    for some in (rows, rows[::-1]):
        found = read(table("id,a,b,winner,rank", *some))
        assert {rank: counts.n_games for rank, counts in found.by_bracket.items()} == {"bronze": 2}


def test_equal_rows_are_said_if_the_file_identifies_games() -> None:
    row = "X,Y,a,2026-01-02 10:11"
    timed = read(table("a,b,winner,date", row, row, "X,Y,a,2026-01-02 10:12"), chunk=1)
    assert [(w.kind, w.n) for w in timed.warnings] == [("same row", 1)]
    assert timed.matchups.games[0, 1] == 3
    plain = read(table("a,b,winner,date", *["X,Y,a,2026-01-02"] * 2))
    assert not plain.warnings
    sums = read(table("a,b,wins,losses", "X,Y,3,4", "X,Y,3,4"))
    assert [(w.kind, w.n) for w in sums.warnings] == [("repeated row", 1)]
    assert sums.matchups.games[0, 1] == 7


def test_chunks_of_blank_lines_are_skipped() -> None:
    found = read(table("a,b,winner", "X,Y,X", *[""] * 9, "X,Y,Y"), chunk=2)
    assert found.matchups.games[0, 1] == 2


def test_pairs_without_games_are_left_out() -> None:
    found = read(table("a,b,wins,losses", "X,Y,3,4", "X,Z,,", "Y,Z,0,0"))
    assert [(w.kind, w.n) for w in found.warnings] == [("no result", 2)]
    assert found.matchups.names == ("X", "Y", "Z")
    assert found.matchups.missing_pairs == ((0, 2), (1, 2))


BAD: dict[str, tuple[str | bytes, dict[str, Any]]] = {
    "empty": ("", {}),
    "blank lines": ("\n,,\n", {}),
    "titles only": ("a,b,winner\n", {}),
    "no players": ("name,cost,attack\nX,1,2\n", {"limit": "player_a"}),
    "no opponent": ("deck,winner\nX,X\n", {"limit": "player_b"}),
    "no results": ("a,b\nX,Y\n", {"limit": ("winner", "wins", "win_rate", "low", "high")}),
    "only wins": ("a,b,wins\nX,Y,3\n", {"limit": ("games", "losses")}),
    "rates without games": ("a,b,win rate\nX,Y,50\n", {"limit": "games"}),
    "two forms": ("a,b,winner,wins,n\nX,Y,X,1,1\n", {"value": ("winner", "wins", "games")}),
    "sums of results": ("a,b,result,games\nX,Y,win,7\n", {"value": ("winner", "games")}),
    "one player": ("a,b,winner\nX,x,a\n", {"value": "X", "limit": 2}),
    "mirrors": ("a,b,winner\nX,X,a\nY,Y,a\n", {"value": ("X", "Y")}),
    "blank player": ("a,b,winner\nX,Y,X\n,Y,Y\n", {"place": "row 3: column 'a'", "value": ""}),
    "other winner": ("a,b,winner\nX,Y,Z\n", {"place": "row 2: column 'winner'", "value": "Z"}),
    "no winner": ("a,b,winner\nX,Y,X\nX,Y,\n", {"place": "row 3: column 'winner'", "value": ""}),
    "wrong seat": ("a,b,winner,first\nX,Y,X,Q\n", {"place": "row 2: column 'first'", "value": "Q"}),
    "length": ("a,b,winner,turns\nX,Y,X,-3\n", {"place": "row 2: column 'turns'", "value": "-3"}),
    "more wins than games": (
        "a,b,wins,games\nX,Y,12,10\n", {"place": "row 2: column 'wins'", "value": "12"},
    ),
    "wrong sum": (
        "a,b,wins,losses,games\nX,Y,5,5,11\n", {"place": "row 2: column 'games'", "value": "11"},
    ),
    "negative": (
        "a,b,wins,games\nX,Y,-1,10\n", {"place": "row 2: column 'wins'", "value": -1, "limit": 0},
    ),
    "NaN": ("a,b,wins,games\nX,Y,NaN,10\n", {"place": "row 2: column 'wins'", "value": "NaN"}),
    "fraction": ("a,b,wins,games\nX,Y,1.5,10\n", {"place": "row 2: column 'wins'"}),
    "ambiguous": ('a,b,wins,games\nX,Y,5,"1,000"\n', {"place": "row 2: column 'games'"}),
    "blank wins": ("a,b,wins,losses\nX,Y,3,\n", {"place": "row 2: column 'losses'", "value": ""}),
    "rate above 100": (
        "a,b,wr,games\nX,Y,101,10\n", {"place": "row 2: column 'wr'", "limit": (0, 100)},
    ),
    "share or percentage": (
        "a,b,wr,games\nX,Y,52.3,10\nX,Z,0.48,10\n", {"place": "row 3: column 'wr'", "value": 0.48},
    ),
    "too many draws": (
        "a,b,wr,games,draws\nX,Y,50,10,11\n", {"place": "row 2: column 'draws'", "value": "11"},
    ),
    "stray cell": ("a,b,winner\nX,Y,X,5\n", {"place": "row 2", "limit": 3}),
    "stray cells": ("a,b,winner\nX,Y,X\nX,Y,X,5,6\n", {"place": "row 3", "limit": 3}),
    "stray cells at first": ("a,b,winner\nX,Y,X,5,6\n", {"place": "row 2", "limit": 3}),
    "decimal commas": ("a,b,wr,games\nX,Y,52,3,10\n", {"place": "row 2", "limit": 4}),
    "open quotation": ('a,b,winner\nX,"Y,X\n', {"place": "row 2"}),
    "binary": (b"\x00\x01\x02\xff\xfeabc", {}),
    "latin-1": ("a,b,winner\nXé,Y,Y\n".encode("latin-1"), {}),
    "latin-1 later": (b"a,b,winner\n" + b"X,Y,Y\n" * 20_000 + b"X\xe9,Y,Y\n", {}),
    "JSON": ('{"a": "X"}', {}),
    "workbook": (b"PK\x03\x04abc", {}),
    "many patches": (
        table("a,b,winner,patch", *(f"X,Y,X,{k}" for k in range(GROUPS_MAX + 1))),
        {"place": "column 'patch'", "limit": GROUPS_MAX},
    ),
    "many players": (
        table("a,b,winner", *(f"P{k},P{k + 1},a" for k in range(400))),
        {"value": 401, "limit": 400},
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", BAD)
def test_bad_tables_are_refused_with_their_place(mistake: str) -> None:
    text, fields = BAD[mistake]
    with pytest.raises(InputError) as refused:
        read(text)
    error = refused.value
    assert "results.csv" in error.place
    assert str(error).count("\n") == 0
    assert error.problem
    for name, value in fields.items():
        given_value = getattr(error, name)
        if name == "place":
            assert given_value.endswith(f"results.csv: {value}")
        else:
            assert given_value == value, name


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        ({"player_a": "Dekc"}, {"value": "Dekc"}),
        ({"playr_a": "Deck"}, {"value": "playr_a"}),
        ({"winner": "Deck"}, {"limit": "player_a"}),
    ],
)
def test_wrong_choices_of_columns_are_refused(
    columns: dict[str, str], fields: dict[str, object]
) -> None:
    with pytest.raises(InputError) as refused:
        read(table("Deck,Opponent,Winner", "X,Y,X"), columns)
    for name, value in fields.items():
        assert getattr(refused.value, name) == value


def test_games_are_assumed_only_for_rates_without_games() -> None:
    rates = table("a,b,win rate", "X,Y,60", "X,Z,50")
    found = read(rates, n_games=50)
    assert found.matchups.points[0, 1] == pytest.approx(30)
    assert found.assumed_games == 50
    for titles in ("a,b,winner", "a,b,wins,games", "a,b,win rate,games"):
        with pytest.raises(InputError) as refused:
            read(table(titles, "X,Y,1,1"), n_games=50)
        assert refused.value.place == "--games"


def test_files_without_an_end_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for path in (pipe, tmp_path / "zero.csv", tmp_path, tmp_path / "missing.csv"):
        with pytest.raises(InputError) as refused:
            read_results(path)
        assert refused.value.place == str(path)


def test_all_players_of_the_tests_are_read() -> None:
    """Names with signs and accents keep them."""
    rows = [f"{a},{b},a" for a, b in pairwise(PLAYERS)]
    assert {*read(table("a,b,winner", *rows)).matchups.names} == {*PLAYERS}
