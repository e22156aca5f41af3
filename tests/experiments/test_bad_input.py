"""Any bad input ends with status 2 and one helpful line, and changes no file."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from experiments.runs.run_folder import engine_hash
from sim import load_pool
from tests.command_line import (
    TINY,
    ask,
    assert_refused,
    assert_says,
    command,
    contents,
    done,
    finish,
    refusal,
    run_folder,
    start,
    unchanged,
    write_experiment,
)
from tests.experiments.command_goldens import check_refusal

CARD = 'id = "whelp"\nname = "Whelp"\ncost = 2\nattack = 3\nhealth = 1\n'
POOL = 'name = "mine"\n[[card]]\n'
DECK = 'name = "mine"\npool = "core"\nruleset = "duel"\n[cards]\n'
STUDY = '[study]\nnarrow = ["none"]\nmethod = ["ga", "{}"]\nrun_seeds = 1\n'
MAIN = "from experiments.cli import main\nmain()"


class Bad(NamedTuple):
    """One mistake; its message is in the golden file.

    Attributes:
        mistake: name of the mistake.
        old: text of the experiment file to replace.
        new: text in its place.
        deck: content of a deck file `mine.toml`, which the first player gets.
        pool: content of a pool file `mine.toml`, which the experiment gets.
        more: text at the end of the experiment file.
        command: arguments in place of `balance tiny.toml`.
    """

    mistake: str
    old: str = ""
    new: str = ""
    deck: str = ""
    pool: str = ""
    more: str = ""
    command: Sequence[str] = ()


def _edit(mistake: str, old: str, new: str) -> Bad:
    return Bad(mistake, old=old, new=new)


def _deck(mistake: str, cards: str) -> Bad:
    return Bad(mistake, deck=DECK + cards)


def _pool(mistake: str, text: str) -> Bad:
    return Bad(mistake, pool=text)


def _option(mistake: str, arguments: Sequence[str]) -> Bad:
    return Bad(mistake, command=arguments)


BAND = "band_pp = 40"
PAIR = "win_rate = {{ {} }}"
SIXTEEN = "".join(f"{card.id} = 2\n" for card in load_pool("core").cards[:16])
ALL_LOCKED = f"lock = {[card.id for card in load_pool('core').cards]}"
BALANCE = ("balance", "tiny.toml")

MISTAKES = [
    _edit("misspelt key", BAND, "bandpp = 40"),
    _edit("misspelt table", "[guards]", "[gaurds]"),
    _edit("missing key", "seed = 7\n", ""),
    _edit("blank name", '"tiny"', '" "'),
    _edit("hidden name", '"tiny"', '".tiny"'),
    _edit("name with a path", '"tiny"', '"my/tiny"'),
    _edit("other path", '"tiny"', "'my\\tiny'"),
    _edit("name of a parent", '"tiny"', '"a..b"'),
    _edit("NUL in a name", '"tiny"', r'"a\u0000b"'),
    _edit("name of a device", '"tiny"', '"Con.1"'),
    _edit("name of a drive", '"tiny"', '"c:tiny"'),
    _edit("text for a number", "= 40\n\n[t", '= "x"\n\n[t'),
    _edit("NaN target", BAND, "win_rate = nan"),
    _edit("infinite target", BAND, "win_rate = inf"),
    _edit("win rate of 1.5", BAND, "win_rate = 1.5"),
    _edit("negative win rate", BAND, "win_rate = -0.1"),
    _edit("no band", BAND, "band_pp = 0"),
    _edit("NaN band", BAND, "band_pp = nan"),
    _edit("a target for no matchup", BAND, PAIR.format('"ember_rush vs tide_kep" = 0.5')),
    _edit(
        "two targets for one matchup",
        BAND,
        PAIR.format('"ember_rush vs tide_keep" = 0.5, "tide_keep vs ember_rush" = 0.5'),
    ),
    _edit("odd games", "search = 20", "search = 21"),
    _edit("zero games", "certify = 200", "certify = 0"),
    _edit("negative games", "power = 20", "power = -2"),
    _edit("negative generations", "generations = 6", "generations = -1"),
    _edit("population of 1", "population = 8", "population = 1"),
    _edit("unknown method", '"nsga2"', '"nsga3"'),
    _edit("unknown narrowing", '"power"', '"powr"'),
    _edit("unknown pilot", 'by = "power"', 'agent = "contrl"'),
    _edit("lock of an unknown card", "max_steps = 2", 'lock = ["ember_welp"]'),
    _edit("a deck to tune that nobody plays", "max_steps = 2", 'decks = ["tide_kep"]'),
    _edit("lock of an unknown tag", "max_steps = 2", 'lock = ["tag:rare"]'),
    _edit("a weight of an unknown tag", "max_steps = 2", "weights = { tags = { rare = 2.0 } }"),
    _edit("a direction of nothing", "max_steps = 2", 'direction = { ember_rusch = "nerfs" }'),
    _edit("another direction", "max_steps = 2", 'direction = "bufs"'),
    _edit("a range of another field", "max_steps = 2", "ranges = { cots = [1, 8] }"),
    _edit("a range the wrong way round", "max_steps = 2", "ranges = { cost = [8, 1] }"),
    _edit("no cards", "max_steps = 2", "max_cards = 0"),
    _edit("no change", "max_steps = 2", "max_change = 0"),
    _edit("a sum", "max_steps = 2", "zero_sum = -1"),
    _edit("a band of 0.4", BAND, "band_pp = 0.4"),
    _edit("no deck to tune", "max_steps = 2", "decks = []"),
    _edit("everything locked", "max_steps = 2", ALL_LOCKED),
    _edit("steps of 0", "max_steps = 2", "max_steps = 0"),
    _edit("other sense", "max_steps = 2", 'sense = "no"'),
    _edit("unknown sense", "max_steps = 2", "sense.atack = false"),
    _edit("unknown field", "max_steps = 2", 'fields = ["atack"]'),
    _edit("one player", '[[player]]\ndeck = "tide_keep"\nagent = "control"\n', ""),
    _edit(
        "a player with a word of targets",
        'deck = "tide_keep"',
        'deck = "tide_keep"\nname = "others"',
    ),
    _edit("a player twice", '"tide_keep"', '"ember_rush"'),
    _edit("unknown agent", '"aggro"', '"agro"'),
    _edit("unknown deck", '"tide_keep"', '"tide_kep"'),
    _edit("unknown ruleset", "seed", 'ruleset = "dual"\nseed'),
    _edit("unknown pool", "seed", 'pool = "cor"\nseed'),
    _edit("negative seed", "seed = 7", "seed = -1"),
    _edit("huge seed", "seed = 7", f"seed = {2**63}"),
    _edit("seed of text", "seed = 7", 'seed = "7"'),
    _edit("broken TOML", "seed = 7", "seed = "),
    _deck("unknown card", "ember_whelpp = 2"),
    _deck("deck over its limit", SIXTEEN),
    _deck("deck too short to deal", "ember_whelp = 2"),
    _deck("too many copies", "ember_whelp = 3"),
    _deck("no copies", "ember_whelp = 0"),
    _deck("empty deck", ""),
    _pool("empty pool", 'name = "mine"\ncard = []\n'),
    _pool("negative stat", POOL + CARD.replace("3", "-3")),
    _pool("range without the present value", POOL + CARD + "tunable = { attack = [4, 5] }"),
    Bad(
        "stat beyond the ruleset's limit",
        pool='name = "core"\n'
        + "".join(
            f'[[card]]\nid = "{card.id}"\nname = "{card.name}"\ncost = 1\nattack = 9\nhealth = 1\n'
            for card in load_pool("core").cards
        ),
    ),
    Bad(
        "deck for another pool", deck=DECK + "whelp = 2\n", pool='name = "other"\n[[card]]\n' + CARD
    ),
    Bad(
        "deck for another ruleset",
        deck=DECK.replace('"duel"', '"real_minions"') + "ember_whelp = 2\n",
    ),
    *(
        Bad(f"unknown name in {key}: {name}", old=old, new=new, command=(name, "tiny.toml"))
        for name in ("matchups", "power", "build", "train", "substitute", "metagame")
        for key, old, new in (
            ("lock", "max_steps = 2", 'lock = ["ember_welp"]'),
            ("weights", "[guards]", "[field]\nweights.tide_kep = 2\n[guards]"),
            ("win_rate", BAND, PAIR.format('"ember_rush vs tide_kep" = 0.5')),
            ("collection", "[guards]", "[collection]\nember_welp = 2\n[guards]"),
            ("prices", "[guards]", "[build.prices]\nember_welp = 2\n[guards]"),
        )
    ),
    Bad("study of an unknown method", more=STUDY.format("nsga3"), command=("study", "tiny.toml")),
    _option("unknown --preset", (*BALANCE, "--preset", "thesi")),
    _option("no such file", ("balance", "none.toml")),
    _option("no such name", ("balance", "quickstar")),
    _option("a folder", ("balance", "folder")),
    _option("not UTF-8", ("balance", "latin.toml")),
    _option("not TOML at all", ("balance", "zeros.toml")),
    _option("no threads", (*BALANCE, "--threads", "0")),
    _option("threads of text", (*BALANCE, "--threads", "two")),
    _option("negative --seed", (*BALANCE, "--seed", "-1")),
    _option("huge --seed", (*BALANCE, "--seed", str(2**63))),
    _option("--seed of text", (*BALANCE, "--seed", "abc")),
    _option("unknown option", (*BALANCE, "--resum")),
    _option("unknown command", ("balanse", "tiny.toml")),
    _option("no experiment", ("balance",)),
    _option("results in a file", (*BALANCE, "--results", "zeros.toml")),
    _option("results under a file", (*BALANCE, "--results", "zeros.toml/x")),
]


@pytest.mark.parametrize("bad", MISTAKES, ids=[bad.mistake for bad in MISTAKES])
def test_a_mistake_is_explained_in_one_line_and_leaves_everything_as_it_was(
    bad: Bad, here: Path
) -> None:
    _lay_out(bad)
    arguments = bad.command or BALANCE
    plots = ["--no-plots"] if arguments[0] in {"balance", "study"} and len(arguments) > 1 else []
    with unchanged(contents, here):
        check_refusal(command(*arguments, *plots))


def _lay_out(bad: Bad) -> None:
    """Write the experiment with its mistake, an older run, and files that are no experiments."""
    assert bad.old in TINY, "the mistake must be one"
    text = TINY.replace(bad.old, bad.new, 1) if bad.old else TINY
    if bad.deck:
        Path("decks").mkdir()
        Path("decks/mine.toml").write_text(bad.deck, encoding="utf-8")
        text = text.replace('"ember_rush"', '"mine"')
    if bad.pool:
        Path("pools").mkdir()
        Path("pools/mine.toml").write_text(bad.pool, encoding="utf-8")
        text = text.replace("seed", 'pool = "mine"\nseed', 1)
    write_experiment(Path(), text + bad.more)
    Path("results/tiny-00000000").mkdir(parents=True)
    for name, content in {"run.json": b"{}\n", "summary.json": b'{"certified": true}\n'}.items():
        Path("results/tiny-00000000", name).write_bytes(content)
    Path("folder").mkdir()
    Path("latin.toml").write_bytes(b'seed = 1\nname = "\xe9"\n')
    Path("zeros.toml").write_bytes(bytes(100))


HUGE_TEXT = "x" * 100_000
HUGE = [
    ("seed = 7", f"seed = {'7' * 4000}"),
    ("seed = 7", f'seed = "{HUGE_TEXT}"'),
    ("seed = 7", f"seed = 7\n{HUGE_TEXT} = 1"),
    ("seed = 7", f"seed = 7\n[{HUGE_TEXT}]"),
    ('"tiny"', f'"{HUGE_TEXT}"'),
    ('"ember_rush"', f'"{HUGE_TEXT}"'),
    ('"aggro"', f'"{HUGE_TEXT}"'),
    ('"aggro"', f'"dqn:{HUGE_TEXT}/x"'),
    ('"aggro"', f'"rollout:{HUGE_TEXT}"'),
    ('"nsga2"', f'"{HUGE_TEXT}"'),
    ("max_steps = 2", f'lock = ["{HUGE_TEXT}"]'),
    ("max_steps = 2", f'fields = ["{HUGE_TEXT}"]'),
    (BAND, PAIR.format(f'"{HUGE_TEXT}" = 0.5')),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new"), HUGE, ids=range(len(HUGE)))
def test_of_a_huge_value_no_more_than_80_characters_are_echoed(
    old: str, new: str, here: Path
) -> None:
    write_experiment(Path(), TINY.replace(old, new, 1))
    message = refusal(command(*BALANCE, "--no-plots"))
    assert len(message) < 1000
    assert re.search(
        "[x7]{40}|0x[0-9a-f]{40}", message
    )  # a number of thousands of digits is shown in hex
    assert not re.search("[x7]{81}", message)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments",
    [
        (HUGE_TEXT,), ("balance", HUGE_TEXT), ("balance", f"{HUGE_TEXT}.toml"),
        (*BALANCE, "--seed", HUGE_TEXT), (*BALANCE, f"--{HUGE_TEXT}"), (*BALANCE, HUGE_TEXT),
        (*BALANCE, "--results", HUGE_TEXT), ("report", HUGE_TEXT), ("cards", "show", HUGE_TEXT),
        ("deck", "import", HUGE_TEXT), ("replay", "tiny.toml", "--first", HUGE_TEXT),
        ("substitute", "tiny.toml", "--deck", HUGE_TEXT),
        ("substitute", "tiny.toml", "--deck", "ember_rush", "--card", HUGE_TEXT),
    ],
    ids=range(13),
)  # fmt: skip
def test_of_a_huge_argument_no_more_than_80_characters_are_echoed(
    arguments: Sequence[str], here: Path
) -> None:
    write_experiment(Path())
    message = refusal(command(*arguments))
    assert len(message) < 1000
    assert not re.search("x{81}", message)


def test_a_ruleset_that_does_not_fit_is_named_by_its_own_file(here: Path) -> None:
    write_experiment(Path(), TINY.replace("seed", 'ruleset = "mine"\nseed', 1))
    Path("mine.toml").write_text('name = "mine"\nlife = 0\n', encoding="utf-8")
    check_refusal(command(*BALANCE))


def test_a_disk_that_fills_up_is_named_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = contents(run_folder("balance", tmp_path))
    results = tmp_path / "results"
    n_writes = itertools.count(1)
    write_through = os.fsync

    def fill_up(descriptor: int) -> None:
        if next(n_writes) > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_through(descriptor)

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fill_up)
        message = refusal(ask("balance", tmp_path, "--no-plots"))
    assert str(results) in message
    runs = [contents(path) for path in results.iterdir() if path.is_dir()]
    assert older in runs
    assert len(runs) == 2
    assert not list(results.rglob(".*")), "no temporary file stays behind"
    done(ask("balance", tmp_path, "--no-plots", "--resume"))


def test_a_place_that_cannot_be_written_to_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    message = refusal(ask("matchups", tmp_path, "--no-plots"))
    results = tmp_path / "results"
    assert str(results) in message
    assert not results.exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 128 KiB, on systems that let a test do so."""
    place = tmp_path / "disk"
    mount = shutil.which("mount")
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)]
    if mount is None or subprocess.run([mount, *options], check=False).returncode:
        pytest.skip("this system mounts nothing for tests")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(disk: Path, but_for: int) -> None:
    """Fill a disk but for a number of bytes."""
    state = os.statvfs(disk)
    (disk / "filler").write_bytes(bytes(state.f_bavail * state.f_frsize - but_for))


@pytest.mark.thorough
@pytest.mark.parametrize("but_for_kib", [0, 8, 24, 40])
def test_on_a_full_disk_a_run_stops_and_goes_on_once_there_is_room(
    but_for_kib: int, tmp_path: Path, small_disk: Path
) -> None:
    experiment = write_experiment(tmp_path)
    disk = small_disk / "results"
    disk.mkdir()
    arguments = ("balance", experiment, "--no-plots", "--results")
    assert command(*arguments, tmp_path / "unbroken").status == 0
    fill(small_disk, but_for_kib * 1024)
    message = refusal(command(*arguments, disk))
    assert re.search(rf": {disk}/\S+: ", message)
    assert not list(disk.rglob(".*"))
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    done(command(*arguments, disk, "--resume"))
    names = {path.name for path in (tmp_path / "unbroken").rglob("*.*")} - {"summary.json"}
    for name in names - {"log.txt"}:
        (file,), (other,) = (list(place.rglob(name)) for place in (disk, tmp_path / "unbroken"))
        assert file.read_bytes() == other.read_bytes(), name


@pytest.mark.thorough
def test_a_full_disk_for_compiled_code_is_named(
    tmp_path: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(small_disk, 60 * 1024)
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(small_disk))
    arguments = ("balance", write_experiment(tmp_path), "--results", tmp_path / "r")
    message = refusal(finish(start(MAIN, *arguments)))
    assert message.startswith(f"evenhand: {small_disk}")
    assert not (tmp_path / "r").exists()


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("EVENHAND_CACHE_DIR", str(tmp_path / "file"))
    arguments = ("matchups", write_experiment(tmp_path), "--results", tmp_path / "r")
    message = refusal(finish(start(MAIN, *arguments)))
    assert message.startswith(f"evenhand: {tmp_path / 'file'}/compiled/")
    assert "EVENHAND_CACHE_DIR" in message


def test_resume_refuses_the_folder_of_another_engine(unfinished: Path) -> None:
    (unfinished / "run.json").write_text('{"engine_hash": "0123456789abcdef"}', encoding="utf-8")
    message = assert_refused("balance", unfinished.parents[1], "", "--no-plots", "--resume")
    assert_says(message, str(unfinished), "0123456789abcdef", engine_hash())


@pytest.mark.parametrize("content", ["", "{", "[]", '"text"'])
def test_resume_refuses_a_folder_with_an_unreadable_record(content: str, unfinished: Path) -> None:
    (unfinished / "run.json").write_text(content, encoding="utf-8")
    message = assert_refused("balance", unfinished.parents[1], "", "--no-plots", "--resume")
    assert_says(message, str(unfinished / "run.json"), "--resume")
