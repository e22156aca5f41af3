"""Output files of commands: their names, the text of decks, and protection of existing files."""

from __future__ import annotations

from pathlib import Path

import sim
from sim.errors import listed
from sim.files.toml_document import load_tomlkit


def file_label(name: str) -> str:
    """Return a name with slashes, backslashes and spaces replaced by underscores."""
    return name.replace("/", "_").replace("\\", "_").replace(" ", "_")


def pilot_file_name(learner: str) -> str:
    """Return the name of the file of a trained learner."""
    return f"{file_label(learner)}.pt"


def partial_pilot_file_name(learner: str) -> str:
    """Return the name of the file of a learner with unfinished training."""
    return f"{file_label(learner)}.partial.pt"


def weights_file_name(learner: str) -> str:
    """Return the name of the file of tuned weights of a learner of kind `turn`."""
    return f"{file_label(learner)}.toml"


def network_file_name(learner: str, network: str = "", round_number: int = 0) -> str:
    """Return the name of the file of the networks of a learner of kind `net`.

    Args:
        learner: name of the learner.
        network: kind of the network after one round; `""` for the file of all networks.
        round_number: number of that round.
    """
    suffix = f"_{network}_{round_number}" if network else ""
    return f"{file_label(learner)}{suffix}.npz"


def trained_file_name(learner: str, ending: str) -> str:
    """Return the name of the file of a learner of a package.

    Args:
        learner: name of the learner.
        ending: ending of the name, such as `.json`.
    """
    return f"{file_label(learner)}{ending}"


def curve_file_name(learner: str) -> str:
    """Return the name of the CSV file with the progress of a learner in training."""
    return f"{file_label(learner)}_curve.csv"


def retrained_file_name(player: str) -> str:
    """Return the name of the file of a player's pilot after continued training."""
    return f"{file_label(player)}_retrained.pt"


def check_output(path: Path, *endings: str, force: bool) -> None:
    """Check that an output file has a permitted ending and does not exist yet.

    Args:
        path: path of the output file.
        endings: permitted endings, so that no input of another kind is overwritten by mistake.
        force: whether the file may exist.

    Raises:
        InputError: the ending is not permitted, or the file exists and `force` is false.
    """
    if path.suffix.lower() not in endings:
        raise sim.InputError(
            f"must end in {listed(endings, 'or')}", place=path, value=path.suffix, limit=endings
        )
    if is_there(path) and not force:
        raise sim.InputError("already exists", place=path, remedy="use --force to overwrite it")


def is_there(path: Path) -> bool:
    """Return whether a path exists; `False` if that cannot be determined."""
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; writing the file raises a clear error
        return False


def deck_text(deck: sim.Deck, *comments: str) -> str:
    """Return the TOML text of a deck, which is read back as an equal deck.

    Args:
        deck: deck to write.
        comments: lines of comment at the top of the text.
    """
    tomlkit = load_tomlkit()

    document = tomlkit.document()
    for line in comments:
        document.add(tomlkit.comment(line))
    for key in ("name", "pool", "ruleset", *(["hero"] if deck.hero else [])):
        document[key] = getattr(deck, key)
    cards = tomlkit.table()
    cards.comment("copies of each card; the order numbers the slots")
    cards.update(deck.cards)
    document["cards"] = cards
    return str(tomlkit.dumps(document))
