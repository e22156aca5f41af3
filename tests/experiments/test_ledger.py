"""Ledger: repeated attempts at one question share one error budget."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from balance.verdict.risk import risk_of_try
from experiments.experiment import Experiment
from experiments.loading import load_experiment
from experiments.runs.ledger import LEDGER, attempt_of, counted_try, read_ledger
from tests.command_line import (
    TINY,
    ask,
    assert_says,
    json_of,
    refusal,
    run_folder,
    summary_of,
    write_experiment,
)
from tests.experiments.test_study_command import GRID
from tests.messages import check_message
from tests.refusals import refusal_of


def experiment_of(text: str = TINY) -> Experiment:
    return load_experiment(str(write_experiment(Path(), text)))


def number_of(experiment: Experiment, results: Path = Path()) -> int:
    with counted_try(results, attempt_of(experiment)) as number:
        return number


pytestmark = pytest.mark.usefixtures("here")


def test_seeds_are_numbered_and_a_seed_keeps_its_number() -> None:
    tiny = experiment_of()
    assert [number_of(tiny.with_seed(seed)) for seed in (7, 3, 9, 3, 7, 1)] == [1, 2, 3, 2, 1, 4]


SAME: dict[str, tuple[str, str]] = {
    "games": ("certify = 200", "certify = 400"),
    "method": ('method = "nsga2"', 'method = "ga"'),
    "narrowing": ('by = "power"', 'by = "none"'),
    "weights": ("max_steps = 2", "max_steps = 2\nweights.cost = 2"),
}
OTHER: dict[str, tuple[str, str]] = {
    "band": ("band_pp = 40", "band_pp = 39"),
    "guards": ("median_turns = 100", "median_turns = 99"),
    "what may move": ("max_steps = 2", "max_steps = 3"),
    "steps by field": ("max_steps = 2", "max_steps = { cost = 1 }"),
    "steps of a card": ("max_steps = 2", "max_steps = 2\nmax_card_change = 3"),
    "agents": ('agent = "aggro"', 'agent = "greedy"'),
    "decks": ('deck = "tide_keep"', 'deck = "grove_march"'),
}
NEITHER: dict[str, tuple[str, str]] = {
    "name": ('name = "tiny"', 'name = "small"'),
    "other commands": ("[search]", "[evaluate]\ngames = 12\n\n[search]"),
}


@pytest.mark.parametrize(
    ("edits", "number"), [(SAME, 2), (OTHER, 1), (NEITHER, 1)], ids=["same", "other", "neither"]
)
def test_settings_of_the_search_are_not_part_of_the_question(edits, number: int) -> None:
    for name, edit in edits.items():
        results = Path(name)
        results.mkdir()
        assert number_of(experiment_of(), results) == 1
        edited = TINY.replace(*edit)
        assert edited != TINY
        assert number_of(experiment_of(edited), results) == number, name
        n_tries = [len(one.tries) for one in read_ledger(results).questions.values()]
        assert n_tries == {id(SAME): [2], id(OTHER): [1, 1], id(NEITHER): [1]}[id(edits)], name


def test_weights_belong_to_the_question_if_they_restrict_patches() -> None:
    field = "\n[field]\nweights.ember_rush = 2\n"
    for asks, weighs in (
        (("band_pp = 40", "band_pp = 40\nfield = 0.5"), ("[guards]", f"{field}\n[guards]")),
        (("max_steps = 2", "max_steps = 2\nmax_change = 9"),
         ("max_steps = 2", "max_steps = 2\nweights.cost = 2")),
    ):  # fmt: skip
        results = Path(asks[1][-1])
        results.mkdir()
        text = TINY.replace(*asks)
        assert number_of(experiment_of(text), results) == 1
        assert number_of(experiment_of(text.replace(*weighs)), results) == 1
        assert len(read_ledger(results).questions) == 2


def test_a_patched_card_is_another_question(tmp_path: Path) -> None:
    tiny = experiment_of()
    card = tiny.pool.cards[0]
    cards = (card.model_copy(update={"cost": card.cost + 1}), *tiny.pool.cards[1:])
    patched = tiny.pool.model_copy(update={"cards": cards})
    assert number_of(tiny) == 1
    assert number_of(Experiment(**{**vars(tiny), "pool": patched, "settings": tiny.settings})) == 1


def stopped(experiment: Experiment) -> None:
    with counted_try(Path(), attempt_of(experiment)):
        raise KeyboardInterrupt


def test_an_attempt_stopped_without_an_answer_is_not_counted() -> None:
    tiny = experiment_of()
    assert number_of(tiny) == 1
    for seed in (7, 8):  # the first was answered before, which is not struck out
        with pytest.raises(KeyboardInterrupt):
            stopped(tiny.with_seed(seed))
    assert [number_of(tiny.with_seed(seed)) for seed in (9, 7, 8)] == [2, 1, 3]


def test_many_at_once_lose_no_try() -> None:
    tiny = experiment_of()
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda seed: number_of(tiny.with_seed(seed)), range(24)))
    assert sorted(numbers) == list(range(1, 25))
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


def test_at_once_numbers_are_distinct_though_one_is_stopped() -> None:
    tiny = experiment_of()
    with counted_try(Path(), attempt_of(tiny.with_seed(2))) as second:
        with pytest.raises(KeyboardInterrupt):
            stopped(tiny)
        assert (second, number_of(tiny.with_seed(3))) == (1, 2)


DAMAGED = (
    "",
    "{",
    "[]",
    '{"questions": {"a": {"experiment": "tiny"}}}',
    '{"questions": {"a": {"experiment": "tiny", "tries": [{"number": 0, "seed": 1, '
    '"settings": "b"}]}}}',
)


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_ledger_is_named_before_anything_is_played(content: str) -> None:
    Path("results").mkdir()
    ledger = Path("results") / LEDGER
    ledger.write_text(content, encoding="utf-8")
    message = refusal(ask("balance", Path(), "--no-plots"))
    assert message.startswith(f"evenhand: {ledger}: ")
    check_message(message)
    assert list(Path("results").iterdir()) == [ledger]
    assert refusal_of(read_ledger, Path("results")).remedy


def test_the_summary_and_the_screen_report_the_attempt() -> None:
    summary = summary_of(run_folder("balance", Path()))["certificate"]
    assert (summary["try"], summary["risk"]) == (1, pytest.approx(risk_of_try(1)))
    words = " ".join(ask("balance", Path(), "--no-plots", "--seed", "8").out.split())
    assert_says(
        words,
        "with at most 0.44 % risk of certifying a patch that is not balanced",
        "(try 2 of this question; the first had 4.4 %, all tries together have 5 %)",
    )
    assert json_of(ask("balance", Path(), "--no-plots", "--json"))["certificate"] == summary


def test_a_study_is_no_try() -> None:
    assert run_folder("study", Path(), text=GRID).is_dir()
    assert not (Path("results") / LEDGER).exists()
