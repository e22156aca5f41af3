"""What is run: every shipped experiment, by the commands it is for, at small budgets.

`{quickstart}` in a command stands for the reduced copy of that experiment file, `{results}` for the
folder of results and `{here}` for the folder of the copies. A command behind which stands
`> NAME` prints what is compared instead of writing it to a run folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Settings = dict[str, Any]
"""Tables and keys of an experiment file that replace its own; None deletes a key."""

SEEDS = (1, 2)

GAMES: Settings = {
    "total": None,
    "matchups": 40,
    "power": 20,
    "lever": 20,
    "search": 20,
    "select": 100,
    "certify": 200,
}
WIDE: Settings = {"max_draw_rate": 1.0, "max_first_seat_pp": 100, "median_turns": 100}
"""Guards that so few games show to hold: to explain why nothing is certified takes long."""

SMALL: Settings = {
    "games": GAMES,
    "guards": WIDE,
    "search": {"rounds": 2, "candidates": 8, "widen": False, "population": 8, "generations": 3},
    "second_opinion": {"pilots": []},
}
"""Of every experiment of cards: a run of `balance` takes one or two seconds."""

LEARNING: Settings = {
    "train": {
        "steps": 600,
        "n_environments": 8,
        "steps_per_update": 8,
        "batch": 16,
        "hidden": 8,
        "n_step": 2,
        "averaging": 0.01,
        "epsilon_steps": 300,
        "replay": 400,
        "warm_up": 64,
        "target_every": 10,
        "snapshot_every": 200,
        "evaluate_every": 250,
        "evaluate_games": 20,
    },
    "evaluate": {"games": 60, "rollout_games": 2, "histogram_games": 40},
}
"""Of every experiment with learners that are networks."""

TOGETHER = {"steps": 200, "rounds": 2, "rest_pp": 0.5, "games": 40, "past": 1}
DRIFT: Settings = {"drift": {"steps": 200}}

TUNING: Settings = {
    "turn": {
        "nodes": 8,
        "games": 480,
        "evaluate_every": 240,
        "evaluate_games": 8,
        "judge_games": 8,
    },
}
"""Of every experiment with learners that are weights of the turn search."""

CERTIFIED: Settings = {"target": {"win_rate": 0.5, "band_pp": 40}}
"""A band so wide that what follows a certificate is run too: clean-up, edits, drift."""


MANY_DECKS: Settings = {
    **CERTIFIED,
    "target": {"win_rate": 0.5, "band_pp": 40, "field": {"at": 0.5, "band_pp": 40}},
    "tune": {"fields": ["attack"], "max_steps": 1},
    "search": {"rounds": 1, "candidates": 4},
}
"""Of eight decks and more: why nothing was certified takes minutes to explain."""


@dataclass(frozen=True)
class Case:
    """Commands that share a folder of results.

    Attributes:
        name: name of the case.
        commands: what is run, in this order.
        settings: by experiment, what replaces its settings besides the common reductions.
        seeds: the run seeds.
    """

    name: str
    commands: tuple[str, ...]
    settings: dict[str, Settings] = field(default_factory=dict)
    seeds: tuple[int, ...] = SEEDS


CASES = (
    Case(
        "quickstart",
        (
            "matchups {quickstart}",
            "balance {quickstart}",
            "power {quickstart} --games 4",
            'whatif {quickstart} "Ember Whelp.mana+1" rules.life=25 --games 20',
            "replay {quickstart} --game 3 --why --json > why.json",
            "replay {quickstart} --game 1 > replay.printed",
            "agents --measure {quickstart} --agents light,greedy,turn:20 --games 4",
            "balance {quickstart} --estimate",  # its probe plays as long as a clock allows
        ),
        {
            "quickstart": {  # the split of a total is tested, so nothing else says how many
                "target": {"band_pp": 40, "first_seat": [0.1, 0.9]},
                "games": {**dict.fromkeys(GAMES), "total": 20_000},
                "search": dict.fromkeys(SMALL["search"]),
            }
        },
    ),
    Case(
        "quickstart_scripts",
        (
            "matchups {quickstart_scripts}",
            "power {quickstart_scripts}",
            "power {quickstart_scripts} --field --games 8",
            "balance {quickstart_scripts}",
            "balance {quickstart_scripts} --preset thesis",
        ),
        {
            "quickstart_scripts": {  # not certified, neither for its rates nor for its guards
                "guards": {"max_draw_rate": 0.01, "max_first_seat_pp": 2, "median_turns": 0.2}
            }
        },
    ),
    Case(
        "quickstart_scripts, certified",
        (
            "balance {quickstart_scripts}",
            "report {quickstart_scripts}",
            "whatif {quickstart_scripts} ember_whelp.attack=1",
            "compare {quickstart_scripts} core --games 20",
            "build --attack {quickstart_scripts} --rounds 1",
        ),
        {
            "quickstart_scripts": {
                **CERTIFIED,
                "second_opinion": {"pilots": ["greedy"], "games": 64},
                "build": {
                    "population": 8,
                    "generations": 3,
                    "search": 4,
                    "select": 20,
                    "certify": 40,
                },
            }
        },
    ),
    Case("real_minions", ("matchups {real_minions}", "balance {real_minions}")),
    Case("new_deck", ("matchups {new_deck}", "balance {new_deck}")),
    Case(
        "eight_decks",
        ("metagame {eight_decks}", "balance {eight_decks}"),
        {"eight_decks": MANY_DECKS},
    ),
    Case(
        "twelve_decks",
        ("metagame {twelve_decks}", "balance {twelve_decks}"),
        {"twelve_decks": MANY_DECKS},
        seeds=(1,),
    ),
    Case(
        "four_decks",
        (
            "matchups {four_decks}",
            "metagame {four_decks}",
            "balance {four_decks}",
            "substitute {four_decks} --deck ember_rush --card ember_whelp --games 8",
            "matchups {four_decks} --agent greedy",
        ),
        {"four_decks": {"target": {"band_pp": 40}, "substitute": {"race": 4, "games": 8}}},
    ),
    Case(
        "rock_paper_scissors",
        ("metagame {rock_paper_scissors}", "balance {rock_paper_scissors}"),
        {"rock_paper_scissors": {"target": {"band_pp": 40}}},
    ),
    Case(
        "saga_decks",
        (
            "matchups {saga_decks}",
            "power {saga_decks} --games 4",
            "balance {saga_decks}",
            "replay {saga_decks} --game 2 > replay.printed",
        ),
        {"saga_decks": CERTIFIED},
    ),
    Case(
        "legacy_starters",
        (
            "matchups {legacy_starters}",
            "power {legacy_starters} --games 4",
            "balance {legacy_starters}",
        ),
        {"legacy_starters": CERTIFIED},
    ),
    Case(
        "legacy_starters_turn",
        (
            "matchups {legacy_starters_turn} --games 4",
            "replay {legacy_starters_turn} --why --json > why.json",
        ),
    ),
    Case(
        "legacy_evolved",
        (
            "matchups {legacy_evolved}",
            "study {legacy_evolved} --methods dense_ga,model --seeds 1 --truth 20",
        ),
    ),
    Case(
        "legacy_evolved_hunters",
        (
            "matchups {legacy_evolved_hunters}",
            "study {legacy_evolved_hunters} --methods nsga2 --seeds 1 --truth 20",
        ),
    ),
    Case(
        "thesis_narrowing",
        ("study {thesis_narrowing} --seeds 1 --truth 20",),
        {"thesis_narrowing": {"games": {"power": 4, "lever": 4}}},
    ),
    Case("thesis_narrowing_spores", ("study {thesis_narrowing_spores} --seeds 1",)),
    Case(
        "strong_deck",
        (
            "build {strong_deck}",
            "build {strong_deck} --improve ember_rush --swaps 2",
            "outliers {strong_deck}",
        ),
        {
            "strong_deck": {
                "build": {
                    "population": 10,
                    "generations": 4,
                    "search": 4,
                    "select": 20,
                    "certify": 40,
                },
                "outliers": {"games": 4},
            }
        },
    ),
    Case(
        "strong_deck_real",
        (
            "build {strong_deck_real}",
            "substitute {strong_deck_real} --deck legacy_zoo_warlock --card ex1_319 --games 4",
        ),
        {
            "strong_deck_real": {
                "build": {
                    "population": 8,
                    "generations": 2,
                    "search": 4,
                    "select": 4,
                    "certify": 8,
                },
                "substitute": {"race": 4, "games": 4},
            }
        },
    ),
    Case("duel_reference", ("train {duel_reference}", "evaluate {duel_reference}")),
    Case(
        "first_pilot",
        ("train {first_pilot}", "evaluate {first_pilot}", "exploit {first_pilot} --steps 300"),
    ),
    Case("legacy_pilot", ("train {legacy_pilot}", "evaluate {legacy_pilot}")),
    Case("thesis_dqn", ("train {thesis_dqn}", "evaluate {thesis_dqn}")),
    Case("thesis_dqn_variants", ("train {thesis_dqn_variants}",)),
    Case(
        "grove_patch",
        ("train {grove_pair}", "evaluate {grove_pair}", "balance {grove_patch}"),
        {
            "grove_pair": {"train": {"together": TOGETHER | {"latest": 1.0}}},
            "grove_patch": CERTIFIED | DRIFT,
        },
    ),
    Case(
        "legacy_patch",
        ("train {legacy_pair}", "balance {legacy_patch}"),
        {"legacy_pair": {"train": {"together": TOGETHER}}, "legacy_patch": CERTIFIED | DRIFT},
    ),
    Case(
        "thesis_patch",
        (
            "train {thesis_power_dqn}",
            "power {thesis_power_dqn} --games 4",
            "balance {thesis_patch}",
            "study {thesis_ga_dqn} --seeds 1 --methods ga",
        ),
        {"thesis_power_dqn": {"train": {"together": TOGETHER}}, "thesis_patch": CERTIFIED | DRIFT},
    ),
    Case(
        "turn_weights",
        (
            "train {turn_weights}",
            "matchups {turn_weights} --agent turn:10:turn_weights/rich --games 4",
        ),
    ),
    Case(
        "turn_weights_duel",
        (
            "train {turn_weights_duel}",
            "matchups {turn_weights_duel} --agent turn:10:turn_weights_duel/plain --games 8",
        ),
    ),
    Case(
        "big_two",
        ("matchups {big_two}", "balance {big_two}", "replay {big_two} --game 1 > replay.printed"),
        {
            "big_two": {
                "games": {"search": 40, "select": 100, "certify": 200},
                "search": {"rounds": 2},
            }
        },
    ),
    Case(
        "suite",
        (
            "suite run {here}/duel-3.toml --methods model,nsga2 --most 1 --kind planted "
            "--games 20000 --truth 40",
        ),
        seeds=(1,),
    ),
    Case(
        "init",
        (
            "init {here}/my_game",
            "matchups {here}/my_game/game.toml --games 20",
            "balance {here}/my_game/game.toml --games 6000",
            "cards export saga --out {results}/saga.csv",
            "conformance {here}/published_rulings.jsonl --seeds 2 --json > conformance.json",
        ),
    ),
)
"""All cases but the saved samples and the plug-ins."""
