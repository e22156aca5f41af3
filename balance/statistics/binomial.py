"""Bounds for shares of games, exact however rare: of draws, and of games up to some length."""

from __future__ import annotations

_ROUND = 12  # decimals of a share that no processor's last bit may reach


def upper_share(n_happened: float, n_trials: int, error: float) -> float:
    """The largest share of which what happened is not too little: Clopper and Pearson's bound.

    Args:
        n_happened: of the trials; a fraction where a trial can happen in part, and then the
            bound is on the safe side.
        n_trials: independent ones, at least 1.
        error: chance that the true share is larger, in (0, 1).

    Reference: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", Biometrika 26 (1934).
    """
    from scipy.special import betaincinv  # noqa: PLC0415 (slow to load)

    if n_happened >= n_trials:
        return 1.0
    bound = betaincinv(n_happened + 1, n_trials - n_happened, 1 - error)
    return round(float(bound), _ROUND)


def most_that_shows(share: float, n_trials: int, error: float) -> int:
    """The largest count whose `upper_share` is at most `share`; -1 if not even 0 is so few.

    Args:
        share: the limit, in [0, 1].
        n_trials: independent ones, at least 1.
        error: as in `upper_share`.
    """
    low, high = -1, n_trials  # all that happened shows no limit but 1
    if share >= 1:
        return n_trials
    while high - low > 1:
        middle = (low + high) // 2
        if upper_share(middle, n_trials, error) <= share:
            low = middle
        else:
            high = middle
    return low
