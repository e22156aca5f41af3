"""Laws of the code: imports go one way, the simulator stays light, no randomness is global."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import FIRST

ROOT = Path(__file__).parent.parent
LAYERS = ("sim", "agents", "balance", "experiments")  # each may import itself and those before
PACKAGED = {layer: sorted((ROOT / layer).rglob("*.py")) for layer in LAYERS}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for paths in PACKAGED.values()
    for path in paths
}
SOURCES = [*MODULES.values(), *sorted((ROOT / "tests").rglob("*.py"))]
HEAVY = {"torch", "pandas", "matplotlib", "ray"}
NUMERICAL = [
    path
    for path in (*PACKAGED["balance"], *PACKAGED["experiments"])
    if not {"benchmarks", "learning", "plots"} & set(path.relative_to(ROOT).parts)
]
ROUNDED_BY_PROCESSOR = {
    *("dot", "vdot", "inner", "matmul", "tensordot", "einsum", "linalg", "corrcoef", "cov"),
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "power", "hypot", "cbrt"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arctanh"),
    *("minimize", "linprog", "lstsq", "root"),
}
LIBRARIES = {"math", "np", "numpy", "optimize", "scipy.optimize"}
EXACT = {
    "balance/search/model/prospects.py": {"linprog"},  # only reported; it decides nothing
    "balance/metagame/equilibrium.py": {"@"},  # of Python's integers
    "balance/search/model/linear_algebra.py": {"@"},  # of wholes, and numbers on a grid
    "balance/statistics/intervals.py": {"@"},  # of quarters
}
SLOW = {
    "agents.big_two.training": "loads torch",
    "agents.dqn.checkpoint": "loads torch",
    "agents.roster.rollout": "loads compiled searches, which few experiments name",
    "agents.torch_device": "loads torch",
    "balance.learning.policy_rounds": "loads torch",
    "balance.learning.training": "loads torch",
    "balance.learning.value_rounds": "loads torch",
    "balance.search.optimisers.genetic": "loads deap",
    "balance.search.optimisers.nsga2": "loads pymoo",
    "experiments.benchmarks.environments": "loads the extra gymnasium",
    "experiments.benchmarks.learning": "loads torch",
    "experiments.cli.app": "loads packages that may be foreign, which are refused first",
    "experiments.commands.drift_stage": "loads torch",
    "experiments.commands.observed_matchups": "loads deap, which only tables of results need",
    "experiments.commands.exploit_work": "loads torch",
    "experiments.learning": "loads torch",
    "experiments.plots": "loads matplotlib",
    "experiments.report.observed_page": "loads the extra jinja2",
    "experiments.report.page": "loads the extra jinja2",
    "experiments.workbench": "loads the extra starlette",
    "experiments.workers.ray_workers": "loads the extra ray",
    "sim.engine.general": "loads the compiled rules that plain games do without",
}
"""Modules and packages that functions may import, with the reason."""

OWN_GENERATORS = {"BitGenerator", "Generator", "PCG64", "Random", "SeedSequence", "default_rng"}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(tree: ast.AST) -> list[ast.AST]:
    return list(ast.walk(tree))


@pytest.fixture(scope="module", autouse=True)
def _clear_caches() -> Iterator[None]:
    """Forget the parsed trees: a million objects that every garbage collection would visit."""
    yield
    tree_of.cache_clear()
    nodes_of.cache_clear()
    offered_on_demand.cache_clear()


def dotted(node: ast.AST) -> str:
    """Return the dotted name of a chain of attributes, such as `np.random`.

    Other expressions than names become an empty name.
    """
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def packages_imported_by(tree: ast.AST) -> set[str]:
    """Return the top-level packages that any import in a tree names."""
    modules = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            modules.add(node.module or "")
    return {module.split(".")[0] for module in modules}


@cache
def offered_on_demand(package: str) -> dict[str, str]:
    """Return the module of each name that a package offers below an `if` of its `__init__`."""
    path = MODULES.get(package)
    if path is None or path.name != "__init__.py":
        return {}
    offered = [node for node in tree_of(path).body if isinstance(node, ast.If)]
    imports = [node for each in offered for node in nodes_of(each)]
    return {
        alias.name: node.module or ""
        for node in imports
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def home_of(module: str, name: str) -> str:
    """Return the module that `from module import name` needs."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    offered = offered_on_demand(module)
    return home_of(offered[name], name) if name in offered else module


def modules_imported_by(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the project's modules that any import below some nodes needs."""
    modules = set()
    for node in (inner for outer in nodes for inner in nodes_of(outer)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {home_of(node.module or "", alias.name) for alias in node.names}
    return modules & MODULES.keys()


def imported_by(path: Path) -> set[str]:
    """Return the project's modules that a file imports as it loads, in a function, or for types.

    A package does not need the modules that it offers on demand.
    """
    is_face = path.name == "__init__.py"
    nodes = [n for n in tree_of(path).body if not (is_face and isinstance(n, ast.If))]
    return {name for name in modules_imported_by(nodes) if MODULES[name] != path}


def imported_in_functions(tree: ast.AST) -> set[str]:
    """Return the project's modules that functions of a tree import."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return modules_imported_by(node for node in nodes_of(tree) if isinstance(node, functions))


def is_in(module: str, packages: Iterable[str]) -> bool:
    """Return whether a module is one of some packages, or in one of them."""
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def global_randomness(tree: ast.AST) -> set[str]:
    """Return the uses of the shared generators of `random` and `numpy.random`.

    A library may require them; then one function seeds them and restores their state.
    """
    used = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute):
            if dotted(node.value) in {"random", "np.random", "numpy.random"}:
                used.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and node.module in {"random", "numpy.random"}:
            used |= {alias.name for alias in node.names}
    borrowed = {"getstate", "seed", "setstate"}
    return used - OWN_GENERATORS - (borrowed if borrowed <= used else set())


def unwelcome_compilation(tree: ast.AST) -> set[str]:
    """Return the ways of compiling that the engine avoids: see DESIGN section 7."""
    offences = set()
    for node in nodes_of(tree):
        match node:
            case ast.Name("prange") | ast.Attribute(attr="prange") | ast.alias("prange"):
                offences.add("prange")
            case ast.keyword("parallel", ast.Constant(True)):
                offences.add("parallel=True")
            case ast.keyword("inline", ast.Constant("always")):
                offences.add("inline='always'")
    return offences


def left_to_the_processor(tree: ast.AST) -> set[str]:
    """Return operations with digits, or an order of ties, that depend on the processor.

    `balance.statistics.arithmetic` has their replacements.
    """
    offences = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            offences.add("@")
        elif isinstance(node, ast.Attribute) and dotted(node.value) in LIBRARIES:
            offences |= {node.attr} & ROUNDED_BY_PROCESSOR
        elif isinstance(node, ast.ImportFrom) and node.module in LIBRARIES:
            offences |= {alias.name for alias in node.names} & ROUNDED_BY_PROCESSOR
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("argsort"):
            stable = [ast.unparse(word) for word in node.keywords if word.arg == "kind"]
            offences |= set() if stable == ["kind='stable'"] else {"argsort"}
    return offences


def broken_by(law: Callable[[ast.Module], set[str]], paths: Iterable[Path]) -> dict[str, set[str]]:
    """Return the offences against a law by file; files without any are left out."""
    by_file = {str(path.relative_to(ROOT)): law(tree_of(path)) for path in paths}
    return {path: offences for path, offences in by_file.items() if offences}


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer: str) -> None:
    above = {*LAYERS[LAYERS.index(layer) + 1 :], "notebooks", "tests"}
    assert not broken_by(lambda tree: packages_imported_by(tree) & above, PACKAGED[layer])


def test_modules_import_in_no_circle() -> None:
    """Imports for types and imports inside functions count too."""
    waiting = {name: imported_by(path) for name, path in MODULES.items()}
    while free := {name for name, needed in waiting.items() if not needed & waiting.keys()}:
        waiting = {name: needed for name, needed in waiting.items() if name not in free}
    assert not waiting


def test_card_data_needs_no_engine() -> None:
    """No chain of imports leads from cards to the engine, which registers itself with them."""
    needed = {name for name in MODULES if is_in(name, ["sim.cards"])}
    while new := {name for module in needed for name in imported_by(MODULES[module])} - needed:
        needed |= new
    assert not {name for name in needed if is_in(name, ["sim.engine"])}


def test_functions_import_only_what_is_slow_to_load() -> None:
    late = {
        (str(path.relative_to(ROOT)), module)
        for path in MODULES.values()
        for module in imported_in_functions(tree_of(path))
    }
    assert {one for one in late if not is_in(one[1], SLOW)} == set()
    assert {slow for slow in SLOW if not any(is_in(module, [slow]) for _, module in late)} == set()


def test_the_wheel_contains_what_its_modules_import() -> None:
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    left_out = {
        file.removesuffix(".py").replace("/", ".")
        for file in hatch["build"]["targets"]["wheel"]["exclude"]
    }
    assert left_out <= MODULES.keys()
    shipped = {name: path for name, path in MODULES.items() if name not in left_out}
    assert not {name for name, path in shipped.items() if imported_by(path) & left_out}


def test_the_simulator_names_no_heavy_package() -> None:
    assert not broken_by(lambda tree: packages_imported_by(tree) & HEAVY, PACKAGED["sim"])


def test_randomness_is_never_global() -> None:
    assert not broken_by(global_randomness, SOURCES)


def test_nothing_is_compiled_in_an_unwelcome_way() -> None:
    assert not broken_by(unwelcome_compilation, MODULES.values())


def test_nothing_is_left_to_the_processor() -> None:
    assert broken_by(left_to_the_processor, NUMERICAL) == EXACT


def test_files_that_begin_first_are_there() -> None:
    assert {*FIRST} <= {path.name for path in SOURCES}


@pytest.mark.parametrize(
    ("check", "source", "offences"),
    [
        (packages_imported_by, "def f():\n    import torch.nn as nn", {"torch"}),
        (packages_imported_by, "from agents.registry import agent_named", {"agents"}),
        (imported_in_functions, "def f():\n    from sim import Pool", {"sim.cards.pool"}),
        (imported_in_functions, "from sim import Pool\ndef f():\n    import torch", set()),
        (global_randomness, "np.random.seed(1)", {"seed"}),
        (global_randomness, "x = numpy.random.rand(3)", {"rand"}),
        (global_randomness, "import random\nrandom.shuffle(cards)", {"shuffle"}),
        (global_randomness, "from random import choice", {"choice"}),
        (global_randomness, "rng = np.random.default_rng(3)\nrng.shuffle(cards)", set()),
        (unwelcome_compilation, "from numba import prange", {"prange"}),
        (unwelcome_compilation, "for i in numba.prange(3): pass", {"prange"}),
        (unwelcome_compilation, "njit(parallel=True, inline='never')", {"parallel=True"}),
        (unwelcome_compilation, "njit(inline='always')", {"inline='always'"}),
        (left_to_the_processor, "mean = rates @ weights", {"@"}),
        (left_to_the_processor, "from math import log, sqrt", {"log"}),
        (left_to_the_processor, "np.linalg.pinv(np.exp(x))", {"linalg", "exp"}),
        (left_to_the_processor, "np.argsort(x)\nx.argsort(kind='quicksort')", {"argsort"}),
        (left_to_the_processor, "np.argsort(x, kind='stable').sum()", set()),
    ],
)
def test_the_checks_see_what_they_look_for(
    check: Callable[[ast.AST], set[str]], source: str, offences: set[str]
) -> None:
    assert check(ast.parse(source)) == offences
