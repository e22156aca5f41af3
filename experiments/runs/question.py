"""The question that a run tries to answer, as the ledger tells it from others."""

from __future__ import annotations

from typing import Any, NamedTuple

from balance.target import FREE
from experiments.experiment import Experiment

_ASKED = ("target", "guards", "tune")  # settings that say what the question is
_BESIDES = frozenset(
    {"name", "ruleset", "pool", "player", "learner", "train", "evaluate", "study", "drift",
     "field", "collection", "substitute", "build", *_ASKED}
)  # fmt: skip


class Question(NamedTuple):
    """What a certificate speaks of, and a way to find it out.

    Attributes:
        experiment: the name of the experiment that asks it.
        seed: of the try.
        asked: what the question is, as plain data.
        how: all else that the answer depends on, but for the seed.
    """

    experiment: str
    seed: int
    asked: dict[str, Any]
    how: dict[str, Any]


def question_of(experiment: Experiment) -> Question:
    """The question of an experiment with cards."""
    known = experiment.resolved()
    settings = known["experiment"]
    tune = {**settings["tune"]}
    if tune["max_change"] is None and tune["zero_sum"] is None:
        del tune["weights"]  # which only say what is small
    players = [
        (entry.name, entry.agent, known["pilots"].get(entry.agent), deck)
        for entry, deck in zip(experiment.settings.players, known["decks"], strict=True)
    ]
    asked = {name: settings[name] for name in _ASKED} | {"tune": tune, "players": players}
    if settings["target"]["field"] != FREE:
        asked["field"] = settings["field"]
    asked |= {name: known[name] for name in ("ruleset", "pool")}
    how = {name: value for name, value in settings.items() if name not in _BESIDES | {"seed"}}
    how["weights"] = settings["tune"]["weights"]
    return Question(settings["name"], settings["seed"], asked, how)
