"""`evenhand build --attack RUN`: what it leaves in the run's folder, killed or not, and refuses."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from unittest import mock

import numpy as np
import pytest

from agents.registry import agent_named
from balance.decks import double_oracle as oracle
from balance.decks.double_oracle import Attacker, run_attack
from balance.settings.tables import BalanceSettings, Build, Games
from experiments.commands.attack_words import conclusion
from experiments.report.attack import attack as attack_of_report
from experiments.runs.finished_run import open_finished_run
from sim import check_deck, load_deck, load_pool, load_ruleset
from tests.balance.contests import RUSH_KEEP
from tests.command_line import (
    assert_says,
    command,
    contents,
    done,
    json_of,
    read_json,
    refusal,
    rows_of,
    run_folder,
    unchanged,
)
from tests.experiments.attacked import ATTACKED, attack
from tests.experiments.command_goldens import check_refusal, check_screen
from tests.experiments.test_run_contract import assert_shape
from tests.messages import check_message

pytestmark = pytest.mark.thorough

RESULTS = {"attack.json", "attack.csv", "attackers"}
RATE = {"win_rate": float, "low": float, "high": float, "n": int}
SUMMARY = {
    "agent": str, "seed": int, "rounds": int, "margin_pp": float, "conclusion": [str],
    "phases": [{
        "phase": str, "players": [str], "win_rates": [[float]], "n_games": int,
        "equilibrium": [{"player": str, "share": float, "low": float, "high": float,
                         "against_mix": float, "against_low": float, "against_high": float,
                         "original": bool}],
        "cyclic": {"share": float, "low": float, "high": float},
        "rounds": [{"round": int, "name": str, "deck": dict, "opponents": [{"name": str, **RATE}],
                    "added": bool, "hero": str, **RATE}],
    }],
}  # fmt: skip


@pytest.fixture(scope="module")
def attacked(attackable, tmp_path_factory):
    """Attack a copy of the run once, and return its folder."""
    folder = Path(copytree(attackable, tmp_path_factory.mktemp("attacked") / attackable.name))
    outcome = command("build", "--attack", folder, "--rounds", "2", "--json")
    assert json_of(outcome) == summary_of(folder)
    return folder


def summary_of(folder):
    return read_json(folder / "attack.json")


def results_of(folder: Path) -> dict[str, bytes | None]:
    """Return the files that an attack writes, by name."""
    return {
        name: content
        for name, content in contents(folder).items()
        if name.split("/")[0] in RESULTS | {"attack_progress.json"}
    }


def test_the_summary_has_its_shape(attacked):
    summary = summary_of(attacked)
    assert_shape(summary, SUMMARY)
    assert (summary["agent"], summary["seed"], summary["rounds"]) == ("aggro", 7, 2)
    assert [phase["phase"] for phase in summary["phases"]] == ["before", "after"]
    for phase in summary["phases"]:
        for number, entry in enumerate(phase["rounds"], start=1):
            assert entry["round"] == number
            assert entry["low"] <= entry["win_rate"] <= entry["high"]
        joined = [entry["name"] for entry in phase["rounds"] if entry["added"]]
        assert phase["players"] == ["ember_rush", "tide_keep", *joined]
        originals = [entry["player"] for entry in phase["equilibrium"] if entry["original"]]
        assert originals == ["ember_rush", "tide_keep"]
        assert [entry["player"] for entry in phase["equilibrium"]] == phase["players"]
        assert sum(entry["share"] for entry in phase["equilibrium"]) == pytest.approx(1)
        matrix = np.array(phase["win_rates"])
        np.testing.assert_allclose(matrix + matrix.T, 1)
        assert phase["n_games"] == 40


def test_the_summary_is_read_by_the_report(attacked):
    report = attack_of_report(open_finished_run(str(attacked), attacked.parent))
    assert [phase["phase"] for phase in report["phases"]] == ["before", "after"]


def test_the_built_decks_are_files_that_play(attacked):
    summary = summary_of(attacked)
    assert {path.name for path in (attacked / "attackers").iterdir()} == {
        f"{phase['phase']}_{entry['name']}.toml"
        for phase in summary["phases"]
        for entry in phase["rounds"]
    }
    for phase, pool in (("before", "core"), ("after", str(attacked / "patched_pool.toml"))):
        deck = load_deck(str(attacked / "attackers" / f"{phase}_attacker_1.toml"))
        check_deck(deck, load_pool(pool), load_ruleset("duel"))
        assert deck.n_cards == 20
        (entry,) = (one for one in summary["phases"] if one["phase"] == phase)
        assert list(deck.cards.items()) == list(entry["rounds"][0]["deck"].items())


def test_the_table_has_a_row_for_the_mix_and_for_each_deck_in_it(attacked):
    rows = rows_of(attacked / "attack.csv")
    entries = [
        (phase["phase"], entry)
        for phase in summary_of(attacked)["phases"]
        for entry in phase["rounds"]
    ]
    assert len(rows) == sum(1 + len(entry["opponents"]) for _, entry in entries)
    mixes = [row for row in rows if row["opponent"] == "(the mix)"]
    for row, (phase, entry) in zip(mixes, entries, strict=True):
        assert (row["phase"], row["name"]) == (phase, entry["name"])
        assert float(row["win_rate"]) == pytest.approx(entry["win_rate"], rel=1e-5)


def test_the_figure_is_drawn_and_nothing_else_is_left(attacked, attackable):
    assert (attacked / "attack.png").read_bytes().startswith(b"\x89PNG")
    new = set(contents(attacked)) - set(contents(attackable))
    assert {name.split("/")[0] for name in new} == RESULTS | {"attack.png"}


def test_the_run_itself_stays_as_it_was(attacked, attackable):
    before = contents(attackable)
    after = contents(attacked)
    assert after.pop("log.txt").startswith(before.pop("log.txt"))
    assert before.items() <= after.items()


def test_a_second_attack_keeps_the_first(own_copy):
    attack(own_copy, "--rounds", "1")
    first = results_of(own_copy)
    outcome = attack(own_copy, "--rounds", "1", "--agent", "greedy", "--seed", "3")
    summary = summary_of(own_copy)
    assert (summary["agent"], summary["seed"], summary["rounds"]) == ("greedy", 3, 1)
    assert str(own_copy / "attack.1") in outcome.out
    assert results_of(own_copy) != first
    assert contents(own_copy / "attack.1") == first
    attack(own_copy, "--rounds", "1")
    assert results_of(own_copy) == first
    assert (own_copy / "attack.2").is_dir()


class Stopped(BaseException):
    """An end of the process in the middle of its work, as by a power cut."""


def stopped_attack(monkeypatch, folder, moment, *options):
    """Attack until the `moment`-th file is put in place; return whether it got that far."""
    rename = Path.replace
    count = itertools.count(1)

    def replace_until(self, target):
        if next(count) == moment:
            raise Stopped
        return rename(self, target)

    with monkeypatch.context() as patched, suppress(Stopped):
        patched.setattr(Path, "replace", replace_until)
        attack(folder, *options)
        return False
    return True


def test_stopped_anywhere_it_continues_to_the_same_result(attacked, own_copy, monkeypatch):
    whole = results_of(attacked)
    moment = 1
    while stopped_attack(monkeypatch, own_copy, moment, "--rounds", "2", "--resume"):
        moment += 1  # one file farther each time, each time from where it was
        assert moment < 60
    assert moment > 5
    assert results_of(own_copy) == whole
    assert not list(own_copy.glob("attack.*.*")) + list(own_copy.glob("attack.[0-9]*"))


def test_finished_rounds_are_not_played_again(own_copy, monkeypatch):
    assert stopped_attack(monkeypatch, own_copy, 3, "--rounds", "2")
    progress = read_json(own_copy / "attack_progress.json")
    assert [len(progress[phase]) for phase in ("before", "after")] == [1, 0]
    build = mock.Mock(wraps=oracle.build_deck)
    with monkeypatch.context() as patched:
        patched.setitem(run_attack.__kwdefaults__, "build", build)
        attack(own_copy, "--resume")
    n_rounds = sum(len(phase["rounds"]) for phase in summary_of(own_copy)["phases"])
    assert build.call_count == n_rounds - 1
    assert not (own_copy / "attack_progress.json").exists()


def test_the_earlier_attack_stays_until_the_new_one_is_finished(own_copy, monkeypatch):
    assert attack(own_copy, "--rounds", "1").status == 0
    first = results_of(own_copy)
    assert stopped_attack(monkeypatch, own_copy, 3, "--rounds", "1", "--seed", "3")
    there = results_of(own_copy)
    assert there.pop("attack_progress.json")
    assert there == first
    assert "continuing after" in attack(own_copy, "--resume").err
    assert contents(own_copy / "attack.1") == first
    assert summary_of(own_copy)["seed"] == 3


def test_the_screen_shows_numbers_with_intervals_and_resume_repeats_nothing(own_copy):
    shown = attack(own_copy, "--rounds", "1").out
    check_screen(shown)
    summary = summary_of(own_copy)
    assert all(sentence in shown for sentence in summary["conclusion"])
    first = summary["phases"][1]["rounds"][0]
    assert_says(shown, f"{100 * first['win_rate']:.1f} %", f"n = {first['n']}")
    before = contents(own_copy)
    check_screen(done(attack(own_copy, "--rounds", "1", "--resume")).out)
    after = contents(own_copy)
    assert {name for name in before if before[name] != after[name]} <= {"log.txt"}


def test_an_attack_that_was_begun_and_given_up_is_kept_too(own_copy, monkeypatch):
    assert stopped_attack(monkeypatch, own_copy, 4, "--rounds", "2")
    begun = (own_copy / "attack_progress.json").read_bytes()
    assert attack(own_copy, "--rounds", "1").status == 0
    assert (own_copy / "attack.1" / "attack_progress.json").read_bytes() == begun


def refused(folder, *options):
    with unchanged(contents, folder):
        return check_refusal(attack(folder, *options))


def test_a_folder_other_than_a_finished_balance_run_is_refused(tmp_path, own_copy):
    refused(run_folder("matchups", tmp_path, text=ATTACKED))
    (own_copy / "summary.json").unlink()
    refused(own_copy)


@pytest.mark.parametrize(
    "options",
    [
        ("--agent", "agro"),
        ("--rounds", "0"),
        ("--improve", "ember_rush"),
        ("--goal", "0.5"),
        ("quickstart",),
    ],
)
def test_options_that_do_not_fit_are_refused(own_copy, options):
    refused(own_copy, *options)


def test_a_build_without_experiment_or_run_is_refused():
    check_refusal(command("build"))
    check_refusal(command("build", "quickstart", "--rounds", "2"))


def test_another_attack_than_the_one_begun_is_refused(own_copy, monkeypatch):
    assert stopped_attack(monkeypatch, own_copy, 4, "--rounds", "2")
    for option, value in (("--rounds", "3"), ("--agent", "greedy"), ("--seed", "1")):
        refused(own_copy, option, value, "--resume")


def test_a_damaged_or_foreign_beginning_is_refused(own_copy, monkeypatch):
    assert stopped_attack(monkeypatch, own_copy, 4, "--rounds", "2")
    path = own_copy / "attack_progress.json"
    begun = path.read_text()
    path.write_text(begun[:-20])
    refused(own_copy, "--resume")
    path.write_text(begun.replace(json.loads(begun)["engine_hash"], "0123456789abcdef"))
    assert "0123456789abcdef" in refusal(attack(own_copy, "--resume"))


@pytest.fixture(scope="module")
def attacks():
    """Run an attack with a deck that joins the mix, and one with a single round."""
    build = Build(population=8, generations=2, search=20, select=40, certify=200, size=20)
    settings = BalanceSettings(seed=7, games=Games(matchups=100), build=build)
    phases = (("before", 3), ("after", 1))
    return [
        run_attack(RUSH_KEEP, Attacker(settings, agent_named("aggro"), *phase)) for phase in phases
    ]


def with_rounds(attack, *added):
    rounds = tuple(
        attack.rounds[0].model_copy(update={"round": k + 1, "added": joins})
        for k, joins in enumerate(added)
    )
    return replace(attack, rounds=rounds)


def conclusion_of(before, after):
    phases = [("before", before), ("after", after)]
    return "\n".join(conclusion(phases, agent="x", margin=0.01, is_certified=True))


def test_the_conclusion_fits_what_happened(attacks):
    joined, short = attacks
    assert joined.rounds[0].added
    check_message(conclusion_of(joined, with_rounds(short, False)))
    check_message(conclusion_of(with_rounds(joined, True, True), joined))
