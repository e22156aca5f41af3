"""List of all commands: what `--help` shows, and the module that is imported for each command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Listed(NamedTuple):
    """Declaration of a command, or of a group of commands.

    Attributes:
        name: name of the command; for a member of a group, without the name of the group.
        module: module in `experiments.commands`; its function of the same name is the command. For
            a group, the folder with the modules of its members.
        summary: first line of the command's docstring; for a group, its description.
        members: commands of a group; empty for a command.
    """

    name: str
    module: str
    summary: str
    members: tuple[Listed, ...] = ()


_CARDS = (
    Listed(
        "import",
        "cards.import_cards",
        "Make a pool file of the cards in a spreadsheet, and deck files of its decks.",
    ),
    Listed(
        "export",
        "cards.export_cards",
        "Write the cards of a pool, and the decks in its folder, as a spreadsheet.",
    ),
    Listed("list", "cards.list_cards", "Show the cards of a pool in a table."),
    Listed("show", "cards.show_card", "Describe one card in plain words."),
    Listed("read", "cards.read_text", "Read a card's text in English as effect rows."),
    Listed(
        "coverage",
        "cards.coverage",
        "Count the real cards that can be played, by set and by class.",
    ),
)
_DECK = (
    Listed(
        "import",
        "deck.import_deck",
        "Show the deck of a deck code or deck list; with --out, also write it to a file.",
    ),
    Listed(
        "export",
        "deck.export_deck",
        "Print a deck as a deck code, or as a list for other programs.",
    ),
)
_SUITE = (
    Listed(
        "make",
        "suite.make",
        "Create the instances of a suite from its seed, and write them to a file.",
    ),
    Listed("run", "suite.run", "Test methods on the instances of a suite."),
    Listed("score", "suite.score", "Score the finished runs of a folder."),
)
_SIMULATOR = (
    Listed(
        "check",
        "simulator.check",
        "Check that a program or function plays repeatable games.",
    ),
    Listed(
        "serve",
        "simulator.serve",
        "Play games of a card experiment at the request of a program.",
    ),
)
_WORKERS = (
    Listed(
        "check",
        "workers.check",
        "Probe every machine that would play: its code, its cores, its speed.",
    ),
)

PANELS: Mapping[str, tuple[Listed, ...]] = {
    "Measure": (
        Listed("matchups", "matchups", "Measure the win rate of every pair of decks."),
        Listed(
            "sensitivity",
            "sensitivity",
            "Measure how much one step of each number changes the win rates.",
        ),
        Listed("power", "power", "Measure how much each card contributes to its deck."),
        Listed("metagame", "metagame", "Find the mix of decks that players would settle on."),
        Listed("whatif", "whatif", "Show how edits of numbers change the win rates."),
        Listed("compare", "compare", "Compare several patches with the current cards."),
        Listed("agree", "agree", "Compare simulated with observed win rates."),
        Listed("calibrate", "calibrate", "Fit an agent to observed win rates."),
        Listed("retrodict", "retrodict", "Measure the simulated effects of past changes of cards."),
    ),
    "Balance": (
        Listed("balance", "balance", "Search for a small patch, and certify it."),
        Listed(
            "report",
            "report",
            "Make one HTML page of a finished balance run, or of observed games.",
        ),
        Listed(
            "workbench", "workbench", "Try edits on a page in the browser, with results at once."
        ),
        Listed("study", "study", "Compare ways to search and to narrow, on several run seeds."),
        Listed("suite", "suite", "Test search methods on instances with known answers.", _SUITE),
    ),
    "Decks": (
        Listed("build", "build", "Build a strong deck, or improve one, and certify it."),
        Listed(
            "substitute", "substitute", "Rank the cards that can replace a missing card in a deck."
        ),
        Listed(
            "outliers", "outliers", "Find cards that are too strong or too weak for their cost."
        ),
        Listed("deck", "deck", "Convert decks from and to deck codes and lists.", _DECK),
    ),
    "Agents and games": (
        Listed("agents", "agents", "List the agents that experiments may name, or measure them."),
        Listed("train", "train", "Train an agent for each [[learner]] of an experiment."),
        Listed("evaluate", "evaluate", "Measure how strong trained agents are, and how they play."),
        Listed("exploit", "exploit", "Measure how much learners gain against trained agents."),
        Listed("replay", "replay", "Print one game, move by move."),
        Listed("play", "play", "Play a game yourself, at the terminal."),
    ),
    "Files and tools": (
        Listed("init", "init", "Make a folder with a game of your own that can be balanced."),
        Listed("cards", "cards", "Convert cards from and to spreadsheets, and show them.", _CARDS),
        Listed(
            "conformance", "conformance", "Check that cards and rules do what scenarios expect."
        ),
        Listed("bench", "bench", "Measure the speed of evenhand on this machine."),
        Listed("warm", "warm", "Compile all code now, so that later commands start faster."),
        Listed(
            "simulator",
            "simulator",
            "Check games that a program plays, or play games for a program.",
            _SIMULATOR,
        ),
        Listed("workers", "workers", "Check the processes and machines that play games.", _WORKERS),
    ),
}
"""Commands by the title of the part of the help that lists them."""
