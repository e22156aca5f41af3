"""What balance says of a patch in other hands: the same everywhere, never part of the verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from balance.second_opinion.opinion import OpinionRow
from balance.second_opinion.settings import PILOTS
from experiments.commands import second_opinion
from experiments.loading import load_experiment
from experiments.results.opinion import no_opinion
from experiments.screen.opinion_words import opinion_sentence
from sim.files.row_file import entry, read_rows
from tests.command_line import (
    THREE,
    TINY,
    Outcome,
    ask,
    assert_refused,
    balance,
    only_folder,
    run_folder,
    summary_of,
    timeless,
    write_experiment,
)
from tests.experiments.stopping import stopped_after

ASKED = '[second_opinion]\npilots = ["greedy"]\ngames = 64\n'
BY_TWO = THREE.replace('pilots = ["greedy"]', 'pilots = ["random", "light"]')


def asking(told: str, text: str = TINY) -> str:
    """The experiment with another table `[second_opinion]`."""
    assert ASKED in text
    return text.replace(ASKED, told)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("others")


@pytest.fixture(scope="module")
def outcome(place: Path) -> Outcome:
    return ask("balance", place, "--no-plots", text=BY_TWO)


@pytest.fixture(scope="module")
def folder(outcome: Outcome, place: Path) -> Path:
    assert outcome.status == 0, outcome.err
    return only_folder(place / "results")


def test_greedy_light_and_a_strong_search_are_asked_by_default(tmp_path: Path) -> None:
    settings = load_experiment(str(write_experiment(tmp_path, asking("")))).settings
    assert settings.second_opinion.pilots == PILOTS == ("greedy", "light", "turn:200")


def test_summary_and_table_tell_every_matchup_of_every_pilot(folder: Path) -> None:
    told = summary_of(folder)["second_opinion"]
    assert told["own"] == ["aggro", "control"]
    assert [pilot["agent"] for pilot in told["pilots"]] == ["random", "light"]
    rows = read_rows(folder / "second_opinion.csv", OpinionRow)
    cells = [(pilot["agent"], cell) for pilot in told["pilots"] for cell in pilot["matchups"]]
    assert len(rows) == len(cells) == 6
    for row, (agent, cell) in zip(rows, cells, strict=True):
        assert (row.agent, row.matchup, row.verdict) == (agent, cell["matchup"], cell["verdict"])
        assert cell["matchup"] == f"{cell['a']} vs {cell['b']}"
        assert (row.before_n, row.after_n) == (cell["before"]["n"], cell["after"]["n"])
        assert entry(row)["win_rate_patched"] == pytest.approx(cell["after"]["win_rate"], abs=1e-5)
        assert row.after.low <= row.after.estimate <= row.after.high


def test_a_pilot_holds_as_its_verdicts_say(folder: Path) -> None:
    for pilot in summary_of(folder)["second_opinion"]["pilots"]:
        verdicts = {cell["verdict"] for cell in pilot["matchups"]}
        wanted = False if "outside" in verdicts else None if "not shown" in verdicts else True
        assert pilot["holds"] is wanted
        worst = {cell["matchup"]: cell["off_pp"] for cell in pilot["matchups"]}
        assert worst[pilot["worst_matchup"]] == pilot["worst_pp"]


def test_the_sentence_stands_below_the_headline_on_the_screen_and_in_the_notes(
    outcome: Outcome, folder: Path
) -> None:
    sentence = summary_of(folder)["second_opinion"]["sentence"]
    for text in (outcome.out, (folder / "patch_notes.txt").read_text(encoding="utf-8")):
        lines = text.splitlines()
        assert "(certified; seed " in lines[lines.index(sentence) - 1]


def test_the_last_line_offers_an_attack_on_this_run(outcome: Outcome, folder: Path) -> None:
    assert outcome.out.splitlines()[-1].endswith(f"evenhand build --attack {folder}")


def test_a_rate_that_is_not_shown_comes_with_the_command_that_plays_more(place: Path) -> None:
    narrow = BY_TWO.replace("band_pp = 40", "band_pp = 2").replace("aggro", "random")
    (place / "narrow").mkdir()
    shown = ask("balance", place / "narrow", "--no-plots", text=narrow).out
    left_open = [
        pilot["agent"]
        for pilot in summary_of(only_folder(place / "narrow" / "results"))["second_opinion"][
            "pilots"
        ]
        if any(cell["verdict"] == "not shown" for cell in pilot["matchups"])
    ]
    asked = re.findall(r"evenhand whatif \S+ --pool \S+ --agent (\S+) --games 256", shown)
    assert asked == left_open != []


def test_the_files_are_the_same_for_any_threads_and_after_a_stop(
    place: Path, folder: Path, tmp_path: Path
) -> None:
    with stopped_after(2):
        assert ask("balance", tmp_path, "--no-plots", text=BY_TWO).status == 130
    again = balance(tmp_path / "tiny.toml", tmp_path / "results", "--resume", "--threads", "1")
    assert timeless(again) == timeless(folder)


def test_nobody_is_asked_where_the_list_is_empty(tmp_path: Path) -> None:
    folder = run_folder("balance", tmp_path, text=asking("[second_opinion]\npilots = []\n"))
    told = summary_of(folder)["second_opinion"]
    assert told == no_opinion(told["sentence"])
    assert told["sentence"]
    assert not (folder / "second_opinion.csv").exists()


def test_who_pilots_every_deck_is_not_asked_again(tmp_path: Path) -> None:
    own = TINY.replace('"aggro"', '"greedy"').replace('"control"', '"greedy"')
    folder = run_folder("balance", tmp_path, text=own)
    told = summary_of(folder)["second_opinion"]
    assert told["pilots"] == []
    assert told["sentence"]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ('[second_opinion]\npilots = ["greedi"]\n', "second_opinion.pilots: no agent 'greedi'"),
        ('[second_opinion]\npilots = ["dqn:nobody.pt"]\n', "second_opinion.pilots"),
        ('[second_opinion]\npilots = ["greedy", "greedy"]\n', "'greedy' is named twice"),
        ("[second_opinion]\ngames = 62\n", "second_opinion.games"),
        ("[second_opinion]\nagents = []\n", "agents"),
    ],
)
def test_bad_settings_are_refused_in_one_line_before_anything_is_played(
    told: str, says: str, tmp_path: Path
) -> None:
    assert_refused("balance", tmp_path, says, text=asking(told))


def test_exit_status_and_certificate_are_the_certificates_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_pilots = second_opinion.ask_pilots

    def all_outside(*asked: Any) -> Any:
        for opinion in ask_pilots(*asked):
            rows = tuple(row._replace(verdict="outside") for row in opinion.rows)
            yield second_opinion.PilotOpinion(opinion.agent, rows, opinion.n_games)

    monkeypatch.setattr(second_opinion, "ask_pilots", lambda *asked: tuple(all_outside(*asked)))
    outcome = ask("balance", tmp_path, "--no-plots")
    summary = summary_of(only_folder(tmp_path / "results"))
    assert outcome.status == 0
    assert summary["certified"]
    assert [pilot["holds"] for pilot in summary["second_opinion"]["pilots"]] == [False]


def test_only_balance_runs_hang_on_who_else_is_asked(tmp_path: Path) -> None:
    own, other = (
        load_experiment(str(write_experiment(tmp_path, text, f"{k}.toml")))
        for k, text in enumerate((TINY, asking("")))
    )
    assert own.resolved("balance") != other.resolved("balance")
    for command in ("", "matchups", "study", "power"):
        assert own.resolved(command) == other.resolved(command)


def parts_of(*holds: bool | None, certified: bool) -> dict[str, str]:
    """By the pilot that it is about, the part of the sentence that names it."""
    pilots = [
        {
            "agent": f"pilot{k}",
            "holds": one,
            "worst_pp": 12.3,
            "worst_matchup": f"a{k} vs b{k}",
            "fault": "",
            "matchups": [{"verdict": "outside"}, {"verdict": "inside"}],
        }
        for k, one in enumerate(holds)
    ]
    told = {"own": ["aggro", "control"], "pilots": pilots}
    parts = opinion_sentence(told, certified=certified, subject="The patch").split("; ")
    return {name: part for part in parts for name in re.findall(r"pilot\d|aggro", part)}


def test_the_sentence_tells_who_holds_from_who_does_not_and_who_is_not_known() -> None:
    parts = parts_of(True, False, None, False, True, certified=True)
    assert len({parts[f"pilot{k}"] for k in range(5)} | {parts["aggro"]}) == 4
    assert parts["pilot0"] == parts["pilot4"]
    assert parts["pilot1"] == parts["pilot3"]
    assert "a1 vs b1, 12 points" in parts["pilot1"]
    assert "a3 vs b3, 12 points" in parts["pilot3"]
    assert parts_of(True, certified=False)["aggro"] != parts["aggro"]
