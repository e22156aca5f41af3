"""The experiment of a finished balance run, rebuilt from what its folder holds.

The files that the experiment was read from may have changed since, or be gone: the run folder
keeps cards, decks, rules and settings whole. Only trained agents lie elsewhere; the folder keeps
their hashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import Field

from agents import require_torch
from balance.card_contest import parameter_of, parameter_of_rules
from balance.contest import Parameter
from balance.patch import Edit, apply_patch, apply_to_rules, edit_of
from experiments.agents import agents_of, load_fitting_pilot
from experiments.experiment import Experiment
from experiments.files.agent_files import PilotFile, agent_near, find_pilot, is_pilot, reference_of
from experiments.files.experiment_file import ExperimentFile
from experiments.files.output_file import pilot_file_name
from experiments.long_games import know_decks
from experiments.one_agent import with_one_agent
from experiments.runs.finished_run import FinishedRun, trained_files
from experiments.runs.run_folder import RESOLVED, engine_hash
from sim import (
    Deck,
    InputError,
    Pool,
    Ruleset,
    StrictModel,
    check_deck,
    check_pool,
    error_place,
    known_word,
    validate,
)
from sim.play.agent import Agent
from sim.ruleset import RULE_LABELS, RULES

SUMMARY = "summary.json"
_DAMAGED = "damaged, or of another version"


class _Step(StrictModel):
    """An edit as a summary writes it."""

    element: ClassVar[str] = "patch"

    card: str
    field: str
    before: int = Field(validation_alias="from")
    after: int = Field(validation_alias="to")


class _Patch(StrictModel):
    patch: tuple[_Step, ...]


class _Resolved(StrictModel):
    """What the results of a run depend on, as its folder keeps it."""

    command: str
    experiment: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]
    pilots: dict[str, str]
    compared: tuple[Any, ...] = ()  # of `whatif`


@dataclass(frozen=True)
class RebuiltExperiment:
    """The experiment of a run that has a patch, with today's cards and with the patched ones.

    Attributes:
        today: as it was run.
        patched: the same with the recommended patch; trained agents are those of today.
        notes: what a reader of results should know, in sentences.
    """

    today: Experiment
    patched: Experiment
    notes: tuple[str, ...]


def rebuild_experiment(run: FinishedRun, agent: str | None = None) -> RebuiltExperiment:
    """The experiment of a run.

    Args:
        run: the finished run, of `balance` or `whatif`; trained agents are looked for beside its
            folder, and where they were when it was run.
        agent: pilots every deck; default as in the run.

    Raises:
        InputError: a file of the run is damaged, or a trained agent is gone or has changed; names
            the file and what is wrong in it.
    """
    run.require_cards()
    today = _today(run, agent)
    with error_place(f"{run.path / SUMMARY}: {_DAMAGED}"):
        patch = _patch(run, today)
        pool = apply_patch(today.pool, patch)
        ruleset = apply_to_rules(today.ruleset, patch)
        check_pool(pool, ruleset)
    made_by = run.provenance.get("engine_hash")
    here = engine_hash()
    note = (
        f"The run was made by engine {made_by}, this is engine {here}: win rates with the same "
        "cards may differ from those of its report."
    )
    patched = replace(today, pool=pool, ruleset=ruleset)
    return RebuiltExperiment(today, patched, () if made_by == here else (note,))


def _today(run: FinishedRun, agent: str | None) -> Experiment:
    path = run.path / RESOLVED
    with error_place(f"{path}: {_DAMAGED}"):
        found = validate(_Resolved, run.resolved, source="resolved")
        check_pool(found.pool, found.ruleset)
        for deck in found.decks:
            check_deck(deck, found.pool, found.ruleset)
        if len(found.decks) != len(found.experiment.players):
            raise InputError(
                f"{len(found.decks)} decks for {len(found.experiment.players)} players"
            )
    know_decks(found.decks, found.pool)
    bare = Experiment(path, found.experiment, found.ruleset, found.pool, found.decks, agents=())
    if agent is not None:
        return with_one_agent(bare, agent, run.path.parent)
    return _seated(bare, run, found.pilots)


def _seated(experiment: Experiment, run: FinishedRun, content: Mapping[str, str]) -> Experiment:
    """The experiment with the players' agents."""
    pilots: dict[str, PilotFile] = {}

    def load(name: str, theirs: Sequence[Deck]) -> Agent:
        with error_place(f"{run.path}: agent {name!r}"):
            if not is_pilot(name):
                return agent_near(name, run.path / RESOLVED)
            pilots[name] = _recorded_pilot(name, content.get(name), run)
            return load_fitting_pilot(name, pilots[name], experiment, theirs)

    names = [player.agent for player in experiment.settings.players]
    return replace(experiment, agents=agents_of(names, experiment.decks, load), pilots=pilots)


def _recorded_pilot(name: str, content: str | None, run: FinishedRun) -> PilotFile:
    """The trained agent that played in the run, whatever has been trained since."""
    require_torch(f"agent {name!r}")
    results = run.path.parent
    experiment, _, learner = reference_of(name).rpartition("/")
    if not name.endswith(".pt"):
        for path in trained_files(results, experiment, pilot_file_name(learner)):
            if (found := PilotFile.at(path)).content == content:
                return found
    found = find_pilot(name, near=run.path / RESOLVED, results=results)
    if found.content == content:
        return found
    raise InputError(
        f"{found.path} has changed since the run: its sha256 begins {found.content[:12]}, that of "
        f"the run {(content or 'none')[:12]}; run `evenhand {run.command}` again"
    )


def _patch(run: FinishedRun, today: Experiment) -> tuple[Edit, ...]:
    """The recommended patch, which must fit the cards and rules that it was found for."""
    given = {"patch": run.summary["patch"]} if "patch" in run.summary else {}
    edits = []
    for step in validate(_Patch, given, source=SUMMARY).patch:
        number = _number(step.card, step.field, today)
        if number.value != step.before:
            raise InputError(
                f"patch: {number.owner!r}: {step.field} {step.before} -> {step.after}, but the "
                f"run's have {number.value}"
            )
        edits.append(edit_of(number, step.after))
    return tuple(edits)


def _number(owner: str, field: str, today: Experiment) -> Parameter:
    if owner == RULES and field in RULE_LABELS:
        return parameter_of_rules(today.ruleset, field)
    card = today.pool.card(owner)
    return parameter_of(card, known_word("field", field, card.fields))
