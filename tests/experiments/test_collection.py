"""Collections as CSV: what people's spreadsheets look like, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.files.csv_files import read_collection
from sim import Pool
from tests.balance.contests import body
from tests.duels import CORE
from tests.refusals import complaint_of

IDS = [card.id for card in CORE.cards]
NAMES = {card.id: card.name for card in CORE.cards}


def collection(folder: Path, text: str | bytes, pool: Pool = CORE) -> dict[str, int]:
    path = folder / "mine.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_collection(path, pool)


@given(
    owned=st.dictionaries(st.sampled_from(IDS), st.integers(0, 1_000_000)),
    by_name=st.booleans(),
    comma=st.sampled_from(",;\t"),
    title=st.sampled_from(["copies", "owned", "count", "Copies"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_owned(tmp_path, owned, by_name, comma, title):
    lines = [f"card{comma}{title}"]
    lines += [f"{NAMES[card] if by_name else card}{comma}{n}" for card, n in owned.items()]
    assert collection(tmp_path, "\n".join(lines)) == owned


@pytest.mark.parametrize(
    "text",
    [
        "card,copies\nember_whelp,2\n",
        "copies,card\n2,ember_whelp\n",
        "CARD;Owned\n\nEMBER whelp;2,0\n\n",
        "\ufeffcard,foil,copies,set\r\nEmber Whelp,yes,2.0,base\r\n",
        'card\tcount\n"Ember Whelp"\t 2 \n',
        "card,copies,\nember_whelp,2,\n",
    ],
)
def test_spreadsheets_of_many_kinds_are_read(tmp_path, text):
    assert collection(tmp_path, text) == {"ember_whelp": 2}


def test_a_name_of_two_cards_must_be_told_apart(tmp_path):
    twins = tuple(body(one, 1, 1, 1).model_copy(update={"name": "Twin"}) for one in "ab")
    pool = Pool(name="own", cards=twins)
    assert collection(tmp_path, "card,copies\na,1\nb,2\n", pool) == {"a": 1, "b": 2}
    assert "line 2: 'twin' is the name of 'a' and 'b'; give the id" in complaint_of(
        collection, tmp_path, "card,copies\ntwin,1\n", pool
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty; wants a line with the columns card and copies (or owned or count)"),
        ("\n\n", "is empty"),
        ("name,copies\n", "line 1: no column 'card'; wants the columns card and copies"),
        ("card,copeis\n", "line 1: no column 'copies'; wants the columns card and copies (or owned "
         "or count); did you mean 'copeis'?"),
        ("card,copies,owned\n", "line 1: columns 'copies' and 'owned' say the same; keep one"),
        ("card,card,copies\n", "line 1: columns 'card' and 'card' say the same; keep one"),
        ("card,copies\nembr_whelp,1\n", "line 2: no card 'embr_whelp' in pool 'core'; did you mean "
         "'ember_whelp'?"),
        ("card,copies\nEmber Welp,1\n", "line 2: no card 'Ember Welp' in pool 'core'; did you mean "
         "'Ember Whelp'?"),
        ("card,copies\n,1\n", "line 2: column card: must not be blank"),
        ("card,copies\npuffball,\n", "line 2: column copies: must not be blank"),
        ("card,copies\npuffball\n", "line 2: column copies: must not be blank"),
        ("card,copies\npuffball,-1\n", "line 2: column copies: -1 must be from 0 to 1,000,000"),
        ("card,copies\npuffball,9999999\n", "line 2: column copies: 9999999 must be from 0 to"),
        ("card,copies\npuffball,1.5\n", "line 2: column copies: '1.5' must be a whole number"),
        ("card,copies\npuffball,two\n", "line 2: column copies: 'two' must be a whole number"),
        ("card,copies\npuffball,\u0662\n", "line 2: column copies: '\u0662' must be a whole "),
        ("card,copies\npuffball,1\nPuffball,2\n", "line 3: card 'puffball' is already in line 2"),
        ("card,copies\npuffball,1,7\n", "line 2: '7' stands in no column"),
        ('card,copies\n"puffball,1\n', "line 2: not valid CSV: "),
        (b"card,copies\npuffb\xe4ll,1\n", "line 2: not UTF-8 text"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line_and_value(tmp_path, text, says):
    message = complaint_of(collection, tmp_path, text)
    assert message.startswith(f"{tmp_path / 'mine.csv'}: {says}")
