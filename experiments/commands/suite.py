"""`evenhand suite`: create instances with known answers, and score search methods on them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

from balance import Interval
from balance.run.card_question import prepare, run_balance
from balance.run.context import RunContext
from balance.run.planting import Planting
from balance.settings.tables import Games
from experiments.commands.balance import show_grid_estimate
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


def make_suite(suite: Suite, out: Path, screen: Screen, *, force: bool = False) -> None:
    """Create the instances of a suite, and write the suite to a file.

    Equal seeds create equal instances.

    Args:
        suite: suite with balanced cards and a recipe for the instances.
        out: file to write.
        screen: where to show the progress.
        force: whether to overwrite an existing file.

    Raises:
        InputError: `out` exists or cannot be written, the cards of the suite are not balanced, or
            no edits can be hidden in them.
    """
    check_output(out, ".toml", force=force)
    recipe, _, _ = read_text(suite.path).partition(f"\n{INSTANCE}")
    made = suite.suite.make
    planting = Planting(suite.contest(), suite.settings, made.games)
    instances = list(_instances_to_make(made))
    with error_place(suite.path):
        planting.require_balance()
    parts = [recipe.rstrip() + "\n"]
    with screen.progress(f"make {suite.suite.name}", len(instances)) as advance:
        for kind, place, n_steps in instances:
            advance(len(parts) - 1, f"{kind} {place + 1}")
            with error_place(suite.path), error_place(f"{kind} instance #{place + 1}"):
                parts.append(_make_instance(planting, kind, place, n_steps).text())
    write_atomically(out, "\n".join(parts))
    screen.say(f"{out}: wrote suite {suite.suite.name!r}, {len(instances)} instances")


def _instances_to_make(made: Made) -> Iterator[tuple[Kind, int, int]]:
    """Yield the kind of each instance, its index within the kind, and its number of hidden steps.

    Both halves of the suite get equally many instances with each number of steps.
    """
    fewest, most = made.steps
    for kind in KINDS:
        for place in range(getattr(made, kind)):
            yield kind, place, fewest + place // len(HALVES) % (most - fewest + 1)


def _make_instance(planting: Planting, kind: Kind, place: int, n_steps: int) -> Instance:
    """Return a new instance with hidden edits; a control instance has no hidden edits.

    Args:
        planting: the balanced cards in which edits are hidden.
        kind: kind of the instance.
        place: index of the instance within its kind, from 0.
        n_steps: number of hidden steps.
    """
    half = HALVES[place % len(HALVES)]
    if kind == "control":
        return Instance(kind=kind, half=half)
    planted = planting.plant(n_steps, f"plant/{kind}/{place}", as_target=kind == "target")
    hidden = moves_of(planted.edits)
    return Instance(kind=kind, half=half, hidden=hidden, win_rates=planted.win_rates)


RUNS = "runs.csv"
SCORES = "scores.csv"
_LEGEND = (
    "Change <= known: certified with no more change than the hidden edits; for controls, with no "
    "change. Excess: median change beyond that of the hidden edits. Truth: distance of the worst "
    "matchup from its target by the reference estimate from many more games, median and maximum. "
    "False: certified, but a demand or a guard does not hold by the reference estimate"
)
_ESTIMATED = 3  # maximum number of instances for an estimate of the time, to keep it fast


@dataclass(frozen=True)
class Trial:
    """Options that select the runs of a suite.

    Attributes:
        methods: names of the methods; empty for all methods of the file.
        file: file with the settings of each method.
        half: half of the instances; `None` for both halves.
        kind: kind of the instances; `None` for all kinds.
        most: maximum number of instances of each kind and half, from the first; `None` for all.
        n_games: total number of games of all stages and matchups (`[games] total`); `None` for the
            experiment's own settings of each stage.
        n_seeds: number of runs on each instance.
        truth_games: games per matchup of the reference estimate, with which a patch is judged.
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
    """Balance run of a method on an instance of a suite.

    Attributes:
        instance: number of the instance in the suite, from 1.
        method: name of the method.
        run_seed: run seed of the balance run.
        settings: hash of everything that the run depends on.
        truth_games: games per matchup of the reference estimate.
    """

    instance: int
    method: str
    run_seed: int
    settings: str
    truth_games: int

    @property
    def name(self) -> str:
        """Name of the cell for messages and for its file."""
        return f"{self.method}-{self.instance:03}-{self.run_seed}"


def check_trial(suite: Suite, trial: Trial) -> None:
    """Check that every run of a trial can be balanced, before anything is written.

    Raises:
        InputError: a method is unknown, its settings are invalid, or no instance is selected.
    """
    trials = _Trials(suite, trial, _methods(trial))
    if not list(trials.cells()):
        raise InputError(
            "has no [[instance]] to run", remedy="to make instances, run `evenhand suite make`"
        )
    for method in trials.methods:
        settings = trials.question(method, 1).settings
        with option_place("methods-file"), error_place(f"{trial.file}: method {method!r}"):
            prepare(suite.contest(), settings)


def run_suite(run: Run, trial: Trial) -> Findings:
    """Run methods on instances; return the scores of all runs in the run folder.

    The result of each run is saved when the run ends, so that a stopped suite can be resumed, and
    methods can be added later.
    """
    suite = cast("Suite", run.experiment)
    trials = _Trials(suite, trial, _methods(trial))
    show_grid_estimate(run, trials.sample(), trial.truth_games)
    rows_of_cells(run, "suite", list(trials.cells()), SuiteRow, trials)
    return _score_findings(list(kept_cells(run.folder.path, SuiteRow)), suite.settings.name)


def _methods(trial: Trial) -> dict[str, dict[str, Any]]:
    """Return the settings of each method of a trial, by the method's name."""
    with option_place("methods-file"):
        known = load_methods(trial.file)
    with option_place("methods"):
        return chosen_methods(known, trial.methods)


@dataclass(frozen=True)
class _Trials:
    """Runs of a trial on the instances of a suite.

    Attributes:
        suite: suite with the instances.
        trial: options that select the runs.
        methods: settings of each method, by the method's name.
    """

    suite: Suite
    trial: Trial
    methods: dict[str, dict[str, Any]]

    def places(self) -> Iterator[int]:
        """Yield the number, from 1, of each instance that the trial selects."""
        trial = self.trial
        taken = Counter[tuple[str, str]]()
        for place, instance in enumerate(self.suite.suite.instances, start=1):
            group = instance.kind, instance.half
            taken[group] += 1
            is_wanted = trial.half in {None, instance.half} and trial.kind in {None, instance.kind}
            if is_wanted and taken[group] <= (trial.most or place):
                yield place

    def sample(self) -> Iterator[tuple[Experiment, float]]:
        """Yield a sample of the experiments to run, each with the number of runs it represents."""
        places = [*self.places()]
        # Every k-th instance, with k rounded up, so that the sample mixes kinds and halves.
        chosen = places[:: -(-len(places) // _ESTIMATED)]
        for method, place in product(self.methods, chosen):
            n_runs = self.trial.n_seeds * len(places) / len(chosen)
            yield self.question(method, place), n_runs

    def cells(self) -> Iterator[Cell]:
        """Yield all cells: by instance, then by run seed, then by method."""
        for place in self.places():
            digests = {
                method: digest(self.question(method, place).resolved()["experiment"])
                for method in self.methods
            }
            for seed, (method, settings) in product(range(self.trial.n_seeds), digests.items()):
                # The run seeds of different instances are distinct, since each instance has at most
                # 1000 seeds.
                yield Cell(place, method, 1000 * place + seed, settings, self.trial.truth_games)

    def question(self, method: str, place: int) -> Experiment:
        """Return the experiment of an instance with the settings of a method.

        Args:
            method: name of the method.
            place: number of the instance, from 1.
        """
        experiment = self.suite.asked(place)
        if self.trial.n_games is not None:
            experiment = experiment.with_settings(games=Games(total=self.trial.n_games))
        with option_place("methods-file"), error_place(self.trial.file):
            return with_overrides(experiment, self.methods[method], f"method {method!r}")

    def give_up(self) -> None:
        """Do nothing: cells run one at a time, so no other cell needs to be stopped."""

    def do(self, cell: Cell) -> SuiteRow:
        """Balance the experiment of a cell, and return the cell's row of the table."""
        instance = self.suite.suite.instances[cell.instance - 1]
        question = self.question(cell.method, cell.instance).with_settings(seed=cell.run_seed)
        settings = question.settings
        began_s = time.process_time()
        run = run_balance(question.contest(), settings, RunContext(explains=False))
        cpu_s = time.process_time() - began_s
        return SuiteRow(
            *cell,
            kind=instance.kind,
            half=instance.half,
            known=instance.change(settings.tune.weights, question.pool.cards),
            cpu_s=round(cpu_s, 3),
            **outcome(run, cell.truth_games),
        )


def score_suite(_screen: Screen, folder: Path) -> Findings:
    """Score the finished runs of a folder, and write the scores into the folder.

    The files are `runs.csv`, `scores.csv` and `scores.json`. If the folder has no finished cells,
    the runs are read from an existing `runs.csv`.

    Raises:
        InputError: the folder has neither `cells` nor `runs.csv`, or one of them is damaged.
    """
    runs = list(kept_cells(folder, SuiteRow)) or read_rows(folder / RUNS, SuiteRow)
    findings = _score_findings(runs, folder.name)
    for name, (kind, rows) in findings.tables.items():
        write_rows(folder / name, kind, rows)
    write_atomically(folder / "scores.json", to_json(findings.summary))
    return findings


def _score_findings(runs: Sequence[SuiteRow], name: str) -> Findings:
    """Return the findings on runs: tables of the runs and of their scores.

    Args:
        runs: results of the runs of a suite.
        name: name of the suite, for the title of the table.
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
    """Return the table cells of a score; unknown values become `-`."""
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
    """Return a share in whole percent with its 95 % interval, such as `57 (48-66)`."""
    estimate, low, high = in_pp(share)
    return f"{estimate:.0f} ({low:.0f}-{high:.0f})"
