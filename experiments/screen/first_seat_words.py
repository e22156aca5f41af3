"""Text on the win rate of the first seat."""

from __future__ import annotations

from balance.verdict.first_seat import FirstSeat
from experiments.screen.verdict_words import marked
from experiments.screen.wording import percent, wanted_words


def first_seat_words(seat: FirstSeat) -> str:
    """Return the win rate with mark and band as text, such as `72.4 ±0.3 % OUT (wanted: 50 ±5)`."""
    rate = marked(f"{percent(seat.win_rate)} %", seat.verdict)
    wanted = wanted_words(seat.least, seat.most)
    return f"{rate} (wanted: {wanted})" if wanted else rate
