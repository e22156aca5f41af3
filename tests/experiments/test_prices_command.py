"""`balance --prices`: tables, summary and words on smaller patches and design rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from balance.run.prices import PriceRow
from balance.run.rule_prices import RulePriceRow
from experiments.screen import price_tables
from experiments.screen.price_words import next_price_words
from sim import read_rows
from tests.command_line import TINY, command
from tests.messages import check_message


def balanced(folder: Path, *options: str) -> dict[str, Any]:
    experiment = folder / "tiny.toml"
    games = "select = 1_000\ncertify = 2_000"
    text = TINY.replace("band_pp = 40", "band_pp = 12")
    experiment.write_text(text.replace("select = 100\ncertify = 200", games))
    outcome = command("balance", experiment, "--no-plots", "--results", folder, "--json", *options)
    summary: dict[str, Any] = json.loads(outcome.out)  # whether certified or not
    return summary


def test_prices_are_written_and_summed_up(tmp_path: Path) -> None:
    summary = balanced(tmp_path, "--prices")
    (folder,) = (path.parent for path in tmp_path.glob("*/prices.csv"))
    prices = read_rows(folder / "prices.csv", PriceRow)
    assert [row.recommended for row in prices].count(True) == 1
    assert [row.games for row in prices] == [price["games"] for price in summary["prices"]]
    sizes = [(row.cards_touched, row.change) for row in prices]
    assert sizes == sorted(sizes)
    rules = read_rows(folder / "rule_prices.csv", RulePriceRow)
    assert [row.setting for row in rules] == [rule["setting"] for rule in summary["rule_prices"]]
    assert summary["games"]["prices"] > 0


def test_without_the_option_nothing_is_priced(tmp_path: Path) -> None:
    summary = balanced(tmp_path)
    assert summary["prices"] == summary["rule_prices"] == []
    assert "prices" not in summary["games"]
    assert not [*tmp_path.glob("*/prices.csv")]


def price(cards: int, change: float, off_pp: float, **more: Any) -> dict[str, Any]:
    reading = {"imbalance_pp": off_pp, "low_pp": off_pp - 0.5, "high_pp": off_pp + 0.5}
    sized = {"cards_touched": cards, "change": change, **reading, "n": 80_000}
    return {**sized, "games": None, "band_pp": off_pp + 1, "recommended": False, **more}


SUMMARY = {
    "band_pp": 5.0,
    "cards": [],
    "prices": [
        price(1, 2.0, 9.1),
        price(2, 5.0, 4.9),
        price(3, 5.0, 5.4, band_pp=None),
        price(3, 6.0, 4.2, games=44_002),
        price(4, 6.0, 3.0, games=6_318, recommended=True),
    ],
    "rule_prices": [
        {"setting": "tune.max_steps = 4", "cards_touched": 3, "change": 4.0, "imbalance_pp": 3.7,
         "low_pp": 2.8, "high_pp": 4.6, "n": 20_000, "is_smaller": True},
        {"setting": "no tune.stat_budget", "cards_touched": None, "change": None, "n": 20_000,
         "is_smaller": False},
    ],
}  # fmt: skip


def test_the_words_on_prices() -> None:
    for table in price_tables(SUMMARY):
        check_message("\n".join([table.title, *map(" | ".join, (table.header, *table.rows))]))
    check_message(next_price_words(SUMMARY))
    assert next_price_words({"prices": SUMMARY["prices"][-1:]}) == next_price_words({}) == ""
    assert price_tables({"prices": [], "rule_prices": []}) == []
