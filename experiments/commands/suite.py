"""`evenhand suite`: instances with known answers made, and methods of searching tried on each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

from balance import Interval, pipeline
from balance.planting import Planting
from balance.settings import Games
from experiments.commands.balance import tell_runs
from experiments.experiment import Experiment
from experiments.files.option_errors import option_place
from experiments.files.output_file import check_output
from experiments.methods import chosen_methods, load_methods, with_overrides
from experiments.results.grids import ScoreRow, SuiteRow, score_rows
from experiments.results.stages import outcome
from experiments.runs.cells import kept_cells, rows_of_cells
from experiments.runs.json_file import digest, to_json
from experiments.runs.run import Findings, Run
from experiments.screen import Screen, Table, in_pp
from experiments.suite import HALVES, INSTANCE, KINDS, Instance, Kind, Made, Suite, moves_of
from sim import InputError, entry, error_place, read_rows, write_atomically
from sim.files.row_file import write_rows
from sim.files.whole_file import read_text


def make_suite(
    suite: Suite, out: Path, screen: Screen, *, force: bool = False, threads: int | None = None
) -> None:
    """Write the suite's file with its instances made anew; the same seed makes the same ones.

    Args:
        suite: whose balanced cards, and whose recipe.
        out: where to.
        screen: where to report.
        force: overwrite what is there.
        threads: threads to use; default all cores.

    Raises:
        InputError: `out` is there already, or cannot be written; the suite's base is not balanced,
            or no edits can be hidden in it.
    """
    check_output(out, ".toml", force=force)
    recipe, _, _ = read_text(suite.path).partition(f"\n{INSTANCE}")
    made = suite.suite.make
    planting = Planting(suite.contest(), suite.settings, made.games, threads)
    wanted = list(_wanted(made))
    with error_place(suite.path):
        planting.require_balance()
    parts = [recipe.rstrip() + "\n"]
    with screen.progress(f"make {suite.suite.name}", len(wanted)) as advance:
        for kind, place, n_steps in wanted:
            advance(len(parts) - 1, f"{kind} {place + 1}")
            with error_place(suite.path), error_place(f"{kind} instance #{place + 1}"):
                parts.append(_instance(planting, kind, place, n_steps).text())
    write_atomically(out, "\n".join(parts))
    screen.say(f"{out}: wrote suite {suite.suite.name!r}, {len(wanted)} instances")


def _wanted(made: Made) -> Iterator[tuple[Kind, int, int]]:
    """Kind, place among its kind, and steps to hide; both halves have equally many of each."""
    fewest, most = made.steps
    for kind in KINDS:
        for place in range(getattr(made, kind)):
            yield kind, place, fewest + place // len(HALVES) % (most - fewest + 1)


def _instance(planting: Planting, kind: Kind, place: int, n_steps: int) -> Instance:
    half = HALVES[place % len(HALVES)]
    if kind == "control":
        return Instance(kind=kind, half=half)
    found = planting.plant(n_steps, f"plant/{kind}/{place}", as_target=kind == "target")
    return Instance(kind=kind, half=half, hidden=moves_of(found.edits), win_rates=found.win_rates)


RUNS = "runs.csv"
SCORES = "scores.csv"
_LEGEND = (
    "Change <= known: certified with no more change than the hidden edits; of controls, those left "
    "alone. Excess: median change beyond that. False: certified, but in the games of the truth a "
    "demand or a guard does not hold. Truth: the worst matchup there, in the median and at most"
)
_ESTIMATED = 3  # instances by which is told beforehand what all may take


@dataclass(frozen=True)
class Trial:
    """What is to be tried.

    Attributes:
        methods: their names; none are all of the file.
        file: what they are.
        half: of the instances; default both.
        kind: of them; default all.
        most: instances of each kind and half, the first ones; default all.
        n_games: of all stages and matchups together (`[games] total`), in place of what the
            experiment says of each stage; default just that.
        n_seeds: runs on each instance.
        truth_games: per matchup, which tell the truth of a certified patch.
    """

    methods: tuple[str, ...]
    file: Path
    half: str | None = None
    kind: str | None = None
    most: int | None = None
    n_games: int | None = None
    n_seeds: int = 1
    truth_games: int = 400_000


class Cell(NamedTuple):
    """A run of a method on an instance."""

    instance: int
    method: str
    run_seed: int
    settings: str
    truth_games: int

    @property
    def name(self) -> str:
        """Of its file, and for people."""
        return f"{self.method}-{self.instance:03}-{self.run_seed}"


def check_trial(suite: Suite, trial: Trial) -> None:
    """Refuse a trial of which some run would fail, before anything is written.

    Raises:
        InputError: a method or its settings are unknown, or there is no instance for it.
    """
    trials = _Trials(suite, trial, _methods(trial))
    if not list(trials.cells()):
        raise InputError("no [[instance]] to run; make them with `evenhand suite make`")
    for method in trials.methods:
        settings = trials.asked(method, 1).settings
        with option_place("methods-file"), error_place(f"{trial.file}: method {method!r}"):
            pipeline.check_balance(suite.contest(), settings)


def run_suite(run: Run, trial: Trial) -> Findings:
    """Run methods on instances; finds the scores of all that its folder keeps.

    Finished runs are kept as they end, so a suite that was stopped continues where it was, and
    with more methods it goes on with those.
    """
    suite = cast("Suite", run.experiment)
    trials = _Trials(suite, trial, _methods(trial), run.threads)
    tell_runs(run, trials.some(), trial.truth_games)
    rows_of_cells(run, "suite", list(trials.cells()), SuiteRow, trials)
    return _scored(list(kept_cells(run.folder.path, SuiteRow)), suite.settings.name)


def _methods(trial: Trial) -> dict[str, dict[str, Any]]:
    """What each method that is tried sets, by name."""
    with option_place("methods-file"):
        known = load_methods(trial.file)
    with option_place("methods"):
        return chosen_methods(known, trial.methods)


@dataclass(frozen=True)
class _Trials:
    """All cells of a trial, and what runs them."""

    suite: Suite
    trial: Trial
    methods: dict[str, dict[str, Any]]
    threads: int | None = None

    def places(self) -> Iterator[int]:
        """The instances to run, from 1 on."""
        trial = self.trial
        taken = Counter[tuple[str, str]]()
        for place, instance in enumerate(self.suite.suite.instances, start=1):
            group = instance.kind, instance.half
            taken[group] += 1
            is_wanted = trial.half in {None, instance.half} and trial.kind in {None, instance.kind}
            if is_wanted and taken[group] <= (trial.most or place):
                yield place

    def some(self) -> Iterator[tuple[Experiment, float]]:
        """Each method's question on a few instances, and how many runs each stands for."""
        places = [*self.places()]
        some = places[:: -(-len(places) // _ESTIMATED)]
        for method, place in product(self.methods, some):
            yield self.asked(method, place), self.trial.n_seeds * len(places) / len(some)

    def cells(self) -> Iterator[Cell]:
        """Instance by instance, seed by seed."""
        for place in self.places():
            digests = {
                method: digest(self.asked(method, place).resolved()["experiment"])
                for method in self.methods
            }
            for seed, (method, settings) in product(range(self.trial.n_seeds), digests.items()):
                yield Cell(place, method, 1000 * place + seed, settings, self.trial.truth_games)

    def asked(self, method: str, place: int) -> Experiment:
        """The question of an instance, with a method's settings and its games."""
        asked = self.suite.asked(place)
        if self.trial.n_games is not None:
            asked = asked.with_settings(games=Games(total=self.trial.n_games))
        with option_place("methods-file"), error_place(self.trial.file):
            return with_overrides(asked, self.methods[method], f"method {method!r}")

    def give_up(self) -> None:
        """Nothing to do: here cells are run one by one."""

    def do(self, cell: Cell) -> SuiteRow:
        """Run a cell."""
        instance = self.suite.suite.instances[cell.instance - 1]
        asked = self.asked(cell.method, cell.instance).with_settings(seed=cell.run_seed)
        settings = asked.settings
        began_s = time.process_time()
        run = pipeline.run_balance(asked.contest(), settings, threads=self.threads, explains=False)
        cpu_s = time.process_time() - began_s
        return SuiteRow(
            *cell,
            kind=instance.kind,
            half=instance.half,
            known=instance.change(settings.tune.weights, asked.pool.cards),
            cpu_s=round(cpu_s, 3),
            **outcome(run, cell.truth_games),
        )


def score_suite(_screen: Screen, folder: Path) -> Findings:
    """Score the finished runs of a folder; writes `runs.csv`, `scores.csv` and `scores.json` there.

    Raises:
        InputError: the folder has neither `cells` nor `runs.csv`, or one of them is damaged.
    """
    runs = list(kept_cells(folder, SuiteRow)) or read_rows(folder / RUNS, SuiteRow)
    findings = _scored(runs, folder.name)
    for name, (kind, rows) in findings.tables.items():
        write_rows(folder / name, kind, rows)
    write_atomically(folder / "scores.json", to_json(findings.summary))
    return findings


def _scored(runs: Sequence[SuiteRow], name: str) -> Findings:
    """The scores of runs, as data and as a table for people.

    Args:
        runs: of a suite.
        name: what the table calls it.
    """
    scores = score_rows(runs)
    return Findings(
        summary={"command": "suite", "runs": len(runs), "scores": [entry(row) for row in scores]},
        tables={RUNS: (SuiteRow, runs), SCORES: (ScoreRow, scores)},
        shown=[
            Table(
                f"{name}: shares of runs, 95 % intervals; games and CPU time of the median run",
                (
                    "method: instances", "runs", "certified, %", "change <= known, %", "excess",
                    "games", "CPU, s", "false", "truth, pp",
                ),
                [_line(row) for row in scores],
            ),
            _LEGEND,
        ],
    )  # fmt: skip


def _line(row: ScoreRow) -> tuple[str, ...]:
    truth = "-"
    n_false = "-"
    if row.truth_pp is not None and row.false is not None:
        truth = f"{row.truth_pp.estimate:.1f}, {row.truth_pp.high:.1f}"
        n_false = f"{round(row.judged * float(row.false.estimate))}/{row.judged}"
    return (
        f"{row.method}: {row.kind}, {row.half}",
        str(row.runs),
        _percent(row.certified),
        _percent(row.small),
        "-" if row.excess is None else f"{row.excess:+g}",
        f"{row.games / 1e6:.2f} M",
        f"{row.cpu_s:.1f}",
        n_false,
        truth,
    )


def _percent(share: Interval) -> str:
    estimate, low, high = in_pp(share)
    return f"{estimate:.0f} ({low:.0f}-{high:.0f})"
