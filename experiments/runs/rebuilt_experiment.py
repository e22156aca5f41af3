"""Experiment of a finished run with a patch, rebuilt from the run's folder.

The files of the experiment may have been changed or deleted since the run. The run folder contains
all cards, decks, rules and settings, but only hashes of trained agents, which are stored elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from agents import require_torch
from balance.cards.card_contest import parameter_of, parameter_of_rules
from balance.contest.contest import Parameter
from balance.contest.patch import Edit, apply_patch, apply_to_rules, edit_of
from experiments.agents import agents_of, load_fitting_pilot
from experiments.experiment import Experiment
from experiments.files.agent_files import PilotFile, agent_near, find_pilot, is_pilot, reference_of
from experiments.files.experiment_file import ExperimentFile
from experiments.files.output_file import pilot_file_name
from experiments.long_games import know_decks
from experiments.one_agent import with_one_agent
from experiments.runs.finished_run import FinishedRun, trained_files
from experiments.runs.json_file import UNFIT
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


@contextmanager
def _damage_of(path: Path) -> Iterator[None]:
    """Report each `InputError` that is raised in the block as damage of a file of the run."""
    try:
        yield
    except InputError as error:
        raise InputError(
            f"{UNFIT}: {error}",
            place=path,
            value=error.value,
            limit=error.limit,
            remedy="repeat the run",
        ) from None


class _Step(StrictModel):
    """Edit of a recommended patch, as stored in a summary."""

    element: ClassVar[str] = "patch"

    card: str
    field: str
    before: int = Field(validation_alias="from")
    after: int = Field(validation_alias="to")


class _Patch(StrictModel):
    """Part of a summary that contains the recommended patch."""

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
    """Experiment of a finished run, without and with the recommended patch.

    Attributes:
        today: experiment as it was run, without the patch.
        patched: experiment with the patch applied to its cards and rules.
        notes: sentences to show with results, such as on a different version of the engine.
    """

    today: Experiment
    patched: Experiment
    notes: tuple[str, ...]


def rebuild_experiment(run: FinishedRun, agent: str | None = None) -> RebuiltExperiment:
    """Rebuild the experiment of a run, without and with its recommended patch.

    Args:
        run: finished run of `balance`, `whatif` or `workbench`. Trained agents are searched in
            training runs next to its folder, and at their paths.
        agent: name of an agent that pilots every deck; by default the agents of the run.

    Raises:
        InputError: the run is not of a card game, a file of it is damaged, or a trained agent is
            missing or has changed.
    """
    run.require_cards()
    today = _load_unpatched(run, agent)
    with _damage_of(run.path / SUMMARY):
        patch = _patch(run, today)
        pool = apply_patch(today.pool, patch)
        ruleset = apply_to_rules(today.ruleset, patch)
        check_pool(pool, ruleset)
    patched = replace(today, pool=pool, ruleset=ruleset)
    return RebuiltExperiment(today, patched, engine_notes(run))


def engine_notes(run: FinishedRun) -> tuple[str, ...]:
    """Return a sentence on a run that another version of the engine made; none for this one."""
    made_by = run.provenance.get("engine_hash")
    here = engine_hash()
    note = (
        f"The run was made by engine {made_by}, this is engine {here}: win rates with the same "
        "cards may differ from those of its report."
    )
    return () if made_by == here else (note,)


def _load_unpatched(run: FinishedRun, agent: str | None) -> Experiment:
    """Return the experiment of a run without the patch, from `resolved.json`.

    Args:
        run: finished run.
        agent: name of an agent that pilots every deck; by default the agents of the run.

    Raises:
        InputError: the file is damaged, or a trained agent is missing or has changed.
    """
    path = run.path / RESOLVED
    with _damage_of(path):
        resolved = validate(_Resolved, run.resolved, source="")
        check_pool(resolved.pool, resolved.ruleset)
        for deck in resolved.decks:
            check_deck(deck, resolved.pool, resolved.ruleset)
        if len(resolved.decks) != len(resolved.experiment.players):
            raise InputError(
                f"the number of decks is {len(resolved.decks)}, but must be "
                f"{len(resolved.experiment.players)}, the number of players"
            )
    know_decks(resolved.decks, resolved.pool)
    bare = Experiment(
        path, resolved.experiment, resolved.ruleset, resolved.pool, resolved.decks, agents=()
    )
    if agent is not None:
        return with_one_agent(bare, agent, run.path.parent)
    return _with_agents(bare, run, resolved.pilots)


def _with_agents(experiment: Experiment, run: FinishedRun, hashes: Mapping[str, str]) -> Experiment:
    """Return an experiment with the agents of its players.

    Args:
        experiment: experiment without agents.
        run: finished run of the experiment.
        hashes: SHA-256 of each trained agent's file at the time of the run, by the agent's name.

    Raises:
        InputError: an agent is unknown, or a trained agent is missing or has changed.
    """
    pilots: dict[str, PilotFile] = {}

    def load(name: str, decks: Sequence[Deck]) -> Agent:
        """Return the agent with a name, after checking that it can play the given decks."""
        with error_place(f"{run.path}: agent {name!r}"):
            if not is_pilot(name):
                return agent_near(name, run.path / RESOLVED)
            pilots[name] = _recorded_pilot(name, hashes.get(name), run)
            return load_fitting_pilot(name, pilots[name], experiment, decks)

    names = [player.agent for player in experiment.settings.players]
    return replace(experiment, agents=agents_of(names, experiment.decks, load), pilots=pilots)


def _recorded_pilot(name: str, content: str | None, run: FinishedRun) -> PilotFile:
    """Return the file of the trained agent that played in a run.

    If the agent was trained again later, the file is searched in older training runs.

    Args:
        name: name of the agent.
        content: SHA-256 of the agent's file at the time of the run; `None` if it is not recorded.
        run: finished run.

    Raises:
        InputError: the file is missing or has changed.
    """
    require_torch(f"agent {name!r}")
    results = run.path.parent
    experiment, _, learner = reference_of(name).rpartition("/")
    if not name.endswith(".pt"):
        for path in trained_files(results, experiment, pilot_file_name(learner)):
            if (candidate := PilotFile.at(path)).content == content:
                return candidate
    candidate = find_pilot(name, near=run.path / RESOLVED, results=results)
    if candidate.content == content:
        return candidate
    raise InputError(
        f"has changed since the run: its SHA-256 begins with {candidate.content[:12]}, not "
        f"{(content or 'none')[:12]}",
        place=candidate.path,
        value=candidate.content,
        limit=content,
        remedy=f"run `evenhand {run.command}` again",
    )


def _patch(run: FinishedRun, today: Experiment) -> tuple[Edit, ...]:
    """Return the recommended patch, after checking it against the cards and rules of the run.

    Args:
        run: finished run.
        today: experiment of the run, without the patch.

    Raises:
        InputError: the summary has no valid patch, or an edit has an unknown card or field or a
            different previous value.
    """
    content = {"patch": run.summary["patch"]} if "patch" in run.summary else {}
    edits = []
    for step in validate(_Patch, content, source="").patch:
        number = _number(step.card, step.field, today)
        if number.value != step.before:
            raise InputError(
                f"changes {step.field} from {step.before} to {step.after}, but the unpatched value "
                f"is {number.value}",
                place=f"patch: {number.owner!r}",
                value=step.before,
                limit=number.value,
            )
        edits.append(edit_of(number, step.after))
    return tuple(edits)


def _number(owner: str, field: str, today: Experiment) -> Parameter:
    """Return the number that an edit changes.

    Args:
        owner: id of the card, or `RULES` for the rules.
        field: name of the field.
        today: experiment with the unchanged cards and rules.

    Raises:
        InputError: the card or the field does not exist.
    """
    if owner == RULES and field in RULE_LABELS:
        return parameter_of_rules(today.ruleset, field)
    card = today.pool.card(owner)
    return parameter_of(card, known_word("field", field, card.fields))
