"""Questions that no patch answers, and some that one does: what a run says of why it failed.

Every infeasible question is so by construction: the numbers that decide it are locked, bound, or
pull two ways. It is answered well if no patch is said to come near, if the demands that are named
are among those that cannot hold, and if one of the two settings told first is one that binds. The
others are feasible questions with too few rounds or games, where nothing may be said to contradict
anything; `--widen` lets those runs help themselves.

    python -m experiments.benchmarks.infeasible --of quickstart | elsewhere | feasible
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal, NamedTuple

import typer

from balance.explanation import Explanation
from balance.pipeline import BalanceRun, run_balance
from balance.target import FREE
from experiments.benchmarks.script import run_script
from experiments.experiment import Experiment
from experiments.files.experiment_file import ExperimentFile
from experiments.loading import load_experiment
from sim import validate

A = "ember_rush"
B = "tide_keep"
C = "grove_march"
D = "spore_swarm"
MAGE = "legacy_mage"
HUNTER = "legacy_hunter"
PALADIN = "legacy_paladin"


class Question(NamedTuple):
    """What is asked of an experiment otherwise than its file does.

    Attributes:
        name: what makes it infeasible, or which experiment it is.
        experiment: the shipped one.
        told: settings, by table.
        binding: those of which one helps; none where nothing can.
        demands: those that may be named.
        surely: those of them that have to be.
    """

    name: str
    experiment: str
    told: dict[str, dict[str, Any]]
    binding: tuple[str, ...] = ()
    demands: tuple[str, ...] = ()
    surely: tuple[str, ...] = ()


def _against(player: str, *others: str) -> tuple[str, ...]:
    order = [A, B, C, D, MAGE, HUNTER, PALADIN]
    return tuple(" vs ".join(sorted((player, other), key=order.index)) for other in others)


def _wanted(player: str, rate: float) -> dict[str, Any]:
    return {"win_rate": {player: rate, "others": FREE}}


def _cards(experiment: str, *decks: int) -> list[str]:
    found = load_experiment(experiment).decks
    return [card for deck in decks for card in found[deck].cards]


def on_quickstart() -> list[Question]:
    """Ten on the decks of the quickstart, which the explanation was made with."""
    of_a = _against(A, B, C)
    all_three = (f"{A} vs {B}", f"{A} vs {C}", f"{B} vs {C}")
    nearest = {"win_rate": {f"{A} vs {B}": 0.75, f"{A} vs {C}": 0.35, "others": FREE}}
    asked: list[tuple[Any, ...]] = [
        # No number of C matters between A and B; what C does to both may contradict itself.
        ("one deck's health by 1", {"fields": ["health"], "max_steps": 1, "decks": [C]},
         {}, ["no tune.decks"], all_three, _against(A, B)),
        ("one card by 1 step", {"max_cards": 1, "max_steps": 1},
         _wanted(A, 0.2), ["no tune.max_cards"], of_a),
        ("change 1", {"max_change": 1.0}, _wanted(A, 0.2), ["no tune.max_change"], of_a),
        ("only buffs of the deck that is to sink", {"direction": {A: "buffs"}, "decks": [A]},
         _wanted(A, 0.3), ["no tune.direction", "no tune.decks"], of_a),
        ("all but one card locked",
         {"decks": [A], "fields": ["attack"], "lock": _cards("quickstart_scripts", 0)[1:]},
         _wanted(A, 0.3), ["no tune.lock", "no tune.decks"], of_a),
        ("two decks 80 % against the field", {"max_steps": 5},
         {"win_rate": FREE, "field": {A: (0.8, 1.0), B: (0.8, 1.0)}}, [],
         (f"{A} vs the field", f"{B} vs the field")),
        ("health only, by 1", {"fields": ["health"], "max_steps": 1}, _wanted(A, 0.15),
         ["tune.fields with 'cost'", "tune.fields with 'attack'"], of_a),
        ("one deck, against two at once", {"decks": [A]}, nearest, ["no tune.decks"], of_a),
        # Costs may only fall, where the deck is to sink.
        ("ranges that let costs only fall",
         {"fields": ["cost"], "ranges": {"cost": (0, 1)}, "decks": [C]}, _wanted(C, 0.3),
         ["no tune.ranges", "tune.fields with 'attack'", "tune.fields with 'health'",
          "no tune.decks"], _against(C, A, B)),
        ("zero sum in the deck that is to sink",
         {"decks": [A], "zero_sum": 0.0, "max_change": 4.0}, _wanted(A, 0.2),
         ["no tune.zero_sum", "no tune.decks", "no tune.max_change"], of_a),
    ]  # fmt: skip
    return [_question("quickstart_scripts", *one) for one in asked]


def elsewhere() -> list[Question]:
    """Five on other decks, which it was never tuned to."""
    everyone = dict.fromkeys((A, B, C, D), (0.55, 1.0))
    fields = tuple(f"{one} vs the field" for one in everyone)
    two = _cards("four_decks", 0, 1)
    asked: list[tuple[Any, ...]] = [
        ("legacy_starters", "only buffs of the deck that is to sink",
         {"decks": [MAGE], "direction": {MAGE: "buffs"}}, _wanted(MAGE, 0.2),
         ["no tune.direction", "no tune.decks"], _against(MAGE, HUNTER, PALADIN)),
        ("legacy_starters", "one card by 1 step", {"max_cards": 1, "max_steps": 1},
         _wanted(PALADIN, 0.15), ["no tune.max_cards", "tune.max_steps = 2"],
         _against(PALADIN, MAGE, HUNTER)),
        # Together they win half of all games.
        ("four_decks", "all four above average", {"max_steps": 4},
         {"win_rate": FREE, "field": everyone}, [], fields),
        ("four_decks", "both decks of a matchup locked", {"lock": two},
         {"win_rate": {f"{A} vs {B}": 0.3, "others": FREE}}, ["no tune.lock"], _against(A, B)),
        ("new_deck", "a matchup of others", {},
         {"win_rate": {f"{A} vs {B}": 0.5, "others": FREE}}, ["no tune.decks"], _against(A, B),
         _against(A, B)),
    ]  # fmt: skip
    return [_question(*one) for one in asked]


def feasible() -> list[Question]:
    """Seven that a run with the usual rounds and games answers."""
    hasty = {"search": {"rounds": 1}, "games": {"search": 20, "select": 1_000}}
    small = {"method": "nsga2", "population": 8, "generations": 2}
    asked: dict[str, dict[str, Any]] = {
        "quickstart_scripts": hasty,
        "legacy_starters": hasty,
        "four_decks": {"search": {"rounds": 1}},
        "rock_paper_scissors": {"search": {"rounds": 2}},
        "eight_decks": {"search": {"rounds": 1}, "games": {"search": 100}},
    }
    few = {"games": {"certify": 600, "select": 600}}
    return [
        *(Question(name, name, told) for name, told in asked.items()),
        Question("a tiny evolution", "quickstart_scripts", {"search": small}),
        Question("a short certificate", "quickstart_scripts", few),
    ]


def _question(
    experiment: str,
    name: str,
    tune: dict[str, Any],
    target: dict[str, Any],
    binding: list[str],
    demands: tuple[str, ...],
    surely: tuple[str, ...] = (),
) -> Question:
    return Question(
        name, experiment, {"tune": tune, "target": target}, tuple(binding), demands, surely
    )


def asked(question: Question, *, widen: bool = True) -> Experiment:
    """The experiment of a question."""
    experiment = load_experiment(question.experiment)
    data = experiment.settings.model_dump(by_alias=True, exclude_unset=True)
    for table, told in question.told.items():
        data[table] = {**data.get(table, {}), **told}
    if not widen:
        data["search"] = {**data.get("search", {}), "widen": False}
    return experiment.with_settings(**vars(validate(ExperimentFile, data, source=question.name)))


def is_told(run: BalanceRun) -> bool:
    """Whether no patch is said to come near."""
    told = run.explanation
    return told is not None and told.low_pp > run.certificate.demands.band_pp


def is_right(told: Explanation | None, question: Question) -> bool:
    """Whether what binds is named."""
    if told is None:
        return False
    named = {*told.impossible, *told.contradicting}
    first = {one.setting for one in told.relaxations[:2]}
    helps = not question.binding or bool(first.intersection(question.binding))
    return helps and bool(named) and {*question.surely} <= named <= {*question.demands}


def main(
    *,
    of: Annotated[Literal["quickstart", "elsewhere", "feasible"], typer.Option()],
    first: int = 1,
    last: int = 100,
    threads: int = 1,
    widen: Annotated[
        bool, typer.Option("--widen", help="let feasible ones help themselves")
    ] = False,
) -> None:
    """Print a few lines for each question."""
    of_all = {"quickstart": on_quickstart, "elsewhere": elsewhere, "feasible": feasible}
    questions = of_all[of]()[first - 1 : last]
    n_told = n_right = 0
    for question in questions:
        began_s = time.perf_counter()
        experiment = asked(question, widen=of != "feasible" or widen)
        run = run_balance(experiment.contest(), experiment.settings, threads=threads)
        told = run.explanation
        took_s = time.perf_counter() - began_s
        right = is_right(told, question)
        n_told = n_told + is_told(run)
        n_right = n_right + right
        verdict = "certified" if run.certificate.certified else "not certified"
        print(
            f"{question.name} ({question.experiment}): {verdict} at "
            f"{run.certificate.imbalance_pp:.1f} pp; widened {list(run.widened)}",
            flush=True,
        )
        if told is not None:
            print(
                f"  expected {told.imbalance_pp:.1f} pp, at least {told.low_pp:.1f}; "
                f"said {is_told(run)}; right {right}",
                flush=True,
            )
            print(f"  impossible {told.impossible}; together {told.contradicting}", flush=True)
            print(f"  helps {[tuple(one) for one in told.relaxations[:4]]}", flush=True)
        print(
            f"  {took_s:.0f} s, {int(run.state.history[-1, 0]):,} games of the search", flush=True
        )
    print(f"said {n_told}, right {n_right} of {len(questions)}", flush=True)


if __name__ == "__main__":
    run_script(main)
