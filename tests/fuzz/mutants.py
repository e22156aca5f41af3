"""Files with something wrong: bytes, words, numbers, and content that is deep or large."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")
_STRING = re.compile(rb'"[^"\n]*"')
_NUMBERS = (
    *(b"-1", b"0", b"1000000000", b"9" * 25, b"9" * 400, b"9" * 5_000, b"1e400", b"nan", b"inf"),
    *(b"0x" + b"f" * 5_000, b"true", b'"3"', b"[]", b"{}", b"1979-05-27", b"0.5", b"-0"),
)
_STRINGS = (
    *(
        b'""',
        b'" "',
        b'"' + b"x" * 100_000 + b'"',
        b'"\\u0000"',
        b'"\\ud800"',
        b'"[red]"',
        b"1",
        b"[]",
    ),
    *(b'"../../x"', b'"\xff"', b'"dqn:/dev/zero"', b'"turn:8000"', b"true", b"'''", b'"""'),
)
_DEPTHS = (20, 31, 33, 100, 480, 1_000, 100_000)

Mutator = Callable[[bytes, random.Random], bytes]


def _flip(data: bytes, chance: random.Random) -> bytes:
    mutated = bytearray(data or b"x")
    for _ in range(chance.randint(1, 4)):
        mutated[chance.randrange(len(mutated))] ^= 1 << chance.randrange(8)
    return bytes(mutated)


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 4, 20, 200)))


def _cut(data: bytes, chance: random.Random) -> bytes:
    start, stop = _span(data, chance)
    return data[:start] + data[stop:]


def _double(data: bytes, chance: random.Random) -> bytes:
    start, stop = _span(data, chance)
    return data[:stop] + data[start:stop] * chance.choice((1, 3, 100)) + data[stop:]


def _truncate(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _insert(data: bytes, chance: random.Random) -> bytes:
    start, _ = _span(data, chance)
    odd = chance.choice(
        (
            b"\0",
            b"\xff",
            b"\xef\xbb\xbf",
            b"\r",
            b"\n",
            b'"',
            b"'",
            b"[",
            b"}",
            b"=",
            b",",
            b"\\",
            b"#",
        )
    )
    return data[:start] + odd + data[start:]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    chance.shuffle(lines)
    return b"".join(lines)


def _repeat_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place = chance.randrange(len(lines))
    return b"".join([*lines[:place], lines[place] * chance.choice((2, 50, 20_000)), *lines[place:]])


def _exchange(pattern: re.Pattern[bytes], values: tuple[bytes, ...]) -> Mutator:
    def exchange(data: bytes, chance: random.Random) -> bytes:
        places = [match.span() for match in pattern.finditer(data)]
        if not places:
            return _flip(data, chance)
        start, stop = chance.choice(places)
        return data[:start] + chance.choice(values) + data[stop:]

    return exchange


def _encode(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig")))


def _nothing(data: bytes, chance: random.Random) -> bytes:
    return chance.choice((b"", b"\n", b"\0", b"{}", b"[]", b"null"))


def _deep(data: bytes, chance: random.Random) -> bytes:
    """Insert nested lists, tables or dotted keys at a place where they may stand."""
    depth = chance.choice(_DEPTHS)
    inner = chance.choice(
        (
            b"[" * depth + b"]" * depth,
            b"{a=" * depth + b"1" + b"}" * depth,
            b'{"a":' * depth + b"1" + b"}" * depth,
            b"[" * depth,
            b"{" + b"a." * depth + b"a=1}",
        )
    )
    form = chance.randrange(5)
    if form == 0:
        return b"a." * depth + b"a = 1\n" + data
    if form == 1:
        return data + b"\n[" + b"a." * depth + b"a]\n"
    if form == 2:
        return data + b"\nname2 = " + inner + b"\n"
    if form == 3:
        return inner
    return _exchange(_STRING, (inner,))(data, chance)


def _large(data: bytes, chance: random.Random) -> bytes:
    """Add many keys, tables, values or lines, or one very long line."""
    many = chance.choice((20_000, 200_000, 1_500_000))
    return chance.choice(
        (
            lambda: data + b"".join(b"x%d.a = 1\n" % k for k in range(min(many, 200_000))),
            lambda: b"a." * min(many, 200_000) + b"a = 1\n",
            lambda: data + b"[[card]]\n" * min(many, 400_000),
            lambda: data + b"\nx = [" + b"1," * many + b"]\n",
            lambda: b'{"a": [' + b"{}," * many + b"1]}",
            lambda: data * (min(many, 20_000_000) // max(len(data), 1) + 1),
            lambda: data + b"," * many,
            lambda: data + b"a,b\n" * many,
            lambda: data + b" " * (10 * many),
            lambda: data + b"\n" * (10 * many),
            lambda: data + b'"' + b"x" * (10 * many),
        )
    )()


_TEXT: tuple[tuple[int, Mutator], ...] = (
    *(
        (2, mutator)
        for mutator in (_flip, _cut, _double, _truncate, _insert, _lines, _repeat_line, _encode)
    ),
    (1, _nothing),
    (5, _exchange(_NUMBER, _NUMBERS)),
    (4, _exchange(_STRING, _STRINGS)),
    (5, _deep),
    (2, _large),
)
_BYTES: tuple[tuple[int, Mutator], ...] = (
    *((2, mutator) for mutator in (_flip, _cut, _double, _truncate, _insert)),
    (1, _nothing),
)


def mutant_of(name: str, data: bytes, chance: random.Random) -> bytes:
    """Return the content of a file of this name after a mutation of its kind."""
    if data.startswith(b"PK") and chance.random() < 0.8:
        return _archive(data, chance)
    kinds = _BYTES if data.startswith(b"PK") or b"\0" in data[:1000] else _TEXT
    mutators = [kind for _, kind in kinds]
    (mutator,) = chance.choices(mutators, [weight for weight, _ in kinds])
    return mutator(data, chance)


def _archive(data: bytes, chance: random.Random) -> bytes:
    """Return an archive with one part changed, and compressed or not at random."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {part.filename: old.read(part) for part in old.infolist()}
    sheets = [name for name in parts if "/sheet" in name]
    name = chance.choice(sheets if sheets and chance.random() < 0.7 else sorted(parts))
    parts[name] = _part(parts[name], chance)
    archive = io.BytesIO()
    with zipfile.ZipFile(
        archive, "w", chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
    ) as new:
        for part, content in parts.items():
            new.writestr(part, content)
        if chance.random() < 0.03:
            for number in range(20_000):
                new.writestr(f"part{number}", b"")
    return archive.getvalue()


def _part(content: bytes, chance: random.Random) -> bytes:
    if not content.startswith(b"<"):
        (mutator,) = chance.choices([kind for _, kind in _BYTES])
        return mutator(content, chance)
    end = b"</worksheet>"
    merged = b'<mergeCells><mergeCell ref="%s"/></mergeCells>'
    ranges = (b"A1:XFD1048576", b"A1:A1048576", b"A1:XFD1", b"A2:A3", b"B1:A1", b"x", b"A:A")
    rows = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (k, k) for k in range(1, 20_000))
    return chance.choice(
        (
            lambda: content.replace(end, merged % chance.choice(ranges) + end),
            lambda: content.replace(
                end, b'<hyperlinks><hyperlink ref="%s"/></hyperlinks>' % chance.choice(ranges) + end
            ),
            lambda: content.replace(
                b"</sheetData>", rows * chance.choice((1, 20)) + b"</sheetData>"
            ),
            lambda: content.replace(
                b"</sheetData>",
                b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
            ),
            lambda: content.replace(b"</sheetData>", b" " * (300 * 2**20) + b"</sheetData>"),
            lambda: b"<a>" * chance.choice(_DEPTHS) + content,
            lambda: b'<!DOCTYPE a [<!ENTITY b "c">]>' + content,
            lambda: mutate_xml(content, chance),
        )
    )()


def mutate_xml(content: bytes, chance: random.Random) -> bytes:
    """Return XML with bytes, numbers or words changed."""
    return chance.choice(
        (
            _flip,
            _cut,
            _double,
            _truncate,
            _exchange(_NUMBER, _NUMBERS),
            _exchange(_STRING, _STRINGS),
        )
    )(content, chance)
