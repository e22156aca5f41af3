"""Finished runs by folder, name and experiment; incomplete runs are refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from experiments.runs.finished_run import open_finished_run
from sim.errors import InputError
from tests.command_line import write_experiment
from tests.refusals import refusal_of


def write_run(
    path: Path, command: str = "balance", experiment: str = "duel of two", *, finished: bool = True
) -> Path:
    path.mkdir(parents=True)
    provenance = {"command": command, "experiment": experiment, "seed": 5}
    (path / "run.json").write_text(json.dumps(provenance), encoding="utf-8")
    (path / "resolved.json").write_text('{"command": "x"}', encoding="utf-8")
    if finished:
        (path / "summary.json").write_text('{"certified": true}', encoding="utf-8")
    return path


def refused(reference: str, results: Path, command: str | None = None) -> InputError:
    return refusal_of(open_finished_run, reference, results, command)


def test_a_run_is_its_folder_or_the_folders_name_or_its_experiment(tmp_path: Path):
    folder = write_run(tmp_path / "duel_of_two-0123abcd")
    file = write_experiment(tmp_path, 'name = "duel of two"')
    for reference in (str(folder), folder.name, "duel of two", str(file)):
        for command in ("balance", None):
            run = open_finished_run(reference, tmp_path, command)
            assert (run.path, run.command) == (folder, "balance")
            assert (run.summary, run.resolved) == ({"certified": True}, {"command": "x"})
            assert run.provenance["seed"] == 5


def test_an_experiment_means_its_newest_finished_run_of_the_command(tmp_path: Path):
    times = {"a": 30, "b": 50, "c": 40, "d": 90, "e": 80}
    for name in "abc":
        write_run(tmp_path / name)
    write_run(tmp_path / "d", command="power")
    write_run(tmp_path / "e", experiment="another")
    write_run(tmp_path / "f", finished=False)
    (tmp_path / "not a run").mkdir()
    for name, time_s in times.items():
        os.utime(tmp_path / name / "summary.json", (time_s, time_s))
    assert open_finished_run("duel of two", tmp_path, "balance").path.name == "b"
    assert open_finished_run("duel of two", tmp_path, "power").path.name == "d"
    assert open_finished_run("duel of two", tmp_path).path.name == "d"


def test_a_folder_of_the_experiments_name_that_is_no_run_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "tiny").mkdir()
    monkeypatch.chdir(tmp_path)
    folder = write_run(tmp_path / "results" / "tiny-1", experiment="tiny")
    assert open_finished_run("tiny", Path("results")).path.resolve() == folder


def test_an_unknown_name_gets_the_nearest_one_or_all_there_are(tmp_path: Path):
    assert refused("x", tmp_path / "nowhere", "power").limit == ()
    write_run(tmp_path / "duel_of_two-0123abcd")
    assert "'duel of two'" in refused("dule of two", tmp_path).remedy
    assert refused("zzz", tmp_path).limit == ("duel of two", "duel_of_two-0123abcd")
    assert refused("duel of two", tmp_path, "power").limit == ()


def test_an_experiment_file_without_a_run_is_searched_by_the_name_in_it(tmp_path: Path):
    file = write_experiment(tmp_path, 'name = "unheard"')
    assert refused(str(file), tmp_path).value == "unheard"
    file.write_text("name = ", encoding="utf-8")
    assert refused(str(file), tmp_path).place == str(file)


def test_other_folders_and_files_are_no_runs(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.toml").write_text("", encoding="utf-8")
    for name in ("folder", "file.toml"):
        assert refused(str(tmp_path / name), tmp_path).place == str(tmp_path / name)


@pytest.mark.parametrize(("command", "resumes"), [("balance", True), ("power", False)])
def test_an_unfinished_run_comes_with_the_command_that_finishes_it(
    command: str, resumes: bool, tmp_path: Path
):
    folder = write_run(tmp_path / "r-1", command, finished=False)
    for reference in (str(folder), "duel of two"):
        error = refused(reference, tmp_path, command)
        assert error.place == str(folder)
        assert f"evenhand {command} 'duel of two' --results {tmp_path}" in error.remedy
        assert ("--resume" in error.remedy) == resumes


def test_another_commands_run_is_refused_by_both_names(tmp_path: Path):
    folder = write_run(tmp_path / "r-1", command="power")
    error = refused(str(folder), tmp_path, "balance")
    assert (error.place, error.value, error.limit) == (str(folder), "power", "balance")


@pytest.mark.parametrize("file", ["run.json", "summary.json", "resolved.json"])
@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff\xfe", b"", b"[" * 100_000])
def test_damaged_json_is_named(file: str, content: bytes, tmp_path: Path):
    folder = write_run(tmp_path / "r-1")
    (folder / file).write_bytes(content)
    assert refused(str(folder), tmp_path).place.startswith(str(folder / file))


def test_a_run_without_a_command_is_damaged(tmp_path: Path):
    folder = write_run(tmp_path / "r-1")
    (folder / "run.json").write_text("{}", encoding="utf-8")
    assert refused(str(folder), tmp_path).place == str(folder / "run.json")


def test_tables_are_read_as_rows_and_as_frames(tmp_path: Path):
    class Line(NamedTuple):
        a: int
        b: str

    folder = write_run(tmp_path / "r-1")
    (folder / "t.csv").write_text('a,b\n1,"x, y"\n2,\n', encoding="utf-8")
    run = open_finished_run(str(folder), tmp_path)
    assert run.rows("t.csv", Line) == [Line(1, "x, y"), Line(2, "")]
    assert run.frame("t.csv")["a"].tolist() == [1, 2]
    for read in (lambda: run.rows("u.csv", Line), lambda: run.frame("u.csv")):
        error = refusal_of(read)
        assert error.place == str(folder / "u.csv")
        assert "`evenhand balance`" in error.remedy
