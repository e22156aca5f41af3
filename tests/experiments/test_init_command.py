"""`evenhand init` makes a folder with a game that runs, and overwrites nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from experiments.commands.init import (
    ABOUT_PILOTS,
    PILOT,
    TEMPLATES,
    TOTAL_OF_PLAIN_GAMES,
    TOTAL_OF_RICH_GAMES,
    make_starter,
)
from experiments.loading import load_experiment
from experiments.spreadsheet.sheet_file import read_sheets, write_sheets
from sim import load_pool, load_ruleset
from tests.command_line import ROOT, command, contents, done, json_of, rows_of, unchanged
from tests.experiments.command_goldens import check_refusal
from tests.messages import check_message

FILES = [
    "cards.csv", "cards.toml", "night_tide.toml", "lantern_watch.toml", "rules.toml", "README.md",
    "game.toml",
]  # fmt: skip
SHEET = [
    ["Card", "Mana", "Atk", "HP", "Keywords", "Rarity"],
    *[[f"Beast {k}", *[str(k % most + 1) for most in (7, 9, 8)], "", "common"] for k in range(20)],
]


pytestmark = pytest.mark.usefixtures("here")


def init(*arguments: str | Path) -> list[str]:
    return done(command("init", *arguments)).out.splitlines()


def assert_imports_to_the_same(sheet: str) -> None:
    """Check that importing a sheet again changes no file of the current folder."""
    with unchanged(contents, Path()):
        done(command("cards", "import", sheet, "--force"))


def test_init_writes_a_game_and_says_what_is_next() -> None:
    _, *about_pilots, _ = lines = init()
    check_message("\n".join(lines))
    assert about_pilots == [*ABOUT_PILOTS]
    assert sorted(contents(Path("my_game"))) == sorted(FILES)


def test_the_game_loads_and_its_columns_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    init("a")
    monkeypatch.chdir("a")
    experiment = load_experiment("game.toml")
    assert [deck.name for deck in experiment.decks] == ["night_tide", "lantern_watch"]
    assert [agent.name for agent in experiment.agents] == [PILOT] * 2
    assert experiment.settings.demands_in(experiment.contest()).with_first_seat
    assert 16 <= len(experiment.pool.cards) <= 20
    tune = experiment.settings.tune
    assert tune.max_card_change == 1
    assert None not in (tune.max_cards, tune.stat_budget)
    assert_imports_to_the_same("cards.csv")
    done(command("cards", "export", "cards.toml", "--out", "again.csv"))
    rows = rows_of(Path("cards.csv"))
    again = rows_of(Path("again.csv"))
    kept = rows[0].keys() - {"effects"}  # which may be written in other words
    assert [{key: row[key] for key in kept} for row in again] == [
        {key: row[key] for key in kept} for row in rows
    ]
    assert {"rarity", "designer's note", "deck: night_tide"} <= kept


@pytest.mark.thorough
def test_the_game_is_off_and_its_patch_is_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    init("a")
    monkeypatch.chdir("a")
    with Path("game.toml").open("a") as file:  # what other pilots say is tested elsewhere
        file.write("\n[second_opinion]\npilots = []\n")
    summary = json_of(command("balance", "game.toml", "--json", "--no-plots"))
    matchup, first_seat = summary["matchups"]
    assert first_seat["inside"]
    assert matchup["before"]["high"] < 0.45
    assert summary["certified"]
    assert 1 <= len(summary["patch"]) <= 6
    assert summary["cards_touched"] <= 10
    (patched,) = Path("results").glob("game-*/patched_pool.toml")
    done(command("cards", "export", patched, "--decks", ".", "--out", "patched.csv"))
    assert [card.notes for card in load_pool(str(patched)).cards] == [
        card.notes for card in load_pool("cards.toml").cards
    ]


def test_the_readme_names_commands_and_files_that_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    init("a")
    monkeypatch.chdir("a")
    text = Path("README.md").read_text()
    commands = re.findall(r"evenhand ([a-z]+(?: (?:import|export))?)", text)
    assert {"matchups", "balance", "cards import", "cards export", "whatif"} <= set(commands)
    for name in dict.fromkeys(commands):
        assert command(*name.split(), "--help").status == 0
    named = re.findall(r"`([a-z_]+\.(?:toml|csv))`", text)
    assert {"cards.csv", "rules.toml", "game.toml", "cards.toml"} <= set(named)
    assert load_pool("cards.toml").card(re.search(r'"(\w+)\.cost\+1"', text)[1])
    assert "$" not in text + Path("game.toml").read_text()


def test_nothing_is_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FILES:
        folder = Path(f"with_{name}")
        folder.mkdir()
        (folder / name).write_text("mine")
        (folder / "other.txt").write_text("mine")
        check_refusal(command("init", folder))
        assert contents(folder) == {name: b"mine", "other.txt": b"mine"}
    Path("file").write_text("mine")
    check_refusal(command("init", "file"))
    assert Path("file").read_text() == "mine"


def test_a_folder_with_other_files_and_the_present_one_will_do() -> None:
    Path("notes.txt").write_text("mine")
    check_message(init(".")[-1])
    assert sorted(contents(Path())) == sorted([*FILES, "notes.txt"])
    check_message(init("deep/er")[-1])


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_init_begins_from_a_sheet_without_decks(
    ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sheets(Path(f"mine.{ending}"), {"Beasts": SHEET})
    lines = init("a", "--from", f"mine.{ending}")
    check_message("\n".join(lines))
    table = {line.split()[0]: line.split()[1:] for line in lines[2:8]}
    assert {title: row[0] for title, row in table.items()} == {
        "Card": "name", "Mana": "cost", "Atk": "attack", "HP": "health", "Keywords": "keywords",
        "Rarity": "note",
    }  # fmt: skip
    assert table["Mana"][1:] == ["1", "to", "7"]

    monkeypatch.chdir("a")
    experiment = load_experiment("game.toml")
    assert [agent.name for agent in experiment.agents] == [PILOT] * 2
    assert experiment.settings.demands_in(experiment.contest()).with_first_seat
    assert all(10 <= deck.n_cards <= 30 for deck in experiment.decks)
    assert_imports_to_the_same(f"cards.{ending}")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_init_copies_a_sheet_that_has_decks(ending: str) -> None:
    copies = [["deck: b", "deck: a", "deck: c"], *[["3", "2", ""], ["", "1", "5"]] * 10]
    rows = [[*cells, *more] for cells, more in zip(SHEET, copies, strict=False)]
    write_sheets(Path(f"mine.{ending}"), {"Beasts": rows})
    refused = command("init", "a", "--from", f"mine.{ending}")
    assert refused.status == 2
    check_message(refused.err)
    assert not Path("a").exists()
    lines = init(
        "a", "--from", f"mine.{ending}", "--rule", "copy_limit=5", "--rule", "deck_limit=50"
    )
    folder = Path("a")
    assert (folder / f"cards.{ending}").read_bytes() == Path(f"mine.{ending}").read_bytes()
    assert [line.split()[1:3] for line in lines if " deck " in line][:3] == [
        ["deck", "30"], ["deck", "30"], ["deck", "50"],
    ]  # fmt: skip
    rules = load_ruleset("a/rules.toml")
    assert (rules.copy_limit, rules.deck_limit) == (5, 50)
    experiment = load_experiment("a/game.toml")
    assert [deck.name for deck in experiment.decks] == ["b", "a", "c"]
    assert [agent.name for agent in experiment.agents] == [PILOT] * 3
    assert "Beasts" in [
        sheet.title for sheet in read_sheets(folder / f"cards.{ending}").sheets
    ] or (ending == "csv")


@pytest.mark.parametrize(
    ("keywords", "ruleset", "total"),
    [
        ("", (), TOTAL_OF_PLAIN_GAMES),
        ("taunt", (), TOTAL_OF_RICH_GAMES),
        ("", ("--ruleset", "legacy"), TOTAL_OF_RICH_GAMES),
    ],
)
def test_the_number_of_games_follows_the_speed_of_the_rules(
    keywords: str, ruleset: tuple[str, ...], total: int
) -> None:
    rows = [[*row[:4], keywords, row[5]] for row in SHEET[1:]]
    write_sheets(Path("mine.csv"), {"": [SHEET[0], *rows]})
    init("a", "--from", "mine.csv", *ruleset)
    assert load_experiment("a/game.toml").settings.games.total == total


@pytest.mark.parametrize(("n_decks", "share"), [(2, 1), (3, 1), (4, 2), (6, 5)])
def test_the_number_of_games_grows_with_the_matchups_beyond_three(n_decks: int, share: int) -> None:
    decks = [f"deck: d{k}" for k in range(n_decks)]
    cards = [[f"Imp {k}", 1 + k % 5, 1 + k % 4, 2, *[2] * n_decks] for k in range(10)]
    write_sheets(Path("mine.csv"), {"": [["name", "cost", "attack", "health", *decks], *cards]})
    init("a", "--from", "mine.csv")
    total = load_experiment("a/game.toml").settings.games.total
    assert total == share * TOTAL_OF_PLAIN_GAMES


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no path")
def test_a_sheet_from_a_pipe_is_written_anew() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"name,cost,attack,health,deck: a,deck: b\nImp,1,1,1,10,10\n")
    os.close(writer)
    init("mine", "--from", f"/dev/fd/{reader}", "--rule", "copy_limit=10")
    os.close(reader)
    assert [row["name"] for row in rows_of(Path("mine/cards.csv"))] == ["Imp"]
    assert read_sheets(Path("mine/cards.csv")).sheets[0].rows[0][1][-2:] == ["deck: a", "deck: b"]


@pytest.mark.parametrize(("name", "first"), [("Big", 0), ("quick", 0), ("slow", 10)])
def test_a_single_deck_gets_an_opponent(
    name: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_cost = sorted(SHEET[1:], key=lambda row: int(row[SHEET[0].index("Mana")]))
    copies = ["2" if first <= place < first + 10 else "" for place in range(len(by_cost))]
    rows = [[*SHEET[0], f"deck: {name}"]]
    rows += [[*row, n] for row, n in zip(by_cost, copies, strict=True)]
    write_sheets(Path("mine.csv"), {"": rows})
    check_message("\n".join(init("a", "--from", "mine.csv")))
    other = "quick" if first else "slow"
    monkeypatch.chdir("a")
    assert [deck.name for deck in load_experiment("game.toml").decks] == [name, other]
    assert_imports_to_the_same("cards.csv")


def test_options_that_describe_a_sheet_need_one() -> None:
    check_refusal(command("init", "a", "--sheet", "x"))
    check_refusal(command("init", "a", "--note", "x"))
    assert not Path("a").exists()


def test_the_rules_may_be_named() -> None:
    init("a", "--ruleset", "duel")
    assert (load_ruleset("a/rules.toml").name, load_ruleset("a/rules.toml").life) == ("rules", 20)
    check_message("\n".join(init("b", "--ruleset", "legacy")))
    assert load_ruleset("b/rules.toml").life == 30
    assert load_experiment("b/game.toml").ruleset.name == "rules"
    assert "# " in Path("b/rules.toml").read_text()  # its comments came along
    check_refusal(command("init", "c", "--ruleset", "dule"))
    write_sheets(Path("mine.csv"), {"": SHEET})
    outcome = command("init", "c", "--ruleset", "duel", "--from", "mine.csv")
    assert outcome.status == 2
    check_message(outcome.err)
    assert not Path("c").exists()


def test_a_wrong_sheet_is_refused_with_all_its_problems() -> None:
    Path("mine.csv").write_text("name,cost,attack,health\nOak,x,1,1\nElm,1,y,1\n")
    outcome = command("init", "a", "--from", "mine.csv")
    assert outcome.status == 2
    check_message(outcome.err)
    assert not Path("a").exists()
    check_refusal(command("init", "a", "--from", "none.csv"))


def test_options_for_the_sheet_are_those_of_import() -> None:
    effects = [["Effect"], *[["Roars."]] * 20]
    rows = [[*cells, *more] for cells, more in zip(SHEET, effects, strict=True)]
    write_sheets(Path("mine.xlsx"), {"Old": SHEET, "New": rows})
    check_refusal(command("init", "a", "--from", "mine.xlsx"))
    arguments = ("a", "--from", "mine.xlsx", "--sheet", "New")
    check_refusal(command("init", *arguments))
    init(*arguments, "--note", "effect")
    assert load_pool("a/cards.toml").cards[0].notes == {"Rarity": "common", "Effect": "Roars."}
    done(command("cards", "import", "a/cards.xlsx", "--force"))  # which has one sheet of cards


def test_an_installed_package_has_the_templates(tmp_path: Path) -> None:
    """The wheel contains all files below the packages' folders that git does not ignore."""
    assert {path.name for path in TEMPLATES.iterdir()} == {
        "cards.csv", "rules.toml", "game.toml", "README.md", "python", "program",
    }  # fmt: skip
    assert TEMPLATES.is_relative_to(ROOT / "experiments")


def test_a_starter_is_the_same_whenever_it_is_made() -> None:
    assert make_starter() == make_starter()
