"""Text on the win rate of the first seat."""

from __future__ import annotations

from balance.verdict.first_seat import FirstSeat
from experiments.screen.bands import mark_of
from experiments.screen.wording import percent, wanted_words


def first_seat_words(seat: FirstSeat) -> str:
    """Return the win rate with mark and band as text, such as `72.4 ±0.3 % OUT (wanted: 50 ±5)`."""
    marked = f"{percent(seat.win_rate)} % {mark_of(seat.verdict)}".rstrip()
    wanted = wanted_words(seat.least, seat.most)
    return f"{marked} (wanted: {wanted})" if wanted else marked
