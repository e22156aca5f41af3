"""`evenhand agree`: files, summary, archetypes, lists, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents import agent_named
from balance.observed.agreement import MEASURES
from balance.observed.list_agreement import MEASURES as LIST_MEASURES
from experiments.files.experiment_file import PlayerEntry
from experiments.results.known_agreement import known_agreement, known_agreements
from experiments.screen.people_words import people_words
from tests.command_line import THREE, command, done, json_of, only_folder, refusal, rows_of
from tests.command_line import write_experiment as write
from tests.experiments.result_tables import table
from tests.messages import check_message

FOUR = THREE.replace("[target]", '[[player]]\ndeck = "spore_swarm"\nagent = "aggro"\n\n[target]')
PAIRS = [
    "Ember Rush,Tide Keep,60,40", "Ember Rush,Grove March,45,55", "Ember Rush,Spore Swarm,52,48",
    "Tide Keep,Grove March,30,70", "Tide Keep,Spore Swarm,48,52", "Grove March,Spore Swarm,66,34",
    "Grove March,Unknown Deck,10,10",
]  # fmt: skip


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    """Return the path of a table of results of four decks and of one more."""
    path = tmp_path / "ladder.csv"
    path.write_text(table("deck,opponent,wins,losses", *PAIRS))
    return path


def agree(folder: Path, *options: str | Path, text: str = FOUR) -> Any:
    """Run the command on an experiment in a folder, with its results next to it."""
    return command("agree", write(folder, text), "--results", folder / "results", *options)


def test_the_run_folder_holds_tables_a_figure_and_the_summary(
    tmp_path: Path, observed: Path
) -> None:
    summary = json_of(agree(tmp_path, "--observed", observed, "--json"))
    folder = only_folder(tmp_path / "results")
    assert {path.name for path in folder.iterdir()} == {
        "run.json", "resolved.json", "summary.json", "log.txt", "agreement.csv", "cells.csv",
        "players.csv", "agreement.png",
    }  # fmt: skip
    assert [row["measure"] for row in summary["measures"]] == [*MEASURES]
    assert {*summary} == {
        "command", "seed", "file", "source", "measures", "players", "cells", "not_simulated", "n",
        "pilots", "warnings", "assumed_games",
    }  # fmt: skip
    assert summary["not_simulated"] == ["Unknown Deck"]
    assert summary["n"] == 6 * 40
    cells = rows_of(folder / "cells.csv")
    assert len(cells) == 6
    off = [abs(float(row["difference_pp"])) for row in cells]
    assert off == sorted(off, reverse=True)
    (ember,) = (cell for cell in cells if {cell["a"], cell["b"]} == {"Ember Rush", "Tide Keep"})
    assert float(ember["observed"]) == pytest.approx(0.6)
    assert int(ember["observed_n"]) == 100


def test_the_screen_names_the_players_that_differ_and_who_played(
    tmp_path: Path, observed: Path
) -> None:
    check_message(done(agree(tmp_path, "--observed", observed, "--no-plots")).out)


def test_a_run_agrees_with_its_own_results(tmp_path: Path) -> None:
    done(command("matchups", write(tmp_path, FOUR), "--results", tmp_path / "own", "--no-plots"))
    own = only_folder(tmp_path / "own") / "matchups.csv"
    summary = json_of(agree(tmp_path, "--observed", own, "--json", "--no-plots"))
    by_name = {row["measure"]: row["value"] for row in summary["measures"]}
    assert by_name["error_pp"] == pytest.approx(0, abs=1e-4)
    assert by_name["slope"] == pytest.approx(1)
    assert by_name["rank_cells"] == by_name["right_side"] == 1


def test_results_do_not_depend_on_threads_nor_on_a_second_run(
    tmp_path: Path, observed: Path
) -> None:
    one, other = (
        json_of(agree(tmp_path, "--observed", observed, "--json", "--no-plots", "--threads", n))
        for n in ("1", "2")
    )
    assert one == other


def test_decks_of_one_archetype_are_compared_together(tmp_path: Path, observed: Path) -> None:
    text = FOUR.replace('deck = "grove_march"', 'deck = "grove_march"\narchetype = "Spore Swarm"')
    refused = refusal(agree(tmp_path, "--observed", observed, "--no-plots", text=text))
    assert "at least 4" in refused
    more = '[[player]]\ndeck = "grove_march"\nname = "other"\narchetype = "grove march"\n'
    text = FOUR.replace("[target]", f'{more}agent = "greedy"\n\n[target]')
    summary = json_of(agree(tmp_path, "--observed", observed, "--no-plots", "--json", text=text))
    n_games = {(cell["a"], cell["b"]): cell["simulated_n"] for cell in summary["cells"]}
    assert {n for pair, n in n_games.items() if "Grove March" in pair} == {80}
    assert {n for pair, n in n_games.items() if "Grove March" not in pair} == {40}
    assert summary["n"] == 9 * 40  # the two decks do not play each other


def test_an_archetype_changes_no_other_run(tmp_path: Path) -> None:
    assert PlayerEntry.model_fields["archetype"].default is None
    text = FOUR.replace('deck = "grove_march"', 'deck = "grove_march"\narchetype = "March"')
    for version in (FOUR, text):
        path = write(tmp_path, version)
        done(command("matchups", path, "--results", tmp_path / "results", "--no-plots"))
    folders = [path.name for path in (tmp_path / "results").iterdir() if path.is_dir()]
    # The second run has the same hash, and a number after it.
    assert len(folders) == 2
    assert len({name.partition(".")[0] for name in folders}) == 1


LISTS = ["ember_rush,Fast,400,52 %", "tide_keep,Slow,300,48 %", "grove_march,Fast,200,55 %"]
TITLES = "list,archetype,games,win rate"


def test_lists_play_against_the_players_that_the_table_does_not_list(tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_text(table(TITLES, *LISTS, "spore_swarm,Slow,100,41 %", "gone,Slow,50,50 %"))
    more = "".join(
        f'[[player]]\ndeck = "{deck}"\nname = "field {deck}"\narchetype = "{archetype}"\n'
        'agent = "greedy"\n\n'
        for deck, archetype in (("grove_march", "Fast"), ("tide_keep", "Slow"))
    )
    text = FOUR.replace("[target]", f"{more}[target]")
    summary = json_of(agree(tmp_path, "--lists", path, "--json", text=text))
    folder = only_folder(tmp_path / "results")
    assert (folder / "agreement.png").is_file()
    assert [row["measure"] for row in summary["measures"]] == [*LIST_MEASURES]
    assert summary["field"] == ["field grove_march", "field tide_keep"]
    assert summary["not_simulated"] == ["gone"]
    rows = {row["deck"]: row for row in rows_of(folder / "lists.csv")}
    assert float(rows["grove_march"]["observed"]) == 0.55
    # 40 games each against opponents with weights of 600 and 450 games; none against its own deck.
    assert int(rows["ember_rush"]["simulated_n"]) == round(40 * 1050**2 / (600**2 + 450**2))
    assert int(rows["tide_keep"]["simulated_n"]) == 40


def test_without_other_players_the_first_of_each_archetype_are_the_field(tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_text(table(TITLES, *LISTS, "spore_swarm,Slow,100,41 %"))
    outcome = done(agree(tmp_path, "--lists", path, "--no-plots"))
    check_message(outcome.out)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ((), None),
        (("--observed", "ladder.csv", "--lists", "ladder.csv"), None),
        (("--observed", "ladder.csv"), ["Ember Rush,Tide Keep,1,2", "Tide Keep,Grove March,1,2"]),
        (("--lists", "ladder.csv"), PAIRS),
        (("--lists", "ladder.csv", "--observed-games", "7"), PAIRS),
        (("--observed", "gone.csv"), PAIRS),
        (("--observed", "ladder.csv"), [*PAIRS[:2], "Spore Swarm,Other,2,3"]),
    ],
)
def test_bad_input_is_refused_in_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    rows: list[str] | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ladder.csv").write_text(table("deck,opponent,wins,losses", *(rows or PAIRS)))
    check_message(refusal(agree(Path(), *options)))
    assert not Path("results").exists()


@pytest.mark.parametrize(
    "row", ["A,B,60,40", "A,B,,40", "A,B,40,101", "A,B,40 %,x"], ids=["turned", "blank", "101", "x"]
)
def test_bands_that_are_none_are_refused(tmp_path: Path, row: str) -> None:
    path = tmp_path / "bands.csv"
    path.write_text(table("deck,opponent,low,high", "A,C,45,50", row))
    check_message(refusal(command("matchups", path, "--games", "100")))


@pytest.mark.parametrize(
    "rows",
    [
        ["a,Fast,0,52 %"], ["a,Fast,10,152 %"], ["a,Fast,10,50 %", "a,Slow,10,50 %"],
        [",Fast,10,50 %"], ["a,Fast,10,"], [],
    ],
    ids=["games", "rate", "twice", "name", "blank", "empty"],
)  # fmt: skip
def test_tables_of_lists_that_are_none_are_refused(tmp_path: Path, rows: list[str]) -> None:
    path = tmp_path / "lists.csv"
    path.write_text(table(TITLES, *rows))
    check_message(refusal(agree(tmp_path, "--lists", path)))


def test_answers_with_real_cards_say_how_far_their_agent_is_from_people(tmp_path: Path) -> None:
    options = ("--agent", "light", "--games", "4", "--no-plots")
    results = ("--results", tmp_path)
    outcome = done(command("matchups", "four_decks", *options, *results))
    assert json_of(command("matchups", "saga_decks", *options, *results, "--json"))["people"]
    known = known_agreement("legacy", ["light", "light"])
    assert known is not None
    assert people_words(known) not in outcome.out  # nothing is known of the duel
    assert known_agreement("legacy", ["light", "greedy"]) is None
    check_message(people_words(known))


def test_known_agreements_are_of_agents_that_there_are() -> None:
    agents = [known.agent for known in known_agreements()]
    assert len({*agents}) == len(agents)
    for agent in agents:
        assert agent_named(agent).name == agent
