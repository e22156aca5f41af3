"""What becomes of a case: it is refused, played, or shows a fault."""

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
from sim.cards.actions import all_actions
from sim.engine.layout import BLANK, DRAWS, FAULTED
from sim.play import Batch, Outcomes, Table, deck_row, kept, pack_table, play
from sim.play.table import handler_words
from tests.fuzz.pools import Case, companions_case
from tests.laws.games import RESULT_OF_GAME
from tests.laws.law import Law
from tests.laws.playing import check

REFUSED = "refused"
PLAYED = "played"
NAMED = "named"  # what is well; all else is a fault
N_GAMES = 3  # of each pair of players
N_CHECKED = 8  # games in which the laws are looked at after each action
CLOSELY = (11, 17, 0)  # how often at the list of actions and at clones, in actions
LONGEST_LINE = 400
_PAIRS = ((0, 1), (1, 0), (2, 3), (3, 2), (0, 3), (2, 1))
_HERE = str(Path(__file__).parent)


@dataclass(frozen=True)
class Verdict:
    """What became of a case: a word, what was said, and a number that the games alone decide."""

    word: str
    detail: str = ""
    digest: int = field(default=0, compare=False)

    @property
    def is_fault(self) -> bool:
        """Whether somebody has something to mend."""
        return self.word not in (REFUSED, PLAYED, NAMED)

    @property
    def cause(self) -> str:
        """What verdicts on the same fault most likely share."""
        if not self.is_fault or self.word.startswith("law"):
            return self.word
        return f"{self.word}: {re.sub('[0-9]+|rollout', '#', self.detail)}".rstrip(": ")


def warm_up() -> None:
    """Compile or load all that playing needs, before any process is forked."""
    handler_words(all_actions().values())
    for agent in ("control", "aggro", "rollout:2"):
        verdict_on(replace(companions_case(), agent=agent))


def verdict_on(case: Case) -> Verdict:
    """Load, pack and play a case, and look at all that can be seen of it from Python."""
    try:
        try:
            table = _table(case)
        except InputError as error:
            return _judged(str(error), REFUSED)
        try:
            return _verdict_on_games(case, table)
        except InputError as error:
            return _judged(str(error), "refused late")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        frames = traceback.extract_tb(error.__traceback__)
        last = [frame for frame in frames if not frame.filename.startswith(_HERE)][-1:]
        where = "".join(f" ({Path(one.filename).name}: {one.name})" for one in last)
        return Verdict("error", f"{type(error).__name__}: {error}{where}")


def loads(case: Case) -> bool:
    """Whether a case is not refused."""
    try:
        _table(case)
    except InputError:
        return False
    return True


def _table(case: Case) -> Table:
    pool = validate(Pool, case.pool, source="fuzz.toml")
    return pack_table(pool, validate(Ruleset, case.ruleset, source="rules.toml"))


def _judged(message: str, word: str) -> Verdict:
    """A message to a person is one line of a readable length."""
    is_line = len(message) <= LONGEST_LINE and "\n" not in message
    return Verdict(word if is_line else "unreadable", message)


def _verdict_on_games(case: Case, table: Table) -> Verdict:
    rows = np.stack([_deck_row(table.pool, ids) for ids in case.decks])
    outcomes = _played(case, table, rows)
    found = check(table, rows[np.arange(2 * N_CHECKED) % 2], case.seed, settings=CLOSELY)
    is_stopped = found.outcomes[:, RESULT_OF_GAME] == FAULTED
    for broken in found.violations:
        if not (broken.law == Law.NO_FAULT and is_stopped[broken.game]):
            return Verdict(f"law {broken.law.name}", str(broken).splitlines()[0])
    if (wrong := _what_is_wrong(outcomes)) is not None:
        return Verdict("outcome", wrong)
    for fault in outcomes.faults.values():
        return _judged(str(fault), NAMED if fault.card.startswith("card ") else "nameless")
    if is_stopped.any():
        return Verdict(NAMED)
    digest = zlib.crc32(found.digests.tobytes(), zlib.crc32(outcomes.totals.tobytes()))
    return Verdict(PLAYED, digest=digest)


def _deck_row(pool: Pool, ids: Sequence[str]) -> np.ndarray:
    """The deck of those of the cards that the pool has."""
    positions = {card.id: position for position, card in enumerate(pool.cards)}
    power = pool.number(pool.heroes[0].power) if pool.heroes else BLANK
    return deck_row([positions[one] for one in ids if one in positions], power)


def _played(case: Case, table: Table, rows: np.ndarray) -> Outcomes:
    """Both seatings of some pairs of players, each row of games twice."""
    agents = [agent_named(name) for name in ("random", "random", "greedy", case.agent)]
    pairs = np.array(_PAIRS * 2)
    zeros = np.zeros(len(pairs), dtype=np.int64)
    n_games = zeros + (1 if case.agent.startswith("rollout") else N_GAMES)
    stream = stream_seed(case.seed, "fuzz/games")
    batch = Batch(rows[[0, 1, 0, 1]], zeros, pairs, n_games, zeros, stream)
    return play(batch, table, agents, threads=1, keep=("winner", "cards"), faults="keep")


def _what_is_wrong(outcomes: Outcomes) -> str | None:
    """What cannot be true of any games, or `None`."""
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
