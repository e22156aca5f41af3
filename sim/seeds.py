"""Seeds by name: every random stream is a function of the run's seed and its purpose.

Purposes in use:

* measuring: `matchups`, `power`, `lever`, `narrow`; `whatif`, all edits that somebody tries;
  `estimate`, the run seed of the look ahead that tells how long the others may take;
* searching by model: `search/today`, `search/design`, `search/race/<round>`, of its centres
  `search/centre/<k>` and `search/lever/<k>`, and `beam`, which tells genomes apart;
* searching and certifying: `search/<generation>`, `operators/<generation>` (of an optimiser from
  outside, `search/<batch>` and `operators/<its name>`), `select`,
  `cleanup/<round>/few`, `cleanup/<round>`, `certify`,
  `certify/retrained` (the patch once more, when its pilots have learned on),
  `second_opinion` (the patch in the hands of other pilots), on the workbench
  `workbench/second_opinion/<try>`,
  `workbench/certify/<try>` (numbers that somebody has chosen by hand), `edits` (the patch
  without each of its edits), `truth` (what a suite judges certified patches by);
  `widened/<times>`, the run seed of a search that was widened; `explain/<fit>` and
  `explain/<setting>`, those of what tells why nothing was certified;
* hiding edits: `plant/<kind>/<place>/<draw>`, of which come `.../screen`, `.../<k>/rates` and the
  run seed of a certificate, `.../<k>`;
* training: `train/<learner>` (of which the trainer derives `train/network`, `train/explore` and
  `train/replay`), `train/<learner>/games`, `train/<learner>/variants`,
  `train/<learner>/evaluate` (the learning curve) and `train/<learner>/final`; `train/together`
  (matchups of learners that go on together) and `train/together/<turn>`, the run seed of that
  training; `train/big_two`, `train/big_two/games` and `big_two/judge` (what a learner of Big Two
  has come to);
* tuning the turn search: `tune/<learner>` (the method's own luck), `tune/<learner>/games`,
  `tune/<learner>/evaluate` (the curve), `tune/<learner>/judge`; `turn_tuning` (a benchmark);
* trained agents: `evaluate/<learner>/games`, `evaluate/<learner>/histogram`; `exploit/<player>`,
  `exploit/<player>/<rival>` and `drift/<player>`, of later rounds `drift/<player>/<round>`, whose
  numbers are also the run seeds of those trainings;
* replacing cards: `substitute/alone/<k>` for several, then `substitute/race`, `substitute/rank` and
  `substitute/measure`;
* building decks: `build/operators/<generation>`, `build/search/<generation>`, `build/select`,
  `build/certify`; `metagame/resample`, `metagame/again`; and for an attack
  `attack/<phase>/matchups`, `attack/<phase>/again`,
  `attack/<phase>/resample` and `attack/<phase>/<round>`, the run seed of that round's deck;
* scenarios: `conformance`;
* `pilots` (mirrors of decks, their pilots against `light`);
* `play` (games of a person); `agents` (a round robin) and `agents/resample`;
* elsewhere: `environment` (an environment of its own seed), `bench`, `bench/actions`.

Streams with different purposes are independent; the same purpose gives the same numbers, whatever
was played before.
"""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.streams import GAMMA, MASK64, mix64
from sim.errors import InputError

SEED_MAX = 2**63 - 1
"""The largest seed of a file or an option, whose whole numbers have a sign."""

STREAM_MAX = MASK64
"""The largest seed of all: those that are derived from others have 64 bits."""

_mix64: Any = getattr(mix64, "py_func", mix64)  # the engine's own source, as plain Python


def stream_seed(run_seed: int, purpose: str) -> int:
    """The 64-bit seed of the stream that serves `purpose` in the run `run_seed`.

    Raises:
        InputError: the seed is no whole number from 0 to `STREAM_MAX`.
    """
    seed = whole_number("seed", run_seed)
    digest = hashlib.blake2b(f"{seed}/{purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def number_of(stream: int, index: int) -> int:
    """The 64-bit number at `index`, from 0, of a stream; the engine computes the same ones."""
    return int(_mix64((stream + (index + 1) * GAMMA) & MASK64))


def numbers_of(stream: int, indices: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """The same at many places at once."""
    places = (indices + 1).astype(np.uint64)
    return np.asarray(_mix64(np.uint64(stream) + places * np.uint64(GAMMA)))


def game_seed(run_seed: int, purpose: str, game_index: int) -> int:
    """The seed of one game.

    Raises:
        InputError: the seed or the index is no whole number from 0 to `STREAM_MAX`.
    """
    return number_of(stream_seed(run_seed, purpose), whole_number("game_index", game_index))


def generator(run_seed: int, purpose: str) -> np.random.Generator:
    """A numpy generator for the randomness of `purpose` outside the games.

    Raises:
        InputError: as `stream_seed`.
    """
    return np.random.default_rng(stream_seed(run_seed, purpose))


def whole_number(name: str, value: Any) -> int:
    """A whole number of Python's or numpy's.

    Args:
        name: what messages call it.
        value: what was given.

    Raises:
        InputError: it is none from 0 to `STREAM_MAX`.
    """
    try:
        whole = operator.index(value)
    except TypeError:
        whole = -1
    if isinstance(value, bool) or not 0 <= whole <= STREAM_MAX:
        raise InputError(f"{name} = {value!r} must be a whole number from 0 to {STREAM_MAX}")
    return whole
