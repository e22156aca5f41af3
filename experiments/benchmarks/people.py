"""Experiments that compare agents with people's results in the Classic mode of Hearthstone.

`python -m experiments.benchmarks.people --lists LISTS.csv --matchups MATCHUPS.csv --out FOLDER`
writes the pool of June 2014, a deck for each list, experiments and tables of results for
`evenhand agree`. The real cards must be installed (docs/real_cards.md). Both tables are a person's
own; none is part of this repository.

LISTS.csv has the columns `class`, `deck_id_prefix`, `archetype_ours`, `games`, `win_rate_pct` and
`cards (id:copies)`, the most played list of an archetype first. MATCHUPS.csv has the columns
`archetype`, `opponent` and `win_rate_band_mid_pct`, the middle of a band of 5 points.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from experiments.benchmarks.script import run_script
from sim import InputError, Pool, load_pool, validate
from sim.cards.pool_file import write_pool
from sim.files.toml_file import read_toml

POOL = "classic_2014"
_CHANGES = Path(__file__).with_name("june_2014.toml")
_HALF_BAND = 2.5  # half the width of a band of the matchups, in percentage points
_PER_ARCHETYPE = 3  # lists of an archetype in the experiment `three`
_GAMES = {"one": 60, "three": 20, "lists": 60}  # games per matchup; turn:200 takes minutes for them


class PlayedList(NamedTuple):
    """Deck list with people's results.

    Attributes:
        name: class and id, by which the list is named.
        hero: class of the deck.
        archetype: archetype of the list.
        rank: number of the list among those of its archetype, from 1.
        games: number of games.
        win_rate: win rate in percent.
        cards: ids of the cards with their copies.
    """

    name: str
    hero: str
    archetype: str
    rank: int
    games: str
    win_rate: str
    cards: str


def pool_of_june_2014() -> Pool:
    """Return the real cards with the numbers and effects of June 2014.

    Raises:
        InputError: the real cards are not installed.
    """
    changes = read_toml(_CHANGES)
    data = load_pool("hearthstone").model_dump(mode="json", by_alias=True, exclude_unset=True)
    data["name"] = POOL
    for card in data["card"]:
        card.update(changes["card"].get(card["id"], {}))
    data["token"].append(changes["token"])
    return validate(Pool, data, source=str(_CHANGES))


def read_lists(path: Path) -> list[PlayedList]:
    """Return the lists of a table.

    Raises:
        InputError: the table lacks a column.
    """
    n_lists = Counter[str]()
    lists = []
    for row in _rows(path, ("class", "deck_id_prefix", "archetype_ours", "cards (id:copies)")):
        archetype = row["archetype_ours"]
        n_lists[archetype] += 1
        lists.append(
            PlayedList(
                f"{row['class']}_{row['deck_id_prefix']}",
                row["class"],
                archetype,
                n_lists[archetype],
                row["games"],
                row["win_rate_pct"],
                row["cards (id:copies)"],
            )
        )
    return lists


def write_deck(played: PlayedList, folder: Path) -> None:
    """Write the deck of a list."""
    pairs = (card.split(":") for card in played.cards.split())
    cards = "\n".join(f"{card} = {copies}" for card, copies in pairs)
    head = f'name = "{played.name}"\npool = "{POOL}"\nruleset = "legacy"\nhero = "{played.hero}"\n'
    (folder / f"{played.name}.toml").write_text(f"{head}\n[cards]\n{cards}\n", encoding="utf-8")


def write_experiment(
    name: str, players: Sequence[tuple[PlayedList, str]], folder: Path, agent: str
) -> None:
    """Write an experiment with some lists.

    Args:
        name: name of the experiment.
        players: lists, each with the name of its player.
        folder: folder of the decks, to which the experiment is written.
        agent: name of the agent of all players.
    """
    tables = [
        f'[[player]]\ndeck = "{played.name}.toml"\nname = "{player}"\n'
        f'archetype = "{played.archetype}"\nagent = "{agent}"\n'
        for played, player in players
    ]
    head = f'name = "{name}"\nseed = 20261126\nruleset = "legacy"\npool = "{POOL}.toml"\n'
    games = f"[games]\nmatchups = {_GAMES[name]}\n"
    text = "\n".join([head, *tables, games])
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def _rows(path: Path, titles: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of a table with some columns.

    Raises:
        InputError: the table lacks a column.
    """
    with path.open(encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        missing = [title for title in titles if title not in (reader.fieldnames or ())]
    if missing:
        raise InputError(f"no column {missing[0]!r}", place=path, value=reader.fieldnames)
    return rows


def _write_table(path: Path, titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(titles)
        writer.writerows(rows)


def main(
    lists: Annotated[Path, typer.Option(help="Table of lists with people's results.")],
    matchups: Annotated[Path, typer.Option(help="Table of matchups in bands.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    agent: Annotated[str, typer.Option(help="Agent of all players.")] = "turn:200",
) -> None:
    """Write the pool, the decks, three experiments and two tables of results."""
    out.mkdir(parents=True, exist_ok=True)
    write_pool(pool_of_june_2014(), out / f"{POOL}.toml")
    played = read_lists(lists)
    rows = _rows(matchups, ("archetype", "opponent", "win_rate_band_mid_pct"))
    archetypes = {row["archetype"] for row in rows}
    for one in played:
        write_deck(one, out)
    met = [one for one in played if one.archetype in archetypes]
    first = [one for one in met if one.rank == 1]
    field = [(one, f"{one.archetype} (field)") for one in first]
    write_experiment("one", [(one, one.name) for one in first], out, agent)
    three = [(one, one.name) for one in met if one.rank <= _PER_ARCHETYPE]
    write_experiment("three", three, out, agent)
    write_experiment("lists", [*((one, one.name) for one in played), *field], out, agent)
    bands = [
        (row["archetype"], row["opponent"], middle - _HALF_BAND, middle + _HALF_BAND)
        for row in rows
        for middle in [float(row["win_rate_band_mid_pct"])]
    ]
    _write_table(out / "matchups.csv", ("archetype", "opponent", "low", "high"), bands)
    _write_table(
        out / "lists.csv",
        ("deck", "archetype", "games", "win_rate_pct"),
        [(one.name, one.archetype, one.games, one.win_rate) for one in played],
    )
    typer.echo(f"{len(first)}, {len(three)} and {len(played)} lists: {out}")


if __name__ == "__main__":
    run_script(main)
