"""Files that commands write: their names, decks as text, and protection of existing files."""

from __future__ import annotations

from pathlib import Path

import sim


def file_label(name: str) -> str:
    """Return a name without characters that separate folders or need quotes on a command line."""
    return name.replace("/", "_").replace("\\", "_").replace(" ", "_")


def pilot_file_name(learner: str) -> str:
    """Return the name of a trained learner's file."""
    return f"{file_label(learner)}.pt"


def partial_pilot_file_name(learner: str) -> str:
    """Return the name of a learner's file while its training is unfinished."""
    return f"{file_label(learner)}.partial.pt"


def weights_file_name(learner: str) -> str:
    """Return the name of the file of tuned weights, for a learner of kind `turn`."""
    return f"{file_label(learner)}.toml"


def curve_file_name(learner: str) -> str:
    """Return the name of the table of a learner's progress in training."""
    return f"{file_label(learner)}_curve.csv"


def retrained_file_name(player: str) -> str:
    """Return the name of the file of a player's pilot after continued training."""
    return f"{file_label(player)}_retrained.pt"


def check_output(path: Path, *endings: str, force: bool) -> None:
    """Check that an output has a permitted ending and does not exist yet.

    Args:
        path: the output.
        endings: permitted endings, so that no input of another kind is overwritten by mistake.
        force: whether it may exist.

    Raises:
        InputError: names the path and what to do.
    """
    if path.suffix.lower() not in endings:
        raise sim.InputError(
            f"must end in {' or '.join(endings)}", place=path, value=path.suffix, limit=endings
        )
    if is_there(path) and not force:
        raise sim.InputError("is already there", place=path, remedy="use --force to overwrite it")


def is_there(path: Path) -> bool:
    """Return whether a path exists; `False` if that cannot be found out."""
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; writing raises the error
        return False


def counted(value: int, thing: str) -> str:
    """Return a number with its noun: `1 card`, `4 cards`."""
    return f"{value} {thing}{'' if value == 1 else 's'}"


def deck_text(deck: sim.Deck, *comments: str) -> str:
    """Return a deck as TOML that is read back as an equal deck.

    Args:
        deck: the deck.
        comments: lines of comment at the top.
    """
    import tomlkit  # noqa: PLC0415 (`--help` must answer at once)

    document = tomlkit.document()
    for line in comments:
        document.add(tomlkit.comment(line))
    for key in ("name", "pool", "ruleset", *(["hero"] if deck.hero else [])):
        document[key] = getattr(deck, key)
    cards = tomlkit.table()
    cards.comment("copies of each card; the order numbers the slots")
    cards.update(deck.cards)
    document["cards"] = cards
    return tomlkit.dumps(document)
