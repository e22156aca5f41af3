"""Table and sentence on the prices of smaller patches and of design rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experiments.screen.console import Table
from experiments.screen.wording import between, counted


def part_of(summary: Mapping[str, Any]) -> str:
    """Return the word for an edited part of the game: `card`, or `group` in games without cards."""
    return "card" if "cards" in summary else "group"


def price_tables(summary: Mapping[str, Any]) -> list[Table]:
    """Return the tables of a run's prices: smaller patches, and relaxed design rules.

    Args:
        summary: summary of the run; empty entries give no table.
    """
    tables = []
    if prices := summary["prices"]:
        tables.append(
            Table(
                "What a smaller patch costs: the games per matchup with which nine of ten "
                "certificates succeed (games.certify), or the band (target.band_pp) in which they "
                "do with the games of this run",
                (f"{part_of(summary)}s", "change", "imbalance, pp", "games", "band, pp", ""),
                [_price_cells(price, summary["band_pp"]) for price in prices],
            )
        )
    if rules := summary["rule_prices"]:
        tables.append(
            Table(
                "What a design rule costs: the smallest patch with the margin of a certificate, "
                "found without the rule",
                ("setting", f"{part_of(summary)}s", "change", "imbalance, pp", ""),
                [_rule_cells(rule) for rule in rules],
            )
        )
    return tables


def next_price_words(summary: Mapping[str, Any]) -> str:
    """Return a sentence on the largest patch below the recommended one that has a price.

    The sentence is empty without such a patch.

    Args:
        summary: summary of a run; those of earlier versions have no prices.
    """
    priced = [price for price in summary.get("prices", ()) if price["games"]]
    smaller = [price for price in priced if not price["recommended"]]
    if not smaller:
        return ""
    price = max(smaller, key=lambda price: (price["cards_touched"], price["change"]))
    band = f", or a band of {price['band_pp']:g} pp with the games of this run"
    return (
        f"The next smaller patch, with change {price['change']:g} on "
        f"{counted(price['cards_touched'], part_of(summary))}, takes "
        f"games.certify = {price['games']:,}"
        f"{band if price['band_pp'] else ''}."
    )


def _price_cells(price: Mapping[str, Any], band_pp: float) -> tuple[str, ...]:
    """Return the cells of a priced patch.

    Args:
        price: entry of the patch in the summary.
        band_pp: band of the run, in percentage points.
    """
    games = f"{price['games']:,}" if price["games"] else "-"
    if not price["games"] and price["imbalance_pp"] < band_pp and price["band_pp"]:
        games = "too many"  # inside its band, but so near to the edge that no practical number does
    return (
        str(price["cards_touched"]),
        f"{price['change']:g}",
        _imbalance(price),
        games,
        f"{price['band_pp']:g}" if price["band_pp"] else "-",
        "recommended" if price["recommended"] else "",
    )


def _rule_cells(rule: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of a relaxed design rule."""
    if rule["cards_touched"] is None:
        return (rule["setting"], "-", "-", "-", "no patch found")
    return (
        rule["setting"],
        str(rule["cards_touched"]),
        f"{rule['change']:g}",
        _imbalance(rule),
        "smaller" if rule["is_smaller"] else "not smaller",
    )


def _imbalance(entry: Mapping[str, Any]) -> str:
    """Return an imbalance with its interval, as `4.1 (3.6 to 4.6)`."""
    return between((entry["imbalance_pp"], entry["low_pp"], entry["high_pp"]), "")
