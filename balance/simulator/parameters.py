"""Parameters of a simulator as a contest uses them: positions on scales, and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from balance.contest.contest import Parameter
from balance.contest.scale import Scale
from balance.statistics.intervals import Flags
from sim.errors import InputError, error_place, known_word
from sim.files.validation import validate
from sim.play.table import Gene
from sim.simulator.block import Value
from sim.simulator.parameter_entry import ParameterEntry, decimal

_ALONE = "game"
"""Group of parameters without a dot in their names and without a group in their declarations."""

_KEYS_OF_NUMBERS = ("low", "high", "step", "choices")  # keys that need the key `value`
_BETTER = {"higher": 1, "lower": -1, None: 0}


@dataclass(frozen=True)
class Parameters:
    """All parameters of a simulator, by name.

    Attributes:
        entries: declaration of each parameter, by its name, such as `marine.hp`.
        players: names of the players, ``[D]``.
    """

    entries: Mapping[str, ParameterEntry]
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse declarations that name unknown players, or the same number of a group twice.

        Raises:
            InputError: a declaration names an unknown player, or two names denote one number.
        """
        for name, entry in self.entries.items():
            for player in entry.players:
                known_word("player", player, self.players, f"parameters.{name}")
        if len(self.names) < len(self.entries):
            raise InputError(
                "two of them have the same group and the same name within it",
                remedy="rename one of them, or write another group",
            )

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups, in the order in which parameters name them."""
        owners = (_owner_and_field(name, entry)[0] for name, entry in self.entries.items())
        return tuple(dict.fromkeys(owners))

    @cached_property
    def names(self) -> Mapping[Gene, str]:
        """Name of each parameter by gene: the position of its group, and its name within it."""
        names = {}
        for name, entry in self.entries.items():
            owner, field = _owner_and_field(name, entry)
            names[Gene(self.groups.index(owner), field)] = name
        return names

    @cached_property
    def by_gene(self) -> Mapping[Gene, Parameter]:
        """Names, scale and baseline position of each parameter."""
        return {
            gene: _parameter(self.groups[gene.owner], gene.field, self.entries[name])
            for gene, name in self.names.items()
        }

    @cached_property
    def ranges(self) -> Mapping[Gene, tuple[int, int]]:
        """Lowest and highest step from the baseline of each parameter that a patch may change."""
        ranges = {}
        for gene, parameter in self.by_gene.items():
            low, high = _ends(self.entries[self.names[gene]], parameter.scale)
            if low < high:
                ranges[gene] = (low - parameter.value, high - parameter.value)
        return ranges

    @cached_property
    def weights(self) -> Mapping[Gene, float]:
        """Cost of one step of each parameter in the change of a patch."""
        return {gene: self.entries[name].weight for gene, name in self.names.items()}

    def reach(self, genes: Sequence[Gene]) -> Flags:
        """Return whether each parameter can affect each player's games, shape ``[K, D]``."""
        flags = np.ones((len(genes), len(self.players)), dtype=np.bool_)
        for k, gene in enumerate(genes):
            if own := self.entries[self.names[gene]].players:
                flags[k] = [player in own for player in self.players]
        return flags

    def values(self, steps: Mapping[Gene, int]) -> dict[str, Value]:
        """Return the values of all parameters by name, after steps from the baseline.

        Args:
            steps: steps of some parameters; the others keep their baseline values.
        """
        values = {name: entry.value for name, entry in self.entries.items()}
        for gene, step in steps.items():
            if step:
                parameter = self.by_gene[gene]
                values[self.names[gene]] = parameter.scale.value(parameter.value + step)
        return values


def _parameter(owner: str, field: str, entry: ParameterEntry) -> Parameter:
    """Return a declared parameter with its names within a contest."""
    scale = _scale_of(entry)
    position = scale.position(entry.value)
    return Parameter(owner, owner, field, position, scale=scale, better=_BETTER[entry.better])


def _scale_of(entry: ParameterEntry) -> Scale:
    """Return the scale of a parameter: whole numbers as they are, or steps from its value."""
    if isinstance(entry.value, str):
        return Scale(choices=entry.choices or (entry.value,))
    numbers = (entry.value, entry.low, entry.high, entry.step)
    is_real = any(isinstance(number, float) for number in numbers)
    if not is_real and entry.step_size == 1:
        return Scale()
    return Scale(decimal(entry.value), Decimal(entry.step_size), is_real=is_real)


def _ends(entry: ParameterEntry, scale: Scale) -> tuple[int, int]:
    """Return the lowest and the highest position that a patch may give a parameter."""
    if isinstance(entry.value, str):
        return 0, len(scale.choices) - 1
    low = entry.value if entry.low is None else entry.low
    high = entry.value if entry.high is None else entry.high
    return scale.position(low), scale.position(high)


def _owner_and_field(name: str, entry: ParameterEntry) -> tuple[str, str]:
    """Return the group of a parameter, and its name within the group."""
    prefix, _, rest = name.partition(".")
    if not entry.group:
        return (prefix, rest) if rest else (_ALONE, name)
    return entry.group, rest if rest and prefix == entry.group else name


def read_parameters(
    tables: Mapping[str, object], players: Sequence[str], place: str = "parameters"
) -> Parameters:
    """Return the parameters that nested tables declare.

    A table with the key `value` declares a parameter; a bare number or word declares a parameter
    that no patch changes. Any other table is a group; its name and a dot precede its parameters. A
    list `players` in a group applies to those of its parameters that have none of their own.

    Args:
        tables: declarations, such as `{"marine": {"hp": {"value": 45, "low": 35, "high": 55}}}`.
        players: names of the players.
        place: place of the tables, for messages.

    Raises:
        InputError: a declaration is invalid.
    """
    entries = dict[str, ParameterEntry]()

    def collect(prefix: str, table: Mapping[str, object], reached: Mapping[str, object]) -> None:
        """Add the declarations of a table, with a prefix before their names.

        Args:
            prefix: names of the outer tables, each with a dot.
            table: declarations.
            reached: key `players` of the nearest outer table that has it, or nothing.
        """
        if prefix and isinstance(table.get("players"), list | tuple):
            reached = {"players": table["players"]}
            table = {key: content for key, content in table.items() if key != "players"}
        for key, content in table.items():
            name = f"{prefix}{key}"
            if isinstance(content, ParameterEntry):
                entries[name] = content
            elif isinstance(content, Mapping) and "value" not in content:
                _refuse_missing_value(content, f"{place}.{name}")
                collect(f"{name}.", content, reached)
            else:
                entries[name] = _entry(content, f"{place}.{name}", reached)

    collect("", tables, {})
    with error_place(place):
        return Parameters(entries, tuple(players))


def _refuse_missing_value(table: Mapping[str, object], place: str) -> None:
    """Refuse a table without the key `value` that has other keys of a declaration.

    Raises:
        InputError: the table has such a key, and a number or words as its content.
    """
    for key in _KEYS_OF_NUMBERS:
        if isinstance(table.get(key), int | float | list | tuple):
            raise InputError(
                f"has the key {key!r}, but not the key 'value'",
                place=place,
                value=key,
                remedy="write the value in the baseline as `value`",
                separator=" ",
            )


def _entry(content: object, place: str, reached: Mapping[str, object]) -> ParameterEntry:
    """Return the declaration of one parameter: a table, or its bare value.

    Args:
        content: the table or the value.
        place: place of the declaration, for messages.
        reached: key `players` of its group, or nothing.

    Raises:
        InputError: the declaration is invalid.
    """
    table = content if isinstance(content, Mapping) else {"value": content}
    return validate(ParameterEntry, {**reached, **table}, source=place)
