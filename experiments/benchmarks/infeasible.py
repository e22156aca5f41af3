"""Quality of the explanations of runs for infeasible and for feasible cases.

Every infeasible case is infeasible by construction: the numbers that decide it are locked or
limited, or the demands contradict each other. An explanation is right if the run reports that no
patch comes near, names only demands that cannot hold, and suggests a setting that binds among its
first two. The feasible cases have too few rounds or games; for these a run must not report a
contradiction. `--widen` lets these runs relax their search space.

    python -m experiments.benchmarks.infeasible --of quickstart | elsewhere | feasible
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal, NamedTuple

import typer

from balance import BalanceRun, run_balance
from balance.contest.target import FREE
from balance.run.explanation import Explanation
from experiments.benchmarks.script import run_script
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile
from experiments.loading import load_experiment
from sim import validate
from sim.play import using_threads

A = "ember_rush"
B = "tide_keep"
C = "grove_march"
D = "spore_swarm"
MAGE = "legacy_mage"
HUNTER = "legacy_hunter"
PALADIN = "legacy_paladin"


class Case(NamedTuple):
    """Shipped experiment with changed settings, and the explanation that is expected.

    Attributes:
        name: reason for infeasibility, or name of the experiment.
        experiment: name of the shipped experiment.
        changes: changed settings, by the name of their table.
        binding: settings that bind, at least one of which the explanation must suggest; empty if no
            setting can help.
        demands: demands that the explanation may name.
        surely: demands that the explanation must name.
    """

    name: str
    experiment: str
    changes: dict[str, dict[str, Any]]
    binding: tuple[str, ...] = ()
    demands: tuple[str, ...] = ()
    surely: tuple[str, ...] = ()


def _against(player: str, *others: str) -> tuple[str, ...]:
    """Return the names of a player's matchups with other players, with players in contest order."""
    order = [A, B, C, D, MAGE, HUNTER, PALADIN]
    return tuple(" vs ".join(sorted((player, other), key=order.index)) for other in others)


def _target_for(player: str, rate: float) -> dict[str, Any]:
    """Return a table `[target]` for one player's win rate, with all other rates free."""
    return {"win_rate": {player: rate, "others": FREE}}


def _cards(experiment: str, *decks: int) -> list[str]:
    """Return the ids of the cards in some decks of an experiment, deck by deck.

    Args:
        experiment: name of the shipped experiment.
        *decks: indices of the decks.
    """
    all_decks = load_experiment(experiment).decks
    return [card for deck in decks for card in all_decks[deck].cards]


def on_quickstart() -> list[Case]:
    """Return ten infeasible cases on the decks of `quickstart_scripts`.

    The code that explains runs was developed with these cases.
    """
    of_a = _against(A, B, C)
    all_three = (f"{A} vs {B}", f"{A} vs {C}", f"{B} vs {C}")
    nearest = {"win_rate": {f"{A} vs {B}": 0.75, f"{A} vs {C}": 0.35, "others": FREE}}
    rows: list[tuple[Any, ...]] = [
        # No number of C affects A vs B. The demands on C against A and B may also contradict each
        # other.
        ("one deck's health by 1", {"fields": ["health"], "max_steps": 1, "decks": [C]},
         {}, ["no tune.decks"], all_three, _against(A, B)),
        ("one card by 1 step", {"max_cards": 1, "max_steps": 1},
         _target_for(A, 0.2), ["no tune.max_cards"], of_a),
        ("change 1", {"max_change": 1.0}, _target_for(A, 0.2), ["no tune.max_change"], of_a),
        ("only buffs of the deck that is to sink", {"direction": {A: "buffs"}, "decks": [A]},
         _target_for(A, 0.3), ["no tune.direction", "no tune.decks"], of_a),
        ("all but one card locked",
         {"decks": [A], "fields": ["attack"], "lock": _cards("quickstart_scripts", 0)[1:]},
         _target_for(A, 0.3), ["no tune.lock", "no tune.decks"], of_a),
        ("two decks 80 % against the field", {"max_steps": 5},
         {"win_rate": FREE, "field": {A: (0.8, 1.0), B: (0.8, 1.0)}}, [],
         (f"{A} vs the field", f"{B} vs the field")),
        ("health only, by 1", {"fields": ["health"], "max_steps": 1}, _target_for(A, 0.15),
         ["tune.fields with 'cost'", "tune.fields with 'attack'"], of_a),
        ("one deck, against two at once", {"decks": [A]}, nearest, ["no tune.decks"], of_a),
        # The deck's win rate is to fall, but its costs may only fall, which makes it stronger.
        ("ranges that let costs only fall",
         {"fields": ["cost"], "ranges": {"cost": (0, 1)}, "decks": [C]}, _target_for(C, 0.3),
         ["no tune.ranges", "tune.fields with 'attack'", "tune.fields with 'health'",
          "no tune.decks"], _against(C, A, B)),
        ("zero sum in the deck that is to sink",
         {"decks": [A], "zero_sum": 0.0, "max_change": 4.0}, _target_for(A, 0.2),
         ["no tune.zero_sum", "no tune.decks", "no tune.max_change"], of_a),
    ]  # fmt: skip
    return [_case("quickstart_scripts", *row) for row in rows]


def elsewhere() -> list[Case]:
    """Return five infeasible cases on other decks, which were not used in development."""
    everyone = dict.fromkeys((A, B, C, D), (0.55, 1.0))
    fields = tuple(f"{player} vs the field" for player in everyone)
    two = _cards("four_decks", 0, 1)
    rows: list[tuple[Any, ...]] = [
        ("legacy_starters", "only buffs of the deck that is to sink",
         {"decks": [MAGE], "direction": {MAGE: "buffs"}}, _target_for(MAGE, 0.2),
         ["no tune.direction", "no tune.decks"], _against(MAGE, HUNTER, PALADIN)),
        ("legacy_starters", "one card by 1 step", {"max_cards": 1, "max_steps": 1},
         _target_for(PALADIN, 0.15), ["no tune.max_cards", "tune.max_steps = 2"],
         _against(PALADIN, MAGE, HUNTER)),
        # All decks together win half of all games, so not all can win more.
        ("four_decks", "all four above average", {"max_steps": 4},
         {"win_rate": FREE, "field": everyone}, [], fields),
        ("four_decks", "both decks of a matchup locked", {"lock": two},
         {"win_rate": {f"{A} vs {B}": 0.3, "others": FREE}}, ["no tune.lock"], _against(A, B)),
        ("new_deck", "a matchup of others", {},
         {"win_rate": {f"{A} vs {B}": 0.5, "others": FREE}}, ["no tune.decks"], _against(A, B),
         _against(A, B)),
    ]  # fmt: skip
    return [_case(*row) for row in rows]


def feasible() -> list[Case]:
    """Return seven feasible cases with too few rounds or games to find a patch reliably."""
    hasty = {"search": {"rounds": 1}, "games": {"search": 20, "select": 1_000}}
    small = {"method": "nsga2", "population": 8, "generations": 2}
    changes_by_experiment: dict[str, dict[str, Any]] = {
        "quickstart_scripts": hasty,
        "legacy_starters": hasty,
        "four_decks": {"search": {"rounds": 1}},
        "rock_paper_scissors": {"search": {"rounds": 2}},
        "eight_decks": {"search": {"rounds": 1}, "games": {"search": 100}},
    }
    few = {"games": {"certify": 600, "select": 600}}
    return [
        *(Case(name, name, changes) for name, changes in changes_by_experiment.items()),
        Case("a tiny evolution", "quickstart_scripts", {"search": small}),
        Case("a short certificate", "quickstart_scripts", few),
    ]


def _case(
    experiment: str,
    name: str,
    tune: dict[str, Any],
    target: dict[str, Any],
    binding: list[str],
    demands: tuple[str, ...],
    surely: tuple[str, ...] = (),
) -> Case:
    """Return a case from the fields of one row of the tables in this module.

    Args:
        experiment: name of the shipped experiment.
        name: reason for infeasibility.
        tune: changed settings of `[tune]`.
        target: changed settings of `[target]`.
        binding: settings that bind.
        demands: demands that the explanation may name.
        surely: demands that the explanation must name.
    """
    return Case(name, experiment, {"tune": tune, "target": target}, tuple(binding), demands, surely)


def experiment_of(case: Case, *, widen: bool = True) -> Experiment:
    """Return the experiment of a case, with its changed settings.

    Args:
        case: shipped experiment and its changes.
        widen: whether the run may relax its search space, if the experiment permits this.
    """
    experiment = load_experiment(case.experiment)
    data = experiment.settings.model_dump(by_alias=True, exclude_unset=True)
    for table, changes in case.changes.items():
        data[table] = {**data.get(table, {}), **changes}
    if not widen:
        data["search"] = {**data.get("search", {}), "widen": False}
    return experiment.with_settings(**vars(validate(ExperimentFile, data, source=case.name)))


def is_reported_infeasible(run: BalanceRun) -> bool:
    """Return whether a run's explanation has a lower bound of the imbalance above the band.

    The result is `False` for a run without an explanation.
    """
    explanation = run.explanation
    return explanation is not None and explanation.low_pp > run.certificate.demands.band_pp


def is_right(explanation: Explanation | None, case: Case) -> bool:
    """Return whether an explanation names the right demands and a binding setting.

    The first two suggested settings count. The result is `False` without an explanation.
    """
    if explanation is None:
        return False
    named = {*explanation.impossible, *explanation.contradicting}
    first = {relaxation.setting for relaxation in explanation.relaxations[:2]}
    helps = not case.binding or bool(first.intersection(case.binding))
    return helps and bool(named) and {*case.surely} <= named <= {*case.demands}


def main(
    *,
    of: Annotated[
        Literal["quickstart", "elsewhere", "feasible"], typer.Option(help="Set of cases.")
    ],
    first: Annotated[int, typer.Option(help="Number of the first case, from 1.")] = 1,
    last: Annotated[int, typer.Option(help="Number of the last case.")] = 100,
    threads: Annotated[int, typer.Option(help="Number of threads.")] = 1,
    widen: Annotated[
        bool, typer.Option("--widen", help="Let feasible cases relax their search space.")
    ] = False,
) -> None:
    """Run each case, and print its explanation and whether the explanation is right."""
    of_all = {"quickstart": on_quickstart, "elsewhere": elsewhere, "feasible": feasible}
    cases = of_all[of]()[first - 1 : last]
    n_reported = n_right = 0
    for case in cases:
        began_s = time.perf_counter()
        experiment = experiment_of(case, widen=of != "feasible" or widen)
        with using_threads(threads):
            run = run_balance(experiment.contest(), experiment.settings)
        explanation = run.explanation
        took_s = time.perf_counter() - began_s
        right = is_right(explanation, case)
        n_reported += is_reported_infeasible(run)
        n_right += right
        verdict = "certified" if run.certificate.certified else "not certified"
        print(
            f"{case.name} ({case.experiment}): {verdict} at "
            f"{run.certificate.imbalance_pp:.1f} pp; widened {list(run.widened)}",
            flush=True,
        )
        if explanation is not None:
            print(
                f"  expected {explanation.imbalance_pp:.1f} pp, at least "
                f"{explanation.low_pp:.1f}; reported infeasible {is_reported_infeasible(run)}; "
                f"right {right}",
                flush=True,
            )
            print(
                f"  impossible {explanation.impossible}; together {explanation.contradicting}",
                flush=True,
            )
            helping = [tuple(relaxation) for relaxation in explanation.relaxations[:4]]
            print(f"  helps {helping}", flush=True)
        print(
            f"  {took_s:.0f} s, {int(run.state.history[-1, 0]):,} games of the search", flush=True
        )
    print(f"reported {n_reported}, right {n_right} of {len(cases)}", flush=True)


if __name__ == "__main__":
    run_script(main)
