"""A row of a sheet as coin: it is read into pool and rules, and exported again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance import build_space
from balance.cards.card_contest import play_matchups
from experiments.files.edits import read_edits
from experiments.loading import load_experiment
from experiments.spreadsheet.sheet_file import write_sheets
from sim import load_deck, load_pool
from sim.play.table import OF_RULES, Gene
from tests.command_line import command, contents, done, unchanged
from tests.messages import check_message

WITH_A_COIN = [
    ["name", "kind", "cost", "attack", "health", "effects", "deck: a", "deck: b"],
    *[[f"Card {k}", "minion", f"{1 + k % 5}", "2", "2", "", "2", "2"] for k in range(10)],
    ["Pebble", "coin", "0", "", "", "play: mana 1", "", ""],
]
COIN_SHEET = """name,kind,cost,attack,health,effects,tunable,my note,deck: a
Imp,minion,1,1,1,,,small,2
Elf,minion,2,2,1,,,,2
Orc,minion,3,3,3,,,,2
Pebble,Coin,0,,0,play: mana 1,,shiny,
"""


pytestmark = pytest.mark.usefixtures("here")


def cards(*arguments: str) -> str:
    """Return the output of a successful command."""
    return done(command("cards", *arguments)).out.rstrip("\n")


def coin_sheet(*changes: tuple[str, str]) -> None:
    """Write `cards.csv` with changes."""
    text = COIN_SHEET
    for old, new in changes:
        text = text.replace(old, new)
    Path("cards.csv").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_coin_goes_from_a_sheet_to_a_pool_and_back(ending: str) -> None:
    coin_sheet()
    cards("import", "cards.csv")
    pool = load_pool("cards.toml")
    (token,) = pool.tokens
    assert ([card.id for card in pool.cards], pool.coin) == (["imp", "elf", "orc"], "pebble")
    assert (token.kind, token.cost, token.notes) == ("spell", 0, {"my note": "shiny"})
    cards("export", "cards.toml", "--out", f"again.{ending}")
    cards("import", f"again.{ending}", "--name", "cards")
    assert load_pool("again.toml") == pool
    assert (load_pool("again.toml").tokens[0].notes, load_deck("a.toml").cards) == (
        token.notes,
        {"imp": 2, "elf": 2, "orc": 2},
    )


def test_the_coin_of_the_sheet_replaces_the_one_before() -> None:
    coin_sheet()
    cards("import", "cards.csv")
    coin_sheet(("Pebble", "Shell"))
    cards("import", "cards.csv", "--force")
    renamed = load_pool("cards.toml")
    assert ([token.id for token in renamed.tokens], renamed.coin) == (["shell"], "shell")
    coin_sheet(("Pebble,Coin,0,,0,play: mana 1,,shiny,\n", ""))
    output = cards("import", "cards.csv", "--force")
    assert load_pool("cards.toml").coin == "shell"
    assert any("'shell'" in line for line in output.splitlines()[2:])
    coin_sheet(("Pebble,Coin", "Shell,spell"))
    cards("import", "cards.csv", "--force")
    no_coin = load_pool("cards.toml")
    assert (no_coin.tokens, no_coin.coin, len(no_coin.cards)) == ((), None, 4)


def test_a_coin_that_something_else_brings_stays_a_token() -> None:
    cards("export", "saga")
    sheet = Path("saga.csv").read_text(encoding="utf-8")
    Path("saga.csv").write_text(
        sheet.replace("bright_pebble,Bright", "shell,Sea"), encoding="utf-8"
    )
    cards("import", "saga.csv", "--over", "saga", "--out", "mine.toml")
    mine = load_pool("mine.toml")
    assert mine.coin == "shell"
    assert {"shell", "bright_pebble"} <= {token.id for token in mine.tokens}


@pytest.mark.parametrize(
    "change",
    [
        ("0,,0,play", "0,2,1,play"),
        ("play: mana 1", ""),
        ("play: mana 1", "turn_end: mana 1"),
        ("1,,shiny", "1,cost 0-2,shiny"),
        ("shiny,", "shiny,1"),
        ("Imp,minion,1,1,1,", "Imp,coin,1,,,play: mana 2"),
        ("Coin,0,", "Coin,,"),
    ],
)
def test_a_coin_that_cannot_be_one_is_one_problem(change: tuple[str, str]) -> None:
    coin_sheet(change)
    outcome = command("cards", "import", "cards.csv")
    assert outcome.status == 2
    check_message(outcome.err)
    assert not Path("cards.toml").exists()


@pytest.mark.parametrize("ruleset", [(), ("--ruleset", "legacy")])
def test_a_coin_of_the_sheet_is_dealt_and_may_be_taken_away(
    ruleset: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sheets(Path("mine.csv"), {"": WITH_A_COIN})
    output = done(command("init", "a", "--from", "mine.csv", *ruleset)).out
    check_message("\n".join(line for line in output.splitlines() if "in rules.toml:" in line))
    monkeypatch.chdir("a")
    game = Path("game.toml").read_text().replace("rules = { ", "rules = { coin = [0, 1], ")
    Path("game.toml").write_text(game)
    experiment = load_experiment("game.toml")
    contest = experiment.contest()
    assert (experiment.ruleset.coin, experiment.pool.coin) == (True, "pebble")
    assert Gene(OF_RULES, "coin") in build_space(contest, experiment.settings.tune).genes
    edits = read_edits(["rules.coin=0"], contest)
    dealt, none = (
        play_matchups(contest, table, n_games=200, run_seed=1, purpose="test").winners
        for table in (contest.table, contest.table.vary([*edits], np.array([[*edits.values()]])))
    )
    assert (dealt != none).any()
    with unchanged(contents, Path()):
        done(command("cards", "import", "cards.csv", "--force"))
