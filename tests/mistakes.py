"""Plausible mistakes of a newcomer; `python -m tests.mistakes` prints the message for each."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path

from tests.command_line import Outcome, command

Replacements = dict[str, tuple[str, str]]
"""Per file of the sample game: a part of its text, and the text that replaces it."""

SHEET = """\
name,kind,cost,attack,health,effects,deck: Red,deck: Blue
Fox,minion,1,2,1,,2,
Bear,minion,4,4,5,,2,2
Wolf,minion,2,3,2,,2,2
Owl,minion,2,2,3,play: draw 1,,2
"""
"""A valid sheet of cards; each mistake changes one part of it."""

_PLAYER = 'deck = "night_tide"\nagent = "light"'


@dataclass(frozen=True)
class Mistake:
    """A wrong command, and the files that it is given.

    Attributes:
        wish: what the newcomer wants.
        arguments: arguments of `evenhand`, separated by spaces; `|` is a space within an argument.
        names: words that the message must contain, in any case: the offender, or the fix.
        changes: changes of the sample game's files.
        files: further files, by name.
    """

    wish: str
    arguments: str
    names: tuple[str, ...] = ()
    changes: Replacements = dataclass_field(default_factory=dict)
    files: dict[str, str] = dataclass_field(default_factory=dict)

    def make(self, sample_game: Path, folder: Path) -> Outcome:
        """Run the command on files of the sample game, changed by this mistake.

        Args:
            sample_game: folder of those files.
            folder: an existing, empty folder, which is also the current one.
        """
        shutil.copytree(sample_game, folder, dirs_exist_ok=True)
        for file, (old, new) in self.changes.items():
            path = folder / file
            text = path.read_text(encoding="utf-8")
            assert old in text, (file, old)
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
        for file, text in self.files.items():
            (folder / file).write_text(text, encoding="utf-8")
        return command(*(argument.replace("|", " ") for argument in self.arguments.split()))


def write_sample_game(folder: Path) -> Path:
    """Write the files of `evenhand init` into a folder; returns the folder."""
    created = command("init", folder)
    assert created.status == 0, created.err
    return folder


def _sheet(wish: str, old: str, new: str, *names: str) -> Mistake:
    """Return the mistake of a sheet with one part changed, from which a game is begun."""
    assert old in SHEET
    return Mistake(
        wish,
        "init game --from my_cards.csv",
        names,
        files={"my_cards.csv": SHEET.replace(old, new, 1)},
    )


def _file(wish: str, old: str, new: str, *names: str, file: str = "game.toml") -> Mistake:
    """Return the mistake of a sample file with one part changed, for `matchups`."""
    return Mistake(wish, "matchups game.toml --no-plots", names, changes={file: (old, new)})


COMMANDS = [
    Mistake("balance the game", "balance", ("experiment",)),
    Mistake("balance the game", "ballance game.toml", ("ballance", "balance")),
    Mistake("balance the game", "balance my_game.toml", ("my_game.toml",)),
    Mistake("balance the shipped example", "balance quikstart", ("quikstart", "quickstart")),
    Mistake("balance a sheet", "balance cards.csv", ("cards.csv", "init")),
    Mistake("balance the cards", "balance cards.toml", ("cards.toml",)),
    Mistake("balance the folder", "balance .", ()),
    Mistake("balance to a place", "balance game.toml --output here", ("--output",)),
    Mistake("balance with many threads", "balance game.toml --threads 0", ("threads", "0")),
    Mistake("balance with a seed", "balance game.toml --seed lucky", ("lucky", "seed")),
    Mistake("balance with a seed", "balance game.toml --seed -3", ("-3", "seed")),
    Mistake("see the win rates", "matchups game.toml --games many", ("many", "games")),
    Mistake("see the win rates", "matchups game.toml --games 0", ("0", "games")),
    Mistake("see the win rates", "matchups game.toml --games 101", ("101", "games")),
    Mistake("see them by a search", "matchups game.toml --agent turn", ("turn",)),
    Mistake("see them by a search", "matchups game.toml --agent turn:0", ("turn:0",)),
    Mistake("see them by a script", "matchups game.toml --agent agro", ("agro", "aggro")),
    Mistake("see them by a trained agent", "matchups game.toml --agent dqn", ("dqn",)),
    Mistake("try an edit", "whatif game.toml deck_hand", ("deck_hand",)),
    Mistake("try an edit", "whatif game.toml deck_hand.atack+1", ("atack", "attack")),
    Mistake("try an edit", "whatif game.toml dek_hand.attack+1", ("dek_hand", "deck_hand")),
    Mistake("try an edit", "whatif game.toml deck_hand.attack|plus|1", ("deck_hand",)),
    Mistake("try a free card", "whatif game.toml deck_hand.cost=-1", ("deck_hand", "-1")),
    Mistake("try a rule", "whatif game.toml rules.lives=25", ("lives",)),
    Mistake("try nothing", "whatif game.toml", ()),
    Mistake("compare two patches", "compare", ()),
    Mistake("compare with a patch", "compare patched.toml", ("patched.toml",)),
    Mistake("read the report", "report game.toml", ("balance",)),
    Mistake("read the report", "report results", ("results",)),
    Mistake("replace a card", "substitute game.toml --deck night_tide", ("card",)),
    Mistake(
        "replace a card",
        "substitute game.toml --deck night_tide --card Bear",
        ("bear",),
    ),
    Mistake(
        "replace a card",
        "substitute game.toml --deck nite_tide --card deck_hand",
        ("nite_tide", "night_tide"),
    ),
    Mistake("improve a deck", "build game.toml --improve tide", ("tide", "night_tide")),
    Mistake("attack the patch", "build --attack game.toml", ("balance",)),
    Mistake("play", "play game.toml --as pirates", ("pirates", "night_tide")),
    Mistake("play", "play game.toml --seat third", ("third", "first")),
    Mistake("train an agent", "train game.toml", ("learner",)),
    Mistake("evaluate an agent", "evaluate game.toml", ("learner",)),
    Mistake("look at a game", "replay game.toml --game -1", ("-1",)),
    Mistake("look at a card", "cards show Pirate", ("pirate",)),
    Mistake("export the cards", "cards export game.toml cards_out.csv", ("cards_out.csv",)),
    Mistake("import a deck", "deck import AAECAR8", ("aaecar8",)),
    Mistake("import a deck", "deck import my_deck.txt", ("my_deck.txt",)),
    Mistake(
        "import a deck",
        "deck import my_deck.txt --pool cards.toml --ruleset rules.toml",
        ("deck hnd", "deck hand", "line 2", "--pool"),
        files={"my_deck.txt": "// mine\n2 Deck Hnd\n"},
    ),
    Mistake(
        "import a deck",
        "deck import my_deck.txt --pool cards.toml --ruleset rules.toml",
        ("40", "deck hand"),
        files={"my_deck.txt": "400 Deck Hand\n"},
    ),
    Mistake("export a deck", "deck export night_tide.toml", ("night_tide", "--format")),
    Mistake("export a deck", "deck export night_tide.toml --format txt", ("txt", "text")),
    Mistake("open the workbench", "workbench game.toml --port 99999", ("99999", "port")),
    Mistake("compare searches", "study game.toml --methods genetic", ("genetic",)),
]
"""Wrong commands on valid files."""

SHEETS = [
    Mistake("begin a game", "init game --from my_cards.csv", ("my_cards.csv",)),
    Mistake(
        "begin a game from a workbook of another program",
        "init game --from my_cards.ods",
        ("my_cards.ods", "xlsx"),
        files={"my_cards.ods": "x"},
    ),
    Mistake(
        "begin a game from an empty sheet",
        "init game --from my_cards.csv",
        ("my_cards.csv",),
        files={"my_cards.csv": ""},
    ),
    Mistake(
        "begin a game in a folder that is used",
        "init . --from my_cards.csv",
        (),
        files={"my_cards.csv": SHEET},
    ),
    _sheet("give a body", "attack", "Pwr2", "attack"),
    _sheet("give a cost", "Bear,minion,4", "Bear,minion,X", "cost", "x"),
    _sheet("give a cost", "Bear,minion,4", "Bear,minion,", "cost", "bear"),
    _sheet("give a cost", "Bear,minion,4", "Bear,minion,-4", "cost", "-4"),
    _sheet("name a kind", "Bear,minion", "Bear,planeswalker", "planeswalker"),
    _sheet("write an effect", "play: draw 1", "Draw a card.", "draw a card"),
    _sheet("write an effect", "play: draw 1", "play: drw 1", "drw", "draw"),
    _sheet("name two cards alike", "Wolf", "Bear", "bear"),
    _sheet("count copies", ",2,3,2,,2,2", ",2,3,2,,two,2", "two"),
]
"""Sheets with one mistake."""

FILES = [
    _file("fifty percent", "win_rate = 0.50", "win_rate = 50", "win_rate", "50", "0.5"),
    _file("fifty percent", "win_rate = 0.50", 'win_rate = "50%"', "win_rate", "50%"),
    _file("a band", "band_pp = 5", "band = 5", "band", "band_pp"),
    _file("a band", "band_pp = 5", "band_pp = -5", "band_pp", "-5"),
    _file("a first seat", "first_seat = [0.45, 0.55]", "first_seat = [0.55, 0.45]", "first_seat"),
    _file("an agent", _PLAYER, _PLAYER.replace("light", "lite"), "lite", "light"),
    _file("a deck", "night_tide", "night tied", "night tied", "night_tide"),
    _file("the same deck twice", '"lantern_watch"', '"night_tide"', "night_tide"),
    _file("players", "[[player]]", "[player]", "player"),
    _file("a section", "[target]", "[targets]", "targets", "target"),
    _file("a lock", '# lock = ["deck_hand"] ', 'lock = ["dekc_hand"] ', "dekc_hand", "deck_hand"),
    _file("fields to move", '"health"]', '"armour"]', "armour"),
    _file("a limit of change", "max_cards = 10", "max_cards = 0", "max_cards", "0"),
    _file("a budget of games", "total = 300_000", 'total = "300k"', "total", "300k"),
    _file("a text", 'pool = "cards"', "pool = cards", "game.toml"),
    _file("a key", "seed = 1", "seed: 1", "game.toml"),
    _file("a pool", 'pool = "cards"', 'pool = "cards.csv"', "cards.csv"),
    Mistake(
        "a method",
        "balance game.toml --estimate",
        ("nsga-2", "nsga2"),
        {"game.toml": ("[games]", '[search]\nmethod = "nsga-2"\n\n[games]')},
    ),
    _file("a card's cost", "cost = 2", "cost = 20", "cost", "20", file="cards.toml"),
    _file("a keyword", '["haste"]', '["flying"]', "flying", "haste", file="cards.toml"),
    _file("an effect", 'do = "damage"', 'do = "dammage"', "dammage", "damage", file="cards.toml"),
    _file("copies", "deck_hand = 2", "deck_hand = 5", "deck_hand", "5", file="night_tide.toml"),
    _file("a card of a deck", "deck_hand", "dek_hand", "deck_hand", file="night_tide.toml"),
    _file("blockers", "turn_cap", "blockers = true\nturn_cap", "blockers", file="rules.toml"),
    _file("a rule", "life = 20 ", "life = 0 ", "life", "0", file="rules.toml"),
]
"""Files of a game with one mistake."""

MISTAKES = [*COMMANDS, *SHEETS, *FILES]


def main() -> int:
    """Print every mistake with its message, for people to judge; returns the exit status."""
    with tempfile.TemporaryDirectory() as sample:
        sample_game = write_sample_game(Path(sample))
        for number, mistake in enumerate(MISTAKES, 1):
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                outcome = mistake.make(sample_game, Path(folder))
            sys.stdout.write(_printed(number, mistake, outcome))
    return 0


def _printed(number: int, mistake: Mistake, outcome: Outcome) -> str:
    changed = [f"{file}: {old!r} -> {new!r}" for file, (old, new) in mistake.changes.items()]
    given = [f"{file}:\n{text}" for file, text in mistake.files.items()]
    lines = [
        f"{number}. wanted: {mistake.wish}",
        f"   typed: evenhand {mistake.arguments.replace('|', ' ')}",
        *(f"   with {change}" for change in (*changed, *given)),
        f"   status {outcome.status}: {outcome.err.strip()}",
    ]
    return "\n".join(lines) + "\n\n"


if __name__ == "__main__":
    sys.exit(main())
