"""Edits of games without cards in the notation of users: `marine.hp=50`, `marine.speed+0.05`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from balance import Contest
from balance.contest.contest import Parameter
from balance.contest.whatif import Edits
from experiments.files.option_errors import option_place
from sim import InputError
from sim.errors import known_word
from sim.play.table import Gene
from sim.simulator.block import Value
from sim.simulator.parameter_entry import VALUES_MAX

# OWNER.FIELD=VALUE, OWNER.FIELD+AMOUNT or OWNER.FIELD+=AMOUNT.
_WRITTEN = re.compile(
    r"(?P<name>[^=+\-\s]+(?:[^=+-]*[^=+\-\s])?)\s*(?P<operator>[=+-])=?\s*(?P<value>.+)"
)
# Letters of a number; longer ones are no numbers of a game.
_LETTERS_MAX = 25


def read_contest_edits(written: Iterable[str], contest: Contest) -> Edits:
    """Return edits as steps from the current numbers.

    Args:
        written: texts of the edits, such as `marine.hp=50`.
        contest: contest with the numbers.

    Raises:
        InputError: an edit cannot be read, has an unknown number or a value that the number cannot
            have, changes nothing, or repeats a number.
    """
    numbers = {gene: contest.parameter(gene) for gene in contest.genes}
    edits = dict[Gene, int]()
    for text in written:
        with option_place(f"edit {text!r}", is_word=True):
            gene, step = _read(text, numbers)
            name = _name(numbers[gene])
            if gene in edits:
                raise InputError(f"{name} is edited twice", value=name, remedy="edit it once")
            if step == 0:
                today = numbers[gene].scale.value(numbers[gene].value)
                raise InputError(
                    f"{name} is already {today}",
                    value=today,
                    remedy="write another value, or leave the edit out",
                )
            if abs(step) > VALUES_MAX:
                raise InputError(
                    f"{name} is moved by {abs(step):,} steps, at most {VALUES_MAX:,} are possible",
                    value=step,
                    limit=VALUES_MAX,
                )
            edits[gene] = step
    return edits


def _read(text: str, numbers: Mapping[Gene, Parameter]) -> tuple[Gene, int]:
    """Return the number that an edit changes, and its steps from the current value.

    Raises:
        InputError: the edit cannot be read, or has an unknown number or value.
    """
    example = _name(next(iter(numbers.values())))
    parts = _WRITTEN.fullmatch(text.strip())
    if parts is None:
        raise InputError(
            "does not have the form of an edit",
            value=text,
            remedy=f"write edits as {example}=VALUE or {example}+AMOUNT",
        )
    names = {_name(number): gene for gene, number in numbers.items()}
    gene = names[known_word("number", parts["name"], names)]
    number = numbers[gene]
    value = _value(parts["value"].strip())
    if parts["operator"] == "=":
        return gene, number.scale.position(value) - number.value
    if isinstance(value, str):
        raise InputError(
            f"{value!r} must be a number to be added or subtracted",
            value=value,
            remedy=f"write {_name(number)}={value} to set a value",
        )
    steps = number.scale.steps(value)
    return gene, steps if parts["operator"] == "+" else -steps


def _name(number: Parameter) -> str:
    """Return the name of a number in edits, such as `marine.hp`."""
    return f"{number.owner}.{number.field}"


def _value(text: str) -> Value:
    """Return a text as a whole number, a real number, or a word if it is neither."""
    if len(text) <= _LETTERS_MAX and re.fullmatch(r"-?\d+", text):
        return int(text)
    if len(text) <= _LETTERS_MAX and re.fullmatch(r"-?\d*\.?\d+", text):
        return float(text)
    return text
