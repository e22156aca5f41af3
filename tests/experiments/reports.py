"""Small balance runs for reports, some with markup in names, and parsed pages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from experiments.runs.finished_run import open_finished_run
from tests.command_line import ROOT, THREE, rows_of, run_folder, summary_of

EVIL_CARD = '</script><img src=x onerror="evil=1">{{ 7 * 7 }}'
EVIL_PLAYER = "<!--<script>evil=1</script> & \"both\" 'kinds'"
NARROW = THREE.replace("band_pp = 40", "band_pp = 8")
NARROW = NARROW.replace("[search]", "[search]\nwiden = false")
"""An experiment with patches inside and outside its band, of which none is certified."""
_ADDRESSES = {"src", "href", "srcset", "data", "action", "formaction", "poster", "background"}


class Page(HTMLParser):
    """A parsed page.

    Attributes:
        text: its visible text.
        addresses: values of attributes that hold addresses.
        scripts: contents of scripts and styles, by id or number.
        tags: names of its elements, in order.
        parts: texts of the rows of tables (`tr`) and of paragraphs (`p`).
        drawings: its inlined figures, as elements of SVG.
    """

    def __init__(self, source: str) -> None:
        """Parse the source of a page."""
        super().__init__()
        self.text = ""
        self.addresses = list[str]()
        self.scripts = dict[str, str]()
        self.tags = []
        self.parts: dict[str, list[str]] = {"tr": [], "p": []}
        drawings = re.findall(r'<svg [^>]*role="img".*?</svg>', source, re.DOTALL)
        self.drawings = [ElementTree.fromstring(drawing) for drawing in drawings]  # noqa: S314
        self._open: dict[str, str] = {}  # open rows, paragraphs and scripts
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element, its addresses, and the part that it begins."""
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in _ADDRESSES]
        if tag in {"script", "style"}:
            self._open[tag] = dict(attrs).get("id") or f"{tag} {self.tags.count(tag)}"
            self.scripts[self._open[tag]] = ""
        elif tag in self.parts:
            self._open[tag] = ""
            self.parts[tag].append("")
        elif tag in {"td", "th"}:
            self.parts["tr"][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        """End the part of an element."""
        self._open.pop(tag, None)

    def handle_data(self, data: str) -> None:
        """Add text to the open parts, or to the open script."""
        if name := self._open.get("script") or self._open.get("style"):
            self.scripts[name] += data
            return
        self.text += data
        for tag in self._open:
            self.parts[tag][-1] += data

    @property
    def paragraphs(self) -> list[str]:
        """Texts of the paragraphs, with single spaces."""
        return [" ".join(paragraph.split()) for paragraph in self.parts["p"]]

    @property
    def shown_rows(self) -> list[str]:
        """Texts of the rows of tables, with single spaces."""
        return [" ".join(row.split()) for row in self.parts["tr"]]

    @property
    def data(self) -> Any:
        """Data for the page's script: the front."""
        return json.loads(self.scripts["data"])

    def row_with(self, *cells: str) -> str:
        """Return the only row of a table that contains all of `cells`."""
        (row,) = [row for row in self.shown_rows if all(cell in row for cell in cells)]
        return row


def report_on(folder: Path) -> str:
    """Return the report of a run without writing it."""
    from experiments.report.page import report_page

    return report_page(open_finished_run(str(folder), folder.parent, "balance"))


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table in a run folder."""
    return rows_of(folder / name)


def interval(*bounds: float) -> str:
    """Return estimate, lower and upper bound as the page shows them."""
    estimate, low, high = (f"{100 * bound:.1f}" for bound in bounds)
    return f"{estimate} {low} to {high}"


def with_evil_names(folder: Path, text: str) -> str:
    """Return an experiment with markup in names of a card and a player; write its pool."""
    core = (ROOT / "sim" / "data" / "pools" / "core.toml").read_text(encoding="utf-8")
    pool = core.replace('name = "Cinder Imp"', f"name = '''{EVIL_CARD}'''")
    assert pool != core
    (folder / "evil.toml").write_text(pool, encoding="utf-8")
    return text.replace("seed = 7", 'seed = 7\npool = "evil.toml"').replace(
        'deck = "ember_rush"', f"deck = \"ember_rush\"\nname = '''{EVIL_PLAYER}'''"
    )


def evil_run(folder: Path) -> Path:
    """Run `NARROW` with markup in names of a card and a player; return the run folder."""
    return run_folder("balance", folder, text=with_evil_names(folder, NARROW))


def attack_on(run: Path) -> dict[str, Any]:
    """Return a made-up `attack.json` of a run: two rounds before the patch, one after it."""
    players = [summary_of(run)["matchups"][0]["a"], "<i>intruder</i>"]

    def attack_round(number: int, win_rate: float) -> dict[str, Any]:
        """Return a made-up round with a win rate of the built deck."""
        return {
            "round": number, "name": f"<i>intruder</i> {number}", "deck": {"cinder_imp": 2},
            "win_rate": win_rate, "low": win_rate - 0.01, "high": win_rate + 0.01, "n": 8000,
            "opponents": [
                {"name": players[0], "win_rate": 0.61, "low": 0.6, "high": 0.62, "n": 8000}
            ],
            "added": win_rate > 0.55,
        }  # fmt: skip

    def phase(name: str, win_rates: list[float]) -> dict[str, Any]:
        """Return a made-up phase with one round per win rate."""
        return {
            "phase": name,
            "rounds": [attack_round(k + 1, rate) for k, rate in enumerate(win_rates)],
            "equilibrium": [
                {"player": players[0], "share": 0.25, "low": 0.2, "high": 0.3, "original": True},
                {"player": players[1], "share": 0.75, "low": 0.7, "high": 0.8, "original": False},
            ],
            "players": players, "win_rates": [[0.5, 0.4], [0.6, 0.5]], "n_games": 8000,
            "cyclic": {"share": None, "low": None, "high": None},
        }  # fmt: skip

    return {
        "agent": "aggro", "seed": 3, "rounds": 2, "margin_pp": 2,
        "phases": [phase("before", [0.63, 0.56]), phase("after", [0.51])],
        "conclusion": ["Two decks joined before the patch & none with it."],
    }  # fmt: skip
