"""Seeds by name: every random stream is a function of the run's seed and of the stream's purpose.

Purposes in use:

* measurements: `matchups`, `power`, `lever`, `narrow`; `whatif`, all edits that a person tries;
  `estimate`, the run seed of the trial run that estimates run times;
* model-based search: `search/today` (baseline), `search/design` (initial design),
  `search/race/<round>`, local refinement `search/centre/<k>` and `search/lever/<k>`, and `beam`,
  which breaks ties between candidates;
* search and certificate: `search/<generation>`, `operators/<generation>` (of a plug-in optimiser,
  `search/<batch>` and `operators/<its name>`), `select`, `cleanup/<round>/few`, `cleanup/<round>`,
  `certify`, `certify/retrained` (the patch again, after its pilots have continued to learn),
  `second_opinion` (the patch with other pilots), on the workbench `workbench/second_opinion/<try>`
  and `workbench/certify/<try>` (numbers that a person has set), `edits` (the patch without each of
  its edits), `truth` (the high-precision reference by which a suite checks certified patches);
  `widened/<times>`, the run seed of a search in a relaxed space; `explain/<fit>` and
  `explain/<setting>`, the run seeds of the explanation why nothing was certified;
* planted imbalances: `plant/<kind>/<place>/<draw>`, with the further purposes `.../screen`,
  `.../<k>/rates` and `.../<k>`, the run seed of a certificate;
* training: `train/<learner>` (from which the trainer derives `train/network`, `train/explore` and
  `train/replay`), `train/<learner>/games`, `train/<learner>/variants`, `train/<learner>/evaluate`
  (the learning curve) and `train/<learner>/final`; `train/together` (matchups of learners that are
  trained together) and `train/together/<turn>`, the run seed of that training; `train/big_two`,
  `train/big_two/games` and `big_two/judge` (the strength of a Big Two learner);
* tuning the turn search: `tune/<learner>` (the method's own randomness), `tune/<learner>/games`,
  `tune/<learner>/evaluate` (the curve), `tune/<learner>/judge`; `turn_tuning` (a benchmark);
* trained agents: `evaluate/<learner>/games`, `evaluate/<learner>/histogram`; `exploit/<player>`,
  `exploit/<player>/<rival>`, `drift/<player>` and, in later rounds, `drift/<player>/<round>`, which
  are also the run seeds of those trainings;
* replacing cards: `substitute/alone/<k>` if several cards are replaced, then `substitute/race`,
  `substitute/rank` and `substitute/measure`;
* building decks: `build/operators/<generation>`, `build/search/<generation>`, `build/select`,
  `build/certify`; `metagame/resample`, `metagame/again`; and for an attack
  `attack/<phase>/matchups`, `attack/<phase>/again`, `attack/<phase>/resample` and
  `attack/<phase>/<round>`, the run seed of that round's deck;
* costs of cards: `outliers/decks/<round>`, `outliers/costs/<round>` and `outliers/games`;
* scenarios: `conformance`; the trial of a program or function that plays games:
  `simulator_check`;
* observed results: `observed/resample`; `agree/resample` and `agree/resample_lists`; `calibrate`,
  `calibrate/points` and `calibrate/resample`; `retrodict` and `retrodict/resample`;
* `pilots` (mirror matches, each deck's pilot against `light`);
* `play` (games of a person); `agents` (a round robin) and `agents/resample`;
* other purposes: `environment` (an environment with its own seed), `bench`, `bench/actions`.

Streams of different purposes are independent. In one run, the same purpose always gives the same
numbers, regardless of the games played before.
"""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.streams import GAMMA, MASK64, mix64
from sim.value_error import value_error

SEED_MAX = 2**63 - 1
"""Largest seed in a file or an option, where whole numbers have 64 bits with a sign."""

STREAM_MAX = MASK64
"""Largest seed that functions accept: derived seeds are 64-bit numbers without a sign."""

# The engine's function as plain Python, which also accepts arrays and needs no compilation.
_mix64: Any = getattr(mix64, "py_func", mix64)


def stream_seed(run_seed: int, purpose: str) -> int:
    """Return the 64-bit seed of the stream for `purpose` in the run `run_seed`.

    It consists of the first 8 bytes of the BLAKE2b hash of `"<run_seed>/<purpose>"`.

    Raises:
        InputError: the run seed is not a whole number from 0 to `STREAM_MAX`.
    """
    seed = whole_number("seed", run_seed)
    digest = hashlib.blake2b(f"{seed}/{purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def number_of(stream: int, index: int) -> int:
    """Return the 64-bit number at `index`, from 0, of a stream, as the engine computes it."""
    return int(_mix64((stream + (index + 1) * GAMMA) & MASK64))


def numbers_of(stream: int, indices: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """Return the 64-bit numbers at many indices, from 0, of a stream, see `number_of`.

    Args:
        stream: seed of the stream.
        indices: positions in the stream, any shape.

    Returns:
        The numbers, in the shape of `indices`.
    """
    counts = (indices + 1).astype(np.uint64)
    return np.asarray(_mix64(np.uint64(stream) + counts * np.uint64(GAMMA)))


def indices_of(stream: int, numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the indices, from 0, at which numbers occur in a stream, the inverse of `numbers_of`.

    Every 64-bit number occurs once among the 2^64 numbers of a stream.

    Args:
        stream: seed of the stream.
        numbers: numbers of the stream, any shape.

    Returns:
        The indices, in the shape of `numbers`.
    """
    z = numbers.astype(np.uint64)
    z ^= (z >> np.uint64(31)) ^ (z >> np.uint64(62))
    z *= np.uint64(pow(0x94D049BB133111EB, -1, 2**64))
    z ^= (z >> np.uint64(27)) ^ (z >> np.uint64(54))
    z *= np.uint64(pow(0xBF58476D1CE4E5B9, -1, 2**64))
    z ^= (z >> np.uint64(30)) ^ (z >> np.uint64(60))
    z -= np.uint64(stream)
    z *= np.uint64(pow(GAMMA, -1, 2**64))
    return z - np.uint64(1)


def game_seed(run_seed: int, purpose: str, game_index: int) -> int:
    """Return the seed of one game.

    Args:
        run_seed: seed of the run.
        purpose: purpose of the games, see the module.
        game_index: index of the game among those with this purpose, from 0.

    Raises:
        InputError: the seed or the index is not a whole number from 0 to `STREAM_MAX`.
    """
    return number_of(stream_seed(run_seed, purpose), whole_number("game_index", game_index))


def generator(run_seed: int, purpose: str) -> np.random.Generator:
    """Return a numpy generator for the randomness of `purpose` outside the games.

    Raises:
        InputError: the run seed is not a whole number from 0 to `STREAM_MAX`.
    """
    return np.random.default_rng(stream_seed(run_seed, purpose))


def whole_number(name: str, value: Any) -> int:
    """Return a whole number of Python's or numpy's types as an `int`.

    Args:
        name: name of the value, for the message.
        value: the value that was given.

    Raises:
        InputError: the value is not a whole number from 0 to `STREAM_MAX`; booleans are refused.
    """
    try:
        whole = operator.index(value)
    except TypeError:
        whole = -1
    if isinstance(value, bool) or not 0 <= whole <= STREAM_MAX:
        raise value_error(
            name, value, f"must be a whole number from 0 to {STREAM_MAX}", limit=(0, STREAM_MAX)
        )
    return whole
