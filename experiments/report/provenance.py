"""Provenance of a balance run: settings, versions, decks and files, to check or repeat the run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from experiments.report.wording import UNKNOWN, cards_of, has_cards, players_of
from experiments.runs.finished_run import FinishedRun
from sim.cards.card import Card
from sim.cards.fields import AMOUNTS, FIELDS

_LOG = "log.txt"
_PRINTED = tuple(field for field in FIELDS if field not in AMOUNTS)
# Lines of a log that start or end a balance run. An attack writes the same line at its end, but its
# first line is "attack by".
_LINE = re.compile(r"^([0-9-]{10} [0-9:]{8})  (balance, seed|done$)", re.MULTILINE)
# Tables of an experiment file that contain settings of balancing, in the usual order of the file.
_TABLES = (
    "numbers",
    "target",
    "tune",
    "guards",
    "games",
    "narrow",
    "search",
    "drift",
    "second_opinion",
)
_FILES = {
    "run.json": "command, seed, engine hash, commit, versions",
    "resolved.json": "all inputs that the results depend on",
    "summary.json": "the result, for scripts",
    _LOG: "stages with their times",
    "stages.csv": "each matchup: today, claimed, selected, certified",
    "front.csv": "every patch that was evaluated again",
    "front_matchups.csv": "win rates of the patches in front.csv",
    "front_edits.csv": "edits of the patches in front.csv",
    "edits.csv": "effect of each edit of the patch",
    "edit_reasons.csv": "why each edit stays in the patch",
    "smaller.csv": "reduced patches of the backward elimination",
    "guards.csv": "readings of the guards, before and after",
    "matchups_today.csv": "win rates, seats, draws, length today",
    "matchups_patched.csv": "win rates, seats, draws, length with the patch",
    "convergence.csv": "the best patch of each round",
    "narrowing.csv": "cards that may change, by score",
    "power.csv": "power of each card",
    "drift.csv": "win rates after further training of the agents",
    "second_opinion.csv": "win rates with other agents",
    "attack.json": "decks built against the patch, for scripts",
    "attack.csv": "the rounds of that attack",
    "attack_progress.json": "an attack that is not finished",
    "evaluations.parquet": "every candidate that the search evaluated",
    "patch_notes.txt": "the recommended patch, for people",
    "patched_pool.toml": "the recommended patch, as a pool",
    "patched_experiment.toml": "the recommended patch, in a copy of the experiment",
}
_KINDS = {".png": "figure", ".pt": "a trained agent"}


def provenance(run: FinishedRun) -> dict[str, Any]:
    """Return the settings, seed, versions, decks, files and command of a run, for the page."""
    experiment = run.resolved["experiment"]
    origin = run.provenance
    present = [name for name in _TABLES if name in experiment]  # earlier versions have fewer
    # With 0 steps of further training, the run measured no drift.
    tables = [name for name in present if name != "drift" or experiment[name]["steps"]]
    return {
        "name": experiment["name"],
        "seed": run.summary["seed"],
        "inputs": {
            key: experiment[key] for key in ("game", "ruleset", "pool") if key in experiment
        },
        "players": players_of(run),
        "pilots": run.resolved["pilots"],
        "tables": {name: list(_settings(experiment[name])) for name in tables},
        "versions": {
            "evenhand": origin["evenhand"],
            "Python": origin["python"],
            **origin["versions"],
        },
        "engine_hash": origin["engine_hash"],
        "commit": origin["commit"],
        "finished": _finished(run),
        "decks": _decks(run),
        "files": _files(run),
        "folder": run.path.resolve().name,
        "command": shlex.join(_command(run)),
    }


def _command(run: FinishedRun) -> list[str]:
    """Return the words of a command that repeats the run, also if its total was an option."""
    experiment = run.resolved["experiment"]
    command = ["evenhand", "balance", experiment["name"], "--seed", str(run.summary["seed"])]
    total = experiment["games"].get("total")
    return command if total is None else [*command, "--games", str(total)]


def _settings(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield dotted keys and values, as text, of a table of settings and its inner tables.

    Args:
        table: table of an experiment file.
        prefix: dotted key of the table, with a final dot; empty for the outermost table.
    """
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _settings(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", _value(value)


def _value(value: Any) -> str:
    """Return a setting's value as text; `all` for `None`, which is used for the setting `decks`."""
    if value is None:
        return "all"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _decks(run: FinishedRun) -> list[dict[str, Any]]:
    """Return one table per player: cards of the deck, with numbers before and after the patch.

    Games without cards have no tables.
    """
    if not has_cards(run):
        return []
    cards = {card_id: Card.model_validate(card) for card_id, card in cards_of(run).items()}
    patched = {(edit["card"], edit["field"]): edit["to"] for edit in run.summary["patch"]}
    decks = []
    for player, deck in zip(players_of(run), run.resolved["decks"], strict=True):
        held = [(cards[card_id], copies) for card_id, copies in deck["cards"].items()]
        printed = {field for card, _ in held for field in card.printed}
        columns = [field for field in _PRINTED if field in printed]
        rows = [
            {
                "copies": copies,
                "name": card.name,
                "numbers": [
                    (card.number(field), patched.get((card.id, field)))
                    if field in card.printed
                    else (UNKNOWN, None)
                    for field in columns
                ],
                "amounts": [
                    (card.label(field), card.number(field), patched.get((card.id, field)))
                    for field in card.fields
                    if field in AMOUNTS
                ],
            }
            for card, copies in held
        ]
        decks.append({"player": player, "columns": columns, "cards": rows})
    return decks


def _files(run: FinishedRun) -> list[tuple[str, str, int]]:
    """Return name, description and size in bytes of each file in a run's folder, sorted by name.

    HTML pages and hidden files are left out. The description is empty for unknown files.
    """
    return [
        (path.name, _FILES.get(path.name, _KINDS.get(path.suffix, "")), path.stat().st_size)
        for path in sorted(run.path.iterdir())
        if path.is_file() and path.suffix != ".html" and not path.name.startswith(".")
    ]


def _finished(run: FinishedRun) -> str | None:
    """Return the time at which a balance run ended; `None` if the log is missing or has no end.

    The log may hold several runs and continue with an attack, so the time is taken from the first
    end after the last start.
    """
    path = run.path / _LOG
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    lines = [match.groups() for match in _LINE.finditer(text)]
    last_start = max((k for k, (_, event) in enumerate(lines) if event != "done"), default=-1)
    return next((stamp for stamp, _ in lines[last_start + 1 :]), None)
