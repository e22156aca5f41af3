"""Cards go to a spreadsheet and come back through the command line, and nothing gets lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.commands.card_tables import coverage
from sim import Card, Pool, load_deck, load_pool
from sim.cards.pool_file import edit_pool_file, write_pool
from sim.files.toml_file import shipped_folder
from tests.command_line import command, done, refusal
from tests.legacy import needs_package

HEADER = "name,cost,attack,health,keywords,effects\n"
GOOD = HEADER + "Ember Whelp,2,3,1,haste,play: damage 2\n"


pytestmark = pytest.mark.usefixtures("here")


def cards(*arguments: str) -> str:
    """What a command prints that ends well."""
    return done(command("cards", *arguments)).out.rstrip("\n")


def refused(*arguments: str) -> str:
    return refusal(command("cards", *arguments))


def test_a_shipped_pool_survives_the_way_to_a_spreadsheet_and_back() -> None:
    core = load_pool("core")
    n = len(core.cards)
    assert cards("export", "core") == f"core.csv: wrote {n} cards of pool 'core'"
    assert cards("import", "core.csv").startswith(f"core.toml: wrote pool 'core', {n} cards\n")
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
    assert "no pool 'sagas'" in refused("import", "saga.csv", "--over", "sagas", "--force")


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
    ("content", "fragment"),
    [
        (
            b"name:cost:attack:health\nA:1:1:1\n",
            "line 1: missing columns name, cost, attack, health; has 'name:cost:attack:health'",
        ),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "cards.csv: line 1: not UTF-8 text"),
        (
            b"PK\x03\x04\x00\x00\n\x00",
            "cards.csv: is a workbook, not CSV; its name must end in .xlsx",
        ),
        (b"", "cards.csv: is empty; wants a line with the columns name, cost"),
        (HEADER.encode(), "cards.csv: line 1: no cards stand below the titles"),
        (b"name,cost\nA,1\n", "cards.csv: line 1: missing columns attack, health"),
        (
            b"name,cost,attack,health\nA,1,-2,1\n",
            "cards.csv: line 2: card 'a': attack = -2 must be",
        ),
        (b"name,cost,attack,health\nA,1,1,0\n", "cards.csv: line 2: card 'a': health = 0 must be"),
        (
            b"name,cost,attack,health\nA,x,1,1\n",
            "line 2: card 'a': column cost: 'x' must be a whole number",
        ),
        (
            b"name,cost,attack,health\nA,1,1,1\nA,2,2,2\n",
            "line 3: column name: 'A' is already used in line 2",
        ),
        (HEADER.encode() + b"A,1,1,1,hast\n", "unknown keyword 'hast'; did you mean 'haste'?"),
        (
            HEADER.encode() + b"A,1,1,1,,boom\n",
            "line 2: card 'a': column effects: 'boom' must be like 'play:",
        ),
        (HEADER.encode() + b"A,1,1,1,,play: dmg 2\n", "unknown action 'dmg'"),
        (b'name,cost,attack,health\n"A,1,1,1\n', "cards.csv: line 2: not valid CSV"),
    ],
)
def test_a_bad_spreadsheet_is_refused_and_nothing_is_written(content: bytes, fragment: str) -> None:
    Path("cards.csv").write_bytes(content)
    assert fragment in refused("import", "cards.csv")
    assert [path.name for path in Path().iterdir()] == ["cards.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["import", "none.csv"], "none.csv: no such file"),
        (["import", "folder"], "folder: is a folder, not a file"),
        (["import", "."], ".: is a folder, not a file"),
        (["import", "cards.csv"], "cards.toml: is already there; use --force to overwrite it"),
        (["import", "cards.csv", "--out", "pool.csv"], "pool.csv: must end in .toml"),
        (["import", "cards.csv", "--out", "no/pool.toml"], "no/pool.toml: cannot be written: "),
        (["import", "cards.csv", "--out", "x" * 300 + ".toml"], "cannot be written: File name too"),
        (["import", "cards.csv", "--name", " ", "--out", "a.toml"], "name = ' ' must not be"),
        (["export", "cor"], "no pool 'cor': looked for"),
        (["export", "none.toml"], "no pool 'none.toml': looked for none.toml"),
        (["export", "cards.toml"], "cards.toml: not valid TOML"),
        (["export", "core", "--out", "cards.csv"], "cards.csv: is already there; use --force"),
        (["export", "core", "--out", "cards.toml", "--force"], "cards.toml: must end in .csv"),
        (["list", "cards.csv"], "cards import cards.csv"),
        (
            ["import", "cards.csv", "--note", "Efects", "--force"],
            "evenhand: cards.csv: --note 'Efects': no such column; did you mean 'effects'?\n",
        ),
        (
            ["show", "tithe_colector", "--pool", "core"],
            "pool 'core': no card 'tithe_colector'; did you mean 'tithe_collector'?\n",
        ),
    ],
)
def test_bad_arguments_are_refused_and_nothing_changes(arguments: list[str], message: str) -> None:
    Path("folder").mkdir()
    Path("cards.csv").write_text(GOOD, encoding="utf-8")
    Path("cards.toml").write_text("old", encoding="utf-8")
    assert message in refused(*arguments)
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
    told = imported(DECKS)
    assert told[:3] == [
        "cards.toml: wrote pool 'cards', 4 cards",
        "rush.toml: deck 'Rush', 5 cards",
        "slow.toml: deck 'slow', 5 cards",
    ]
    assert [line.split()[:2] for line in told if " note " in line] == [["Rarity", "note"]]
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
    told = cards("export", "saga.toml", "--out", f"sheet.{ending}")
    assert told.startswith(
        f"sheet.{ending}: wrote 115 cards and the coin of pool 'saga', and decks "
    )
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
    ("text", "message"),
    [
        (
            DECKS.replace("common,2", "common,3"),
            "3 copies, must be at most 2 (copy_limit of ruleset",
        ),
        (DECKS.replace("deck: Rush", "deck: cards"), "deck 'cards' would be the pool's cards.toml"),
        (DECKS.replace("deck: slow", "deck: rush "), "deck 'rush' is already in line 1"),
        (DECKS.replace("deck: slow", "deck: ru/sh"), "already there; use --force to overwrite it"),
        (DECKS.replace("Rush", "x y").replace("slow", "x-y"), "would both be x_y.toml"),
        (DECKS.replace("1,1,1,common", "y,1,1,common"), "column cost: 'y' must be a whole number"),
    ],
)
def test_a_deck_that_cannot_be_is_refused_and_nothing_is_written(text: str, message: str) -> None:
    Path("ru_sh.toml").write_text("mine", encoding="utf-8")
    Path("cards.csv").write_text(text, encoding="utf-8")
    assert message in refused("import", "cards.csv")
    assert {path.name for path in Path().iterdir()} == {"cards.csv", "ru_sh.toml"}


def test_decks_are_for_the_rules_that_are_told() -> None:
    Path("cards.csv").write_text(DECKS.replace("common,2", "common,3"), encoding="utf-8")
    text = (
        (shipped_folder("rulesets") / "duel.toml")
        .read_text(encoding="utf-8")
        .replace('"duel"', '"mine"')
    )
    Path("mine.toml").write_text(text.replace("copy_limit = 2", "copy_limit = 3"), encoding="utf-8")
    cards("import", "cards.csv", "--ruleset", "mine")
    assert load_deck("rush.toml").ruleset == "mine"
    cards("import", "cards.csv", "--force")  # the deck files tell it now
    assert load_deck("rush.toml").ruleset == "mine"
    assert "no ruleset 'mien'" in refused("import", "cards.csv", "--ruleset", "mien")


def test_a_patched_pool_goes_to_a_sheet_with_the_decks_of_a_folder() -> None:
    imported(DECKS)
    Path("run").mkdir()
    edit_pool_file(Path("cards.toml"), Path("run/patched_pool.toml"), [("oak", "cost", 2)])
    told = cards("export", "run/patched_pool.toml", "--decks", ".", "--out", "b.xlsx")
    assert told == "b.xlsx: wrote 4 cards of pool 'cards', and decks Rush, slow"
    cards("import", "b.xlsx", "--out", "cards.toml", "--force")
    assert load_pool("cards.toml") == load_pool("run/patched_pool.toml")
    assert load_pool("cards.toml").card("oak").notes == {"Rarity": "common"}
    assert "none: no such folder" in refused(
        "export", "cards.toml", "--decks", "none", "--out", "c.csv"
    )


def test_decks_that_do_not_fit_are_left_out_with_a_word() -> None:
    imported(DECKS)
    stale = Path("slow.toml").read_text(encoding="utf-8").replace("elm", "elk")
    Path("slow.toml").write_text(stale, encoding="utf-8")
    Path("bad.toml").write_text('pool = "cards"\n[cards]\noak = 0\n', encoding="utf-8")
    Path("torn.toml").write_text("[", encoding="utf-8")
    told = cards("export", "cards.toml", "--out", "b.csv").splitlines()
    assert told[0] == "b.csv: wrote 4 cards of pool 'cards', and decks Rush"
    assert len(told) == 3
    assert told[1].startswith("left out: bad.toml: ")
    assert told[2].startswith("left out: slow.toml: deck 'slow': pool 'cards': no card 'elk'")
    imported(DECKS, "--force")  # what is wrong beside a sheet is none of its business
    assert load_deck("slow.toml").cards["elm"] == 1


def test_show_and_list_tell_notes() -> None:
    imported(DECKS)
    assert "  Rarity: rare" in cards("show", "elm", "--pool", "cards.toml").splitlines()
    rarities = [card["notes"] for card in json.loads(cards("list", "cards.toml", "--json"))["card"]]
    assert rarities == [{"Rarity": "common"}, {"Rarity": "rare"}, {}, {}]


def test_a_column_stays_a_note_once_that_was_told() -> None:
    text = "name,cost,attack,health,Effect\nOak,1,1,1,Draws a card.\n"
    Path("cards.csv").write_text(text, encoding="utf-8")
    assert "did you mean 'effects'? Rename it, " in refused("import", "cards.csv")
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
    asked = refused("import", "cards.csv", "--force")
    assert '--type "Oaken=minion"' in asked
    imported(other, "--force", "--type", "Oaken=minion")
    imported(other, "--force")  # the pool file tells it now
    oak = load_pool("cards.toml").card("oak")
    assert (oak.kind, oak.notes) == ("minion", {"Type": "Oaken"})


def test_list_shows_every_card_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    Path("cards.csv").write_text(GOOD, encoding="utf-8")
    cards("import", "cards.csv")
    text = " ".join(cards("list", "cards.toml").split())
    for cell in ("cards: 1 card", "ember_whelp", "haste"):
        assert cell in text
    assert "When played: deal 2 damage to the enemy player." in text


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
    assert cards("show", card_id, "--pool", "core") == (
        "Tithe Collector (tithe_collector)\n"
        "  minion\n"
        "  cost 4, attack 3 and health 3\n"
        "  When played: deal 2 damage to the enemy player.\n"
        "  Numbers of its effects that balancing may move: amount (damage)"
    )


def test_show_tells_of_the_cards_that_a_card_brings() -> None:
    saga = load_pool("saga")
    tokens = {token.id: token for token in saga.tokens}
    bringing = next(
        card
        for card in saga.cards
        if any(each in tokens for row in card.effects for each in row.cards)
    )
    (brought, *_) = [each for row in bringing.effects for each in row.cards if each in tokens]
    assert f"\n\n{tokens[brought].name} ({brought})\n" in cards(
        "show", bringing.id, "--pool", "saga"
    )


@needs_package
def test_a_real_card_without_rows_is_known_by_name() -> None:
    missing = coverage()["missing"][0]
    says = f"evenhand: card {missing['id']!r} ({missing['name']}) has no effect rows yet\n"
    assert refused("show", missing["id"]) == says


@needs_package
def test_coverage_counts_every_card_once() -> None:
    found = json.loads(cards("coverage", "--json"))
    for groups in (found["by_set"], found["by_class"]):
        for column in ("cards", "implemented", "missing"):
            assert sum(counts[column] for counts in groups.values()) == found["all"][column]
    counts = found["all"]
    assert counts["implemented"] + counts["missing"] == counts["cards"] == 392
    assert counts["implemented"] == len(load_pool("hearthstone").cards)
    assert counts["scenario_checked"] is None
    assert len(found["missing"]) == counts["missing"]


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
    found = json.loads(cards("coverage", "--scenarios", "one.jsonl", "--json"))
    assert found["all"]["scenario_checked"] == 1
    assert "scenario checked" in text
    assert all(missing["id"] in text for missing in found["missing"])
    assert "bad.jsonl: no such file" in refused("coverage", "--scenarios", "bad.jsonl")
