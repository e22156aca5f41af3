"""The screens of `evenhand matchups` and `power`: lists, matrices, marks and conclusions."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from experiments.screen import BAND_LEGEND
from tests.command_line import TINY, ask, assert_says, done, only_folder, rows_of
from tests.experiments.command_goldens import check_screen
from tests.messages import check_message


def crowd(n_players: int) -> str:
    """Return an experiment with a number of players that have long names."""
    agents = ("aggro", "control", "greedy", "random")
    pairs = itertools.product(("ember_rush", "tide_keep", "grove_march"), agents)
    players = "".join(
        f'[[player]]\ndeck = "{deck}"\nagent = "{agent}"\nname = "{deck}_with_{agent}"\n'
        for deck, agent in itertools.islice(pairs, n_players)
    )
    return f'name = "crowd"\nseed = 3\n{players}[games]\nmatchups = 20\n'


@pytest.mark.parametrize("n_players", [6, 8, 12])
def test_many_decks_are_a_matrix_of_80_columns_with_the_mean_of_each_row(
    n_players: int, tmp_path: Path
) -> None:
    outcome = done(ask("matchups", tmp_path, "--no-plots", text=crowd(n_players)))
    lines = outcome.out.splitlines()
    rule = next(k for k, line in enumerate(lines) if line.startswith("─"))
    table = lines[rule - 1 : rule + 1 + n_players]
    assert max(map(len, lines[: rule + 1 + n_players])) <= 80
    rows = rows_of(only_folder(tmp_path / "results") / "matchups.csv")
    first = [float(row["win_rate_a"]) for row in rows[: n_players - 1]]
    cells = table[2].split()
    assert float(cells[-1]) == pytest.approx(100 * sum(first) / len(first), abs=0.051)
    assert [float(cell.rstrip("!?")) for cell in cells[-n_players:-1]] == pytest.approx(
        [100 * rate for rate in first], abs=0.51
    )
    verdicts = [row["verdict"] for row in rows]
    for row in rows:
        low = float(row["low"])
        high = float(row["high"])
        assert (row["verdict"] == "outside") is (low > 0.55 or high < 0.45)
        assert (row["verdict"] == "inside") is (low >= 0.45 and high <= 0.55)
    sentence = next(line for line in lines if line.startswith(f"{verdicts.count('outside')} of "))
    assert_says(sentence, f"of {len(rows)} ", f" {verdicts.count('not shown')} more")
    if n_players == 6:
        check_screen(outcome.out)


def test_five_decks_are_a_list_that_says_what_its_marks_mean(tmp_path: Path) -> None:
    outcome = ask("matchups", tmp_path, "--no-plots", text=crowd(5))
    assert outcome.out.count("50 ±5") == 11  # of matchups, and of the first seat
    assert BAND_LEGEND in outcome.out
    check_screen(outcome.out)


def test_power_ends_with_the_card_that_matters_most_or_with_none(tmp_path: Path) -> None:
    for text in (TINY, TINY.replace("power = 20", "power = 2000")):
        check_message(done(ask("power", tmp_path, "--no-plots", text=text)).out.splitlines()[-2])
