"""Machine code is reused while its sources are unchanged, and never after any of them changed."""

from __future__ import annotations

import ast
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from experiments.commands.warm import COMPILED
from sim.cards import vocabulary
from sim.engine import ENGINE_HASH
from sim.engine.cache import cache_root, source_hash
from sim.engine.compiled import PLAIN_PYTHON, _entries, compiled, i64, u64
from tests.duels import ROOT
from tests.scripts import python

HASHED = {  # hashed with the engine; of the vocabulary only its numbers
    ROOT / "sim" / "ruleset.py",
    ROOT / "sim" / "cards" / "vocabulary" / "__init__.py",
}
PACKAGE = {
    "__init__.py": """
from pathlib import Path

from sim.engine.cache import source_hash, use_cache

use_cache(__name__, source_hash(Path(__file__).parent))
""",
    "callee.py": """
from sim.engine.compiled import compiled, i64


@compiled(i64(i64))
def times(n):
    return 2 * n
""",
    "caller.py": """
from callers.callee import times
from sim.engine.compiled import compiled, i64


@compiled(i64(i64), from_python=True)
def twice_seven(n):
    return times(7) + n
""",
}
PROGRAM = """
from callers.caller import twice_seven

print(twice_seven(0), sum(twice_seven.stats.cache_hits.values()))
"""


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"EVENHAND_CACHE_DIR": "/own"}, "/own"),
        ({"EVENHAND_CACHE_DIR": "", "XDG_CACHE_HOME": "/desktop"}, "/desktop/evenhand"),
        ({"HOME": "/home/me"}, "/home/me/.cache/evenhand"),
    ],
)
def test_the_cache_folder_follows_the_variables_in_order_of_precedence(
    variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EVENHAND_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_root() == Path(folder)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a package of two files of compiled code, one calling into the other."""
    folder = tmp_path / "callers"
    folder.mkdir()
    for name, source in PACKAGE.items():
        (folder / name).write_text(source, encoding="utf-8")
    return folder


def run_afresh(package: Path, *, checked: bool = False) -> tuple[int, int]:
    """Return the caller's result in a new process, and how often it came from the cache."""
    printed = python(
        *("-c", PROGRAM),
        PYTHONPATH=f"{ROOT}{os.pathsep}{package.parent}",
        PYTHONDONTWRITEBYTECODE="1",  # Python's own cache relies on time stamps, which stay here
        EVENHAND_CACHE_DIR=str(package.parent / "cache"),
        EVENHAND_CHECKED=str(int(checked)),
    )
    result, n_hits = printed.split()
    return int(result), int(n_hits)


def edit_callee(package: Path, old: str, new: str) -> None:
    """Change the callee's file, but neither its size nor its time stamp."""
    path = package / "callee.py"
    stamp = path.stat()
    text = path.read_text(encoding="utf-8")
    assert old in text
    assert len(old) == len(new)
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


@pytest.mark.thorough
def test_code_is_reused_by_its_build_until_a_function_it_calls_changes(package: Path) -> None:
    for n_hits in (0, 1):
        assert run_afresh(package) == (14, n_hits)
        assert run_afresh(package, checked=True) == (14, n_hits)
    edit_callee(package, "2 * n", "3 * n")
    assert run_afresh(package) == (21, 0)
    edit_callee(package, "3 * n", "2 * n")
    assert run_afresh(package) == (14, 1)


def test_the_hash_sees_every_source_file(package: Path) -> None:
    before = source_hash(package)
    assert source_hash(package) == before
    edit_callee(package, "2 * n", "3 * n")
    edited = source_hash(package)
    (package / "new.py").touch()
    assert len({before, edited, source_hash(package)}) == 3
    other = package.parent / "other.py"
    other.write_text("ONE = 1", encoding="utf-8")
    with_one = source_hash(package, also=(other,))
    other.write_text("ONE = 2", encoding="utf-8")
    assert source_hash(package, also=(other,)) != with_one


def imported_project_files(folder: Path) -> set[Path]:
    """Return the project's files outside `folder` that the sources in it import."""
    modules = {
        node.module
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    paths = [ROOT / module.replace(".", "/") for module in modules]
    files = {file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py")}
    return {path for path in files if path.exists() and folder not in path.parents}


def test_the_engines_hash_covers_every_constant_it_is_compiled_with() -> None:
    engine = ROOT / "sim" / "engine"
    cards = ROOT / "sim" / "cards"
    without_constants = {
        ROOT / "sim" / "errors.py",
        ROOT / "sim" / "interruption.py",
        cards / "action.py",  # these five serve phrases and checks, which are not compiled
        cards / "measure.py",
        cards / "effect.py",
        cards / "phrase.py",
        cards / "text" / "row_phrases.py",
    }
    assert imported_project_files(engine) <= HASHED | without_constants
    rules = ROOT / "sim" / "ruleset.py"
    assert source_hash(engine, also=(rules,), constants=vocabulary.NUMBERS) == ENGINE_HASH


def test_the_engines_hash_covers_every_number_of_the_vocabulary() -> None:
    enumerations = [
        value
        for value in vars(vocabulary).values()
        if isinstance(value, type) and issubclass(value, int)
    ]
    assert {enumeration.__name__ for enumeration in enumerations} == set(vocabulary.NUMBERS)
    assert vocabulary.NUMBERS["Keyword"]["TAUNT"] == vocabulary.Keyword.TAUNT
    changed = vocabulary.NUMBERS | {"Side": {"OWN": 1, "ENEMY": 0}}
    assert source_hash(constants=changed) != source_hash(constants=vocabulary.NUMBERS)


@pytest.mark.parametrize(
    "folders",
    [
        ("roster", "scripted"),
        ("reading", "search"),
        ("policy", "reading", "scripted", "search"),
    ],
)
def test_agents_depend_only_on_the_engine_and_on_hashed_files(folders: tuple[str, ...]) -> None:
    """Families of the roster are excepted, since they only name and bind searches.

    So are trained agents: their folder has a hash of its own.
    """
    agents = ROOT / "agents"
    families = ("flat.py", "why.py")
    of_turns = ("__init__", "parameters", "search", "tree", "weights", "why")
    families += tuple(f"turn/{name}.py" for name in of_turns)
    families += ("value/evaluate.py", "value/value_network.py")
    covered = {ROOT / "sim" / "engine", *(agents / folder for folder in (*folders, "dqn"))}
    if "roster" in folders:  # it binds networks to their compiled code, which has hashes of its own
        covered |= {agents / "policy", agents / "reading"}
    seen_and_played = ("play/agent.py", "play/reach.py", "play/table.py")
    seen_and_played += ("observation/view.py", "observation/view_size.py")
    read = ("files/toml_document.py", "files/toml_file.py", "files/validation.py")
    read += ("cards/action.py", "files/plain_archive.py", "files/limits.py")
    without_constants = {
        *(ROOT / "sim" / file for file in ("__init__.py", "errors.py", *seen_and_played, *read)),
        *(agents / file for file in ("declaration.py", "explanation.py", "registry.py")),
        *(agents / "search" / file for file in families),
    }
    for folder in folders:
        for path in imported_project_files(agents / folder):
            assert covered & {*path.parents} or path in HASHED | without_constants


LOADING = """
import agents.registry
import agents.roster.aggro
import sim.play
from sim.engine.episodes import step_episodes
from sim.engine.kernel import play_games
from sim.engine.lockstep import tick
from sim.play.batch import play

print(sum(len(entry.overloads) for entry in (play_games, step_episodes, tick)))
"""


def test_loading_a_module_compiles_nothing(tmp_path: Path) -> None:
    assert python("-c", LOADING, EVENHAND_CACHE_DIR=str(tmp_path)) == "0\n"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_all_entries_for_python_are_warmed_and_cached() -> None:
    """Each package must claim its cache folder first, else every process compiles anew."""
    for module in COMPILED:
        import_module(module)
    layers = ("sim", "agents", "balance", "experiments")
    entries = [entry for entry in _entries if entry.__module__.partition(".")[0] in layers]
    assert {entry.__module__ for entry in entries} == {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (path for layer in layers for path in (ROOT / layer).rglob("*.py"))
        if "from_python=True" in path.read_text(encoding="utf-8")
    }
    assert [entry.__name__ for entry in entries if not entry.stats.cache_path] == []


def test_threads_that_call_at_once_compile_once() -> None:
    @compiled(i64(i64, u64), from_python=True)
    def sum_of(first: int, second: int) -> int:
        return first + second

    with ThreadPoolExecutor(4) as threads:
        sums = list(threads.map(sum_of, range(4), range(4)))
    assert sums == [0, 2, 4, 6]
    assert len(getattr(sum_of, "overloads", [None])) == 1  # in plain Python there is none


RECORDING = """
import sys
from pathlib import Path
from experiments.cli import main

opened = set()


def record(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".nbi"):
        opened.add(Path(arguments[0]).name)


sys.addaudithook(record)
try:
    main()
finally:
    print()
    print(*opened)
"""


# Three minutes of compiling in an empty cache; the test below compares the lists of functions.
@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled")
def test_commands_need_no_code_that_warming_does_not_compile(tmp_path: Path) -> None:
    def opened_by(*arguments: str) -> set[str]:
        """Return the index files of compiled code that a command looks for."""
        return {*python("-c", RECORDING, *arguments).splitlines()[-1].split()}

    warmed = opened_by("warm")
    written = ("--no-plots", "--results", str(tmp_path))
    for command in (
        ("matchups", "quickstart", *written),
        ("replay", "quickstart"),
        ("replay", "big_two"),
    ):
        needed = opened_by(*command)
        assert needed
        assert needed <= warmed, command
