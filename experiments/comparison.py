"""Comparison of an experiment's current cards and rules with edited ones, pools and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from balance import CardContest, Contest, apply_patch
from balance.cards.pool_edits import SizedPatch, edits_between, sized_patch
from balance.contest.patch import apply_to_rules
from balance.contest.whatif import Edits
from experiments.contest_experiment import ContestExperiment, recorded_tables
from experiments.experiment import Experiment
from experiments.files.contest_edits import read_contest_edits
from experiments.files.edits import read_edits
from experiments.files.option_errors import option_error, option_place
from experiments.game import game_of_run, named_experiment
from experiments.loading import load_experiment
from experiments.runs.finished_run import (
    PROVENANCE,
    FinishedRun,
    kept_runs,
    open_finished_run,
)
from experiments.runs.rebuilt_experiment import engine_notes, rebuild_experiment
from experiments.runs.run_folder import RESOLVED
from sim import (
    InputError,
    Pool,
    Ruleset,
    check_deck,
    check_pool,
    error_place,
    find_data_file,
    load_pool,
    read_toml,
)
from sim.play.table import Gene
from sim.simulator.block import Value

MOST = 9
"""Maximum number of pools and runs in a comparison: more do not fit into one table."""


@dataclass(frozen=True)
class Compared:
    """Numbers that are compared with the current ones of an experiment.

    Attributes:
        name: display name of the compared numbers, such as the name of their run or pool.
        edits: edits that change the current numbers into these; `None` if more than numbers differ.
        patch: edits as a patch with its size; `None` if more than numbers differ.
    """

    name: str
    edits: Edits | None
    patch: SizedPatch | None

    def resolved(self) -> dict[str, Any]:
        """Return all data of the compared numbers on which results depend, as plain data."""
        patch = self.patch.edits if self.patch else ()
        return {"name": self.name, "edits": [[e.card, e.field, e.after] for e in patch]}


@dataclass(frozen=True)
class ComparedCards(Compared):
    """Cards and rules that are compared with the current ones of an experiment.

    Attributes:
        pool: pool with the compared cards.
        ruleset: compared rules.
    """

    pool: Pool
    ruleset: Ruleset

    def resolved(self) -> dict[str, Any]:
        """Return all data of the compared cards on which results depend, as plain data.

        These are the edits or, if more than numbers differ, the whole pool and ruleset.
        """
        if self.patch is not None:
            return super().resolved()
        pool = self.pool.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"name": self.name, "pool": pool, "ruleset": self.ruleset.model_dump(mode="json")}


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """Part of an experiment: what is compared with its current numbers, and how.

    Attributes:
        compared: compared numbers, at least one set.
        n_games: number of games per matchup with each of them.
        notes: sentences about the compared runs for readers of the results.
        seeds: seeds of the compared runs, by display name.
    """

    compared: tuple[Compared, ...]
    n_games: int
    notes: tuple[str, ...] = ()
    seeds: Mapping[str, int] = field(default_factory=dict)

    def notes_of_seed(self, seed: int) -> tuple[str, ...]:
        """Return the notes for readers of the results.

        If a compared run had another seed, a sentence on the seed and the games is added.

        Args:
            seed: seed of the comparison.
        """
        others = [f"{name} had {own}" for name, own in self.seeds.items() if own != seed]
        anew = (
            f"All play anew on equal seeds, those of seed {seed}, {self.n_games:,} games per "
            f"matchup: {', '.join(others)}."
        )
        return (*self.notes, anew) if others else self.notes

    def with_compared(self, resolved: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data of the experiment with those of the compared numbers, as plain data."""
        return {**resolved, "compared": [compared.resolved() for compared in self.compared]}


@dataclass(frozen=True, kw_only=True)
class Comparison(Comparing, Experiment):
    """Experiment with other cards and rules that are compared with its current ones."""

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""
        return self.with_compared(Experiment.resolved(self, command))


@dataclass(frozen=True, kw_only=True)
class ContestComparison(Comparing, ContestExperiment):
    """Experiment of a contest with other numbers that are compared with its current ones."""

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data."""
        return self.with_compared(ContestExperiment.resolved(self, command))


def ask_whatif(
    experiment: Experiment | ContestExperiment, edits: Sequence[str], pool: str | None
) -> Comparison | ContestComparison:
    """Return the comparison of an experiment's cards with edited ones, or with another pool.

    Args:
        experiment: experiment with the current cards, or of a game without cards.
        edits: edits in the notation of `experiments.files.edits`.
        pool: name or file of a pool in place of edits; `None` to use the edits.

    Raises:
        InputError: neither edits nor a pool are given, or both; or an edit or the pool does not fit
            the experiment.
    """
    contest = experiment.contest()
    contest.require_opponents()
    if not edits and pool is None:
        raise InputError(
            "no edits given",
            place="whatif",
            remedy=f"name some, such as {_example(contest)}+1",
            is_complete=True,
        )
    if edits and pool is not None:
        raise option_error(
            "pool",
            f"cannot be combined with edits (value: {pool})",
            value=pool,
            remedy=f"leave out --pool, or the edits {' '.join(edits)}",
        )
    if isinstance(experiment, ContestExperiment):
        if pool is not None:
            raise option_error(
                "pool",
                f"{pool!r} applies only to card games, not to {experiment.settings.game!r}",
                value=pool,
                remedy="write edits instead",
            )
        read = read_contest_edits(edits, experiment.contest())
        return _comparison_of_edits(experiment, {"edited": read})
    if pool is not None:
        with option_place("pool"):
            compared = _of_pool(experiment, pool, Path(pool).name)
    else:
        contest = experiment.contest()
        patch = sized_patch(contest, read_edits(edits, contest), experiment.settings.tune).edits
        cards = apply_patch(experiment.pool, patch)
        rules = apply_to_rules(experiment.ruleset, patch)
        compared = _compare_with(experiment, "edited", cards, rules)
    return _comparison(experiment, [compared])


def load_comparison(
    references: Sequence[str],
    results: Path,
    *,
    of: str | None,
    games: int | None,
    agent: str | None = None,
) -> Comparison | ContestComparison:
    """Return the comparison of an experiment's cards with the patches of runs and with other pools.

    Args:
        references: runs and pools to compare. A reference is the folder or the experiment of a run
            of `balance`, the folder of a run of `whatif` or `workbench`, or the name or file of a
            pool.
        results: parent of the run folders.
        of: name or file of the experiment, which also determines the seed; `None` for the
            experiment of the first referenced run.
        games: number of games per matchup; `None` for the experiment's number.
        agent: name of an agent that plays every deck; `None` for the agents of the experiment.

    Raises:
        InputError: more than `MOST` references are given; a reference is invalid, is given twice or
            does not fit the experiment; or no reference determines the experiment.
    """
    if len(references) > MOST:
        raise InputError(
            f"{len(references)} pools and runs are given, but at most {MOST} can be compared",
            value=len(references),
            limit=MOST,
            remedy="name fewer",
        )
    paths = [Path(name).resolve() for name in references]
    for name, path in zip(references, paths, strict=True):
        if paths.count(path) > 1:
            raise InputError(f"{name!r} is named twice", value=name, remedy="name it once")
    runs = {n: _open_run(n, results) for n in references if not _is_pool(n, results)}
    if any(game_of_run(run.resolved, "compare") for run in runs.values()):
        return _load_contest_comparison(runs, references, of, games)
    rebuilt = {name: rebuild_experiment(run, agent) for name, run in runs.items()}
    if of is not None:
        current = load_experiment(of, results, agent=agent)
    elif rebuilt:
        current = next(iter(rebuilt.values())).today
    else:
        raise InputError(
            "pools alone do not determine which decks play",
            remedy="add --experiment FILE, or name a run",
        )
    current = current.with_games(games)
    current.contest().require_opponents()
    compared = []
    notes = dict[str, None]()
    names = _names_of(references)
    for name in references:
        if name in rebuilt:
            patched = rebuilt[name].patched
            with error_place(name):
                if patched.ruleset.name != current.ruleset.name:
                    raise InputError(
                        f"has the ruleset {patched.ruleset.name!r}, but is compared with cards of "
                        f"the ruleset {current.ruleset.name!r}",
                        value=patched.ruleset.name,
                        limit=current.ruleset.name,
                    )
                compared.append(_compare_with(current, names[name], patched.pool, patched.ruleset))
            notes |= dict.fromkeys(rebuilt[name].notes)
        else:
            compared.append(_of_pool(current, name, names[name]))
    seeds = {names[name]: run.today.settings.seed for name, run in rebuilt.items()}
    return replace(_comparison(current, compared), notes=tuple(notes), seeds=seeds)


def _load_contest_comparison(
    runs: Mapping[str, FinishedRun], references: Sequence[str], of: str | None, games: int | None
) -> ContestComparison:
    """Return the comparison of a contest's current numbers with those of finished runs.

    Args:
        runs: runs with a patch, by reference.
        references: all references.
        of: name or file of the experiment; `None` for that of the first run.
        games: number of games per matchup; `None` for the experiment's number.

    Raises:
        InputError: a reference is a pool or of a run of another game, or its players differ; or a
            number cannot have the value that it has in a run.
    """
    rebuilt = {name: _rebuild_contest(run) for name, run in runs.items()}
    current = next(iter(rebuilt.values()))[0] if of is None else named_experiment(of).load()
    if games is not None:
        current = current.with_games(games)
    contest = current.contest()
    names = _names_of(references)
    numbers = {gene: contest.parameter(gene) for gene in contest.genes}
    edits = dict[str, Edits]()
    for name in references:
        today, values = rebuilt.get(name, (None, {}))
        if today is None or not _is_same_game(today, current):
            raise InputError(
                f"is of another game or other players than {current.settings.name!r}",
                place=name,
                value=name,
                remedy="name runs of the same players",
                separator=" ",
            )
        with error_place(name):
            steps = {
                gene: number.scale.position(values[gene]) - number.value
                for gene, number in numbers.items()
            }
        edits[names[name]] = {gene: step for gene, step in steps.items() if step}
    notes = tuple(dict.fromkeys(note for run in runs.values() for note in engine_notes(run)))
    seeds = {names[name]: today.settings.seed for name, (today, _) in rebuilt.items()}
    return replace(_comparison_of_edits(current, edits), notes=notes, seeds=seeds)


def _is_same_game(one: ContestExperiment, other: ContestExperiment) -> bool:
    """Return whether two experiments are of one game and have equal matchups and numbers."""
    contests = [experiment.contest() for experiment in (one, other)]
    kinds = [(contest.matchup_names, contest.genes) for contest in contests]
    return one.settings.game == other.settings.game and kinds[0] == kinds[1]


def _rebuild_contest(run: FinishedRun) -> tuple[ContestExperiment, dict[Gene, Value]]:
    """Return the experiment of a finished run without cards, and all values with its patch.

    Raises:
        InputError: a file of the run is damaged, or is not of a contest of this kind.
    """
    game = game_of_run(run.resolved, "compare")
    if game is None:
        run.require_cards()
        raise InputError("is a run of a card game", place=run.path, separator=" ")
    experiment = game.load(recorded_tables(run.resolved), run.path / RESOLVED)
    contest = experiment.contest()
    numbers = {gene: contest.parameter(gene) for gene in contest.genes}
    patch = {(step["card"], step["field"]): step["to"] for step in run.summary["patch"]}
    values = {
        gene: patch.get((number.owner, number.field), number.scale.value(number.value))
        for gene, number in numbers.items()
    }
    return experiment, values


def _comparison_of_edits(
    experiment: ContestExperiment, edits: Mapping[str, Edits]
) -> ContestComparison:
    """Return a comparison of a contest with edited numbers.

    Args:
        experiment: experiment with the current numbers.
        edits: edits by display name.
    """
    compared = tuple(
        Compared(name, of_name, experiment.sized_patch(of_name)) for name, of_name in edits.items()
    )
    n_games = experiment.settings.games.matchups
    return ContestComparison(**vars(experiment), compared=compared, n_games=n_games)


def _example(contest: Contest) -> str:
    """Return a number of a contest in the notation of edits, as an example."""
    if isinstance(contest, CardContest):
        card = contest.table.pool.everything[int(contest.deck_rows[0, 1])]
        return f"{card.id}.cost"
    number = contest.parameter(contest.genes[0])
    return f"{number.owner}.{number.field}"


def _comparison(experiment: Experiment, compared: Sequence[Compared]) -> Comparison:
    """Return a comparison with the games per matchup that the experiment sets."""
    n_games = experiment.settings.games.matchups
    return Comparison(**vars(experiment), compared=tuple(compared), n_games=n_games)


def _names_of(references: Sequence[str]) -> dict[str, str]:
    """Return the display name of each reference, by reference.

    The display name is the last part of the path, or the whole path if another reference has the
    same last part.
    """
    last = [Path(name).name for name in references]
    return {
        name: name if last.count(part) > 1 else part
        for name, part in zip(references, last, strict=True)
    }


def _of_pool(experiment: Experiment, pool: str, name: str) -> ComparedCards:
    """Return a pool with the experiment's current rules, for a comparison.

    Args:
        experiment: experiment with the current cards and rules.
        pool: name or file of the pool.
        name: display name of the pool.

    Raises:
        InputError: the pool does not exist, or the rules do not permit it or the decks.
    """
    return _compare_with(experiment, name, load_pool(pool), experiment.ruleset)


def _compare_with(experiment: Experiment, name: str, pool: Pool, ruleset: Ruleset) -> ComparedCards:
    """Return cards and rules for a comparison, after checking that they permit the decks.

    Args:
        experiment: experiment with the current cards and rules.
        name: display name of the compared cards.
        pool: pool with the compared cards.
        ruleset: compared rules.

    Raises:
        InputError: the rules do not permit the pool, or a deck of the experiment.
    """
    check_pool(pool, ruleset)
    for deck in experiment.decks:
        check_deck(deck.model_copy(update={"pool": pool.name}), pool, ruleset)
    contest = experiment.contest()
    edits = edits_between(contest, pool, ruleset)
    patch = None if edits is None else sized_patch(contest, edits, experiment.settings.tune)
    return ComparedCards(name, edits, patch, pool, ruleset)


def _is_pool(name: str, results: Path) -> bool:
    """Return whether a reference is a file with cards, or the name of a pool and not of a run.

    Args:
        name: reference to a pool or a run.
        results: parent of the run folders.

    Raises:
        InputError: the reference is a file that does not exist, or that contains neither cards nor
            an experiment.
    """
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise InputError(
                "no such file",
                place=name,
                remedy="name a pool file or a run, such as the patched_pool.toml that `evenhand "
                f"balance` writes into its run folder in {results}, or that folder",
            )
        tables = read_toml(path)
        if not {"card", "player", "simulator", "game"} & {*tables}:
            raise InputError(
                "contains neither cards nor an experiment",
                place=name,
                remedy="name a run or a pool",
            )
        return "card" in tables
    is_run = any(name in (run.path.name, run.experiment) for run in kept_runs(results))
    if is_run or path.exists():
        return False
    try:
        find_data_file("pools", name)
    except InputError:
        return False
    return True


def _open_run(name: str, results: Path) -> FinishedRun:
    """Return a finished run with a patch.

    Args:
        name: folder of the run, or name of an experiment with a run of `balance`.
        results: parent of the run folders.

    Raises:
        InputError: the run does not exist, is of a command without a patch, or used a pool that
            differs by more than numbers.
    """
    # A folder may be of any command; the name of an experiment means its `balance` run.
    is_folder = any((folder / PROVENANCE).is_file() for folder in (Path(name), results / name))
    run = open_finished_run(name, results, None if is_folder else "balance")
    if run.command not in ("balance", "whatif", "workbench"):
        raise InputError(
            f"is a run of `{run.command}`, which has no patch",
            place=run.path,
            value=run.command,
            remedy="name a run of `balance` or `whatif`, or a saved session of `workbench`",
            separator=" ",
        )
    if run.summary.get("patch", ()) is None:
        raise InputError(
            "changed the texts of its pool, not only numbers",
            place=run.path,
            remedy="name the file of the changed pool",
            separator=" ",
        )
    return run
