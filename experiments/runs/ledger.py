"""Ledger of a results folder: the certification attempts of each question.

Repeated attempts inflate the false-positive rate. All attempts at a question therefore share one
error budget (`balance.verdict.risk`), and the ledger counts them. A question consists of everything
to which a certificate applies: cards, decks, pilots, rules, demands, and the numbers that may
change. Seed, games, narrowing and search are not part of the question. Two attempts at a question
that agree in these settings too are the same attempt, with the same result.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from balance.contest.target import FREE
from balance.panel.hands import band_of
from experiments.experiment import Experiment
from experiments.runs.folder_lock import FolderLock
from experiments.runs.json_file import digest, read_object, to_json
from sim import InputError, StrictModel, validate, write_atomically

LEDGER = "tries.json"

_PATIENCE_S = 10.0  # longest wait for another process, which needs milliseconds to write
_PAUSE_S = 0.02  # between two attempts to acquire the lock; about the time of one write
_QUESTION_SETTINGS = ("target", "guards", "tune")  # settings that belong to the question
# Settings that do not affect the result of an attempt, or are part of the question in another form.
_OTHER_SETTINGS = frozenset(
    {"name", "ruleset", "pool", "player", "learner", "train", "evaluate", "study", "drift",
     "field", "collection", "substitute", "build", "outliers", *_QUESTION_SETTINGS}
)  # fmt: skip


class Attempt(NamedTuple):
    """Certification attempt: the question that it answers, and its settings.

    Attributes:
        experiment: name of the experiment.
        seed: run seed of the attempt.
        asked: content of the question (cards, decks, demands, ...) as plain data.
        how: all other settings that the result depends on, except the seed.
    """

    experiment: str
    seed: int
    asked: dict[str, Any]
    how: dict[str, Any]


def attempt_of(experiment: Experiment) -> Attempt:
    """Return the certification attempt of an experiment with cards.

    Args:
        experiment: experiment to certify.
    """
    known = experiment.resolved()
    settings = known["experiment"]
    tune = {**settings["tune"]}
    # Equal questions must have equal digests: settings without an effect are left out.
    if tune["max_change"] is None and tune["zero_sum"] is None:
        del tune["weights"]  # without these limits weights only define the size of a patch
    else:
        # The weight of a card never limits a patch. 0 was its default when it did, so that earlier
        # ledgers keep their digests.
        tune["weights"] = {**tune["weights"], "card": 0.0}
    if tune["max_card_change"] is None:
        # Ledgers written before this limit existed keep their digests.
        del tune["max_card_change"]
    players = [
        (entry.name, entry.agent, known["pilots"].get(entry.agent), deck)
        for entry, deck in zip(experiment.settings.players, known["decks"], strict=True)
    ]
    asked = {name: settings[name] for name in _QUESTION_SETTINGS}
    asked |= {"tune": tune, "players": players}
    reported = ("first_seat_band_pp",)  # bands that are reported but not demanded
    asked["target"] = {
        key: value for key, value in settings["target"].items() if key not in reported
    }
    if settings["target"]["field"] != FREE:
        asked["field"] = settings["field"]
    asked |= {name: known[name] for name in ("ruleset", "pool")}
    if experiment.for_panel:
        asked["robust"] = _panel_of(experiment, known)
    how = {
        name: value for name, value in settings.items() if name not in _OTHER_SETTINGS | {"seed"}
    }
    how["weights"] = settings["tune"]["weights"]
    if experiment.for_panel and settings["robust"]["rounds"]:  # they determine the attackers
        how |= {name: settings[name] for name in ("build", "collection")}
    return Attempt(settings["name"], settings["seed"], asked, how)


def _panel_of(experiment: Experiment, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return what makes the panel of an experiment part of its question, as plain data.

    Args:
        experiment: experiment to certify for its panel.
        known: all data on which its results depend (`Experiment.resolved`).
    """
    robust = experiment.settings.robust
    band_pp = experiment.settings.target.band_pp
    panel: dict[str, Any] = {
        "pilots": sorted([name, band_of(name, robust, band_pp)] for name in robust.pilots),
        "contents": known["pilots"],
    }
    return panel | ({"attacker_most": robust.attacker_most} if robust.rounds else {})


class _Try(StrictModel):
    """Attempt at a question.

    Attributes:
        number: number of the attempt at its question, from 1.
        seed: run seed of the attempt.
        settings: digest of all other settings of the attempt (`Attempt.how`).
    """

    number: int = Field(ge=1)
    seed: int
    settings: str


class _Question(StrictModel):
    """Entry of a question in the ledger.

    Attributes:
        experiment: name of the experiment of the first attempt.
        tries: attempts at the question.
    """

    experiment: str
    tries: list[_Try] = Field(strict=False)  # a list, unlike other models' tuples: it grows


class Ledger(StrictModel):
    """Content of the ledger file: all certification attempts below a results folder.

    Attributes:
        questions: attempts at each question, by the digest of the question.
    """

    element: ClassVar[str] = "ledger"

    questions: dict[str, _Question] = Field(default_factory=dict)


def read_ledger(results: Path) -> Ledger:
    """Return the ledger of a results folder; an empty one if the file does not exist.

    Raises:
        InputError: the file is damaged.
    """
    path = results / LEDGER
    if not path.exists():
        return Ledger()
    try:
        return validate(Ledger, read_object(path), source=str(path))
    except InputError as error:
        raise error.with_fields(
            remedy="repair the file, or delete it together with all results that it counts"
        ) from None


def tries_of(results: Path, attempt: Attempt) -> list[int]:
    """Return the numbers of all attempts at a question so far, in rising order.

    Args:
        results: results folder with the ledger.
        attempt: an attempt at the question.

    Raises:
        InputError: the ledger is damaged.
    """
    entry = read_ledger(results).questions.get(digest(attempt.asked, 12))
    return sorted(one.number for one in entry.tries) if entry else []


def next_number(tries: Collection[int]) -> int:
    """Return the number of a further attempt: the first free number from 1.

    Args:
        tries: numbers of the attempts so far.
    """
    return next(k for k in count(1) if k not in tries)


@contextmanager
def counted_try(results: Path, attempt: Attempt) -> Iterator[int]:
    """Record an attempt at a question in the ledger before the block runs.

    A repeated attempt keeps its number; a new attempt gets the first free number. If the block
    raises an exception, a new attempt is removed again, because no result was reported. An attempt
    that is killed remains recorded.

    Args:
        results: results folder with the ledger.
        attempt: question and settings of the attempt.

    Yields:
        The number of the attempt.

    Raises:
        InputError: the ledger is damaged or cannot be written.
    """
    seed = attempt.seed
    key = digest(attempt.asked, 12)
    settings_digest = digest(attempt.how, 12)
    with _locked_ledger(results) as ledger:
        new = _Question(experiment=attempt.experiment, tries=[])
        tries = ledger.questions.setdefault(key, new).tries
        known = [one for one in tries if (one.seed, one.settings) == (seed, settings_digest)]
        number = next_number([one.number for one in tries])
        entry = known[0] if known else _Try(number=number, seed=seed, settings=settings_digest)
        if not known:
            tries.append(entry)
    try:
        yield entry.number
    except BaseException:
        if not known:
            # An error of the ledger must not replace the exception of the block.
            with suppress(InputError), _locked_ledger(results) as ledger:
                tries = ledger.questions[key].tries
                tries[:] = [one for one in tries if one != entry]
        raise


@contextmanager
def _locked_ledger(results: Path) -> Iterator[Ledger]:
    """Lock and read the ledger for the block, and write it at the end of the block.

    Nothing is written if the block raises an exception.

    Args:
        results: results folder with the ledger.
    """
    path = results / LEDGER
    with _lock(path):
        ledger = read_ledger(results)
        yield ledger
        write_atomically(path, to_json(ledger.model_dump(mode="json")))


def _lock(path: Path) -> FolderLock:
    """Acquire the lock of a file, after waiting up to 10 s for another process.

    Raises:
        InputError: the lock cannot be acquired within this time.
    """
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return FolderLock(path)
        except InputError:
            if time.monotonic() > until_s:
                raise
        time.sleep(_PAUSE_S)
