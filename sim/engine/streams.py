"""Random numbers by counter: the n-th number of a stream is a function of its seed and n.

The streams are splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014). Nothing is carried from draw to draw but a count, so any game, seat
or decision can be reached on its own, in any order.
"""

from __future__ import annotations

from typing import Any

from sim.engine.compiled import Words, compiled, i64, none, u64

GAMMA = 0x9E3779B97F4A7C15
MASK64 = 0xFFFFFFFFFFFFFFFF
WORD = 0xFFFF
AGENT_OFFSET = 16  # agents' streams are those of "seats" 16 and up
EFFECT_OFFSET = 32  # and those of effects 32 and up


@compiled(u64(u64))
def mix64(z: int) -> int:
    """The splitmix64 finaliser: a bijection of 64-bit words that scatters neighbours."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


@compiled(u64(u64, u64))
def number(seed: int, n: int) -> int:
    """The n-th number (from 1) of the stream `seed`."""
    return mix64((seed + n * GAMMA) & MASK64)


@compiled(i64(i64, i64))
def _scale(high: int, n_choices: int) -> int:
    return (high * n_choices) >> 32


@compiled(i64(u64, u64, i64))
def pick(seed: int, n: int, n_choices: int) -> int:
    """The n-th number of the stream as a choice in 0..n_choices-1, from its high 32 bits."""
    return _scale(number(seed, n) >> 32, n_choices)


@compiled(u64(i64))
def _unsigned(word: int) -> int:
    return word & WORD


@compiled(u64(Words, i64))
def load64(words: Any, at: int) -> int:
    """The 64-bit number in four words, lowest first."""
    return (
        _unsigned(words[at])
        | (_unsigned(words[at + 1]) << 16)
        | (_unsigned(words[at + 2]) << 32)
        | (_unsigned(words[at + 3]) << 48)
    )


@compiled(i64(i64))
def _signed(word: int) -> int:
    return word - ((word & 0x8000) << 1)


@compiled(none(Words, i64, u64))
def store64(words: Any, at: int, value: int) -> None:
    """Write a 64-bit number into four words, lowest first."""
    for k in range(4):
        words[at + k] = _signed((value >> (16 * k)) & WORD)


@compiled(i64(Words, i64))
def load32(words: Any, at: int) -> int:
    """The number in two words, the lower first; compiled, one load."""
    return _unsigned(words[at]) | (words[at + 1] << 16)


@compiled(none(Words, i64, i64))
def store32(words: Any, at: int, value: int) -> None:
    """Write a number into two words, the lower first; compiled, one store."""
    words[at] = _signed(value & WORD)
    words[at + 1] = value >> 16
