"""Command lines at random, from what the commands themselves declare: new ones are tried too."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from typer.main import get_command

from experiments.cli.app import app

_LEFT_OUT = {"warm"}  # compiles for minutes, and reads nothing
ENDLESS = {"workbench", "bench"}  # until Ctrl-C, or for minutes

_EXPERIMENTS = ("tiny.toml", "tiny.toml", "matrix.toml", "table.toml", "learn.toml")
_LEARNING = ("learn.toml", "turn.toml")
_OF_COMMAND = {
    "train": _LEARNING,
    "evaluate": _LEARNING,
    "exploit": _LEARNING,
    "study": ("study.toml",),
}
_RUNS = ("results/RUN", "tiny")
_FILES: dict[str, tuple[str, ...]] = {
    "EXPERIMENT": _EXPERIMENTS,
    "measure": ("tiny.toml",),
    "experiment": ("tiny.toml",),
    "RUN": _RUNS,
    "attack": _RUNS,
    "RUN_OR_POOL": (*_RUNS, "cards.toml", "tiny.toml"),
    "SHEET": ("cards.csv", "cards.xlsx", "cards.xlsx"),
    "POOL": ("cards.toml",),
    "pool": ("cards.toml",),
    "over": ("cards.toml",),
    "ruleset": ("rules.toml",),
    "SCENARIOS": ("scenarios.jsonl",),
    "scenarios": ("scenarios.jsonl",),
    "collection": ("owned.csv",),
    "DECK": ("night_tide.toml", "lantern_watch.toml"),
    "SUITE": ("suite.toml",),
    "FOLDER": ("results", "new", "."),
    "methods-file": ("tiny.toml",),
    "out": ("out.toml", "out.csv", "out.xlsx"),
    "output": ("page.html",),
    "results": ("results", "elsewhere"),
    "decks": (".",),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "agent": ("light", "aggro", "greedy", "random", "turn:4", "rollout:1", "dqn:learn/pilot"),
    "EDIT": ("deck_hand.attack+1", "cost=1"),
    "WHO": ("threads:1", "threads:2"),
    "PLAYER": ("night_tide", "lantern_watch"),
    "games": ("4", "8", "40", "0"),
    "first": ("night_tide",),
    "second": ("lantern_watch",),
    "deck": ("night_tide",),
    "card": ("deck_hand",),
    "SEAT": ("first", "second"),
    "NAME,NAME": ("greedy,random", "model,ga"),
    "preset": ("thesis",),
    "TITLE": ("cards", "Sheet"),
    "COLUMN": ("name", "notes"),
    "ID": ("deck_hand",),
    "CODE": ("AAECAf0EAA==",),
    "half": ("development", "reported"),
    "kind": ("planted", "target"),
}
_ODD = (
    *("", " ", "-", "--", ".", "/", "..", "nan", "inf", "-1", "0", "1", "3", "1e400", "0x10"),
    *("9" * 30, "9" * 5_000, "-" * 300, "x" * 10_000, "a" * 200_000, "\udcff", "\n", "a\nb"),
    *(
        "*",
        "%s",
        "{}",
        "[red]",
        "\u202e",
        "\U0001f525",
        "../../etc/passwd",
        "/dev/null",
        "/dev/zero",
    ),
    *("dqn:", "dqn:/dev/zero", "rollout:-1", "turn:", "turn:99999999999999999999", "threads:0"),
    *("processes:0", "processes:99999", "ray:x", "a.b=1", "a.b+" + "9" * 400, "=", "a=b=c", "+1"),
    *(
        "results",
        "tiny.toml",
        "cards.csv",
        "cards.xlsx",
        "results/tries.json",
        "['a'",
        "a" + ".a" * 2_000,
    ),
)
_NUMBERS = ("0", "1", "2", "4", "8", "40")


@cache
def commands() -> dict[str, Any]:
    """All commands by their words, but for `_LEFT_OUT`."""
    return {name: one for name, one in _walk(get_command(app), "") if name not in _LEFT_OUT}


def _walk(one: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(one, "commands"):
        yield name, one
        return
    for word, inner in one.commands.items():
        yield from _walk(inner, f"{name} {word}".strip())


def random_line(chance: random.Random, runs: list[str], *, is_odd: bool) -> list[str]:
    """A command with what it requires and some options.

    Args:
        chance: draws.
        runs: folders of finished runs.
        is_odd: let one value be of the odd ones.
    """
    names = sorted(commands())
    (name,) = chance.choices(names, [0.2 if one in ENDLESS else 1 for one in names])
    words = name.split()
    values: list[int] = []
    for one in commands()[name].params:
        if one.name == "help" or not (one.required or chance.random() < _likely(one)):
            continue
        option = max(one.opts, key=len)
        if one.param_type_name == "argument":
            values.append(len(words))
            words.append(_value(one, chance, runs, name))
        elif one.is_flag:
            words.append(chance.choice([*one.opts, *one.secondary_opts]))
        else:
            values.append(len(words) + 1)
            words += [option, _value(one, chance, runs, name)]
    plain = (
        "--no-plots"
        if any("--no-plots" in one.secondary_opts for one in commands()[name].params)
        else ""
    )
    if plain and "--plots" not in words:
        words.append(plain)
    if is_odd:
        odd = chance.choice(_ODD)
        place = chance.choice(values) if values and chance.random() < 0.9 else len(words)
        words[place : place + 1] = [odd]
    return words


def _likely(parameter: Any) -> float:
    if parameter.param_type_name == "argument":
        return 0.9
    # Whole figures take a second, and who works elsewhere another.
    rare = {"plots": 0.05, "open": 0.0, "open_page": 0.0, "tensorboard": 0.0, "workers": 0.05}
    return {**rare, "force": 0.9, "pool": 0.6, "ruleset": 0.5}.get(parameter.name, 0.25)


def _value(parameter: Any, chance: random.Random, runs: list[str], name: str) -> str:
    option = max(parameter.opts, key=len).removeprefix("--")
    if parameter.metavar == "EXPERIMENT" and name in _OF_COMMAND:
        return chance.choice(_OF_COMMAND[name])
    if name == "conformance" and option in ("pool", "ruleset"):
        return {"pool": "sparring.toml", "ruleset": "legacy"}[option]
    if option == "threads":
        return "1"
    keys = (option, parameter.metavar)
    for known in (_FILES, _WORDS):
        for key in keys:
            if key in known:
                found = chance.choice(known[key])
                return chance.choice(runs) if found == "results/RUN" else found
    if parameter.metavar in ("INTEGER", "NUMBER"):
        return chance.choice(_NUMBERS)
    return chance.choice(("tiny", "new", "night_tide"))


def files_behind(words: list[str], folder: Path) -> list[Path]:
    """The files that a command line has read, so far as can be told."""
    found = {Path(word) for word in words if _is(os.path.isfile, folder, word)}
    if any(word.endswith(".toml") for word in words):
        found |= {
            Path(name)
            for name in ("cards.toml", "rules.toml", "night_tide.toml", "lantern_watch.toml")
        }
    if "matrix.toml" in words:
        found.add(Path("target.csv"))
    for word in words:
        if word.startswith("results") and _is(os.path.isdir, folder, word):
            found |= {
                path.relative_to(folder) for path in (folder / word).rglob("*") if path.is_file()
            }
    if "tiny" in words or "--resume" in words or any(word.startswith("dqn:") for word in words):
        found |= {
            path.relative_to(folder) for path in (folder / "results").rglob("*") if path.is_file()
        }
    return sorted(path for path in found if (folder / path).is_file())


def _is(asked: Callable[[str], bool], folder: Path, word: str) -> bool:
    """Also of what can be no file's name."""
    return asked(f"{folder}/{word}")
