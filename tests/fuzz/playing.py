"""The verdict on a case: it is refused, played, or shows a fault."""

from __future__ import annotations

import re
import traceback
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from agents.registry import agent_named
from sim import InputError, Pool, Ruleset, stream_seed, validate
from sim.cards.action import all_actions
from sim.engine.layout import BLANK, DRAWS, FAULTED
from sim.play import Batch, Outcomes, Table, deck_row, kept, pack_table, play
from sim.play.table import handler_words
from tests.fuzz.pools import Case, companions_case
from tests.laws.games import RESULT_OF_GAME
from tests.laws.law import Law
from tests.laws.playing import check

REFUSED = "refused"
PLAYED = "played"
NAMED = "named"  # a game was stopped and the card at fault named; other words are faults
N_GAMES = 3  # games of each pair of players
N_CHECKED = 8  # games in which the laws are checked after each action
CHECK_SETTINGS = (11, 17, 0)  # actions between checks of the list of actions and of clones
LONGEST_LINE = 400  # characters; longer messages count as unreadable
_PAIRS = ((0, 1), (1, 0), (2, 3), (3, 2), (0, 3), (2, 1))
_HERE = str(Path(__file__).parent)


@dataclass(frozen=True)
class Verdict:
    """Result of checking a case.

    Attributes:
        word: whether it was refused, played or stopped by a named card, or the kind of its fault.
        detail: message or description.
        digest: a number that depends on the games alone.
    """

    word: str
    detail: str = ""
    digest: int = field(default=0, compare=False)

    @property
    def is_fault(self) -> bool:
        """Whether the case shows a fault of the program."""
        return self.word not in (REFUSED, PLAYED, NAMED)

    @property
    def cause(self) -> str:
        """A text that verdicts on the same fault most likely share."""
        if not self.is_fault or self.word.startswith("law"):
            return self.word
        return f"{self.word}: {re.sub('[0-9]+|rollout', '#', self.detail)}".rstrip(": ")


def warm_up() -> None:
    """Compile or load the code for playing, before any process is forked."""
    handler_words(all_actions().values())
    for agent in ("control", "aggro", "rollout:2"):
        verdict_on(replace(companions_case(), agent=agent))


def verdict_on(case: Case) -> Verdict:
    """Load, pack and play a case, and check everything that Python can observe of it."""
    try:
        try:
            table = _table(case)
        except InputError as error:
            return _check_line(str(error), REFUSED)
        try:
            return _verdict_on_games(case, table)
        except InputError as error:
            return _check_line(str(error), "refused late")
    except Exception as error:  # noqa: BLE001 - any exception is a fault to report
        frames = traceback.extract_tb(error.__traceback__)
        last = [frame for frame in frames if not frame.filename.startswith(_HERE)][-1:]
        where = "".join(f" ({Path(frame.filename).name}: {frame.name})" for frame in last)
        return Verdict("error", f"{type(error).__name__}: {error}{where}")


def loads(case: Case) -> bool:
    """Return whether a case is accepted."""
    try:
        _table(case)
    except InputError:
        return False
    return True


def _table(case: Case) -> Table:
    pool = validate(Pool, case.pool, source="fuzz.toml")
    return pack_table(pool, validate(Ruleset, case.ruleset, source="rules.toml"))


def _check_line(message: str, word: str) -> Verdict:
    """Return the verdict `word` if a message is one line of readable length, else `unreadable`."""
    is_line = len(message) <= LONGEST_LINE and "\n" not in message
    return Verdict(word if is_line else "unreadable", message)


def _verdict_on_games(case: Case, table: Table) -> Verdict:
    rows = np.stack([_deck_row(table.pool, ids) for ids in case.decks])
    outcomes = _play(case, table, rows)
    findings = check(table, rows[np.arange(2 * N_CHECKED) % 2], case.seed, settings=CHECK_SETTINGS)
    is_stopped = findings.outcomes[:, RESULT_OF_GAME] == FAULTED
    for broken in findings.violations:
        if not (broken.law == Law.NO_FAULT and is_stopped[broken.game]):
            return Verdict(f"law {broken.law.name}", str(broken).splitlines()[0])
    if (contradiction := _contradiction(outcomes)) is not None:
        return Verdict("outcome", contradiction)
    for fault in outcomes.faults.values():
        return _check_line(str(fault), NAMED if fault.card.startswith("card ") else "nameless")
    if is_stopped.any():
        return Verdict(NAMED)
    digest = zlib.crc32(findings.digests.tobytes(), zlib.crc32(outcomes.totals.tobytes()))
    return Verdict(PLAYED, digest=digest)


def _deck_row(pool: Pool, ids: Sequence[str]) -> np.ndarray:
    """Return the row of a deck, without cards that the pool lacks."""
    positions = {card.id: position for position, card in enumerate(pool.cards)}
    power = pool.number(pool.heroes[0].power) if pool.heroes else BLANK
    return deck_row([positions[card_id] for card_id in ids if card_id in positions], power)


def _play(case: Case, table: Table, rows: np.ndarray) -> Outcomes:
    """Play both seatings of some pairs of players, each row of games twice."""
    agents = [agent_named(name) for name in ("random", "random", "greedy", case.agent)]
    pairs = np.array(_PAIRS * 2)
    zeros = np.zeros(len(pairs), dtype=np.int64)
    n_games = zeros + (1 if case.agent.startswith("rollout") else N_GAMES)
    stream = stream_seed(case.seed, "fuzz/games")
    batch = Batch(rows[[0, 1, 0, 1]], zeros, pairs, n_games, zeros, stream)
    return play(batch, table, agents, threads=1, keep=("winner", "cards"), faults="keep")


def _contradiction(outcomes: Outcomes) -> str | None:
    """Return a description of counts that cannot be true of any games, or `None`."""
    n = len(_PAIRS)
    words = np.column_stack(
        [outcomes.totals, outcomes.turns, kept(outcomes.seen).reshape(2 * n, -1)]
    )
    if (words[:n] != words[n:]).any():
        return "the same games, played twice, ended differently"
    is_over = outcomes.totals[:, : DRAWS + 1].sum(axis=1) == outcomes.n_games
    if any(row not in outcomes.faults for row in np.flatnonzero(~is_over).tolist()):
        return "wins and draws are not as many as games"
    return None
