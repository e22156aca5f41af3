"""Matching of templates to tokens: all readings of a rule at a position, each computed once.

The matcher is a memoizing recursive descent (Norvig 1991, "Techniques for automatic memoization
with applications to context-free parsing"). It keeps every reading of an ambiguous text, but equal
values at one place only once, so that ambiguities without a difference in meaning disappear at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag
from typing import Any

from sim.cards.reading.template import Element, Part, sequences
from sim.cards.reading.tokens import Token

Values = dict[str, Any]
"""Values of the parts of an alternative, by key."""

Build = Callable[[Values], Iterable[Hashable]]
"""Function from the values of a rule's parts to the rule's meanings; none if they do not fit."""

Terminal = Callable[[Sequence[Token], int], Iterable[tuple[int, Hashable]]]
"""Function of (tokens, position) that yields the end and the value of each reading there."""


@dataclass(frozen=True)
class Alternative:
    """One sequence of words and parts that a rule reads, with the values that it sets."""

    elements: tuple[Element, ...]
    constants: tuple[tuple[str, Any], ...] = ()


@dataclass
class Rule:
    """Named rule of a grammar: alternatives, and the function that builds their meanings.

    Attributes:
        build: function of the values; `None` to return the values as a `frozenset` of pairs.
        by_word: alternatives that begin with a word, by that word.
        others: alternatives that begin with a part or are empty.
    """

    build: Build | None = None
    by_word: dict[str, list[Alternative]] = field(default_factory=dict)
    others: list[Alternative] = field(default_factory=list)

    def add(self, template: str, constants: Mapping[str, Any]) -> None:
        """Add the alternatives of a template."""
        for elements in sequences(template):
            alternative = Alternative(elements, tuple(constants.items()))
            first = elements[0] if elements else None
            if isinstance(first, str):
                self.by_word.setdefault(first, []).append(alternative)
            else:
                self.others.append(alternative)


Rules = dict[str, Rule]

Phrases = Iterable[tuple[str, Mapping[str, Any]]]
"""Templates with the values that each of them sets."""


def add(rules: Rules, name: str, phrases: Phrases, build: Build | None = None) -> None:
    """Add a rule, or further phrases of a rule.

    Args:
        rules: rules to add to.
        name: name of the rule.
        phrases: templates of the rule.
        build: function that builds the meanings of a new rule, see `Rule`.
    """
    rule = rules.setdefault(name, Rule(build))
    for template, constants in phrases:
        rule.add(template, constants)


def listed_values(values: Values) -> Iterable[Hashable]:
    """Yield the parts `one` and `more` of a list as a tuple."""
    yield (values["one"], *values.get("more", ()))


class Matcher:
    """Readings of one text by the rules of a grammar.

    Attributes:
        farthest: index of the first token that no reading of any rule could pass.
        expected: words that templates have at that token, if the matcher is traced.
    """

    def __init__(
        self,
        rules: Mapping[str, Rule],
        terminals: Mapping[str, Terminal],
        tokens: Sequence[Token],
        *,
        is_traced: bool = False,
    ) -> None:
        """Prepare a matcher; `is_traced` says whether `expected` is collected, which is slower."""
        self._rules = rules
        self._terminals = terminals
        self._tokens = tokens
        self._found: dict[tuple[str, int], tuple[tuple[int, Hashable], ...]] = {}
        self.farthest = 0
        self.expected: set[str] = set()
        self._is_traced = is_traced

    def readings(self, rule: str, start: int = 0) -> tuple[tuple[int, Hashable], ...]:
        """Return the end and the value of each different reading of a rule at a token."""
        key = (rule, start)
        if key not in self._found:
            self._found[key] = ()  # a rule that begins with itself reads nothing more
            self._found[key] = tuple(dict.fromkeys(self._computed(rule, start)))
        return self._found[key]

    def whole(self, rule: str) -> list[Hashable]:
        """Return the different values of the readings of a rule that use all tokens."""
        return [value for end, value in self.readings(rule) if end == len(self._tokens)]

    def _computed(self, name: str, start: int) -> Iterable[tuple[int, Hashable]]:
        if name in self._terminals:
            yield from self._terminals[name](self._tokens, start)
            return
        rule = self._rules[name]
        word = self._tokens[start].word if start < len(self._tokens) else ""
        if self._is_traced and start == self.farthest:
            self.expected.update(rule.by_word)
        for alternative in (*rule.by_word.get(word, ()), *rule.others):
            for end, values in self._sequence(alternative, start):
                if rule.build is None:
                    yield end, frozenset(values.items())
                else:
                    for value in rule.build(values):
                        yield end, value

    def _sequence(self, alternative: Alternative, start: int) -> list[tuple[int, Values]]:
        """Return the end and the values of each way to read an alternative's elements in order."""
        open_ways = [(start, dict(alternative.constants))]
        for element in alternative.elements:
            if isinstance(element, str):
                open_ways = [
                    (at + 1, values) for at, values in open_ways if self._is_word(at, element)
                ]
            else:
                open_ways = [
                    (end, joined)
                    for at, values in open_ways
                    for end, value in self.readings(element.rule, at)
                    if (joined := _joined(values, element, value)) is not None
                ]
            if not open_ways:
                return []
        self._pass(max(at for at, _ in open_ways))
        return open_ways

    def _is_word(self, at: int, word: str) -> bool:
        is_word = at < len(self._tokens) and self._tokens[at].word == word
        if is_word:
            self._pass(at + 1)
        elif self._is_traced and at == self.farthest:
            self.expected.add(word)
        return is_word

    def _pass(self, at: int) -> None:
        """Record that a reading has passed all tokens before `at`."""
        if at > self.farthest:
            self.farthest = at
            self.expected.clear()


def _joined(values: Values, part: Part, value: Any) -> Values | None:
    """Return values with the value of a part added; `None` if a key has another value already.

    Sets of flags under the same key are united.
    """
    pairs = [(part.key, value)] if part.key else list(value)
    joined = dict(values)
    for key, new in pairs:
        if key in joined and joined[key] != new:
            if not isinstance(new, Flag):
                return None
            joined[key] |= new
        else:
            joined[key] = new
    return joined
