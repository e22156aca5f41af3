"""What `evenhand build` and `outliers` are asked: their options in place of a file's settings."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from agents.registry import agent_named, known_spelling
from balance.decks.building import check_build, usual_pilot
from balance.metagame.field import field_of
from balance.settings import Build
from experiments.experiment import Experiment
from experiments.files.agent_files import is_pilot, with_file_beside
from experiments.files.option_errors import given, option_error, option_place
from sim import InputError, validate
from sim.cards.names import hero_names


def ask_build(
    experiment: Experiment,
    *,
    agent: str | None = None,
    hero: str | None = None,
    improve: str | None = None,
    swaps: int | None = None,
    collection: Path | None = None,
    budget: float | None = None,
    goal: float | None = None,
    within: str | None = None,
) -> Experiment:
    """The experiment with what the command line says instead of its `[build]` table, checked.

    Args:
        experiment: the rest.
        agent: pilot of a new deck.
        hero: who plays a new deck.
        improve: player whose deck is improved.
        swaps: most cards of it that are replaced.
        collection: CSV file of the cards that are owned.
        budget: most that all other copies may cost.
        goal: win rate that the deck must certainly reach.
        within: column of the cards' sheet, of which a deck has one value.

    Raises:
        InputError: the settings do not fit each other or the experiment, or allow no deck.
    """
    if improve is not None:
        improve = experiment.player_names[experiment.position(improve, "improve")]
    said = given(
        agent=agent,
        hero=hero,
        improve=improve,
        swaps=swaps,
        budget=budget,
        goal=goal,
        within=within,
    )
    if agent is not None:
        with option_place("agent"):
            said["agent"] = with_file_beside(known_spelling(agent), experiment.path)
    elif _leaves_pilot_open(experiment.settings.build, improve):
        said |= given(agent=_pilot_of_opponents(experiment))
    if improve is not None:
        said.setdefault("goal", 0.0)  # the file's is one for a deck that is built anew
    build = validate(Build, experiment.settings.build.model_dump() | said, source="build")
    _check_options(build, agent=agent, hero=hero, swaps=swaps)
    if build.improve is None and is_pilot(build.agent):
        raise InputError(
            f"build.agent: {build.agent!r}: a trained agent plays only the decks that it learned; "
            "name a registered one"
        )
    if agent is not None:
        with option_place("agent"):
            agent_named(build.agent)
    if hero is not None:
        with option_place("hero"):
            known = hero_names(experiment.pool).find(hero)
        build = build.model_copy(update={"hero": known})
    asked = experiment.with_settings(build=build).with_collection(collection)
    with option_place("within") if within is not None else nullcontext():
        asked = asked.with_known_names()
    check_build(asked.contest(), asked.settings)
    return asked


def _leaves_pilot_open(told: Build, improve: str | None) -> bool:
    """Whether a deck is built anew, and the file names no pilot for it."""
    return improve is None and told.improve is None and "agent" not in told.model_fields_set


def _pilot_of_opponents(experiment: Experiment) -> str | None:
    """Who pilots most opponents, as `[build] agent` names it; `None` if only players can be so."""
    usual = usual_pilot(field_of(experiment.contest(), experiment.settings.field.weights))
    if usual is None:
        return None
    try:
        name = with_file_beside(usual, experiment.path)
        agent_named(name)
    except InputError:  # such as weights that a run has tuned
        return None
    return name


def _check_options(build: Build, *, agent: str | None, hero: str | None, swaps: int | None) -> None:
    """Refuse options that have no meaning beside the others."""
    if build.improve is None:
        if swaps is not None:
            raise option_error(
                f"swaps {swaps}", "only an improved deck has swaps; add --improve PLAYER"
            )
        return
    for option, value in (("agent", agent), ("hero", hero)):
        if value is not None:
            raise option_error(f"{option} {value}", f"an improved deck keeps its own {option}")
