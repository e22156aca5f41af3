"""Jobs: what takes longer than a step of a number, as it is told to the process that does it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from experiments.workbench.draft import Draft, Edited
from experiments.workbench.refused import Refused
from sim import StrictModel

JobName = Literal["suggest", "certify"]


class Job(NamedTuple):
    """Something to be done to a draft.

    Attributes:
        name: what.
        draft: says what is edited, locked and asked.
        try_number: of the certificate that is played, or may follow.
    """

    name: JobName
    draft: Draft
    try_number: int


class Proposal(StrictModel):
    """A patch that a search proposes.

    Attributes:
        edits: from today's numbers.
        likely: whether a certificate of it is likely, by games that did not find it.
        text: what is known of it, in one line.
    """

    edits: tuple[Edited, ...]
    likely: bool
    text: str


class Verdict(StrictModel):
    """What a certificate came to.

    Attributes:
        certified: whether all is shown to hold.
        text: in one line.
        rates: of each demand, its name, rate, interval, and whether it is inside its bounds.
    """

    certified: bool
    text: str
    rates: tuple[dict[str, Any], ...]


class Cancelled(Refused):
    """Nobody wants it any more."""

    def __init__(self, message: object = "cancelled") -> None:
        super().__init__(message)
