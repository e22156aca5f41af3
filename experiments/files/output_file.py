"""Files that commands write: their names, decks as text, counts; none is overwritten unasked."""

from __future__ import annotations

from pathlib import Path

import sim


def file_label(name: str) -> str:
    """`name` without what would be a folder, or trouble on a command line."""
    return name.replace("/", "_").replace("\\", "_").replace(" ", "_")


def pilot_file_name(learner: str) -> str:
    """The file that a training run writes for the learner of this name."""
    return f"{file_label(learner)}.pt"


def partial_pilot_file_name(learner: str) -> str:
    """The file of what it has learned so far, while its training is not finished."""
    return f"{file_label(learner)}.partial.pt"


def weights_file_name(learner: str) -> str:
    """The same for a learner of kind `turn`."""
    return f"{file_label(learner)}.toml"


def curve_file_name(learner: str) -> str:
    """The file in which a training run keeps how the learner of this name came along."""
    return f"{file_label(learner)}_curve.csv"


def retrained_file_name(player: str) -> str:
    """The file in which `balance` keeps what drift has made of the player's pilot."""
    return f"{file_label(player)}_retrained.pt"


def check_output(path: Path, *endings: str, force: bool) -> None:
    """Refuse an output of the wrong kind, which may be somebody's input, or one that is there.

    Raises:
        InputError: names the path, and what to do.
    """
    if path.suffix.lower() not in endings:
        raise sim.InputError(f"{path}: must end in {' or '.join(endings)}")
    if is_there(path) and not force:
        raise sim.InputError(f"{path}: is already there; use --force to overwrite it")


def is_there(path: Path) -> bool:
    """Whether there is something at `path`, as far as can be told."""
    try:
        return path.exists()
    except OSError:  # such as a name that is too long; writing will say so
        return False


def counted(value: int, thing: str) -> str:
    """`1 card`, `4 cards`."""
    return f"{value} {thing}{'' if value == 1 else 's'}"


def deck_text(deck: sim.Deck, *comments: str) -> str:
    """The deck as TOML that reads back as an equal deck, below lines of comment."""
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
