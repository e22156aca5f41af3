"""What to write instead, for the mistakes that people make most often in TOML."""

from __future__ import annotations

import re

_LINE = re.compile(r"at line (\d+)")
_TABLE = re.compile(r"^\s*\[(?!\[)\s*([\w-]+)\s*\]")
_OF_MANY = ("player", "learner", "card")
"""Tables that a file holds several of, each under two brackets."""

_FIXES: tuple[tuple[str, str] | tuple[str, str, re.RegexFlag], ...] = (
    (r".*[\u201c\u201d\u201e\u2018\u2019\u300c\u300d]", 'quotes must be straight: "'),
    (r".*([\uff01-\uff5e\u3000\u3001])", r"'\1' is a full-width sign; write the half-width one"),
    (r"\s*[\w.\"-]+\s*:\s*\S", "write key = value, with an equals sign"),
    (r"\s*[\w.\"-]+\s*=\s*(?:yes|on|true)\b", "write true, without quotes", re.I),
    (
        r"\s*[\w.\"-]+\s*=\s*(?:no|off|false)\b",
        "write false, without quotes",
        re.I,
    ),
    (r"\s*([\w.\"-]+)\s*=\s*([^\W\d][\w ./-]*?)\s*(?:#.*)?$", r'texts stand in quotes: \1 = "\2"'),
    (r".*=\s*(\d{1,3}),(\d{3})\s*(?:#.*)?$", r"write \1_\2: a comma stands in no number"),
    (r".*=\s*[+-]?\d+,\d+\s*(?:#.*)?$", "numbers have a decimal point, not a comma"),
    (r".*=\s*[\d.]+\s*%", "numbers stand without a percent sign"),
    (
        r"\s*([^=\"'#]*[^\x00-\x7f\"'#=][^=\"'#]*?)\s*=",
        r'a name like that stands in quotes: "\1" =',
    ),
    (r"\s*([\w-]+(?: +[\w'-]+)+)\s*=", r'a name with spaces stands in quotes: "\1" ='),
    (r".*\S\s*,\s*(?:#.*)?$", "a line ends without a comma"),
    (r"[^\"]*\"[^\"]*$", 'a quote that is opened must be closed: "'),
    (r".*\\", r"a path is written with / or between single quotes, since \\ begins an escape"),
)
"""What the line that is wrong looks like, and the fix, of which the first that matches is given."""


def toml_hint(text: str, reason: str) -> str:
    """The fix of a line that is not TOML, as the end of a message; empty if none is known.

    Args:
        text: the whole file.
        reason: what the parser says, with the number of the line.
    """
    found = _LINE.search(reason)
    lines = text.split("\n")
    if found is None or int(found[1]) > len(lines):
        return ""
    line = lines[int(found[1]) - 1].rstrip("\r")
    if reason.startswith("Cannot"):  # overwrite or declare something again
        fix = _fix_of_repeated(line, lines)
    else:
        matches = ((re.match(one[0], line, *one[2:]), one[1]) for one in _FIXES)
        fix = next((match.expand(fix) for match, fix in matches if match), "")
    return f"; {fix}" if fix else ""


def _fix_of_repeated(line: str, lines: list[str]) -> str:
    """The fix where a key or a table occurs twice."""
    tables = [found[1] for other in lines if (found := _TABLE.match(other))]
    for name in _OF_MANY:
        if name in tables:
            return f"write [[{name}]], with two brackets, before each of them"
    for name in tables:
        if tables.count(name) > 1:
            return f"[{name}] occurs twice; write its keys under one heading"
    key = line.partition("=")[0].strip()
    return f"{key} occurs twice; keep one of the two" if key else ""
