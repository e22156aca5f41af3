"""Ledger of a results folder: the certification attempts of each question.

Repeated attempts inflate the false-positive rate. So all attempts of a question share one error
budget (`balance.risk`), and this file counts them. A question is what a certificate is about:
cards, decks, pilots, rules, demands, and the numbers that may move. The way to answer it is not
part of the question: seed, games, narrowing and search. Two attempts that agree in these too are
the same attempt, with the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from balance.target import FREE
from experiments.experiment import Experiment
from experiments.runs.folder_lock import FolderLock
from experiments.runs.json_file import digest, read_object, to_json
from sim import InputError, StrictModel, validate, write_atomically

LEDGER = "tries.json"

_PATIENCE_S = 10.0  # longest wait for another process; writing takes milliseconds
_PAUSE_S = 0.02  # between two attempts to take the lock; about the time of one write
_ASKED = ("target", "guards", "tune")  # settings that belong to the question
# Settings that do not affect the answer to a question, or are part of it in another form.
_BESIDES = frozenset(
    {"name", "ruleset", "pool", "player", "learner", "train", "evaluate", "study", "drift",
     "field", "collection", "substitute", "build", *_ASKED}
)  # fmt: skip


class Question(NamedTuple):
    """What a certificate is about, and a way to find it out.

    Attributes:
        experiment: name of the experiment.
        seed: seed of the attempt.
        asked: the question, as plain data.
        how: all other settings that the answer depends on, except the seed.
    """

    experiment: str
    seed: int
    asked: dict[str, Any]
    how: dict[str, Any]


def question_of(experiment: Experiment) -> Question:
    """Return the question of an experiment with cards.

    Args:
        experiment: the experiment.
    """
    known = experiment.resolved()
    settings = known["experiment"]
    tune = {**settings["tune"]}
    # Equal questions must have equal digests: settings without an effect are left out.
    if tune["max_change"] is None and tune["zero_sum"] is None:
        del tune["weights"]  # they only say which patches are small
    if tune["max_card_change"] is None:
        # Ledgers written before there was such a limit keep their digests.
        del tune["max_card_change"]
    players = [
        (entry.name, entry.agent, known["pilots"].get(entry.agent), deck)
        for entry, deck in zip(experiment.settings.players, known["decks"], strict=True)
    ]
    asked = {name: settings[name] for name in _ASKED} | {"tune": tune, "players": players}
    reported = ("first_seat_band_pp",)  # bands that are shown but not demanded
    asked["target"] = {
        key: value for key, value in settings["target"].items() if key not in reported
    }
    if settings["target"]["field"] != FREE:
        asked["field"] = settings["field"]
    asked |= {name: known[name] for name in ("ruleset", "pool")}
    how = {name: value for name, value in settings.items() if name not in _BESIDES | {"seed"}}
    how["weights"] = settings["tune"]["weights"]
    return Question(settings["name"], settings["seed"], asked, how)


class _Try(StrictModel):
    """An attempt: its number from 1, its seed, and a digest of all other settings."""

    number: int = Field(ge=1)
    seed: int
    settings: str


class _Question(StrictModel):
    """The attempts at a question, and the name of the experiment that asked it first."""

    experiment: str
    tries: list[_Try] = Field(strict=False)  # a list, unlike other models' tuples: it grows


class Ledger(StrictModel):
    """All attempts below a results folder.

    Attributes:
        questions: attempts by the digest of the question.
    """

    element: ClassVar[str] = "ledger"

    questions: dict[str, _Question] = Field(default_factory=dict)


def read_ledger(results: Path) -> Ledger:
    """Return the ledger of a results folder, empty if there is none.

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
            remedy="repair it, or delete it together with all results that it counts"
        ) from None


def tries_of(results: Path, question: Question) -> list[int]:
    """Return the numbers of all attempts at a question so far, in rising order.

    Args:
        results: the results folder.
        question: the question.

    Raises:
        InputError: the ledger is damaged.
    """
    asked = read_ledger(results).questions.get(digest(question.asked, 12))
    return sorted(attempt.number for attempt in asked.tries) if asked else []


def next_number(tries: Collection[int]) -> int:
    """Return the number of a further attempt: the first free one."""
    return next(k for k in count(1) if k not in tries)


@contextmanager
def counted_try(results: Path, question: Question) -> Iterator[int]:
    """Count an attempt at a question while the block answers it.

    The attempt keeps its number if it was made before; else it gets the first free number. If the
    block raises an exception, no answer was reported, so that a new attempt is removed again; an
    attempt that is killed stays.

    Args:
        results: the results folder.
        question: the question, with the settings of the attempt.

    Yields:
        The number of the attempt.

    Raises:
        InputError: the ledger is damaged or cannot be written.
    """
    asked_by = question.experiment
    seed = question.seed
    key = digest(question.asked, 12)
    settings_digest = digest(question.how, 12)
    with _locked_ledger(results) as ledger:
        asked = ledger.questions.setdefault(key, _Question(experiment=asked_by, tries=[]))
        known = [
            attempt
            for attempt in asked.tries
            if (attempt.seed, attempt.settings) == (seed, settings_digest)
        ]
        number = next_number([attempt.number for attempt in asked.tries])
        entry = known[0] if known else _Try(number=number, seed=seed, settings=settings_digest)
        if not known:
            asked.tries.append(entry)
    try:
        yield entry.number
    except BaseException:
        if not known:
            # An error of the ledger must not hide the block's own.
            with suppress(InputError), _locked_ledger(results) as ledger:
                tries = ledger.questions[key].tries
                tries[:] = [attempt for attempt in tries if attempt != entry]
        raise


@contextmanager
def _locked_ledger(results: Path) -> Iterator[Ledger]:
    """Lock and read the ledger for the block, and write it at its end."""
    path = results / LEDGER
    with _lock(path):
        ledger = read_ledger(results)
        yield ledger
        write_atomically(path, to_json(ledger.model_dump(mode="json")))


def _lock(path: Path) -> FolderLock:
    """Lock a file, and wait while another process has the lock.

    Raises:
        InputError: the other process keeps it too long.
    """
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return FolderLock(path)
        except InputError:
            if time.monotonic() > until_s:
                raise
        time.sleep(_PAUSE_S)
