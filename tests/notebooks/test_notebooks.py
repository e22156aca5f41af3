"""Notebooks call functions, define none, and their committed outputs are current."""

from __future__ import annotations

import ast
import base64
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.command_line import contents
from tests.scripts import script

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NEEDS_TORCH = {"04_train_a_dqn", "06_big_two"}
# The cells that learn take most of the time, and are compared with nothing.
EXECUTED = [
    pytest.param(path, marks=pytest.mark.slow) if path.stem in NEEDS_TORCH else path
    for path in NOTEBOOKS
]
VARIES = "varies"  # tag of cells with numbers that depend on the processor or the clock
FIGURE_MAX = 200_000  # bytes
NOTEBOOK_MAX = 600_000
CELL_LINES_MAX = 12  # besides imports
SCIENTIFIC = re.compile(r"\d\.\d+e[+-]\d\d")
PATHS = re.compile(r"/(?:home|root|tmp|usr|work|Users|private)/|[A-Z]:\\|0x[0-9a-f]{6,}")


@pytest.fixture(scope="module", autouse=True)
def nbformat() -> Any:
    """Loaded here, as it takes seconds, and of all who collect these tests only one runs them."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    return pytest.importorskip("nbformat")


@pytest.fixture
def execute() -> ModuleType:
    """`notebooks/execute.py`, which is a script and in no package."""
    return script(ROOT / "notebooks" / "execute.py")


LESS = """
from experiments.commands import train as command
command.FINAL_GAMES, settings = 500, experiment.settings
fewer = {"games": 500, "rollout_games": 4, "histogram_games": 500}
experiment = experiment.with_settings(
    train=settings.train.model_copy(update={"steps": 20_000, "evaluate_every": 10_000}),
    evaluate=settings.evaluate.model_copy(update=fewer),
)
trained = train("""


def with_less_learning(notebook: Any) -> Any:
    """The notebook with a tenth of what gives only cells that vary, and are compared to nothing."""
    for cell in code_cells(notebook):
        if VARIES in cell.metadata.get("tags", []):
            cell.source = cell.source.replace("_000", "00")
        cell.source = cell.source.replace("trained = train(", LESS)
    return notebook


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any) -> list[Any]:
    """What a cell's outputs must be again: of figures only that they are there."""
    varies = VARIES in cell.metadata.get("tags", [])
    outputs = []
    for output in cell.outputs:
        if output.output_type == "stream":
            outputs.append((output.name, None if varies else output.text))
            continue
        is_figure = any(kind.startswith("image/") for kind in output.data)
        data = dict.fromkeys(output.data) if varies or is_figure else dict(output.data)
        outputs.append((output.output_type, data))
    return outputs


def defines(source: str) -> set[str]:
    """Kinds of definitions in some code."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return {type(node).__name__ for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def n_lines(source: str) -> int:
    """Lines of some code, imports and empty lines left out."""
    imports = (ast.Import, ast.ImportFrom)
    imported = {
        number
        for node in ast.parse(source).body
        if isinstance(node, imports)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(source.splitlines(), 1)
    return sum(number not in imported and bool(line.strip()) for number, line in lines)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def committed(request, nbformat):
    return nbformat.read(request.param, as_version=4)


def test_there_are_seven():
    assert [path.stem for path in NOTEBOOKS] == [
        "01_first_balance",
        "02_card_power_and_narrowing",
        "03_pareto_fronts",
        "04_train_a_dqn",
        "05_substitutes_and_decks",
        "06_big_two",
        "07_a_designers_day",
    ]


@pytest.mark.thorough
@pytest.mark.timeout(900)  # as long as the cells together may take on a busy machine
@pytest.mark.parametrize("path", EXECUTED, ids=lambda path: path.stem)
def test_a_clean_kernel_gives_the_committed_outputs(path, tmp_path, nbformat, execute):
    if path.stem in NEEDS_TORCH:
        pytest.importorskip("torch")
        pytest.importorskip("gymnasium")
    before = contents(path.parent)
    copy = tmp_path / path.name
    nbformat.write(with_less_learning(nbformat.read(path, as_version=4)), copy)
    now = execute.executed(copy)
    assert contents(path.parent) == before
    committed = nbformat.read(path, as_version=4)
    assert now.metadata == committed.metadata, "run `make notebooks`"
    for old, new in zip(code_cells(committed), code_cells(now), strict=True):
        assert shown(new) == shown(old), f"cell {old.id}: run `make notebooks`"


def test_the_kernel_is_this_python_whatever_is_installed(tmp_path, monkeypatch, nbformat, execute):
    kernels = tmp_path / "kernels" / "python3"
    kernels.mkdir(parents=True)
    (kernels / "kernel.json").write_text('{"argv": ["false"], "display_name": "", "language": ""}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    cells = [nbformat.v4.new_code_cell("import os, sys\nprint(sys.executable)\nos.listdir()")]
    path = tmp_path / "one.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    stream, listing = execute.executed(path).cells[0].outputs
    assert stream.text.strip() == sys.executable
    assert listing.data["text/plain"] == "[]"


def test_a_failing_cell_is_an_error(tmp_path, nbformat, execute):
    from nbclient.exceptions import CellExecutionError

    path = tmp_path / "one.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")]), path)
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute.executed(path)


def test_a_title_with_a_question_comes_first_and_something_to_try_last(committed):
    first = committed.cells[0]
    last = committed.cells[-1]
    assert first.cell_type == last.cell_type == "markdown"
    assert first.source.startswith("# ")
    assert "?" in first.source
    *_, ending = re.split(r"^## ", last.source, flags=re.MULTILINE)
    assert ending.startswith("Try\n")
    assert 2 <= ending.count("\n- ") <= 4


def test_cells_are_short_and_define_nothing(committed):
    for cell in code_cells(committed):
        assert n_lines(cell.source) <= CELL_LINES_MAX, cell.id
        assert not defines(cell.source), cell.id


def test_cells_were_run_once_and_in_order(committed):
    counts = [cell.execution_count for cell in code_cells(committed)]
    assert counts == list(range(1, len(counts) + 1))


def test_outputs_are_small_results(committed, nbformat):
    """No warnings, no errors, nothing of the machine that made them, no powers of ten."""
    for cell in code_cells(committed):
        for output in cell.outputs:
            assert output.output_type != "error", cell.id
            assert output.get("name") != "stderr", cell.id
            data = output.get("data", {})
            text = output.get("text", "") + data.get("text/plain", "")
            assert "Warning" not in text, cell.id
            for unwanted in (PATHS, SCIENTIFIC):
                assert not unwanted.search(text), cell.id
            assert len(base64.b64decode(data.get("image/png", ""))) <= FIGURE_MAX, cell.id
    assert len(nbformat.writes(committed).encode()) <= NOTEBOOK_MAX


def test_metadata_is_the_same_everywhere(committed, execute):
    assert committed.metadata == execute.METADATA
    for number, cell in enumerate(committed.cells, 1):
        assert set(cell.metadata) <= {"tags"}, number
        assert set(cell.metadata.get("tags", [])) <= {VARIES}, number


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f():\n    return 1", {"FunctionDef"}),
        ("class A:\n    pass", {"ClassDef"}),
        ("f = lambda x: x", {"Lambda"}),
        ("[x for x in range(3)]", set()),
    ],
)
def test_the_checks_see_definitions(source, found):
    assert defines(source) == found


def test_the_checks_see_what_they_look_for():
    assert n_lines("import a\nfrom b import (\n    c,\n    d,\n)\n\nx = [\n    1,\n]") == 3
    assert SCIENTIFIC.search("puffball 10.86  1.02e+01")
    assert not SCIENTIFIC.search("10.86 decade 0.003")
    for text in ("/home/somebody/x", "/root/x", r"C:\Users", "<object at 0x7f5a7e308d60>"):
        assert PATHS.search(text), text
    assert not PATHS.search("results/reference/quickstart-1 and 3/4")
