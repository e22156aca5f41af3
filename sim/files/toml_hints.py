"""Remedies for frequent mistakes in TOML files."""

from __future__ import annotations

import re
import sys

_LINE = re.compile(r"at line (\d+)")
_TABLE = re.compile(r"^\s*\[(?!\[)\s*([\w-]+)\s*\]")
_KEYS = re.compile(r"\(('[^']*'(, )?,?)+\)")  # the parser's spelling of the name of a table
_KEY = re.compile(r"'([^']*)'")
_OF_MANY = ("player", "learner", "card")
"""Names of tables that may occur several times, each under a heading in double brackets."""

_FIXES: tuple[tuple[str, str] | tuple[str, str, re.RegexFlag], ...] = (
    (r".*[\u201c\u201d\u201e\u2018\u2019\u300c\u300d]", 'use straight quotes (")'),
    (
        r".*([\uff01-\uff5e\u3000\u3001])",
        r"'\1' is a full-width character; write the half-width one",
    ),
    (r"\s*[\w.\"-]+\s*:\s*\S", "write key = value, with an equals sign"),
    (r"\s*[\w.\"-]+\s*=\s*(?:yes|on|true)\b", "write true, without quotes", re.I),
    (
        r"\s*[\w.\"-]+\s*=\s*(?:no|off|false)\b",
        "write false, without quotes",
        re.I,
    ),
    (r"\s*([\w.\"-]+)\s*=\s*([^\W\d][\w ./-]*?)\s*(?:#.*)?$", r'put text in quotes: \1 = "\2"'),
    (r".*=\s*(\d{1,3}),(\d{3})\s*(?:#.*)?$", r"write \1_\2, without a comma"),
    (r".*=\s*[+-]?\d+,\d+\s*(?:#.*)?$", "write a decimal point, not a comma"),
    (r".*=\s*[\d.]+\s*%", "write the number without a percent sign"),
    (
        r"\s*([^=\"'#]*[^\x00-\x7f\"'#=][^=\"'#]*?)\s*=",
        r'put a key with such characters in quotes: "\1" = ...',
    ),
    (r"\s*([\w-]+(?: +[\w'-]+)+)\s*=", r'put a key with spaces in quotes: "\1" = ...'),
    (r".*\S\s*,\s*(?:#.*)?$", "delete the comma at the end of the line"),
    (r"[^\"]*\"[^\"]*$", 'add the missing closing quote (")'),
    (r".*\\", r"write a path with /, or between single quotes, since \\ begins an escape"),
)
"""Pattern of a wrong line, its remedy and flags; the remedy of the first match is reported."""


def toml_problem(reason: str) -> str:
    """Return the end of an error message: the place and the reason of a TOML syntax error.

    Args:
        reason: message of the parser, such as `Invalid value (at line 2, column 5)`.
    """
    if reason.startswith("Exceeds the limit"):
        return f": a number has more than {sys.get_int_max_str_digits():,} digits"
    problem, _, place = reason.removesuffix(")").rpartition(" (")
    if not place.startswith("at line"):
        return f": {reason}"
    problem = _KEYS.sub(lambda keys: f"[{'.'.join(_KEY.findall(keys[0]))}]", problem)
    return f" {place} ({problem[:1].lower()}{problem[1:]})"


def toml_hint(text: str, reason: str) -> str:
    """Return a remedy for a TOML syntax error, beginning with `; `.

    Return `""` if the parser's message does not name a line or no remedy is known.

    Args:
        text: content of the whole file.
        reason: message of the parser, which names the line.
    """
    number = _LINE.search(reason)
    lines = text.split("\n")
    if number is None or int(number[1]) > len(lines):
        return ""
    line = lines[int(number[1]) - 1].rstrip("\r")
    # The parser's error has no code; only its text, "Cannot overwrite" or "Cannot declare", shows
    # that a key or table is repeated.
    if reason.startswith("Cannot"):
        fix = _fix_of_repeated(line, lines)
    else:
        matches = ((re.match(rule[0], line, *rule[2:]), rule[1]) for rule in _FIXES)
        fix = next((match.expand(fix) for match, fix in matches if match), "")
    return f"; {fix}" if fix else ""


def _fix_of_repeated(line: str, lines: list[str]) -> str:
    """Return the remedy for a repeated key or table; `""` if the line has no key.

    Args:
        line: line at which the parser stopped.
        lines: all lines of the file.
    """
    tables = [match[1] for other in lines if (match := _TABLE.match(other))]
    for name in _OF_MANY:
        if name in tables:
            return f"write [[{name}]], with double brackets, above each of them"
    for name in tables:
        if tables.count(name) > 1:
            return f"[{name}] occurs twice; write its keys under one heading"
    key = line.partition("=")[0].strip()
    if key.startswith("["):
        return f"{key} occurs twice; write its keys under one heading"
    return f"key {key!r} occurs twice; keep one of the two" if key else ""
