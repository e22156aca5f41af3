"""The second opinion of other pilots: the same in all outputs, never part of the verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from balance.second_opinion.opinion import OpinionRow
from balance.settings.second_opinion import PILOTS
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
    balance,
    only_folder,
    run_folder,
    summary_of,
    timeless,
    write_experiment,
)
from tests.experiments.command_goldens import check_refused
from tests.experiments.stopping import stopped_after
from tests.messages import check_message

ASKED = '[second_opinion]\npilots = ["greedy"]\ngames = 64\n'
BY_TWO = THREE.replace('pilots = ["greedy"]', 'pilots = ["random", "light"]')


def with_table(table: str, text: str = TINY) -> str:
    """Return the experiment with another table `[second_opinion]`."""
    assert ASKED in text
    return text.replace(ASKED, table)


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
    settings = load_experiment(str(write_experiment(tmp_path, with_table("")))).settings
    assert settings.second_opinion.pilots == PILOTS == ("greedy", "light", "reader")


def test_summary_and_table_have_every_matchup_of_every_pilot(folder: Path) -> None:
    opinion = summary_of(folder)["second_opinion"]
    assert opinion["own"] == ["aggro", "control"]
    assert [pilot["agent"] for pilot in opinion["pilots"]] == ["random", "light"]
    rows = read_rows(folder / "second_opinion.csv", OpinionRow)
    cells = [(pilot["agent"], cell) for pilot in opinion["pilots"] for cell in pilot["matchups"]]
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
    check_message(sentence)
    for text in (outcome.out, (folder / "patch_notes.txt").read_text(encoding="utf-8")):
        lines = text.splitlines()
        assert "(certified; seed " in lines[lines.index(sentence) - 1]


def test_the_last_line_offers_an_attack_on_this_run(outcome: Outcome, folder: Path) -> None:
    command = outcome.out.splitlines()[-1].partition("? ")[2]
    assert command.split() == ["evenhand", "build", "--attack", str(folder)]


@pytest.mark.thorough
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


def test_an_empty_list_asks_no_pilot(tmp_path: Path) -> None:
    folder = run_folder("balance", tmp_path, text=with_table("[second_opinion]\npilots = []\n"))
    opinion = summary_of(folder)["second_opinion"]
    assert opinion == no_opinion(opinion["sentence"])
    check_message(opinion["sentence"])
    assert not (folder / "second_opinion.csv").exists()


def test_the_pilot_of_all_decks_is_not_asked_again(tmp_path: Path) -> None:
    own = TINY.replace('"aggro"', '"greedy"').replace('"control"', '"greedy"')
    folder = run_folder("balance", tmp_path, text=own)
    opinion = summary_of(folder)["second_opinion"]
    assert opinion["pilots"] == []
    check_message(opinion["sentence"])


@pytest.mark.parametrize(
    "table",
    [
        '[second_opinion]\npilots = ["greedi"]\n',
        '[second_opinion]\npilots = ["dqn:nobody.pt"]\n',
        '[second_opinion]\npilots = ["greedy", "greedy"]\n',
        "[second_opinion]\ngames = 62\n",
        "[second_opinion]\nagents = []\n",
    ],
)
def test_bad_settings_are_refused_in_one_line_before_anything_is_played(
    table: str, tmp_path: Path
) -> None:
    check_refused("balance", tmp_path, text=with_table(table))


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


def test_only_balance_runs_depend_on_the_other_pilots(tmp_path: Path) -> None:
    own, other = (
        load_experiment(str(write_experiment(tmp_path, text, f"{k}.toml")))
        for k, text in enumerate((TINY, with_table("")))
    )
    assert own.resolved("balance") != other.resolved("balance")
    for command in ("", "matchups", "study", "power"):
        assert own.resolved(command) == other.resolved(command)


def parts_of(*holds: bool | None, certified: bool) -> dict[str, str]:
    """Return the part of the sentence that names each pilot, by the pilot."""
    pilots = [
        {
            "agent": f"pilot{k}",
            "holds": pilot_holds,
            "worst_pp": 12.3,
            "worst_matchup": f"a{k} vs b{k}",
            "fault": "",
            "matchups": [{"verdict": "outside"}, {"verdict": "inside"}],
        }
        for k, pilot_holds in enumerate(holds)
    ]
    opinion = {"own": ["aggro", "control"], "pilots": pilots}
    sentence = opinion_sentence(opinion, certified=certified, subject="The patch")
    check_message(sentence)
    parts = sentence.split("; ")
    return {name: part for part in parts for name in re.findall(r"pilot\d|aggro", part)}


def test_the_sentence_separates_pilots_by_their_verdicts() -> None:
    parts = parts_of(True, False, None, False, True, certified=True)
    assert len({parts[f"pilot{k}"] for k in range(5)} | {parts["aggro"]}) == 4
    assert parts["pilot0"] == parts["pilot4"]
    assert parts["pilot1"] == parts["pilot3"]
    assert "a1 vs b1, 12 points" in parts["pilot1"]
    assert "a3 vs b3, 12 points" in parts["pilot3"]
    assert parts_of(True, certified=False)["aggro"] != parts["aggro"]
