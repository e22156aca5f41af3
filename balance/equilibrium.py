"""The mix of decks against which no deck wins more than half."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, linprog, minimize

from balance.intervals import Floats

_TIGHT = 1e-7  # shares and losses below it, relative to the largest payoff, count as none
_EXACT = 1e-12
_KNOWN_MAX = 12

Mask = npt.NDArray[np.bool_]


def equilibrium(payoff: Floats) -> Floats:
    """``[D]`` shares of the equilibrium of a symmetric zero-sum game.

    An equilibrium is a mix against which no strategy gains: a feasible point of a linear program,
    whose value is 0 by symmetry. Where there are several (ties, clones) it is the one of the
    smallest sum of squares, the most even one: it is unique, depends on no order of the
    strategies, and gives clones equal shares.

    Args:
        payoff: ``[D, D]`` antisymmetric: what the row's strategy gains against the column's.

    Reference: J. von Neumann, O. Morgenstern, "Theory of games and economic behavior" (1944),
    section 17; the choice among several is in the spirit of D. Balduzzi et al., "Re-evaluating
    evaluation", NeurIPS 2018, who take the one of largest entropy.
    """
    scale = np.abs(payoff).max()
    if scale == 0:
        return np.full(len(payoff), 1 / len(payoff))
    game = payoff / scale
    corner = _corner(game)
    shares, is_only = _settled(game, corner)
    if not is_only:
        shares, _ = _settled(game, _evened(game, corner))
    return shares if _is_equilibrium(game, shares) else corner


def equilibria(payoffs: Floats) -> Floats:
    """``[B, D]`` the equilibrium of each of several similar games.

    Such games are mostly played by the same strategies, which makes all but a few easy to solve.

    Args:
        payoffs: ``[B, D, D]``, see `equilibrium`.
    """
    known: list[Mask] = []
    shares = np.empty(payoffs.shape[:2])
    for k, payoff in enumerate(payoffs):
        game = payoff / (np.abs(payoff).max() or 1.0)
        found = (_played_by(game, is_played) for is_played in known)
        easy = next((mix for mix in found if mix is not None), None)
        shares[k] = equilibrium(payoff) if easy is None else easy
        if easy is None and len(known) < _KNOWN_MAX:
            known.append(shares[k] > 0)
    return shares


def _corner(game: Floats) -> Floats:
    """Some equilibrium: a corner of the set of all."""
    n_strategies = len(game)
    solution = linprog(
        np.zeros(n_strategies),
        A_ub=game,
        b_ub=np.zeros(n_strategies),
        A_eq=np.ones((1, n_strategies)),
        b_eq=[1.0],
        method="highs",
    )
    shares = np.maximum(np.asarray(solution.x, dtype=float), 0.0)
    found: Floats = shares / shares.sum()
    return found


def _evened(game: Floats, start: Floats) -> Floats:
    """The equilibrium of the smallest sum of squares, nearly."""

    def sum_of_squares(shares: Floats) -> float:
        return float(shares @ shares)

    def slope(shares: Floats) -> Floats:
        return 2 * shares

    solution = minimize(
        sum_of_squares,
        np.ravel(start),
        jac=slope,
        method="SLSQP",
        bounds=Bounds(0.0, 1.0),
        constraints=[
            LinearConstraint(game, -np.inf, 0.0),
            LinearConstraint(np.ones((1, len(start))), 1.0, 1.0),
        ],
        options={"ftol": 1e-12, "maxiter": 200},
    )
    found: Floats = solution.x
    return found


def _settled(game: Floats, shares: Floats) -> tuple[Floats, bool]:
    """Shares to the last digit from nearly right ones, and whether no other mix is as good.

    Who is played, and who neither gains nor loses against the mix, is read off the shares. Other
    equilibria play nobody else than the latter, so if all those are played, solving for the
    shares tells whether there are any.
    """
    is_played, is_even = shares > _TIGHT, np.abs(game @ shares) < _TIGHT
    settled, is_only = _solved(game, is_played, is_even)
    return settled, is_only and bool((is_even <= is_played).all())


def _solved(game: Floats, is_played: Mask, is_even: Mask) -> tuple[Floats, bool]:
    """The smallest shares of some that leave others even, and whether there are no other shares."""
    equations = np.vstack([game[np.ix_(is_even, is_played)], np.ones(is_played.sum())])
    shares = np.zeros(len(game))
    shares[is_played] = np.linalg.pinv(equations)[:, -1]
    return shares, bool(np.linalg.matrix_rank(equations, tol=_TIGHT) == is_played.sum())


def _played_by(game: Floats, is_played: Mask) -> Floats | None:
    """The equilibrium if there is only one, and it plays just these; else `None`."""
    shares, is_only = _solved(game, is_played, is_played)
    gains = game @ shares
    is_strict = shares[is_played].min() > _TIGHT and gains[~is_played].max(initial=-1) < -_TIGHT
    return shares if is_only and is_strict and _is_equilibrium(game, shares) else None


def _is_equilibrium(game: Floats, shares: Floats) -> bool:
    return bool(shares.min() >= 0 and (game @ shares).max() <= _EXACT)
