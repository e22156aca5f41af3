"""No accepted pool crashes the engine, hangs it, or leaves contradictory counts."""

from __future__ import annotations

import pytest

from sim.cards.action import all_actions
from sim.cards.notation import words
from sim.cards.vocabulary import Event, Kind, Selector
from tests.fuzz.playing import Verdict, loads
from tests.fuzz.pools import random_case
from tests.fuzz.workers import verdicts
from tests.scripts import python

N_DRAWN = 600


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("n_pools", "build"),
    [
        (200, []),
        # The checked build is compiled for minutes; `tests/sim/test_builds.py` plays it, too.
        pytest.param(10, ["--checked"], marks=pytest.mark.slow),
        pytest.param(20_000, [], marks=[pytest.mark.slow, pytest.mark.timeout(3_600)]),
        pytest.param(2_000, ["--checked"], marks=[pytest.mark.slow, pytest.mark.timeout(3_600)]),
    ],
)
def test_random_pools_play_by_the_laws(n_pools: int, build: list[str]) -> None:
    """The run has a process of its own, so that a crash fails one test only."""
    python("-m", "tests.fuzz", "--pools", str(n_pools), *build)


@pytest.mark.thorough
def test_most_random_pools_load_and_all_words_are_drawn() -> None:
    cases = [random_case(2, index) for index in range(N_DRAWN)]
    legal = [case for case in cases if loads(case)]
    assert len(legal) > 0.6 * N_DRAWN
    cards = [card for case in legal for key in ("card", "token") for card in case.pool[key]]
    rows = [row for card in cards for row in card.get("effects", ())]
    assert {row["do"] for row in rows} == set(all_actions())
    assert {row["on"] for row in rows} == set(words(Event))
    groups = {row[key].partition("(")[0] for row in rows for key in ("to", "of") if key in row}
    assert groups == set(words(Selector))
    assert {card["kind"] for card in cards} == set(words(Kind))


def test_a_case_is_a_function_of_seed_and_index() -> None:
    assert random_case(3, 7) == random_case(3, 7)
    assert random_case(3, 7) != random_case(3, 8)
    assert random_case(3, 7) != random_case(4, 7)


@pytest.mark.thorough
def test_a_lost_worker_is_reported_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    import faulthandler
    import os
    import signal

    from tests.fuzz import workers

    def act(index: int) -> Verdict:
        if index == 1:
            faulthandler.disable()  # the crash is intended, so its trace is noise
            os.kill(os.getpid(), signal.SIGSEGV)
        while index == 2:
            signal.pause()
        return Verdict("played", str(index))

    monkeypatch.setattr(workers, "verdict_on", act)
    results = dict(verdicts(range(5), lambda index: index, n_workers=2, patience_s=1))
    assert {index: verdict.word for index, verdict in results.items()} == {
        0: "played", 1: "crashed", 2: "hung", 3: "played", 4: "played",
    }  # fmt: skip
    assert results[1].detail == "SIGSEGV"
