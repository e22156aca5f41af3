"""`evenhand build`: a strong deck against a field, or a better one by a few swaps."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from agents.registry import agent_named
from balance.decks.building import BuiltDeck, build_deck, check_build
from balance.decks.search import DeckState
from balance.settings import Build
from experiments.collection import read_collection
from experiments.commands.build_report import advice, purchase, show, summarise, worth
from experiments.console import Screen
from experiments.deck_file import deck_text
from experiments.experiment import Experiment
from experiments.option_errors import OptionError, about_option
from experiments.pilots import is_pilot
from experiments.results import building
from experiments.runs.checkpoint import load_checkpoint, remove_checkpoint, save_checkpoint
from experiments.runs.run_folder import RunFolder
from sim.errors import InputError, unknown_word
from sim.files.strict_model import validate


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

    Raises:
        InputError: the settings do not fit each other or the experiment, or allow no deck.
    """
    given = {
        "agent": agent, "hero": hero, "improve": improve, "swaps": swaps, "budget": budget,
        "goal": goal,
    }  # fmt: skip
    said = {key: value for key, value in given.items() if value is not None}
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
        with about_option("agent"):
            agent_named(agent)
    if hero is not None:
        with about_option("hero"):
            experiment.pool.hero(hero)
    if improve is not None:
        names = [player.name for player in experiment.contest().players]
        if improve not in names:
            raise OptionError("improve", unknown_word("player", improve, names))
    changes: dict[str, Any] = {"build": build}
    if collection is not None:
        with about_option("collection"):
            changes["collection"] = read_collection(collection, experiment.pool)
    asked = experiment.with_settings(**changes)
    check_build(asked.contest(), asked.settings)
    return asked


def _check_options(build: Build, *, agent: str | None, hero: str | None, swaps: int | None) -> None:
    """Refuse options that have no meaning beside the others."""
    if build.improve is None:
        if swaps is not None:
            problem = "only an improved deck has swaps; add --improve PLAYER"
            raise OptionError(f"swaps {swaps}", problem)
        return
    for option, value in (("agent", agent), ("hero", hero)):
        if value is not None:
            raise OptionError(f"{option} {value}", f"an improved deck keeps its own {option}")


def run_build(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    *,
    resume: bool,
    plots: bool,
    threads: int | None,
) -> dict[str, Any]:
    """Build or improve a deck and fill the run folder; returns what `--json` prints."""
    began_s = time.perf_counter()
    state = load_checkpoint(folder, DeckState) if resume else None
    built = _build_with_progress(experiment, folder, screen, state, threads)
    folder.log(f"{built.deck.name} {worth(built)}")
    _write_tables(built, folder)
    folder.write_text("deck.toml", _deck_file(experiment, built))
    if plots:
        _draw(experiment, built, folder)
    show(experiment, built, screen)
    summary = summarise(experiment, built, seconds=time.perf_counter() - began_s)
    folder.write_json("summary.json", summary)
    remove_checkpoint(folder.path)
    return summary


def _build_with_progress(
    experiment: Experiment,
    folder: RunFolder,
    screen: Screen,
    state: DeckState | None,
    threads: int | None,
) -> BuiltDeck:
    generations = experiment.settings.build.generations
    if state is not None:
        screen.note(f"continuing after generation {state.generation} of {generations}")
    done = 0 if state is None else state.generation
    with screen.progress("build", generations) as advance:

        def on_stage(stage: str) -> None:
            folder.log(stage)
            advance(done if stage == "search" else generations, stage)

        def on_generation(reached: DeckState) -> None:
            save_checkpoint(folder, reached)
            advance(reached.generation, f"win rate {100 * reached.history[-1, -1]:.1f} %")

        return build_deck(
            experiment.contest(),
            experiment.settings,
            name=None if experiment.settings.build.improve else experiment.settings.name,
            threads=threads,
            state=state,
            on_stage=on_stage,
            on_generation=on_generation,
        )


def _write_tables(built: BuiltDeck, folder: RunFolder) -> None:
    folder.write_rows("opponents.csv", building.OpponentRow, building.opponent_rows(built))
    folder.write_rows("search.csv", building.SearchRow, building.search_rows(built))
    folder.write_rows("candidates.csv", building.CandidateRow, building.candidate_rows(built))
    if built.origin is not None:
        folder.write_rows("swaps.csv", building.SwapRow, building.swap_rows(built))


def _deck_file(experiment: Experiment, built: BuiltDeck) -> str:
    said = [f"{built.deck.name} {worth(built)}, seed {experiment.settings.seed}."]
    if built.origin is not None:
        said.append(f"{advice(built, experiment.pool)}.")
    if (sentence := purchase(experiment, built)) is not None:
        said.append(sentence)
    return deck_text(built.deck, *said)


def _draw(experiment: Experiment, built: BuiltDeck, folder: RunFolder) -> None:
    from experiments.plots import deck_curve, figure_png  # noqa: PLC0415 (loads matplotlib)

    is_changed = built.origin is not None and built.deck != built.origin
    decks = [built.origin, built.deck] if is_changed else [built.deck]
    title = f"{experiment.settings.name}: curve"
    figure = deck_curve(experiment.pool, [deck for deck in decks if deck], title=title)
    folder.write_bytes("deck_curve.png", figure_png(figure))
