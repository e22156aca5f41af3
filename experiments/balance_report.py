"""What a finished balance run comes to: its summary and its tables, as plain rows."""

from __future__ import annotations

from typing import Any

from balance.evaluation import imbalance_pp
from balance.intervals import CONFIDENCE, wilson
from balance.patch import patch_notes, patch_of
from balance.pipeline import BalanceRun
from experiments.experiment import Experiment


def summarise(experiment: Experiment, run: BalanceRun, *, seconds: float) -> dict[str, Any]:
    """The stable shape of `summary.json` for `balance` (docs/formats.md)."""
    certificate, selection = run.certificate, run.selection
    chosen = selection.recommended
    narrowing = run.measurement.narrowing
    return {
        "command": "balance",
        "certified": certificate.certified,
        "why_not": why_not(run),
        "matchups": _matchup_summaries(experiment, run),
        "guards": {
            guard.name: {
                "value": guard.value,
                "before": guard.before,
                "low": guard.low,
                "high": guard.high,
                "holds": guard.holds,
            }
            for guard in certificate.guards
        },
        "patch": [
            {"card": edit.card, "field": edit.field, "from": edit.before, "to": edit.after}
            for edit in run.patch
        ],
        "change": float(selection.scores.change[chosen]),
        "cards_touched": int(selection.scores.cards_touched[chosen]),
        "imbalance_pp": run.certificate.imbalance_pp,
        "games": {
            "measure": run.measurement.matchups.n_games * len(run.contest.matchups),
            "narrow": narrowing.n_games,
            "search": int(run.state.history[-1, 0]),
            "select": int(
                (len(selection.genomes) + 1) * selection.n_games * len(run.contest.matchups)
            ),
            "certify": int(2 * certificate.n_games * len(run.contest.matchups)),
        },
        "narrowing": {
            "by": narrowing.by,
            "genes_before": len(narrowing.full.genes),
            "genes_after": len(narrowing.space.genes),
            "log10_size_before": narrowing.full.log10_size,
            "log10_size_after": narrowing.space.log10_size,
        },
        "confidence": certificate.confidence,
        "seed": experiment.settings.seed,
        "seconds": round(seconds, 3),
    }


def _matchup_summaries(experiment: Experiment, run: BalanceRun) -> list[dict[str, Any]]:
    certificate = run.certificate
    names = [player.name for player in run.contest.players]

    def side(interval: Any, m: int) -> dict[str, Any]:
        return {
            "win_rate": interval.estimate[m],
            "low": interval.low[m],
            "high": interval.high[m],
            "n": certificate.n_games,
        }

    return [
        {
            "a": names[a],
            "b": names[b],
            "target": run.evaluator.targets[m],
            "band_pp": experiment.settings.target.band_pp,
            "inside": bool(certificate.inside[m]),
            "before": side(certificate.before, m),
            "after": side(certificate.after, m),
        }
        for m, (a, b) in enumerate(run.contest.matchups)
    ]


def headline(experiment: Experiment, run: BalanceRun) -> str:
    """What kind of patch this is, in one line."""
    scores, chosen = run.selection.scores, run.selection.recommended
    n_cards = int(scores.cards_touched[chosen])
    cards = f"{n_cards} card{'' if n_cards == 1 else 's'}"
    verdict = "Nearest patch found (NOT certified"
    if run.certificate.certified:
        verdict = "Recommended patch (certified" if run.patch else "No patch needed (certified"
    return (
        f"{verdict}; seed {experiment.settings.seed}; change {scores.change[chosen]:g} on "
        f"{cards}; {run.certificate.n_games:,} certifying games per matchup)"
    )


def patch_text(experiment: Experiment, run: BalanceRun) -> str:
    """The patch notes as a file: what they are worth, the edits, and what they move."""
    certificate = run.certificate
    lines = [f"{experiment.settings.name}: {headline(experiment, run)}", ""]
    lines += [*patch_notes(run.patch).splitlines(), ""]
    for m, matchup in enumerate(run.contest.matchups):
        before, after = certificate.before.estimate[m], certificate.after.estimate[m]
        low, high = certificate.after.low[m], certificate.after.high[m]
        lines.append(
            f"{run.contest.matchup_name(matchup)}: {100 * before:.1f} % -> {100 * after:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}]{'' if certificate.inside[m] else ' OUT OF BAND'}"
        )
    return "\n".join(lines) + "\n"


def why_not(run: BalanceRun) -> list[str]:
    """The matchups and guards that keep the patch from being certified."""
    outside = [
        run.contest.matchup_name(matchup)
        for m, matchup in enumerate(run.contest.matchups)
        if not run.certificate.inside[m]
    ]
    return outside + [guard.name for guard in run.certificate.guards if not guard.holds]


def stage_rows(experiment: Experiment, run: BalanceRun) -> tuple[list[str], list[list[Any]]]:
    """The recommended patch as claimed, selected and certified, one row per matchup."""
    selection, chosen = run.selection, run.selection.recommended
    claimed_n = int(selection.claimed_n[chosen])
    certain = run.certificate.confidence
    stages = {
        "today": (run.certificate.before, certain, run.certificate.n_games),
        "claimed": (
            wilson(selection.claimed[chosen] * claimed_n, claimed_n),
            CONFIDENCE,
            claimed_n,
        ),
        "selected": (
            wilson(selection.points[chosen], selection.n_games),
            CONFIDENCE,
            selection.n_games,
        ),
        "certified": (run.certificate.after, certain, run.certificate.n_games),
    }
    header = ["matchup", "target", "band_pp"]
    for stage in stages:
        header += [stage, *(f"{stage}_{column}" for column in ("low", "high", "confidence", "n"))]
    rows = []
    for m, matchup in enumerate(run.contest.matchups):
        row: list[Any] = [run.contest.matchup_name(matchup), float(run.evaluator.targets[m])]
        row.append(experiment.settings.target.band_pp)
        for interval, confidence, n in stages.values():
            row += [*(float(bound[m]) for bound in interval), confidence, n]
        rows.append([*row, bool(run.certificate.inside[m])])
    return [*header, "inside"], rows


def narrowing_rows(run: BalanceRun) -> list[list[Any]]:
    """Every movable card, the best score first, with the estimate behind the score."""
    cards, narrowing = run.contest.table.pool.cards, run.measurement.narrowing
    rows = []
    for card in sorted(narrowing.scores, key=lambda card: -narrowing.scores[card]):
        measured = narrowing.intervals.get(card, ("", "", ""))
        bounds = [100 * float(bound) if bound != "" else "" for bound in measured]
        rows.append([cards[card].id, cards[card].name, *bounds, card in narrowing.kept])
    return rows


def front_rows(run: BalanceRun) -> tuple[list[str], list[list[Any]]]:
    """Every genome played again, by rising change: claimed, selected, certified."""
    selection, targets = run.selection, run.evaluator.targets
    header = [
        "change", "cards_touched", "claimed_imbalance_pp", "claimed_n", "selected_imbalance_pp",
        "selected_n", "guards_hold", "has_room", "on_front", "recommended",
        "certified_imbalance_pp", "certified_n", "patch",
    ]  # fmt: skip
    claimed_pp = imbalance_pp(selection.claimed, targets).max(axis=1)
    on_front = _on_front(selection.scores.change, selection.scores.imbalance_pp)
    rows = []
    for k, genome in enumerate(selection.genomes):
        is_recommended = k == selection.recommended
        patch = patch_of(genome, run.measurement.narrowing.space, run.contest.table.pool)
        rows.append(
            [
                float(selection.scores.change[k]),
                int(selection.scores.cards_touched[k]),
                float(claimed_pp[k]),
                int(selection.claimed_n[k]),
                float(selection.scores.imbalance_pp[k]),
                selection.n_games,
                bool(selection.scores.violation[k] == 0),
                bool(selection.has_room[k]),
                bool(on_front[k]),
                is_recommended,
                run.certificate.imbalance_pp if is_recommended else "",
                run.certificate.n_games if is_recommended else "",
                "; ".join(map(str, patch)),
            ]
        )
    return header, rows


def _on_front(change: Any, imbalance_pp: Any) -> Any:
    """Which points no other point beats in both change and imbalance."""
    better = (change[:, None] <= change) & (imbalance_pp[:, None] <= imbalance_pp)
    strictly = (change[:, None] < change) | (imbalance_pp[:, None] < imbalance_pp)
    return ~(better & strictly).any(axis=0)
