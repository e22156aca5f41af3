"""`evenhand whatif` and `evenhand compare`: their screens, files and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from balance.contest.whatif import Exploration
from experiments.files.edits import read_edits
from experiments.loading import load_experiment
from sim import load_ruleset
from tests.command_line import (
    THREE,
    TINY,
    ask,
    assert_says,
    command,
    contents,
    done,
    json_of,
    only_folder,
    refusal,
    rows_of,
    run_folder,
    summary_of,
    write_experiment,
)
from tests.experiments.command_goldens import check_refusal, check_refused, check_screen
from tests.experiments.test_run_contract import assert_shape

COMMON = {"run.json", "resolved.json", "summary.json", "log.txt", "changes.csv"}
RATE = {"win_rate": float, "low": float, "high": float, "verdict": str}
CHANGE = {"pp": float, "low": float, "high": float}
RATES = [{"rate": str, "of": str, "least": float, "most": float, "today": RATE, "patched": RATE,
          "change": CHANGE, "can_change": bool}]  # fmt: skip
PATCH = {"patch": [{"card": str, "field": str, "from": int, "to": int}], "change": float,
         "cards_touched": int, "rates": RATES}  # fmt: skip
ASKED = {"command": str, "experiment": str, "seed": int, "n": int,
         "pilots": [{"player": str, "agent": str}], "people": type(None)}  # fmt: skip


def whatif(folder: Path, *options: str | Path, results: str = "results") -> Path:
    """Run `whatif`, and return its run folder."""
    return run_folder("whatif", folder, *options, text=THREE, results=results)


def test_whatif_finds_rates_changes_and_the_edited_cards(tmp_path: Path) -> None:
    folder = whatif(tmp_path, *("ember_whelp.attack=1", "Shell Warden.cost+1", "rules.life=22"))
    assert contents(folder).keys() == COMMON | {"patched_pool.toml", "patched_ruleset.toml"}
    summary = summary_of(folder)
    assert_shape(summary, ASKED | PATCH)
    assert [edit["from"] for edit in summary["patch"]] == [3, 1, 20]
    assert [edit["to"] for edit in summary["patch"]] == [1, 2, 22]
    assert (summary["change"], summary["cards_touched"]) == (5.0, 2)
    assert [rate["of"] for rate in summary["rates"]] == [
        *["matchup"] * 3, *["deck"] * 3, "first seat",
    ]  # fmt: skip
    rows = rows_of(folder / "changes.csv")
    assert len(rows) == 7
    for rate, row in zip(summary["rates"], rows, strict=True):
        assert rate["change"]["pp"] == pytest.approx(float(row["change_pp"]), rel=1e-4, abs=1e-9)
        more = 100 * (rate["patched"]["win_rate"] - rate["today"]["win_rate"])
        assert rate["change"]["pp"] == pytest.approx(more, abs=1e-6)
        assert row["beyond_first_pp"] == ""


def test_extras_of_the_second_player_are_edited_and_written_as_rules(tmp_path: Path) -> None:
    folder = whatif(tmp_path, "rules.extra_life_second=5", "rules.extra_mana_second=1")
    edits = [(edit["field"], edit["from"], edit["to"]) for edit in summary_of(folder)["patch"]]
    assert edits == [("extra_life_second", 0, 5), ("extra_mana_second", 0, 1)]
    written = load_ruleset(str(folder / "patched_ruleset.toml"))
    assert (written.extra_life_second, written.extra_mana_second) == (5, 1)


def test_the_rates_are_those_of_an_exploration_in_any_order(tmp_path: Path) -> None:
    folder = whatif(tmp_path, "ember_whelp.attack=1", "--games", "60")
    experiment = load_experiment(str(tmp_path / "tiny.toml"))
    contest = experiment.contest()
    demands = experiment.settings.demands_in(contest).with_matchups(contest.matchup_names)
    exploration = Exploration(contest, 7)
    for n_games in (100, 300):
        exploration.explore(read_edits(["ember_whelp.attack=5"], contest), n_games)
    edited = exploration.explore(read_edits(["ember_whelp.attack=1"], contest), 60)
    change = edited.change_from(exploration.explore({}, 60), demands).times(100)
    rates = summary_of(folder)["rates"]
    for n in range(3):
        assert rates[n]["patched"]["win_rate"] == pytest.approx(edited.readings.rates[0, n])
        ends = [rates[n]["change"][key] for key in ("pp", "low", "high")]
        assert ends == pytest.approx([float(bound) for bound in change.at(n)], abs=1e-9)


def test_the_screen_shows_edits_rates_and_changes(tmp_path: Path) -> None:
    out = done(ask("whatif", tmp_path, "ember_whelp.attack=1", "--no-plots", text=THREE)).out
    check_screen(out)
    (line,) = (line for line in out.splitlines() if line.startswith("tide_keep vs grove_march"))
    assert line.endswith("same")
    assert out.count("±") > 20


def test_a_pool_that_differs_in_numbers_is_edits(tmp_path: Path) -> None:
    edited = whatif(tmp_path, "ember_whelp.attack=1", "Shell Warden.cost+1")
    again = whatif(tmp_path, "--pool", edited / "patched_pool.toml", results="again")
    assert summary_of(edited) == summary_of(again)


def test_a_pool_with_other_texts_has_no_edits_but_changes(tmp_path: Path) -> None:
    text = (whatif(tmp_path, "ember_whelp.attack=1") / "patched_pool.toml").read_text()
    assert text.count('id = "reef_mender"') == 1
    pool = tmp_path / "hasty.toml"
    pool.write_text(text.replace('id = "reef_mender"', 'id = "reef_mender"\nkeywords = ["haste"]'))
    folder = whatif(tmp_path, "--pool", pool, results="again")
    summary = summary_of(folder)
    assert summary["patch"] is None
    assert all(rate["can_change"] for rate in summary["rates"])
    assert not (folder / "patched_pool.toml").exists()
    outcome = command("compare", folder, "--results", tmp_path / "c")
    assert folder.name in refusal(outcome)
    given = ("compare", pool, "--experiment", tmp_path / "tiny.toml", "--no-plots")
    compared = json_of(command(*given, "--json", "--results", tmp_path / "c"))
    assert compared["patches"][0]["rates"] == summary["rates"]


@pytest.mark.thorough
def test_compare_shows_runs_and_pools_next_to_the_baseline(tmp_path: Path) -> None:
    edited = whatif(tmp_path, "ember_whelp.attack=1")
    pool = edited / "patched_pool.toml"
    balanced = run_folder("balance", tmp_path, text=THREE, results="b")
    given = ("compare", edited, balanced, pool, "--results", tmp_path / "c", "--no-plots")
    out = done(command(*given, "--games", "60")).out
    folder = only_folder(tmp_path / "c")
    assert contents(folder).keys() == COMMON | {"edits.csv"}
    summary = summary_of(folder)
    first, second, third = summary["patches"]
    assert_shape({key: summary[key] for key in ASKED}, ASKED)
    names = [edited.name, balanced.name, pool.name]
    assert [patch["name"] for patch in summary["patches"]] == names
    assert_shape(first, {"name": str} | PATCH)
    assert_shape(third["rates"], [RATES[0] | {"beyond_first": CHANGE}])
    assert {rate["beyond_first"]["high"] for rate in third["rates"]} == {0.0}  # the same cards
    assert [rate["change"] for rate in third["rates"]] == [r["change"] for r in first["rates"]]
    assert second["patch"] == summary_of(balanced)["patch"]
    (edit,) = (row for row in rows_of(folder / "edits.csv") if row["card"] == "ember_whelp")
    assert (edit["today"], edit[edited.name], edit[pool.name]) == ("3", "1", "1")
    assert "B - A, pp" in out


def test_compare_names_the_seed_that_it_uses(tmp_path: Path) -> None:
    runs = [whatif(tmp_path, "ember_whelp.attack=1", "--seed", seed, results=seed) for seed in "78"]
    given = ("--results", tmp_path / "c", "--no-plots", "--games", "40", "--json")
    compared = done(command("compare", *runs, *given))
    assert json.loads(compared.out)["seed"] == 7
    assert_says(compared.err, "seed 7", "40 games per matchup", f"{runs[1].name} had 8")
    alike = done(command("compare", runs[0], runs[0] / "patched_pool.toml", *given))
    assert "seed" not in alike.err
    other = done(command("compare", *runs, *given, "--seed", "8"))
    assert_says(other.err, "seed 8", "40 games per matchup", f"{runs[0].name} had 7")


def test_pools_alone_need_an_experiment_with_decks(tmp_path: Path) -> None:
    outcome = command("compare", "core", "--results", tmp_path / "r")
    check_refusal(outcome)
    given = ("--experiment", write_experiment(tmp_path), "--results", tmp_path / "r", "--no-plots")
    check_screen(done(command("compare", "core", *given)).out)


def test_the_seed_and_the_threads_are_options_as_of_other_commands(tmp_path: Path) -> None:
    given = ("ember_whelp.attack=1", "--no-plots", "--json")
    usual, threaded, other = (
        json_of(ask("whatif", tmp_path, *given, *options, text=THREE))["rates"]
        for options in ((), ("--threads", "1"), ("--seed", "8"))
    )
    assert usual == threaded != other


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("ember_welp.attack=1",),
        ("ember_whelp.attack=1", "--games", "7"),
        ("ember_whelp.attack=1", "--games", "2"),
        ("ember_whelp.attack=1", "--pool", "core"),
        ("--pool", "coer"),
        ("--pool", "saga"),
        ("rules.opening_hand_first=9", "rules.opening_hand_second=9", "rules.life=-3"),
    ],
)
def test_a_wrong_question_is_refused_and_nothing_written(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    check_refused("whatif", tmp_path, *options)


def test_a_player_alone_has_no_matchups(tmp_path: Path) -> None:
    alone = TINY[: TINY.index('[[player]]\ndeck = "tide_keep"')] + TINY[TINY.index("[tune]") :]
    check_refused("whatif", tmp_path, "ember_whelp.attack=1", text=alone)


@pytest.mark.parametrize(
    "compared",
    [
        ("nothing",),
        ("no.toml",),
        ("core", "core"),
        [str(k) for k in range(10)],
    ],
)
def test_a_wrong_comparison_is_refused(compared: tuple[str, ...], tmp_path: Path) -> None:
    check_refusal(command("compare", *compared, "--results", tmp_path / "r"))


def test_a_run_without_a_patch_cannot_be_compared(tmp_path: Path) -> None:
    folder = run_folder("matchups", tmp_path)
    outcome = command("compare", folder, "--results", tmp_path / "r")
    assert_says(refusal(outcome), folder.name, "`balance`", "`whatif`")
