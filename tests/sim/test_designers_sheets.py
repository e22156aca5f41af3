"""Sheets of other games are understood, or refused with the option that explains them.

Each is a small sheet of a kind that designers have, with its own words and in its own encoding.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from experiments.spreadsheet.cells import value_in
from experiments.spreadsheet.meanings import read_meaning, read_meanings
from experiments.spreadsheet.pool_sheet import PoolSheet, read_pool_sheet, write_pool_sheet
from experiments.spreadsheet.sheet_file import read_sheets
from experiments.spreadsheet.titles import column_like
from experiments.spreadsheet.words import KINDS, kind_in, plain_words
from sim import Deck, InputError, load_pool
from sim.cards.fields import SYNONYMS
from sim.cards.pool_file import write_pool
from sim.files.csv_file import whole_number
from tests.refusals import refusal_of, refused

ITALIAN = """\
id;Nome;Fazione;Tipo;Costo;Forza;Vita;Testo
BRK_lupo;Lupo grigio;Brughiera;Creatura;2;2;1;
BRK_nebbia;Nebbia;Brughiera;Incantesimo;1;;;Scompare, poi torna.
"""
GERMAN = """\
Name;Typ;Manakosten;Angriff;Leben;Preis
B\u00e4r;Kreatur;3;3,0;4;1,5
Blitz;Sofortzauber;1;;;0,5
"""
JAPANESE = """\
\u30ab\u30fc\u30c9\u540d,\u30b3\u30b9\u30c8,\u7a2e\u985e,\u30d1\u30ef\u30fc,\u4f53\u529b
\u3059\u305a\u3081,\uff11,\u30e6\u30cb\u30c3\u30c8,1,1
\u304b\u306a\u3057\u3070\u308a,2,\u547c\u6587,,
""".replace("\u547c\u6587", "\u546a\u6587")
RUSSIAN = """\
\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435;\u0441\u0442\u043e\u0438\u043c\u043e\u0441\u0442\u044c;\u0430\u0442\u0430\u043a\u0430;\u0437\u0434\u043e\u0440\u043e\u0432\u044c\u0435
\u0412\u043e\u043b\u043a;2;3;1
"""
KOREAN = """\
\uc774\ub984,\ube44\uc6a9,\uacf5\uaca9\ub825,\uccb4\ub825,\uc720\ud615
\ub291\ub300,1,1,2,\ud558\uc218\uc778
\ubd88\uaf43,1,,,\uc8fc\ubb38
"""
PREFIXED = """\
unit_code,unit_name,unit_manacost,unit_type,unit_actionpoints,unit_hp,unit_art
11,Grey Gull,1,Minion,1,1,gull.png
12,Low Tide,2,Spell,-1,-1,tide.png
"""
TYPE_LINES = """\
Name,CMC,Type,P/T,Rules
Reed Cat,2,Legendary Creature \u2014 Cat,3/2,
Gust,1,Instant,,"Move
a cloud."
Moth,1,Creature - Insect,1/1,
"""
ONE_NUMBER = """\
Card Name,Energy,Force
Ox,3,7
Ant,1,2
"""
THOUSANDS = """\
name,cost,power,life
Kite,2,1 500,3000
Barge,4,4000,\uff12\uff10\uff10\uff10
"""
CODES = """\
id,name,cost,attack,health,tags
NM-007/b,Lamp,1,1,2,"S-Trigger; first (promo); \U0001f525"
42,Bell,2,2,2,rare
bell_2,Bell,2,1,3,
"""
SHEETS = {
    "Italian": (ITALIAN, "utf-8-sig"),
    "German": (GERMAN, "cp1252"),
    "Japanese": (JAPANESE, "cp932"),
    "Russian": (RUSSIAN, "cp1251"),
    "Korean": (KOREAN, "cp949"),
    "prefixed": (PREFIXED, "utf-8"),
    "type lines": (TYPE_LINES, "utf-16"),
    "codes": (CODES, "utf-8"),
}


def sheet(folder: Path, content: str, encoding: str = "utf-8", name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode(encoding))
    return path


def read(path: Path, **given: object) -> PoolSheet:
    return read_pool_sheet(path, "p", **given)  # type: ignore[arg-type]


def numbers(found: PoolSheet) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Return the kind and the printed numbers of each card, by its id."""
    return {
        card.id: (card.kind, tuple(card.number(field) for field in card.printed))
        for card in found.pool.cards
    }


def refusal(path: Path, **given: object) -> InputError:
    with refused() as caught:
        read(path, **given)
    assert caught.error.place.startswith(str(path))
    return caught.error


@pytest.mark.parametrize(
    ("which", "cards"),
    [
        (
            "Italian",
            {"brk_lupo": ("minion", (2, 2, 1)), "brk_nebbia": ("spell", (1,))},
        ),
        ("German", {"bar": ("minion", (3, 3, 4)), "blitz": ("spell", (1,))}),
        (
            "Japanese",
            {
                "\u3059\u305a\u3081": ("minion", (1, 1, 1)),
                "\u304b\u306a\u3057\u3070\u308a": ("spell", (2,)),
            },
        ),
        ("Russian", {"\u0432\u043e\u043b\u043a": ("minion", (2, 3, 1))}),
        ("Korean", {"\ub291\ub300": ("minion", (1, 1, 2)), "\ubd88\uaf43": ("spell", (1,))}),
        ("prefixed", {"grey_gull": ("minion", (1, 1, 1)), "low_tide": ("spell", (2,))}),
        (
            "type lines",
            {
                "reed_cat": ("minion", (2, 3, 2)),
                "gust": ("spell", (1,)),
                "moth": ("minion", (1, 1, 1)),
            },
        ),
        (
            "codes",
            {
                "nm_007_b": ("minion", (1, 1, 2)),
                "card_42": ("minion", (2, 2, 2)),
                "bell_2": ("minion", (2, 1, 3)),
            },
        ),
    ],
)
def test_titles_and_words_of_other_games_are_understood(
    which: str, cards: dict[str, object], tmp_path: Path
) -> None:
    found = read(sheet(tmp_path, *SHEETS[which]))
    assert numbers(found) == cards


@pytest.mark.parametrize("which", SHEETS)
def test_an_export_gives_back_the_titles_ids_words_and_order_of_the_sheet(
    which: str, tmp_path: Path
) -> None:
    path = sheet(tmp_path, *SHEETS[which])
    found = read(path)
    write_pool(found.pool, tmp_path / "p.toml")
    pool = load_pool(str(tmp_path / "p.toml"))
    assert pool == found.pool
    write_pool_sheet(pool, tmp_path / "b.csv")
    rows = [cells for _, cells in read_sheets(path).sheets[0].rows]
    again = [cells for _, cells in read_sheets(tmp_path / "b.csv").sheets[0].rows]
    placeholders = {"-1": "", "3,0": "3", "\uff11": "1"}  # numbers are written in plain digits
    assert again == [[placeholders.get(cell, cell) for cell in row] for row in rows]
    assert read(tmp_path / "b.csv").pool == pool


def test_one_table_says_what_each_column_was_understood_to_be(tmp_path: Path) -> None:
    found = read(sheet(tmp_path, TYPE_LINES))
    assert [(row.column, row.read_as) for row in found.understood] == [
        ("Name", "name"), ("CMC", "cost"), ("Type", "kind"), ("P/T", "attack/health"),
        ("Rules", "note"),
    ]  # fmt: skip
    without = read(sheet(tmp_path, ONE_NUMBER), columns=["Force=attack+health"])
    assert without.understood[-1].read_as == "kind"  # though there is no such column
    assert without.understood[-1].column not in ("Card Name", "Energy", "Force")


# --- what is asked for, and the option that answers ---


@pytest.mark.parametrize("title", ["type", "card_type", "Kind", "Tipo"])
def test_an_unknown_kind_is_asked_for_and_never_a_minion(title: str, tmp_path: Path) -> None:
    text = (
        f"name,cost,attack,health,{title}\nOak,1,1,2,Unit\nRite,2,3,3,Ritual\nWall,1,,,Building\n"
    )
    path = sheet(tmp_path, text)
    asked = refusal(path)
    assert asked.value == ("Ritual", "Building")
    assert '--type "Ritual=' in asked.remedy
    assert '--type "Building=' in asked.remedy
    assert f'--note "{title}"' in asked.remedy
    assert asked.problems == ()  # one question, without what follows from it
    found = read(
        sheet(tmp_path, text.replace("3,3", ",")), kinds=["ritual=spell", "Building=Sorcery"]
    )
    assert [card.kind for card in found.pool.cards] == ["minion", "spell", "spell"]
    assert [card.notes[title] for card in found.pool.cards] == ["Unit", "Ritual", "Building"]


def test_what_only_some_games_mean_by_a_word_is_asked_for(tmp_path: Path) -> None:
    for word in ("Equipment", "Artifact", "Trap", "Token", "Land", "Hero", "Enchantment"):
        text = f"name,cost,attack,health,type\nOak,1,1,1,{word}\n"
        assert f'--type "{word}=' in refusal(sheet(tmp_path, text)).remedy


def test_a_column_of_kinds_is_known_by_its_cells_under_any_title(tmp_path: Path) -> None:
    text = "name,cost,attack,health,Genre\nOak,1,1,1,Creature\nZap,1,,,Instant\n"
    assert [card.kind for card in read(sheet(tmp_path, text)).pool.cards] == ["minion", "spell"]
    noted = text.replace("1,,,", "1,2,2,")
    kept = read(sheet(tmp_path, noted), notes=["Genre"])
    assert [card.kind for card in kept.pool.cards] == ["minion", "minion"]


def test_of_two_columns_called_type_the_one_with_kinds_is_taken(tmp_path: Path) -> None:
    text = "name,cost,attack,health,Type,Card type\nOak,1,1,1,Beast,Unit\nZap,1,,,Fire,Spell\n"
    found = read(sheet(tmp_path, text))
    assert [card.kind for card in found.pool.cards] == ["minion", "spell"]
    assert [card.notes["Type"] for card in found.pool.cards] == ["Beast", "Fire"]


def test_a_word_that_was_explained_is_known_the_next_time(tmp_path: Path) -> None:
    text = "Nome,Croci,Forza,Vita,Tipo\nOrso,3,3,4,Santo\nLode,1,,,Preghiera\n"
    given = {"columns": ["Croci=cost"], "kinds": ["Santo=minion", "Preghiera=spell"]}
    first = read(sheet(tmp_path, text), **given)
    write_pool(first.pool, tmp_path / "p.toml")
    earlier = load_pool(str(tmp_path / "p.toml"))
    again = read(sheet(tmp_path, text), over=earlier)
    assert again.pool == first.pool
    renamed = read(sheet(tmp_path, text.replace("Croci", "Costo")), over=earlier)
    assert numbers(renamed) == numbers(first)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (ONE_NUMBER, ['--column "Force=attack+health"']),
        ("name,cost,offence,armour\nA,1,2,3\n", ['TITLE=attack"', 'TITLE=health"', "'offence'"]),
        ("Card Name,Manna,Power,Toughnes\nA,1,1,1\n", ["Manna=cost", "Toughnes=health"]),
        (THOUSANDS, ['"power=attack/100"', '"life=health/1000"']),
        ("name,cost,power\nA,1,3000\nB,2,500\n", ['"power=attack+health/100"']),
        ("name,Mana,CMC,attack,health\nA,1,1,1,1\n", ['--note "CMC"']),
    ],
)
def test_columns_that_are_not_clear_are_asked_for_with_the_option(
    text: str, options: list[str], tmp_path: Path
) -> None:
    asked = str(refusal(sheet(tmp_path, text)))
    for option in options:
        assert option in asked


def test_options_say_which_column_is_what(tmp_path: Path) -> None:
    both = read(sheet(tmp_path, ONE_NUMBER), columns=["force = attack+health"])
    assert numbers(both) == {"ox": ("minion", (3, 7, 7)), "ant": ("minion", (1, 2, 2))}
    small = read(sheet(tmp_path, THOUSANDS), columns=["power=attack/500", "life=toughness/1000"])
    assert numbers(small) == {"kite": ("minion", (2, 3, 3)), "barge": ("minion", (4, 8, 2))}
    write_pool_sheet(small.pool, tmp_path / "b.csv")
    assert "Kite,2,1500,3000" in (tmp_path / "b.csv").read_text(encoding="utf-8")
    uneven = refusal(sheet(tmp_path, THOUSANDS), columns=["power=attack/1000", "life=health/1000"])
    assert uneven.place.endswith("line 2: card 'kite': column 'attack'")
    assert (uneven.value, uneven.limit) == (1500, 1000)


def test_a_patch_makes_two_columns_of_one_number(tmp_path: Path) -> None:
    pool = read(sheet(tmp_path, ONE_NUMBER), columns=["Force=attack+health"]).pool
    (ox, ant) = pool.cards
    patched = pool.model_copy(update={"cards": (ox.with_numbers({"attack": 6}), ant)})
    write_pool_sheet(patched, tmp_path / "b.csv")
    again = read(tmp_path / "b.csv", over=pool)
    assert again.pool.cards == patched.cards


@pytest.mark.parametrize(
    ("given", "option", "hint"),
    [
        ({"columns": ["Mana"]}, "--column 'Mana'", ""),
        ({"columns": ["Force=attak"]}, "--column 'Force=attak'", "'attack'"),
        ({"columns": ["Forse=attack"]}, "--column 'Forse'", "'Force'"),
        ({"columns": ["Force=name/3"]}, "--column 'Force=name/3'", ""),
        ({"columns": ["Force=attack/0"]}, "--column 'Force=attack/0'", ""),
        ({"columns": ["Force=attack", "Force=health"]}, "--column 'Force=health'", ""),
        ({"kinds": ["Rite=spel"]}, "--type 'Rite=spel'", "'spell'"),
        ({"kinds": ["=spell"]}, "--type '=spell'", ""),
        ({"notes": ["Card Nam"]}, "--note 'Card Nam'", "'Card Name'"),
        ({"kinds": ["Rite=spell"]}, "--type 'Rite'", ""),
    ],
)
def test_an_option_that_explains_nothing_is_refused(
    given: dict[str, list[str]], option: str, hint: str, tmp_path: Path
) -> None:
    with refused() as caught:
        read(sheet(tmp_path, ONE_NUMBER), **given)
    errors = caught.error.problems or (caught.error,)
    (error,) = [error for error in errors if error.place.endswith(option)]
    assert hint in error.remedy


def test_note_takes_all_columns_but_those_that_cards_need(tmp_path: Path) -> None:
    found = read(sheet(tmp_path, CODES.replace("Bell", "Gong", 1)), notes=["id", "tags"])
    assert [card.id for card in found.pool.cards] == ["lamp", "gong", "bell"]
    first = found.pool.cards[0]
    assert (first.tags, first.notes["id"]) == ((), "NM-007/b")
    assert refusal(sheet(tmp_path, CODES), notes=["id"]).value == "Bell"
    faults = refusal(sheet(tmp_path, CODES), notes=["health"]).problems
    assert [fault.value for fault in faults if fault.place == "--note 'health'"] == ["health"]


PROSE = """\
name,cost,attack,health,Effects,Target,Keywords
Ash,1,1,1,Draw a card.,Any enemy,Flying
Elm,1,1,1,Deal 2 damage.,You,Trample
"""


def test_columns_of_prose_are_one_question_each(tmp_path: Path) -> None:
    questions = refusal(sheet(tmp_path, PROSE)).problems
    for title, question in zip(("Effects", "Target", "Keywords"), questions, strict=True):
        assert f'--note "{title}"' in question.remedy
    found = read(sheet(tmp_path, PROSE), notes=["Effects", "target", "keywords"])
    assert found.pool.cards[0].notes == {
        "Effects": "Draw a card.", "Target": "Any enemy", "Keywords": "Flying",
    }  # fmt: skip
    write_pool(found.pool, tmp_path / "p.toml")
    again = read(sheet(tmp_path, PROSE), over=load_pool(str(tmp_path / "p.toml")))
    assert again.pool == found.pool
    write_pool_sheet(found.pool, tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text(encoding="utf-8") == PROSE


def test_abilities_in_prose_keep_their_title_and_get_no_further_column(tmp_path: Path) -> None:
    text = "name,cost,attack,health,Abilities\nAsh,1,1,1,Draw a card.\n"
    write_pool_sheet(read(sheet(tmp_path, text)).pool, tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("title", ["name", "cost"])
def test_without_a_needed_column_and_numbers_elsewhere_no_titles_are_offered(
    title: str, tmp_path: Path
) -> None:
    text = "name,cost,attack,health\nAsh,1,1,1\n"
    assert refusal(sheet(tmp_path, text), columns=[f"{title}=note"]).limit == (title,)


def test_heroes_that_no_pool_has_are_one_question(tmp_path: Path) -> None:
    text = "name,cost,attack,health,hero\nAsh,1,1,1,Ann Lee\nElm,1,1,1,Bo\n"
    asked = refusal(sheet(tmp_path, text))
    assert '--note "hero"' in asked.remedy
    assert asked.problems == ()
    kept = read(sheet(tmp_path, text), notes=["hero"]).pool.cards
    assert [card.notes["hero"] for card in kept] == ["Ann Lee", "Bo"]


def test_a_tribe_keeps_the_sheets_own_word(tmp_path: Path) -> None:
    text = "name,cost,attack,health,Tribe\nAsh,1,1,1,Sea Beast\n"
    (card,) = read(sheet(tmp_path, text)).pool.cards
    assert (card.tribe, card.notes["Tribe"]) == ("sea_beast", "Sea Beast")


def test_signs_and_brackets_around_a_title_do_not_count(tmp_path: Path) -> None:
    text = "Name:,Cost (mana),\u2694 Attack,HP [max],Power (old)\nAsh,1,2,3,9\n"
    found = read(sheet(tmp_path, text))
    assert numbers(found) == {"ash": ("minion", (1, 2, 3))}
    assert found.pool.cards[0].notes == {"Power (old)": "9"}
    body = "Name,Cost,Attack / Health\nAsh,1,2 / 3\n"
    assert read(sheet(tmp_path, body)).pool.cards[0].health == 3


def test_an_option_can_make_a_column_a_deck(tmp_path: Path) -> None:
    text = "name,cost,attack,health,Rush,Slow\nAsh,1,1,1,2,\nElm,2,2,2,1,2\n"
    found = read(sheet(tmp_path, text), columns=["rush=deck", "Slow=deck"])
    lists = {deck.name: deck.cards for deck in found.decks}
    assert lists == {"Rush": {"ash": 2, "elm": 1}, "Slow": {"elm": 2}}
    decks = [
        Deck(name=name, pool="p", ruleset="duel", cards=cards) for name, cards in lists.items()
    ]
    write_pool_sheet(found.pool, tmp_path / "b.csv", decks[::-1])
    assert (tmp_path / "b.csv").read_text(encoding="utf-8") == text
    again = read(tmp_path / "b.csv", over=found.pool)
    assert {deck.name: deck.cards for deck in again.decks} == lists


def test_a_pool_file_with_an_unknown_meaning_of_a_column_is_named(tmp_path: Path) -> None:
    pool = read(sheet(tmp_path, ONE_NUMBER), columns=["Force=attack+health"]).pool
    write_pool(pool, tmp_path / "p.toml")
    text = (tmp_path / "p.toml").read_text(encoding="utf-8")
    (tmp_path / "p.toml").write_text(text.replace("attack+health", "atack"), encoding="utf-8")
    torn = load_pool(str(tmp_path / "p.toml"))
    for error in (
        refusal_of(read, sheet(tmp_path, ONE_NUMBER), over=torn),
        refusal_of(write_pool_sheet, torn, tmp_path / "b.csv"),
    ):
        assert error.place == "table [sheet] of the pool file"
        assert error.value == "atack"


def test_a_kind_that_no_deck_holds_is_asked_for(tmp_path: Path) -> None:
    text = "name,cost,type\nAsh,1,Power\n"
    *_, question = refusal(sheet(tmp_path, text)).problems
    assert '--type "Power=' in question.remedy


# --- rows, cells and files ---


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("Elk,2,3,3\nEel,1,1,2\n", ["line 1", "name,cost,attack,health"]),
        ("Name,A,B\nCost,1,2\nAttack,1,2\nHealth,1,2\n", ["transpose"]),
        ("name,cost,attack,health\nA,1,1,1\nTotals:,1,1,1\n", ["line 3", "totals"]),
        ("name,cost,attack,health\nA,2R,1,1\n", ["line 2", "'2R'"]),
        ("name,cost,attack,health\nA,X,1,1\n", ["line 2", "'X'"]),
        ('name,cost,attack,health\nA,1,"1,000",1\n', ["'1,000'", " 1000"]),
        ("name,cost,attack,health\nA,1,1.000,1\n", ["'1.000'", " 1000"]),
        ("name,cost,attack,health,type\nA,1,3,3,Spell\n", ["line 2", "attack", "health"]),
        ("name,cost,P/T\nA,1,3\n", ["line 2", "3/4"]),
        ("name,cost,attack,health\nA,1,1,1, and more\n", ["line 2", "quotes"]),
        ("name,cost,attack,health,deck: B\nA,1,1,1,TRUE\n", ["line 2", "'deck: B'", "'TRUE'"]),
        ("name,cost,attack,health\nA,1,1,1\nA,1,1,2\n", ["line 3", "line 2", "column 'id'"]),
        ("id,name,cost,attack,health\nA-1,A,1,1,1\nA_1,B,1,1,1\n", ["'A_1'", "'a_1'"]),
        ("name,cost,attack,health,keywords\nA,1,1,1,Flying\n", ["taunt", '--note "keywords"']),
    ],
)
def test_a_wrong_row_is_named_with_the_remedy(
    text: str, fragments: list[str], tmp_path: Path
) -> None:
    message = str(refusal(sheet(tmp_path, text)))
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("\uff11\uff12", 12), ("1 500", 1500), ("2'000", 2000), ("1.234.567", 1234567),
        ("\u22123", -3), ("3,0", 3), ("4.00", 4), ("0,000", 0),
    ],
)  # fmt: skip
def test_numbers_may_be_written_as_people_do(text: str, number: int) -> None:
    assert whole_number(text) == number


def test_a_sheet_of_spells_needs_no_bodies(tmp_path: Path) -> None:
    found = read(sheet(tmp_path, "name,cost,type\nZap,1,Spell\nHush,2,Instant\n"))
    assert numbers(found) == {"zap": ("spell", (1,)), "hush": ("spell", (2,))}


JSON = {
    "a list": [{"name": "Jot", "cost": 1, "attack": 2, "health": 3, "foil": True, "art": None}],
    "a list in an object": {
        "version": 2,
        "cards": [{"name": "Jot", "cost": 1, "attack": 2, "health": 3}],
    },
    "by ids": {"jot": {"name": "Jot", "cost": 1, "attack": 2, "health": 3}},
}


@pytest.mark.parametrize("data", JSON.values(), ids=JSON.keys())
def test_the_json_of_a_game_is_read(data: object, tmp_path: Path) -> None:
    path = sheet(tmp_path, json.dumps(data), name="a.json")
    assert numbers(read(path)) == {"jot": ("minion", (1, 2, 3))}


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ('[{"name": "Jot", "cost": 1, "harm": 2, "guard": 3}]', ["'harm' and 'guard'", "=attack"]),
        ('[{"name": "Jot", "cost": "?", "attack": 2, "health": 3}]', ["entry 1", "'?'"]),
        ('[{"name": "Jot", "name": "Jit"}]', ["'name'"]),
        ("[1, 2]", ["a list"]),
        ('{"a": ', ["line 1"]),
        ("[" * 100_000, ["32"]),
        (json.dumps([{f"k{k}": 1} for k in range(600)]), ["600", "500"]),
    ],
    ids=["columns", "cell", "repeated key", "numbers", "end", "depth", "keys"],
)
def test_other_json_is_refused_in_one_line(text: str, fragments: list[str], tmp_path: Path) -> None:
    message = str(refusal(sheet(tmp_path, text, name="a.json")))
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize("ending", ["fods", "numbers", "pdf"])
def test_files_of_other_programs_are_refused(ending: str, tmp_path: Path) -> None:
    assert refusal(sheet(tmp_path, "x", name=f"a.{ending}")).value == f".{ending}"


MARKDOWN = "| name | cost | attack | health |\n|---|:--|---|--:|\n| A | 1 | 2 | 3 |\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("name|cost|attack|health\nA|1|2|3\n", "utf-8"),
        (MARKDOWN, "utf-8"),
        ("name\tcost\tattack\thealth\nA\t1\t2\t3\n", "utf-16-le"),
    ],
)
def test_tables_of_other_kinds_are_read(text: str, encoding: str, tmp_path: Path) -> None:
    assert numbers(read(sheet(tmp_path, text, encoding))) == {"a": ("minion", (1, 2, 3))}


def test_western_text_is_not_taken_for_that_of_other_languages(tmp_path: Path) -> None:
    text = "name,cost,attack,health\n\u00c9clair \u00e0 l\u2019\u0153uf,1,1,1\nStra\u00dfe,1,1,1\n"
    found = read(sheet(tmp_path, text, "cp1252"))
    assert [card.name for card in found.pool.cards] == [
        "\u00c9clair \u00e0 l\u2019\u0153uf",
        "Stra\u00dfe",
    ]


def test_a_sheet_of_decks_is_known_by_its_titles_and_takes_the_sheets_own_ids(
    tmp_path: Path,
) -> None:
    book = Workbook()
    book.remove(book.worksheets[0])
    tables = {
        "Units": [["Code", "id", "Name", "Mana", "Atk", "HP"], ["x", "SKU-1", "Oak", 1, 1, 1]],
        "Lists": [["Deck", "Card Name", "Qty"], ["Rush", "sku-1", "2x"], ["Slow", "Oak", 1]],
    }
    for title, rows in tables.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    book.save(tmp_path / "a.xlsx")
    found = read(tmp_path / "a.xlsx")
    assert {deck.name: deck.cards for deck in found.decks} == {
        "Rush": {"sku_1": 2},
        "Slow": {"sku_1": 1},
    }
    assert found.remarks == ()


def test_a_card_that_could_not_be_read_is_not_missed_in_decks(tmp_path: Path) -> None:
    book = Workbook()
    cards = book.worksheets[0]
    cards.title = "cards"
    for row in (["name", "cost", "attack", "health"], ["Oak", "=1+1", 1, 1], ["Ash", 1, 1, 1]):
        cards.append(row)
    decks = book.create_sheet("decks")
    for row in (["deck", "card", "copies"], ["a", "Oak", 1], ["a", "Ash", 1]):
        decks.append(row)
    book.save(tmp_path / "a.xlsx")
    error = refusal(tmp_path / "a.xlsx")
    assert error.place.endswith("sheet 'cards', cell B2")
    assert error.problems == ()


# --- words ---


def test_words_for_titles_and_kinds_are_as_they_are_compared() -> None:
    for title in SYNONYMS:
        assert plain_words(title) == title
    for word in KINDS:
        assert kind_in(word) == word
    assert column_like("Mana_Cost") == column_like("manaCost") == "cost"
    assert column_like("HIT-POINTS") == "health"


@pytest.mark.parametrize(
    "text", ["attack", "attack/1000", "attack+health", "attack/health", "note"]
)
def test_a_meaning_is_written_as_it_is_read(text: str) -> None:
    assert read_meaning(text).text == text
    assert read_meanings(columns=[f"A=b={text}"]).columns["a=b"].text == text


def test_tags_keep_the_letters_of_their_words() -> None:
    cells = {
        "S-Trigger; (promo) s-trigger, \U0001f525": ["s_trigger", "promo"],
        "caf\u00e9": ["caf\u00e9"],
    }
    for cell, tags in cells.items():
        assert value_in("tags", cell) == tags


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ('{"cards": [{"name": "Oak"}], "decks": {"Red": ["Oak"]}}', ["'decks'", "deck: Red"]),
        ('[{"name": "Oak"},]', ["comma"]),
        ('{"name": "Oak"}\n{"name": "Elm"}', ["[ and ]"]),
        ("// cards\n[]", ["comment"]),
    ],
)
def test_faulty_json_is_refused_with_the_remedy(
    text: str, fragments: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "cards.json"
    path.write_text(text, encoding="utf-8")
    message = str(refusal_of(read, path))
    assert [fragment for fragment in fragments if fragment not in message] == []


def test_cards_by_their_ids_in_json_are_read(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text('{"cards": {"oak": {"cost": 1, "attack": 2, "health": 3, "name": "Oak"}}}')
    assert [card.id for card in read(path).pool.cards] == ["oak"]
