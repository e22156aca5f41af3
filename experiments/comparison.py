"""Comparisons: an experiment's cards and rules of today, and others beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from balance import apply_patch
from balance.patch import apply_to_rules
from balance.pool_edits import SizedPatch, edits_between, sized_patch
from balance.whatif import Edits
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


@dataclass(frozen=True)
class Compared:
    """Cards and rules that are compared with today's.

    Attributes:
        name: what people call them.
        pool: the cards.
        ruleset: the rules.
        edits: what makes them of today's; `None` where more than numbers differ.
        patch: the same as a patch.
    """

    name: str
    pool: Pool
    ruleset: Ruleset
    edits: Edits | None
    patch: SizedPatch | None

    def resolved(self) -> dict[str, Any]:
        """What results depend on, as plain data."""
        if self.patch is not None:
            edits = [[one.card, one.field, one.after] for one in self.patch.edits]
            return {"name": self.name, "edits": edits}
        pool = self.pool.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"name": self.name, "pool": pool, "ruleset": self.ruleset.model_dump(mode="json")}


@dataclass(frozen=True, kw_only=True)
class Comparison(Experiment):
    """An experiment, and what its cards and rules are compared with.

    Attributes:
        compared: at least one.
        n_games: per matchup.
        notes: what a reader of results should know, in sentences.
        seeds: of the runs that are compared, by what people call them.
    """

    compared: tuple[Compared, ...]
    n_games: int
    notes: tuple[str, ...] = ()
    seeds: Mapping[str, int] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        """The notes, and which seed and games count where runs had others."""
        seed = self.settings.seed
        others = [f"{name} had {own}" for name, own in self.seeds.items() if own != seed]
        anew = (
            f"All play anew on equal seeds, those of seed {seed}, {self.n_games:,} games per "
            f"matchup: {', '.join(others)}."
        )
        return (*self.notes, anew) if others else self.notes

    def resolved(self, command: str = "") -> dict[str, Any]:
        """Everything that the results of `command` depend on, as plain data."""
        plain = Experiment.resolved(self, command)
        return plain | {"compared": [one.resolved() for one in self.compared]}


def ask_whatif(experiment: Experiment, edits: Sequence[str], pool: str | None) -> Comparison:
    """The experiment beside what edits, or another pool, make of it.

    Args:
        experiment: today.
        edits: as `experiments.files.edits` reads them.
        pool: instead of those, a pool's name or file.

    Raises:
        InputError: nothing is asked, or an edit or the pool does not fit.
    """
    contest = experiment.contest()
    contest.require_opponents()
    if not edits and pool is None:
        card = contest.table.pool.everything[int(contest.deck_rows[0, 1])]
        raise InputError(
            "which edits?",
            place="whatif",
            remedy=f"name some, such as {card.id}.cost+1",
            is_complete=True,
        )
    if edits and pool is not None:
        raise option_error("pool", f"{pool}: is instead of edits; leave out {' '.join(edits)}")
    if pool is not None:
        with option_place("pool"):
            one = _of_pool(experiment, pool, Path(pool).name)
    else:
        patch = sized_patch(contest, read_edits(edits, contest), experiment.settings.tune).edits
        cards = apply_patch(experiment.pool, patch)
        rules = apply_to_rules(experiment.ruleset, patch)
        one = _beside(experiment, "edited", cards, rules)
    return _comparison(experiment, [one])


def load_comparison(
    references: Sequence[str],
    results: Path,
    *,
    of: str | None,
    games: int | None,
    agent: str | None = None,
) -> Comparison:
    """Runs with patches, and pools, beside what their experiment is today.

    Args:
        references: each the folder or the experiment of a run of `balance`, the folder of one of
            `whatif`, or the file of a pool.
        results: parent of the run folders.
        of: the experiment, whose seed counts too; default that of the first run.
        games: per matchup; default the experiment's.
        agent: pilots every deck; default as the experiment says.

    Raises:
        InputError: one is neither or does not fit the others, or no experiment is named.
    """
    if len(references) > MOST:
        raise InputError(f"{len(references)} to compare; at most {MOST} fit one table")
    paths = [Path(name).resolve() for name in references]
    for name, path in zip(references, paths, strict=True):
        if paths.count(path) > 1:
            raise InputError(f"{name!r} is named twice; once is enough")
    rebuilt = {n: _rebuilt(n, results, agent) for n in references if not _is_pool(n, results)}
    if of is not None:
        today = load_experiment(of, results, agent=agent)
    elif rebuilt:
        today = next(iter(rebuilt.values())).today
    else:
        raise InputError("whose decks play with these pools? Add --experiment FILE, or name a run")
    today = today.with_games(games)
    today.contest().require_opponents()
    compared = []
    notes = dict[str, None]()
    names = _names_of(references)
    for name in references:
        if name in rebuilt:
            patched = rebuilt[name].patched
            with error_place(name):
                if patched.ruleset.name != today.ruleset.name:
                    raise InputError(
                        f"is of the ruleset {patched.ruleset.name!r}, and what it is compared with "
                        f"of {today.ruleset.name!r}"
                    )
                compared.append(_beside(today, names[name], patched.pool, patched.ruleset))
            notes |= dict.fromkeys(rebuilt[name].notes)
        else:
            compared.append(_of_pool(today, name, names[name]))
    seeds = {names[name]: one.today.settings.seed for name, one in rebuilt.items()}
    return replace(_comparison(today, compared), notes=tuple(notes), seeds=seeds)


def _comparison(experiment: Experiment, compared: Sequence[Compared]) -> Comparison:
    n_games = experiment.settings.games.matchups
    return Comparison(**vars(experiment), compared=tuple(compared), n_games=n_games)


def _names_of(references: Sequence[str]) -> dict[str, str]:
    """What people call each: the last part of its path, or all of it where several end so."""
    last = [Path(name).name for name in references]
    return {
        name: name if last.count(one) > 1 else one
        for name, one in zip(references, last, strict=True)
    }


def _of_pool(experiment: Experiment, pool: str, name: str) -> Compared:
    """Another pool under the rules of today."""
    return _beside(experiment, name, load_pool(pool), experiment.ruleset)


def _beside(experiment: Experiment, name: str, pool: Pool, ruleset: Ruleset) -> Compared:
    """Other cards and rules, which must allow the decks."""
    check_pool(pool, ruleset)
    for deck in experiment.decks:
        check_deck(deck.model_copy(update={"pool": pool.name}), pool, ruleset)
    contest = experiment.contest()
    edits = edits_between(contest, pool, ruleset)
    patch = None if edits is None else sized_patch(contest, edits, experiment.settings.tune)
    return Compared(name, pool, ruleset, edits, patch)


def _is_pool(name: str, results: Path) -> bool:
    """Whether it is the file of a pool, or the name of a shipped one and of no run."""
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise InputError(
                f"{name}: no such file; `evenhand balance` keeps the patched cards as "
                f"patched_pool.toml in its folder in {results}, and that folder can be named too"
            )
        told = read_toml(path)
        if not {"card", "player"} & {*told}:
            raise InputError(f"{name}: holds neither cards nor an experiment; name a run or a pool")
        return "card" in told
    is_run = any(name in (run.path.name, run.experiment) for run in kept_runs(results))
    if is_run or path.exists():
        return False
    try:
        find_data_file("pools", name)
    except InputError:
        return False
    return True


def _rebuilt(name: str, results: Path, agent: str | None) -> RebuiltExperiment:
    """The experiment of a run that has a patch."""
    is_folder = any((folder / PROVENANCE).is_file() for folder in (Path(name), results / name))
    run = open_finished_run(name, results, None if is_folder else "balance")
    if run.command not in ("balance", "whatif", "workbench"):
        raise InputError(
            f"{run.path} is a run of `{run.command}`; runs of `balance` and `whatif` have a patch, "
            "and saved sessions of `workbench`"
        )
    if run.summary.get("patch", ()) is None:
        raise InputError(f"{run.path} is of a pool with other texts; name the file of that pool")
    return rebuild_experiment(run, agent)
