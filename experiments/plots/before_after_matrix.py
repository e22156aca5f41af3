"""The matrix of matchups, before and after a patch."""

from __future__ import annotations

from matplotlib.figure import Figure

from balance.card_contest import CardContest
from balance.certificate import Certificate
from balance.statistics.intervals import CONFIDENCE
from experiments.plots.matrix import draw_matrices
from experiments.plots.style import house_style, level


@house_style()
def before_after_matrix(
    contest: CardContest, certificate: Certificate, *, band_pp: float, title: str
) -> Figure:
    """Every matchup today and with the certificate's patch, in two matrices of one scale.

    Args:
        contest: the players.
        certificate: the games and their verdict.
        band_pp: half-width of the band; win rates outside it get a bold outline.
        title: of the figure.
    """
    verdict = "Certified" if certificate.certified else "Not certified"
    return draw_matrices(
        contest,
        [("today", certificate.before), ("patched", certificate.after)],
        targets=certificate.targets,
        band_pp=band_pp,
        title=title,
        caption=(
            f"{verdict}. Cells: win rate of the row's player over both seatings in %; Wilson "
            f"intervals of {level(certificate.confidence)} each, {level(CONFIDENCE)} for all "
            f"matchups together, {{reach}}; n = {certificate.n_games:,} games per matchup, today "
            f"and patched, on the same seeds. Bold outline: more than {band_pp:g} pp from the "
            "target."
        ),
    )
