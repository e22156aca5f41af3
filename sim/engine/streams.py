"""Counter-based random numbers: the n-th number of a stream is a function of its seed and n.

The streams are splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014). Its only state is a count, so the numbers of any game, seat or decision can be
computed on their own, in any order.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none, u64

GAMMA = 0x9E3779B97F4A7C15  # increment of splitmix64: 2^64 divided by the golden ratio, made odd
MASK64 = 0xFFFFFFFFFFFFFFFF
WORD = 0xFFFF
# The streams of seat s have these numbers of the game seed's stream as their seeds: 1 + s for
# draws, 1 + s + AGENT_OFFSET for the agent's choices, and 1 + s + EFFECT_OFFSET for effects.
AGENT_OFFSET = 16
EFFECT_OFFSET = 32


@compiled(u64(u64))
def mix64(z: int) -> int:
    """Return splitmix64's finaliser of `z`: a bijection of 64-bit words that mixes all bits."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


@compiled(u64(u64, u64))
def number(seed: int, n: int) -> int:
    """Return the n-th 64-bit number, from 1, of the stream with seed `seed`."""
    return mix64((seed + n * GAMMA) & MASK64)


@compiled(i64(i64, i64))
def _scale(high: int, n_choices: int) -> int:
    """Return ``floor(high * n_choices / 2^32)``: a 32-bit number scaled to 0..n_choices-1."""
    return (high * n_choices) >> 32


@compiled(i64(u64, u64, i64))
def pick(seed: int, n: int, n_choices: int) -> int:
    """Return a choice in 0..n_choices-1, from the high 32 bits of a stream's n-th number.

    Args:
        seed: seed of the stream.
        n: position in the stream, from 1.
        n_choices: number of choices, at least 1.
    """
    return _scale(number(seed, n) >> 32, n_choices)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    """Return the value of a signed 16-bit word's bits as an unsigned number, 0 to 65,535."""
    return word & WORD


@compiled(u64(Words, i64))
def load64(words: Any, at: int) -> int:
    """Return the unsigned 64-bit number in the four words from `at`, lowest word first."""
    return (
        _unsigned(words[at])
        | (_unsigned(words[at + 1]) << 16)
        | (_unsigned(words[at + 2]) << 32)
        | (_unsigned(words[at + 3]) << 48)
    )


@compiled(i64(i64))
def _signed(word: int) -> int:
    """Return a number from 0 to 65,535 as the signed 16-bit word with the same bits."""
    return word - ((word & 0x8000) << 1)


@compiled(none(Words, i64, u64))
def store64(words: Any, at: int, value: int) -> None:
    """Write a 64-bit number into the four words from `at`, lowest word first."""
    for k in range(4):
        words[at + k] = _signed((value >> (16 * k)) & WORD)


@compiled(i64(Words, i64))
def load32(words: Any, at: int) -> int:
    """Return the signed 32-bit number in the two words from `at`, lowest word first.

    LLVM compiles this to a single load.
    """
    return _unsigned(words[at]) | (words[at + 1] << 16)


@compiled(none(Words, i64, i64))
def store32(words: Any, at: int, value: int) -> None:
    """Write a signed 32-bit number into the two words from `at`, lowest word first.

    LLVM compiles this to a single store.
    """
    words[at] = _signed(value & WORD)
    words[at + 1] = value >> 16
