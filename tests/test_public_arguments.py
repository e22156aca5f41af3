"""Public functions refuse nonsense in one line, by the code that checks files, or accept it.

The table (`tests/arguments`) has an entry for every public function: a function without an entry
fails a test.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from balance import (
    BalanceSettings,
    Demands,
    matchup_rows,
    measure_power,
    play_matchups,
)
from sim import InputError, stream_seed, validate
from sim.play import play
from tests.arguments.of_agents import DATA_OF_AGENTS, OF_AGENTS, TAKES_ANYTHING_OF_AGENTS
from tests.arguments.of_balance import DATA_OF_BALANCE, OF_BALANCE, TAKES_ANYTHING_OF_BALANCE
from tests.arguments.of_sim import DATA_OF_SIM, OF_SIM, TAKES_ANYTHING_OF_SIM
from tests.arguments.values import AGGRO, CONTEST, NO_GAME_COUNTS, TABLE, batch_with
from tests.test_public_names import FACES

REFUSED: dict[str, list[partial[Any]]] = OF_SIM | OF_AGENTS | OF_BALANCE
TAKES_ANYTHING = TAKES_ANYTHING_OF_SIM | TAKES_ANYTHING_OF_AGENTS | TAKES_ANYTHING_OF_BALANCE
DATA = DATA_OF_SIM | DATA_OF_AGENTS | DATA_OF_BALANCE
FIGURES = "experiments.plots"  # its functions draw results, which are data


def public_functions() -> list[str]:
    """Return the functions and classes that a package offers."""
    names = []
    for package in FACES:
        face = importlib.import_module(package)
        for name in () if package == FIGURES else face.__all__:
            value = getattr(face, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                names.append(f"{package}.{name}")
    return names


@pytest.mark.parametrize("name", public_functions())
def test_every_public_function_is_in_the_table(name: str) -> None:
    """A new function needs an entry in `tests/arguments`, or a reason to have none."""
    assert (name in REFUSED) + (name in TAKES_ANYTHING) + (name in DATA) == 1


def test_the_table_names_nothing_else() -> None:
    for name in (*REFUSED, *TAKES_ANYTHING, *DATA):
        package, _, word = name.rpartition(".")
        assert hasattr(importlib.import_module(package), word), name


def error_of(case: partial[Any]) -> Exception:
    """Return the error with which a call is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            returned = case()
        except (ValueError, TypeError) as error:
            return error
    pytest.fail(f"{case} returned {returned!r}")


@pytest.mark.parametrize("name", REFUSED)
def test_nonsense_is_refused_in_one_line(name: str) -> None:
    """No warning is raised first, such as numpy's for a division by 0."""
    for case in REFUSED[name]:
        error = error_of(case)
        is_of_pydantic = isinstance(error, ValidationError)  # of a model that is made by hand
        assert is_of_pydantic or len(str(error).splitlines()) == 1, case


IN_FILES = [n for n in NO_GAME_COUNTS if n is not None and not isinstance(n, np.integer)]


@pytest.mark.parametrize("n_games", IN_FILES)
def test_a_number_of_games_is_refused_as_files_refuse_it(n_games: Any) -> None:
    """The same code checks both, so only the place of the error differs."""
    with pytest.raises(InputError) as of_file:
        validate(BalanceSettings, {"seed": 1, "games": {"matchups": n_games}}, source="file")
    with pytest.raises(InputError) as of_function:
        play_matchups(CONTEST, CONTEST.table, n_games=n_games, run_seed=1, purpose="matchups")
    assert of_file.value.place == "file: games.matchups"
    assert of_function.value.place == "play_matchups(): n_games"
    assert of_function.value.problem == of_file.value.problem
    assert of_function.value.limit == of_file.value.limit


def test_numbers_of_numpy_are_accepted() -> None:
    plain = play_matchups(CONTEST, CONTEST.table, n_games=8, run_seed=3, purpose="matchups")
    numpys = play_matchups(
        CONTEST,
        CONTEST.table,
        n_games=np.int64(8),  # type: ignore[arg-type]
        run_seed=np.uint32(3),  # type: ignore[arg-type]
        purpose="matchups",
    )
    np.testing.assert_array_equal(plain.winners, numpys.winners)
    assert stream_seed(np.int64(3), "p") == stream_seed(3, "p")  # type: ignore[arg-type]


def test_every_requested_game_is_played_and_counted() -> None:
    for n_games in (4, 6, 10, 998):
        counts = play_matchups(CONTEST, CONTEST.table, n_games=n_games, run_seed=1, purpose="m")
        assert counts.n_games == n_games == counts.winners.size
        rate = counts.rates[0, 0]
        assert rate == pytest.approx(counts.points[0, 0] / counts.winners.size)
        assert np.isfinite([*counts.win_rate()]).all()


def test_the_fewest_games_have_intervals() -> None:
    """Two seeds are enough for a spread; a single one would give no number."""
    counts = play_matchups(CONTEST, CONTEST.table, n_games=4, run_seed=1, purpose="matchups")
    (row,) = matchup_rows(CONTEST, counts)
    assert np.isfinite([*row.win_rate, *row.first_seat]).all()
    powers = measure_power(CONTEST, n_games=4, run_seed=1)
    assert np.isfinite([[*card.power] for card in powers]).all()
    assert np.isfinite([*Demands.around([0.5], 5.0).read(counts, 0.95)]).all()


def test_no_games_at_all_are_a_batch_of_nothing() -> None:
    outcomes = play(batch_with(n_games=np.array([0])), TABLE, [AGGRO, AGGRO])
    assert outcomes.totals.sum() == 0
