"""`evenhand build`: a strong deck against a field, or a better one by a few swaps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.registry import agent_named
from balance.decks.building import BuiltDeck, build_deck, check_build
from balance.decks.search import DeckState
from balance.settings import Build
from experiments import plots
from experiments.commands.build_report import advice, purchase, shown, summarise, worth
from experiments.experiment import Experiment
from experiments.files.option_errors import OptionError, about_option
from experiments.files.output_file import deck_text
from experiments.files.pilots import is_pilot
from experiments.files.weights_files import with_file_beside
from experiments.results import decks as results
from experiments.runs.run import Findings, Run, SearchProgress, search_progress
from experiments.runs.run import Table as Rows
from sim import InputError, validate


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
    if agent is not None:
        with about_option("agent"):
            said["agent"] = with_file_beside(agent, experiment.path)
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
            agent_named(build.agent)
    if hero is not None:
        with about_option("hero"):
            experiment.pool.hero(hero)
    if improve is not None:
        experiment.position(improve, "improve")
    asked = experiment.with_settings(build=build).with_collection(collection)
    check_build(asked.contest(), asked.settings)
    return asked


def _check_options(build: Build, *, agent: str | None, hero: str | None, swaps: int | None) -> None:
    """Refuse options that have no meaning beside the others."""
    if build.improve is None:
        if swaps is not None:
            raise OptionError(
                f"swaps {swaps}", "only an improved deck has swaps; add --improve PLAYER"
            )
        return
    for option, value in (("agent", agent), ("hero", hero)):
        if value is not None:
            raise OptionError(f"{option} {value}", f"an improved deck keeps its own {option}")


def run_build(run: Run) -> Findings:
    """Build or improve a deck; finds what it is worth, and the deck as a file."""
    began_s = time.perf_counter()
    experiment = run.experiment
    built = _built(run)
    run.folder.log(f"{built.deck.name} {worth(built)}")
    tables: dict[str, Rows] = {
        "opponents.csv": (results.OpponentRow, results.opponent_rows(built)),
        "search.csv": (results.SEARCH_COLUMNS, results.search_rows(built)),
        "candidates.csv": (results.CANDIDATE_COLUMNS, results.candidate_rows(built)),
    }
    if built.origin is not None:
        tables["swaps.csv"] = (results.SwapRow, results.swap_rows(built))
    decks = [built.deck]
    if built.origin is not None and built.deck != built.origin:
        decks.insert(0, built.origin)
    return Findings(
        tables=tables,
        texts={"deck.toml": _deck_file(experiment, built)},
        figures={
            "deck_curve.png": lambda: plots.deck_curve(
                experiment.pool, decks, title=f"{experiment.settings.name}: curve"
            )
        },
        shown=shown(experiment, built),
        summary=summarise(experiment, built, seconds=time.perf_counter() - began_s),
    )


def _built(run: Run) -> BuiltDeck:
    """The deck, with a progress bar."""
    settings = run.experiment.settings
    with build_progress(run, "build") as progress:
        return build_deck(
            run.experiment.contest(),
            settings,
            name=None if settings.build.improve else settings.name,
            threads=run.threads,
            state=progress.state,
            on_stage=progress.on_stage,
            on_generation=progress.on_generation,
        )


@contextmanager
def build_progress(run: Run, what: str) -> Iterator[SearchProgress[DeckState]]:
    """A progress bar for a search for decks, with the win rate of the best."""

    def figure(reached: DeckState) -> str:
        return f"win rate {100 * reached.history[-1, -1]:.1f} %"

    with run.screen.progress(what, run.experiment.settings.build.generations) as advance:
        yield search_progress(run, DeckState, figure, advance)


def _deck_file(experiment: Experiment, built: BuiltDeck) -> str:
    said = [f"{built.deck.name} {worth(built)}, seed {experiment.settings.seed}."]
    if built.origin is not None:
        said.append(f"{advice(built, experiment.pool)}.")
    if (sentence := purchase(experiment, built)) is not None:
        said.append(sentence)
    return deck_text(built.deck, *said)
