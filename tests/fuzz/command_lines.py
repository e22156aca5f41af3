"""Random command lines from the declarations of the commands, so that new ones are tried too."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from experiments.cli.lazy_group import command_of
from tests.command_line import LISTED

_LEFT_OUT = {"warm"}  # compiles for minutes, and reads no file
ENDLESS = {"workbench", "bench"}  # they run until Ctrl-C, or for minutes

_EXPERIMENTS = ("tiny.toml", "tiny.toml", "matrix.toml", "table.toml", "learn.toml")
_LEARNING = ("learn.toml", "turn.toml")
_OF_COMMAND = {
    "train": _LEARNING,
    "evaluate": _LEARNING,
    "exploit": _LEARNING,
    "study": ("study.toml",),
}
_RUNS = ("results/RUN", "tiny")
_LISTS = ("list.text", "list.cod", "list.dck", "night_tide.toml")
_FILES: dict[str, tuple[str, ...]] = {
    "EXPERIMENT": _EXPERIMENTS,
    "measure": ("tiny.toml",),
    "experiment": ("tiny.toml",),
    "RUN": _RUNS,
    "attack": _RUNS,
    "RUN_OR_POOL": (*_RUNS, "cards.toml", "tiny.toml"),
    "SHEET": ("cards.csv", "cards.xlsx", "cards.ods", "cards.json"),
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
    "out": ("out.toml", "out.csv", "out.xlsx", "out.ods", "out.json"),
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
    "LIST": ("AAECAf0EAA==", "2 Deck Hand", *_LISTS),
    "FORMAT": ("code", "text", "cod", "dck"),
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
    """Return all commands by their words, except `_LEFT_OUT`."""
    return {name: command_of(listed) for name, listed in LISTED.items() if name not in _LEFT_OUT}


def random_line(chance: random.Random, runs: list[str], *, is_odd: bool) -> list[str]:
    """Return the words of a command with its required parameters and some options.

    Args:
        chance: source of randomness.
        runs: folders of finished runs.
        is_odd: whether one value is replaced by an odd one.
    """
    names = sorted(commands())
    (name,) = chance.choices(names, [0.2 if known in ENDLESS else 1 for known in names])
    words = name.split()
    values: list[int] = []
    parameters = commands()[name].params
    for parameter in parameters:
        if parameter.name == "help":
            continue
        if not (parameter.required or chance.random() < _probability(parameter)):
            continue
        option = max(parameter.opts, key=len)
        if parameter.param_type_name == "argument":
            values.append(len(words))
            words.append(_value(parameter, chance, runs, name))
        elif parameter.is_flag:
            words.append(chance.choice([*parameter.opts, *parameter.secondary_opts]))
        else:
            values.append(len(words) + 1)
            words += [option, _value(parameter, chance, runs, name)]
    has_plots = any("--no-plots" in parameter.secondary_opts for parameter in parameters)
    plain = "--no-plots" if has_plots else ""
    if plain and "--plots" not in words:
        words.append(plain)
    if is_odd:
        odd = chance.choice(_ODD)
        place = chance.choice(values) if values and chance.random() < 0.9 else len(words)
        words[place : place + 1] = [odd]
    return words


def _probability(parameter: Any) -> float:
    """Return the probability with which an optional parameter is given."""
    if parameter.param_type_name == "argument":
        return 0.9
    # Figures take a second, and starting workers another.
    rare = {"plots": 0.05, "open": 0.0, "open_page": 0.0, "tensorboard": 0.0, "workers": 0.05}
    return {**rare, "force": 0.9, "pool": 0.6, "ruleset": 0.5}.get(parameter.name, 0.25)


def _value(parameter: Any, chance: random.Random, runs: list[str], name: str) -> str:
    """Return a value for a parameter: a file or word of its kind, or a number."""
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
                value = chance.choice(known[key])
                return chance.choice(runs) if value == "results/RUN" else value
    if parameter.metavar in ("INTEGER", "NUMBER"):
        return chance.choice(_NUMBERS)
    return chance.choice(("tiny", "new", "night_tide"))


def files_behind(words: list[str], folder: Path) -> list[Path]:
    """Return the files that a command line probably reads."""
    files = {Path(word) for word in words if _passes(os.path.isfile, folder, word)}
    if any(word.endswith(".toml") for word in words):
        files |= {
            Path(name)
            for name in ("cards.toml", "rules.toml", "night_tide.toml", "lantern_watch.toml")
        }
    if "matrix.toml" in words:
        files.add(Path("target.csv"))
    for word in words:
        if word.startswith("results") and _passes(os.path.isdir, folder, word):
            files |= {
                path.relative_to(folder) for path in (folder / word).rglob("*") if path.is_file()
            }
    if "tiny" in words or "--resume" in words or any(word.startswith("dqn:") for word in words):
        files |= {
            path.relative_to(folder) for path in (folder / "results").rglob("*") if path.is_file()
        }
    return sorted(path for path in files if (folder / path).is_file())


def _passes(test: Callable[[str], bool], folder: Path, word: str) -> bool:
    """Return the result of a test of a path, also for a word that is no valid file name."""
    return test(f"{folder}/{word}")
