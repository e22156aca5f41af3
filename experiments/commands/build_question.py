"""Experiments of `evenhand build` and `outliers`: the file combined with the options, checked."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from agents.registry import agent_named, known_spelling
from balance.decks.building import check_build, usual_pilot
from balance.metagame.field import field_of
from balance.settings.tables import Build
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
    """Return the experiment with the options of the command line in its `[build]` table.

    An option that is `None` leaves the setting of the file unchanged.

    Args:
        experiment: the experiment as its file describes it.
        agent: name of the pilot of a new deck; if neither this nor the file names a pilot, the
            pilot of most opponents plays it.
        hero: hero of a new deck.
        improve: name of the player with the deck to improve.
        swaps: maximum number of cards to replace in an improved deck.
        collection: CSV file of the cards that are owned.
        budget: maximum price of all copies that the collection lacks.
        goal: win rate, from 0 to 1, that the lower bound of the deck's win rate must reach; 0 for
            an improved deck if left out.
        within: column of the cards' sheet in which all cards of a deck must have the same value.

    Raises:
        InputError: an option does not fit the experiment or another option, or no deck is allowed.
    """
    if improve is not None:
        improve = experiment.player_names[experiment.position(improve, "improve")]
    options = given(
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
            options["agent"] = with_file_beside(known_spelling(agent), experiment.path)
    elif _leaves_pilot_open(experiment.settings.build, improve):
        options |= given(agent=_pilot_of_opponents(experiment))
    if improve is not None:
        # The goal of the file is meant for a new deck, not for an improved one.
        options.setdefault("goal", 0.0)
    build = validate(Build, experiment.settings.build.model_dump() | options, source="build")
    _check_options(build, agent=agent, hero=hero, swaps=swaps)
    if build.improve is None and is_pilot(build.agent):
        raise InputError(
            f"{build.agent!r} is a trained agent, which plays only the decks that it learned",
            place="build.agent",
            value=build.agent,
            remedy="name an agent that plays all decks, such as light; for a list, run: "
            "evenhand agents",
        )
    if agent is not None:
        with option_place("agent"):
            agent_named(build.agent)
    if hero is not None:
        with option_place("hero"):
            known = hero_names(experiment.pool).find(hero)
        build = build.model_copy(update={"hero": known})
    complete = experiment.with_settings(build=build).with_collection(collection)
    with option_place("within") if within is not None else nullcontext():
        complete = complete.with_known_names()
    check_build(complete.contest(), complete.settings)
    return complete


def _leaves_pilot_open(build: Build, improve: str | None) -> bool:
    """Return whether a new deck is to be built and the file names no pilot for it."""
    return improve is None and build.improve is None and "agent" not in build.model_fields_set


def _pilot_of_opponents(experiment: Experiment) -> str | None:
    """Return the pilot of most opponents; `None` if `[build] agent` cannot name such a pilot."""
    usual = usual_pilot(field_of(experiment.contest(), experiment.settings.field.weights))
    if usual is None:
        return None
    try:
        name = with_file_beside(usual, experiment.path)
        agent_named(name)
    except InputError:  # for example, for weights that a run has tuned
        return None
    return name


def _check_options(build: Build, *, agent: str | None, hero: str | None, swaps: int | None) -> None:
    """Check that all given options have an effect for this kind of deck.

    Raises:
        InputError: `swaps` is given for a new deck, or `agent` or `hero` for an improved deck.
    """
    if build.improve is None:
        if swaps is not None:
            raise option_error(
                f"swaps {swaps}",
                "only an improved deck has swaps",
                value=swaps,
                remedy="add --improve PLAYER, or leave the option out",
            )
        return
    for option, value in (("agent", agent), ("hero", hero)):
        if value is not None:
            raise option_error(
                f"{option} {value}",
                f"an improved deck keeps its own {option}",
                value=value,
                remedy="leave the option out",
            )
