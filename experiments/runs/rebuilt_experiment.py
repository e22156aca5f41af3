"""Experiment of a finished balance run, rebuilt from the run's folder.

The files that the experiment was read from may have changed since or be deleted; the run folder has
cards, decks, rules and settings in full. Only trained agents are elsewhere; the folder has their
hashes.
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
    """An edit in a summary."""

    element: ClassVar[str] = "patch"

    card: str
    field: str
    before: int = Field(validation_alias="from")
    after: int = Field(validation_alias="to")


class _Patch(StrictModel):
    """The part of a summary with the recommended patch."""

    patch: tuple[_Step, ...]


class _Resolved(StrictModel):
    """Content of `resolved.json`: everything that the results of a run depend on."""

    command: str
    experiment: ExperimentFile
    ruleset: Ruleset
    pool: Pool
    decks: tuple[Deck, ...]
    pilots: dict[str, str]
    compared: tuple[Any, ...] = ()  # only in runs of `whatif`


@dataclass(frozen=True)
class RebuiltExperiment:
    """Experiment of a run with a patch, before and after the patch.

    Attributes:
        today: the experiment as it was run.
        patched: the same with the recommended patch and the same trained agents.
        notes: sentences that a reader of results should see.
    """

    today: Experiment
    patched: Experiment
    notes: tuple[str, ...]


def rebuild_experiment(run: FinishedRun, agent: str | None = None) -> RebuiltExperiment:
    """Rebuild the experiment of a run.

    Args:
        run: the finished run, of `balance` or `whatif`. Trained agents are searched next to its
            folder, and where they were at the time of the run.
        agent: name of an agent that pilots every deck; default as in the run.

    Raises:
        InputError: a file of the run is damaged, or a trained agent is missing or has changed;
            names the file and the fault.
    """
    run.require_cards()
    today = _load_unpatched(run, agent)
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


def _load_unpatched(run: FinishedRun, agent: str | None) -> Experiment:
    """Return the experiment as it was run, by its `resolved.json`.

    Args:
        run: the finished run.
        agent: name of an agent that pilots every deck; default as in the run.
    """
    path = run.path / RESOLVED
    with error_place(f"{path}: {_DAMAGED}"):
        resolved = validate(_Resolved, run.resolved, source="resolved")
        check_pool(resolved.pool, resolved.ruleset)
        for deck in resolved.decks:
            check_deck(deck, resolved.pool, resolved.ruleset)
        if len(resolved.decks) != len(resolved.experiment.players):
            raise InputError(
                f"{len(resolved.decks)} decks for {len(resolved.experiment.players)} players"
            )
    know_decks(resolved.decks, resolved.pool)
    bare = Experiment(
        path, resolved.experiment, resolved.ruleset, resolved.pool, resolved.decks, agents=()
    )
    if agent is not None:
        return with_one_agent(bare, agent, run.path.parent)
    return _with_agents(bare, run, resolved.pilots)


def _with_agents(experiment: Experiment, run: FinishedRun, hashes: Mapping[str, str]) -> Experiment:
    """Return the experiment with the players' agents.

    Args:
        experiment: the experiment without agents.
        run: the finished run.
        hashes: SHA-256 of each trained agent's file, by the agent's name.
    """
    pilots: dict[str, PilotFile] = {}

    def load(name: str, decks: Sequence[Deck]) -> Agent:
        """Return the agent of a name that fits all its decks."""
        with error_place(f"{run.path}: agent {name!r}"):
            if not is_pilot(name):
                return agent_near(name, run.path / RESOLVED)
            pilots[name] = _recorded_pilot(name, hashes.get(name), run)
            return load_fitting_pilot(name, pilots[name], experiment, decks)

    names = [player.agent for player in experiment.settings.players]
    return replace(experiment, agents=agents_of(names, experiment.decks, load), pilots=pilots)


def _recorded_pilot(name: str, content: str | None, run: FinishedRun) -> PilotFile:
    """Return the trained agent that played in the run, even if it has been trained again since.

    Args:
        name: name of the agent.
        content: SHA-256 of its file at the time of the run; `None` if not recorded.
        run: the finished run.

    Raises:
        InputError: the file has changed or is missing.
    """
    require_torch(f"agent {name!r}")
    results = run.path.parent
    experiment, _, learner = reference_of(name).rpartition("/")
    # The learner may have been trained again since: older runs are searched for the same content.
    if not name.endswith(".pt"):
        for path in trained_files(results, experiment, pilot_file_name(learner)):
            if (candidate := PilotFile.at(path)).content == content:
                return candidate
    candidate = find_pilot(name, near=run.path / RESOLVED, results=results)
    if candidate.content == content:
        return candidate
    raise InputError(
        f"has changed since the run: its sha256 begins {candidate.content[:12]}, that of the run "
        f"{(content or 'none')[:12]}",
        place=candidate.path,
        value=candidate.content,
        limit=content,
        remedy=f"run `evenhand {run.command}` again",
    )


def _patch(run: FinishedRun, today: Experiment) -> tuple[Edit, ...]:
    """Return the recommended patch, after checking it against the run's cards and rules.

    Args:
        run: the finished run.
        today: its experiment.

    Raises:
        InputError: the patch does not fit.
    """
    content = {"patch": run.summary["patch"]} if "patch" in run.summary else {}
    edits = []
    for step in validate(_Patch, content, source=SUMMARY).patch:
        number = _number(step.card, step.field, today)
        if number.value != step.before:
            raise InputError(
                f"{step.field} {step.before} -> {step.after}, but the run's value is "
                f"{number.value}",
                place=f"patch: {number.owner!r}",
                value=step.before,
                limit=number.value,
            )
        edits.append(edit_of(number, step.after))
    return tuple(edits)


def _number(owner: str, field: str, today: Experiment) -> Parameter:
    """Return the number that an edit changes.

    Raises:
        InputError: there is no such card or field.
    """
    if owner == RULES and field in RULE_LABELS:
        return parameter_of_rules(today.ruleset, field)
    card = today.pool.card(owner)
    return parameter_of(card, known_word("field", field, card.fields))
