"""Comparison of an experiment's current cards and rules with edited ones, pools and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from balance import apply_patch
from balance.cards.pool_edits import SizedPatch, edits_between, sized_patch
from balance.contest.patch import apply_to_rules
from balance.contest.whatif import Edits
from experiments.experiment import Experiment
from experiments.files.edits import read_edits
from experiments.files.option_errors import option_error, option_place
from experiments.loading import load_experiment
from experiments.runs.finished_run import PROVENANCE, kept_runs, open_finished_run
from experiments.runs.rebuilt_experiment import RebuiltExperiment, rebuild_experiment
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

MOST = 9
"""Maximum number of pools and runs in a comparison: more do not fit into one table."""


@dataclass(frozen=True)
class Compared:
    """Cards and rules that are compared with the current ones of an experiment.

    Attributes:
        name: display name of the compared cards, such as the name of their run or pool.
        pool: pool with the compared cards.
        ruleset: compared rules.
        edits: edits that change the current cards and rules into these; `None` if more than numbers
            differ.
        patch: edits as a patch with its size; `None` if more than numbers differ.
    """

    name: str
    pool: Pool
    ruleset: Ruleset
    edits: Edits | None
    patch: SizedPatch | None

    def resolved(self) -> dict[str, Any]:
        """Return all data of the compared cards on which results depend, as plain data.

        These are the edits or, if more than numbers differ, the whole pool and ruleset.
        """
        if self.patch is not None:
            edits = [[edit.card, edit.field, edit.after] for edit in self.patch.edits]
            return {"name": self.name, "edits": edits}
        pool = self.pool.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"name": self.name, "pool": pool, "ruleset": self.ruleset.model_dump(mode="json")}


@dataclass(frozen=True, kw_only=True)
class Comparison(Experiment):
    """Experiment with other cards and rules that are compared with its current ones.

    Attributes:
        compared: compared cards and rules, at least one.
        n_games: number of games per matchup with each of them.
        notes: sentences about the compared runs for readers of the results.
        seeds: seeds of the compared runs, by display name.
    """

    compared: tuple[Compared, ...]
    n_games: int
    notes: tuple[str, ...] = ()
    seeds: Mapping[str, int] = field(default_factory=dict)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Notes for readers of the results.

        If a compared run had another seed, a sentence on the seed and the games is added.
        """
        seed = self.settings.seed
        others = [f"{name} had {own}" for name, own in self.seeds.items() if own != seed]
        anew = (
            f"All play anew on equal seeds, those of seed {seed}, {self.n_games:,} games per "
            f"matchup: {', '.join(others)}."
        )
        return (*self.notes, anew) if others else self.notes

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Return all data on which the results of a command depend, as plain data.

        Args:
            command: name of the command, such as `whatif`.
        """
        plain = Experiment.resolved(self, command)
        return plain | {"compared": [compared.resolved() for compared in self.compared]}


def ask_whatif(experiment: Experiment, edits: Sequence[str], pool: str | None) -> Comparison:
    """Return the comparison of an experiment's cards with edited ones, or with another pool.

    Args:
        experiment: experiment with the current cards.
        edits: edits in the notation of `experiments.files.edits`.
        pool: name or file of a pool in place of edits; `None` to use the edits.

    Raises:
        InputError: neither edits nor a pool are given, or both; or an edit or the pool does not fit
            the experiment.
    """
    contest = experiment.contest()
    contest.require_opponents()
    if not edits and pool is None:
        card = contest.table.pool.everything[int(contest.deck_rows[0, 1])]
        raise InputError(
            "no edits given",
            place="whatif",
            remedy=f"name some, such as {card.id}.cost+1",
            is_complete=True,
        )
    if edits and pool is not None:
        raise option_error(
            "pool",
            f"cannot be combined with edits (value: {pool})",
            value=pool,
            remedy=f"leave out --pool, or the edits {' '.join(edits)}",
        )
    if pool is not None:
        with option_place("pool"):
            compared = _of_pool(experiment, pool, Path(pool).name)
    else:
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
) -> Comparison:
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
    rebuilt = {n: _rebuild(n, results, agent) for n in references if not _is_pool(n, results)}
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


def _of_pool(experiment: Experiment, pool: str, name: str) -> Compared:
    """Return a pool with the experiment's current rules, for a comparison.

    Args:
        experiment: experiment with the current cards and rules.
        pool: name or file of the pool.
        name: display name of the pool.

    Raises:
        InputError: the pool does not exist, or the rules do not permit it or the decks.
    """
    return _compare_with(experiment, name, load_pool(pool), experiment.ruleset)


def _compare_with(experiment: Experiment, name: str, pool: Pool, ruleset: Ruleset) -> Compared:
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
    return Compared(name, pool, ruleset, edits, patch)


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
        if not {"card", "player"} & {*tables}:
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


def _rebuild(name: str, results: Path, agent: str | None) -> RebuiltExperiment:
    """Return the experiment of a finished run with a patch, rebuilt from the run folder.

    Args:
        name: folder of the run, or name of an experiment with a run of `balance`.
        results: parent of the run folders.
        agent: name of an agent that plays every deck; `None` for the agents of the run.

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
    return rebuild_experiment(run, agent)
