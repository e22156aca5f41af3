"""The ledger of a results folder: which tries of which questions were made below it.

Who asks one question again and again gets a wrong answer in the end, however seldom each try
errs. So all tries of a question share one risk (`balance.risk`), and this file counts them. A
question is what a certificate speaks of: cards, decks, who plays them, rules, what is demanded
and what may move. How it is answered is not part of it: seed, games, narrowing and search. Two
tries that agree in these too are the same one, whose answer is the same.
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

_PATIENCE_S = 10.0  # for another process that is writing
_PAUSE_S = 0.02
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
    if tune["max_card_change"] is None:
        del tune["max_card_change"]  # as questions were asked before there was such a limit
    players = [
        (entry.name, entry.agent, known["pilots"].get(entry.agent), deck)
        for entry, deck in zip(experiment.settings.players, known["decks"], strict=True)
    ]
    asked = {name: settings[name] for name in _ASKED} | {"tune": tune, "players": players}
    marks = ("first_seat_band_pp",)  # by which nothing is demanded
    asked["target"] = {key: one for key, one in settings["target"].items() if key not in marks}
    if settings["target"]["field"] != FREE:
        asked["field"] = settings["field"]
    asked |= {name: known[name] for name in ("ruleset", "pool")}
    how = {name: value for name, value in settings.items() if name not in _BESIDES | {"seed"}}
    how["weights"] = settings["tune"]["weights"]
    return Question(settings["name"], settings["seed"], asked, how)


class _Try(StrictModel):
    """An answer to a question: its number from 1 on, the seed, and a digest with all the rest."""

    number: int = Field(ge=1)
    seed: int
    settings: str


class _Question(StrictModel):
    """A question's tries, and the name of the experiment that asked it first."""

    experiment: str
    tries: list[_Try] = Field(strict=False)  # which models make tuples of, and a try is added to


class Ledger(StrictModel):
    """All tries below a results folder.

    Attributes:
        questions: by the digest of what they ask.
    """

    element: ClassVar[str] = "ledger"

    questions: dict[str, _Question] = Field(default_factory=dict)


def read_ledger(results: Path) -> Ledger:
    """The ledger of a results folder, empty where there is none.

    Raises:
        InputError: the file is damaged.
    """
    path = results / LEDGER
    if not path.exists():
        return Ledger()
    try:
        return validate(Ledger, read_object(path), source=str(path))
    except InputError as error:
        raise InputError(
            f"{error}; mend it, or delete it together with all results that it counts"
        ) from None


def tries_of(results: Path, question: Question) -> list[int]:
    """The numbers of all tries of a question so far, rising.

    Raises:
        InputError: the ledger is damaged.
    """
    asked = read_ledger(results).questions.get(digest(question.asked, 12))
    return sorted(one.number for one in asked.tries) if asked else []


def next_number(tries: Collection[int]) -> int:
    """That of a further try: the first that none has."""
    return next(k for k in count(1) if k not in tries)


@contextmanager
def counted_try(results: Path, question: Question) -> Iterator[int]:
    """The number of a try at a question, while the block answers it.

    It is the number that it had before, if it was tried before, else the first that no other try
    has. A block that ends by an exception told nobody anything, so a new try is struck out again;
    one that is killed stays.

    Raises:
        InputError: the ledger is damaged or cannot be written.
    """
    asked_by = question.experiment
    seed = question.seed
    key = digest(question.asked, 12)
    mine = digest(question.how, 12)
    with _writing(results) as ledger:
        asked = ledger.questions.setdefault(key, _Question(experiment=asked_by, tries=[]))
        known = [one for one in asked.tries if (one.seed, one.settings) == (seed, mine)]
        number = next_number([one.number for one in asked.tries])
        entry = known[0] if known else _Try(number=number, seed=seed, settings=mine)
        if not known:
            asked.tries.append(entry)
    try:
        yield entry.number
    except BaseException:
        if not known:
            with suppress(InputError), _writing(results) as ledger:  # the other error counts
                tries = ledger.questions[key].tries
                tries[:] = [one for one in tries if one != entry]
        raise


@contextmanager
def _writing(results: Path) -> Iterator[Ledger]:
    """The ledger as nobody else may change it meanwhile; written at the end of the block."""
    path = results / LEDGER
    with _lock(path):
        ledger = read_ledger(results)
        yield ledger
        write_atomically(path, to_json(ledger.model_dump(mode="json")))


def _lock(path: Path) -> FolderLock:
    """The right to write a file, as soon as the process that has it is done."""
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return FolderLock(path)
        except InputError:
            if time.monotonic() > until_s:
                raise
        time.sleep(_PAUSE_S)
