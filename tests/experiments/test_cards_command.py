"""Cards go to a spreadsheet and back through the command line, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.commands.cards.coverage import count_cards
from sim import Card, Pool, load_deck, load_pool
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.files.toml_file import shipped_folder
from tests.command_line import assert_says, command, done, refusal
from tests.experiments.command_goldens import check_refusal
from tests.legacy import needs_package
from tests.messages import check_message

HEADER = "name,cost,attack,health,keywords,effects\n"
GOOD = HEADER + "Ember Whelp,2,3,1,haste,play: damage 2\n"


pytestmark = pytest.mark.usefixtures("here")


def cards(*arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    return done(command("cards", *arguments)).out.rstrip("\n")


def refused(*arguments: str) -> str:
    """Run a command that must be refused, and return its message, which is a golden."""
    return check_refusal(command("cards", *arguments))


def test_a_shipped_pool_survives_the_way_to_a_spreadsheet_and_back() -> None:
    core = load_pool("core")
    check_message(cards("export", "core"))
    check_message(cards("import", "core.csv"))
    assert load_pool("core.toml") == core


def test_import_takes_tokens_and_heroes_over_from_another_pool() -> None:
    cards("export", "saga")
    head, *problems = command("cards", "import", "saga.csv").err.splitlines()
    assert head == f"evenhand: saga.csv: {len(problems)} problems"
    (of_heroes,) = [problem for problem in problems if "column 'hero'" in problem]
    assert "--over" in of_heroes
    assert all("unknown" in problem for problem in problems if problem != of_heroes)
    assert not Path("saga.toml").exists()
    cards("import", "saga.csv", "--over", "saga")
    assert load_pool("saga.toml") == load_pool("saga")
    refused("import", "saga.csv", "--over", "sagas", "--force")


def test_import_keeps_tokens_and_heroes_of_the_file_that_it_replaces() -> None:
    write_pool(load_pool("saga"), Path("mine.toml"))
    cards("export", "mine.toml")
    sheet = Path("mine.csv").read_text(encoding="utf-8")
    Path("mine.csv").write_text(sheet.replace("Fusekin", "Fuse"), encoding="utf-8")
    cards("import", "mine.csv", "--force")
    mine = load_pool("mine.toml")
    saga = load_pool("saga")
    assert mine.card("fusekin").name == "Fuse"
    assert (mine.tokens, mine.heroes, mine.coin) == (saga.tokens, saga.heroes, saga.coin)


@pytest.mark.parametrize(
    "content",
    [
        b"name:cost:attack:health\nA:1:1:1\n",
        b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe",
        b"PK\x03\x04\x00\x00\n\x00",
        b"",
        HEADER.encode(),
        b"name,cost\nA,1\n",
        b"name,cost,attack,health\nA,1,-2,1\n",
        b"name,cost,attack,health\nA,1,1,0\n",
        b"name,cost,attack,health\nA,x,1,1\n",
        b"name,cost,attack,health\nA,1,1,1\nA,2,2,2\n",
        HEADER.encode() + b"A,1,1,1,hast\n",
        HEADER.encode() + b"A,1,1,1,,boom\n",
        HEADER.encode() + b"A,1,1,1,,play: dmg 2\n",
        b'name,cost,attack,health\n"A,1,1,1\n',
    ],
    ids=[
        "other delimiter",
        "picture",
        "workbook",
        "empty",
        "only titles",
        "missing columns",
        "negative attack",
        "no health",
        "cost of text",
        "name twice",
        "unknown keyword",
        "unknown effect",
        "unknown action",
        "open quotes",
    ],
)
def test_a_bad_spreadsheet_is_refused_and_nothing_is_written(content: bytes) -> None:
    Path("cards.csv").write_bytes(content)
    refused("import", "cards.csv")
    assert [path.name for path in Path().iterdir()] == ["cards.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "none.csv"],
        ["import", "folder"],
        ["import", "."],
        ["import", "cards.csv"],
        ["import", "cards.csv", "--out", "pool.csv"],
        ["import", "cards.csv", "--out", "no/pool.toml"],
        ["import", "cards.csv", "--out", "x" * 300 + ".toml"],
        ["import", "cards.csv", "--name", " ", "--out", "a.toml"],
        ["export", "cor"],
        ["export", "none.toml"],
        ["export", "cards.toml"],
        ["export", "core", "--out", "cards.csv"],
        ["export", "core", "--out", "cards.toml", "--force"],
        ["list", "cards.csv"],
        ["import", "cards.csv", "--note", "Efects", "--force"],
        ["show", "tithe_colector", "--pool", "core"],
    ],
)
def test_bad_arguments_are_refused_and_nothing_changes(arguments: list[str]) -> None:
    Path("folder").mkdir()
    Path("cards.csv").write_text(GOOD, encoding="utf-8")
    Path("cards.toml").write_text("old", encoding="utf-8")
    refused(*arguments)
    assert {path.name for path in Path().iterdir()} == {"folder", "cards.csv", "cards.toml"}
    assert Path("cards.csv").read_text(encoding="utf-8") == GOOD
    assert Path("cards.toml").read_text(encoding="utf-8") == "old"


DECKS = (
    "name,cost,attack,health,Rarity,deck: Rush,deck: slow\n"
    "Oak,1,1,1,common,2,\nElm,2,2,2,rare,1,1\nFir,3,3,3,,2,2\nYew,4,4,4,,,2\n"
)


def imported(text: str, *more: str, name: str = "cards.csv") -> list[str]:
    Path(name).write_text(text, encoding="utf-8")
    return cards("import", name, *more).splitlines()


def test_import_writes_decks_beside_the_pool_and_says_what_it_kept() -> None:
    lines = imported(DECKS)
    check_message("\n".join(lines))
    assert [line.split()[:2] for line in lines if " note " in line] == [["Rarity", "note"]]
    rush = load_deck("rush.toml")
    assert (rush.pool, rush.ruleset) == ("cards", "duel")
    assert rush.cards == {"oak": 2, "elm": 1, "fir": 2}
    cards("export", "cards.toml", "--force")
    assert Path("cards.csv").read_text(encoding="utf-8") == (
        "name,cost,attack,health,Rarity,deck: Rush,deck: slow\n"
        "Oak,1,1,1,common,2,\nElm,2,2,2,rare,1,1\nFir,3,3,3,,2,2\nYew,4,4,4,,,2\n"
    )


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_deck_keeps_what_a_sheet_does_not_say(ending: str) -> None:
    saga = load_pool("saga")
    write_pool(saga, Path("saga.toml"))
    decks = [path for path in shipped_folder("decks").glob("*.toml") if "saga" in path.read_text()]
    before = {path.name: path.read_text(encoding="utf-8") for path in decks}
    assert len(before) == 4
    for name, text in before.items():
        Path(name).write_text(text, encoding="utf-8")
    check_message(cards("export", "saga.toml", "--out", f"sheet.{ending}"))
    cards("import", f"sheet.{ending}", "--out", "saga.toml", "--force")
    assert {name: Path(name).read_text(encoding="utf-8") for name in before} == before
    assert load_pool("saga.toml") == saga


def test_a_changed_deck_keeps_the_order_of_the_cards_that_stay() -> None:
    imported(DECKS)
    text = Path("rush.toml").read_text(encoding="utf-8")
    turned = text.replace("oak = 2\nelm = 1\nfir = 2", "fir = 2\nelm = 1\noak = 2")
    Path("rush.toml").write_text(turned, encoding="utf-8")
    slow = Path("slow.toml").stat().st_mtime_ns
    imported(DECKS.replace("rare,1,1", "rare,,1") + "Ash,1,1,1,,1,\n", "--force")
    assert list(load_deck("rush.toml").cards.items()) == [("fir", 2), ("oak", 2), ("ash", 1)]
    assert Path("slow.toml").stat().st_mtime_ns == slow  # not written, as nothing changed


@pytest.mark.parametrize(
    "text",
    [
        DECKS.replace("common,2", "common,3"),
        DECKS.replace("deck: Rush", "deck: cards"),
        DECKS.replace("deck: slow", "deck: rush "),
        DECKS.replace("deck: slow", "deck: ru/sh"),
        DECKS.replace("Rush", "x y").replace("slow", "x-y"),
        DECKS.replace("1,1,1,common", "y,1,1,common"),
    ],
    ids=[
        "too many copies",
        "name of the pool",
        "deck twice",
        "file is there",
        "one file for two",
        "cost of text",
    ],
)
def test_a_deck_that_cannot_be_is_refused_and_nothing_is_written(text: str) -> None:
    Path("ru_sh.toml").write_text("mine", encoding="utf-8")
    Path("cards.csv").write_text(text, encoding="utf-8")
    refused("import", "cards.csv")
    assert {path.name for path in Path().iterdir()} == {"cards.csv", "ru_sh.toml"}


def test_decks_are_for_the_ruleset_of_the_option_or_of_their_files() -> None:
    Path("cards.csv").write_text(DECKS.replace("common,2", "common,3"), encoding="utf-8")
    text = (
        (shipped_folder("rulesets") / "duel.toml")
        .read_text(encoding="utf-8")
        .replace('"duel"', '"mine"')
    )
    Path("mine.toml").write_text(text.replace("copy_limit = 2", "copy_limit = 3"), encoding="utf-8")
    cards("import", "cards.csv", "--ruleset", "mine")
    assert load_deck("rush.toml").ruleset == "mine"
    cards("import", "cards.csv", "--force")  # the deck files name the ruleset now
    assert load_deck("rush.toml").ruleset == "mine"
    refused("import", "cards.csv", "--ruleset", "mien")


def test_a_patched_pool_goes_to_a_sheet_with_the_decks_of_a_folder() -> None:
    imported(DECKS)
    Path("run").mkdir()
    edit_pool_file(Path("cards.toml"), Path("run/patched_pool.toml"), [("oak", "cost", 2)])
    check_message(cards("export", "run/patched_pool.toml", "--decks", ".", "--out", "b.xlsx"))
    cards("import", "b.xlsx", "--out", "cards.toml", "--force")
    assert load_pool("cards.toml") == load_pool("run/patched_pool.toml")
    assert load_pool("cards.toml").card("oak").notes == {"Rarity": "common"}
    refused("export", "cards.toml", "--decks", "none", "--out", "c.csv")


def test_decks_that_do_not_fit_are_left_out_with_a_word() -> None:
    imported(DECKS)
    stale = Path("slow.toml").read_text(encoding="utf-8").replace("elm", "elk")
    Path("slow.toml").write_text(stale, encoding="utf-8")
    Path("bad.toml").write_text('pool = "cards"\n[cards]\noak = 0\n', encoding="utf-8")
    Path("torn.toml").write_text("[", encoding="utf-8")
    check_message(cards("export", "cards.toml", "--out", "b.csv"))
    imported(DECKS, "--force")  # faulty deck files do not hinder an import
    assert load_deck("slow.toml").cards["elm"] == 1


def test_show_and_list_print_notes() -> None:
    imported(DECKS)
    assert "  Rarity: rare" in cards("show", "elm", "--pool", "cards.toml").splitlines()
    rarities = [card["notes"] for card in json.loads(cards("list", "cards.toml", "--json"))["card"]]
    assert rarities == [{"Rarity": "common"}, {"Rarity": "rare"}, {}, {}]


def test_a_column_stays_a_note_once_an_option_made_it_one() -> None:
    text = "name,cost,attack,health,Effect\nOak,1,1,1,Draws a card.\n"
    Path("cards.csv").write_text(text, encoding="utf-8")
    refused("import", "cards.csv")
    imported(text, "--note", "Effect")
    imported(text, "--force")
    assert load_pool("cards.toml").card("oak").notes == {"Effect": "Draws a card."}


def test_a_column_of_kinds_by_other_words_stays_one_when_it_is_imported_again() -> None:
    text = (
        "name,cost,attack,health,Type,effects\nOak,1,1,1,Creature,\nZap,1,,,Instant,play: draw 1\n"
    )
    imported(text)
    imported(text, "--force")
    zap = load_pool("cards.toml").card("zap")
    assert (zap.kind, zap.notes) == ("spell", {"Type": "Instant"})
    other = text.replace("Creature", "Oaken")
    Path("cards.csv").write_text(other, encoding="utf-8")
    refused("import", "cards.csv", "--force")
    imported(other, "--force", "--type", "Oaken=minion")
    imported(other, "--force")  # the pool file names the kind now
    oak = load_pool("cards.toml").card("oak")
    assert (oak.kind, oak.notes) == ("minion", {"Type": "Oaken"})


def test_list_shows_every_card_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    Path("cards.csv").write_text(GOOD, encoding="utf-8")
    cards("import", "cards.csv")
    check_message(cards("list", "cards.toml"))


def test_list_shows_kinds_and_bodies_of_rich_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    spell = Card(id="bolt", name="Bolt", kind="spell", cost=1)
    axe = Card(id="axe", name="Axe", kind="weapon", cost=2, attack=3, durability=4)
    write_pool(Pool(name="p", cards=(spell, axe)), Path("a.toml"))
    lines = [line.split() for line in cards("list", "a.toml").replace("│", " ").splitlines()]
    assert ["bolt", "Bolt", "spell", "1"] in lines
    assert ["axe", "Axe", "weapon", "2", "3/4"] in lines


def test_list_gives_scripts_every_field() -> None:
    listed = json.loads(cards("list", "core", "--json"))
    assert Pool.model_validate(listed, strict=False, by_alias=True) == load_pool("core")


def test_importing_again_keeps_the_name_that_decks_refer_to() -> None:
    text = "name,cost,attack,health\nOak,1,1,1\n"
    for options, name in (
        (("--name", "Toybox"), "Toybox"),
        (("--force",), "Toybox"),
        (("--force", "--name", "Other"), "Other"),
    ):
        imported(text, *options)
        assert load_pool("cards.toml").name == name


@pytest.mark.parametrize("card_id", ["tithe_collector", "Tithe_Collector"])
def test_show_says_what_a_card_does(card_id: str) -> None:
    check_message(cards("show", card_id, "--pool", "core"))


def test_show_also_describes_the_cards_that_a_card_creates() -> None:
    saga = load_pool("saga")
    tokens = {token.id: token for token in saga.tokens}
    creator = next(
        card
        for card in saga.cards
        if any(name in tokens for row in card.effects for name in row.cards)
    )
    (created, *_) = [name for row in creator.effects for name in row.cards if name in tokens]
    page = cards("show", creator.id, "--pool", "saga")
    assert f"\n\n{tokens[created].name} ({created})\n" in page


@needs_package
def test_a_real_card_without_rows_is_known_by_name() -> None:
    missing = count_cards()["missing"][0]
    message = refusal(command("cards", "show", missing["id"]))
    assert_says(message, repr(missing["id"]), missing["name"])


@needs_package
def test_coverage_counts_every_card_once() -> None:
    coverages = json.loads(cards("coverage", "--json"))
    for groups in (coverages["by_set"], coverages["by_class"]):
        for column in ("cards", "implemented", "missing"):
            assert sum(counts[column] for counts in groups.values()) == coverages["all"][column]
    counts = coverages["all"]
    assert counts["implemented"] + counts["missing"] == counts["cards"] == 392
    assert counts["implemented"] == len(load_pool("hearthstone").cards)
    assert counts["scenario_checked"] is None
    assert len(coverages["missing"]) == counts["missing"]


@pytest.mark.thorough
@needs_package
def test_coverage_counts_the_cards_of_scenarios() -> None:
    card = load_pool("hearthstone").cards[0].id
    side = {"class": "MAGE", "health": 30, "mana": {"available": 1, "max": 1}}
    scenario = {
        "id": "one",
        "topic": "test",
        "cards": [card.upper()],
        "setup": {"active": "p1", "p1": side, "p2": side},
    }
    Path("one.jsonl").write_text(json.dumps(scenario) + "\n", encoding="utf-8")
    text = cards("coverage", "--scenarios", "one.jsonl", "--missing")
    coverages = json.loads(cards("coverage", "--scenarios", "one.jsonl", "--json"))
    assert coverages["all"]["scenario_checked"] == 1
    assert all(missing["id"] in text for missing in coverages["missing"])
    refused("coverage", "--scenarios", "bad.jsonl")
