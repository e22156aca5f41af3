"""`evenhand balance --robust`: search for a patch that holds with every pilot of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from balance.cards.game_time import time_games
from balance.panel.attack import N_SEARCHING, Attack, check_attack
from balance.panel.attackers import AttackingDeck
from balance.panel.panel_contest import Hand
from balance.panel.panel_look import Disagreement, disagreements
from balance.panel.panel_question import PanelQuestion
from balance.panel.panel_run import PanelRow, PanelRun
from balance.panel.rounds import RoundsResult, search_in_rounds
from balance.search.methods import most_rounds
from balance.second_opinion.opinion import PatchTrial
from balance.verdict.certificate import Certificate
from experiments.agents import check_contest
from experiments.commands.found_patch import (
    balance_summary,
    patch_findings,
    search_in,
    write_evaluations,
)
from experiments.commands.robust_attacks import (
    Attacked,
    attack_in,
    attack_lines,
    least_reached,
    read_attacks,
    write_attacks,
)
from experiments.commands.second_opinion import ask_others, with_other_pilots
from experiments.experiment import Experiment
from experiments.panel import panel_hands, panel_question, with_panel
from experiments.runs.ledger import attempt_of
from experiments.runs.run import Findings, Run
from experiments.screen import (
    BAND_LEGEND,
    Shown,
    Table,
    counted,
    estimate_words,
    marked,
    percent,
    wanted_words,
)
from sim.errors import InputError, listed


def check_robust(experiment: Experiment, results: Path, total: int | None) -> Experiment:
    """Check that an experiment can be balanced for its panel, before anything is written.

    Args:
        experiment: the experiment to balance.
        results: parent of the run folders, which is searched for trained agents.
        total: number of games of all stages and pilots; `None` for the experiment's setting.

    Returns:
        The experiment with all trained agents that the run depends on.

    Raises:
        InputError: the experiment cannot be balanced as it is written.
    """
    check_contest(experiment)
    settings = experiment.settings
    if settings.drift.steps:
        raise InputError(
            "trained agents cannot continue learning after a patch for a panel",
            place="drift.steps",
            value=settings.drift.steps,
            remedy="set drift.steps to 0, or leave --robust out",
        )
    complete = with_other_pilots(with_panel(experiment, results, total), results)
    hands = panel_hands(complete, results)
    try:
        panel_question(complete, hands)
    except InputError as error:
        # If an option gives the total, errors about the total must name the option.
        is_of_option = total is not None and error.place == "robust.total"
        if is_of_option:
            error = error.with_fields(place="--games", remedy="raise --games", is_complete=True)
        raise error from None
    if settings.robust.rounds:
        for hand in hands[:N_SEARCHING]:
            check_attack(hand, settings)
    return complete


def run_robust(run: Run) -> Findings:
    """Balance an experiment for its panel of pilots, and return the findings.

    If the panel has rounds of attack, decks are built against each certified patch. As long as
    some win too often, they join the demands, and a patch is searched anew. If none is certified
    then, the findings are those on the patch before.
    """
    experiment = run.experiment
    hands = panel_hands(experiment, run.folder.path.parent)

    def search(attackers: Sequence[AttackingDeck]) -> _Found:
        return _search(run, panel_question(experiment, hands, attackers))

    def attack(found: _Found, of: Attack, joined: Sequence[AttackingDeck]) -> Attacked:
        return attack_in(run, hands, found.result, of, joined)

    rounds = search_in_rounds(
        search,
        attack,
        experiment.settings.robust,
        attackers=read_attacks(run),
        on_round=partial(write_attacks, run),
    )
    if rounds.resists:
        write_evaluations(run, rounds.patch.result)
    return _findings(run, hands, rounds)


class _Found(NamedTuple):
    """Patch for a panel, and how far apart its pilots are without it.

    Attributes:
        result: result of the search.
        apart: disagreements of the pilots about the unchanged decks.
    """

    result: PanelRun
    apart: tuple[Disagreement, ...]

    @property
    def certificate(self) -> Certificate:
        """Verdict on the patch."""
        return self.result.certificate


def _search(run: Run, question: PanelQuestion) -> _Found:
    """Compare the pilots, search for a patch, and certify it."""
    names = [hand.name for hand in question.contest.hands]
    run.screen.stage(f"one patch for {listed(names)}{_expected(run, question)}")
    measured = question.measure()
    apart = disagreements(question.contest, question.demands, measured.today)
    for line in _apart_lines(apart):
        run.screen.stage(line)
    settings = run.experiment.settings
    with run.screen.progress("balance", most_rounds(settings.search)) as advance:
        attempt = attempt_of(run.experiment)
        result = search_in(run, question, attempt, advance, measured=measured)
    return _Found(result, apart)


def _findings(run: Run, hands: Sequence[Hand], rounds: RoundsResult[_Found]) -> Findings:
    """Return the findings on a patch for a panel; ask the other pilots of the experiment.

    Args:
        run: run of the panel.
        hands: pilots of the panel, with the decks of the experiment.
        rounds: the patch, with the decks that were built.
    """
    experiment = run.experiment
    found = rounds.patch
    result = found.result
    experiment.write_patched(result.patch, run.folder.path)
    own = experiment.contest()
    trial = PatchTrial(
        own,
        result.evaluator.space,
        result.selection.genome,
        experiment.settings.demands_in(own),
        result.evaluator.run_seed,
    )
    playing = {agent.name: None for hand in hands for agent in hand.contest.agents}
    opinion = ask_others(run, result, trial, [*playing])
    findings = patch_findings(
        experiment,
        result,
        [
            *_apart_lines(found.apart),
            *attack_lines(rounds, experiment.settings.robust),
        ],
        opinion=opinion,
        of_stages=_panel_lines(result),
    )
    return replace(
        findings,
        tables={**findings.tables, **opinion.tables},
        shown=[*findings.shown, *opinion.shown],
        summary={
            **balance_summary(run, result, opinion),
            "pilots_apart": [one.as_entry() for one in found.apart],
            "attackers": [deck.model_dump(mode="json") for deck in rounds.attackers],
            "last_attack": [deck.model_dump(mode="json") for deck in rounds.last],
            "attack_today": [deck.model_dump(mode="json") for deck in rounds.today],
            "resists": list(rounds.resists),
            "least_reached": least_reached(rounds),
        },
    )


def _expected(run: Run, question: PanelQuestion) -> str:
    """Return words on the expected games and time; `""` if the screen is not watched."""
    if not run.screen.is_watched:
        return ""
    contest = question.contest
    total = question.total_games or 0
    all_repeats = sum(hand.repeats for hand in contest.hands)
    seconds = sum(
        total * hand.repeats / all_repeats * time_games(hand.contest, question.settings.seed)[1]
        for hand in contest.hands
    )
    return f"; expected: {estimate_words(total, seconds)}"


def _apart_lines(apart: Sequence[Disagreement]) -> list[str]:
    """Return a line on the rate about which two pilots disagree most, and what it costs."""
    if not apart:
        return []
    most = apart[0]
    rates = f"{most.a} {percent(most.rate_a)} %, {most.b} {percent(most.rate_b)} %"
    if not most.beyond:
        return [f"Pilots are farthest apart about {most.rate} ({rates}); their bands permit that"]
    n_steps = sum(one.steps for one in apart)
    more = sum(one.beyond > 0 for one in apart) - 1
    others = f", and {counted(more, 'other rate')} too" if more else ""
    return [
        f"Pilots are too far apart for their bands about {most.rate} ({rates}){others}: to bring "
        f"them nearer takes about {counted(n_steps, 'step')} more than for one pilot"
    ]


def _panel_lines(result: PanelRun) -> list[Shown]:
    """Return the table of all rates by pilot, and a line on the verdicts and the games."""
    rows = result.panel
    hands = result.contest.hands
    by_rate = dict[str, dict[str, PanelRow]]()
    for row in rows:
        by_rate.setdefault(row.rate, {})[row.pilot] = row
    games = ", ".join(
        f"{hand.name} {next(row.n for row in rows if row.pilot == hand.name):,}" for hand in hands
    )
    table = Table(
        "Win rate of the first-named by the pilot of both decks, %: today -> certified (± half of "
        "the interval)",
        ("matchup", "target", *(hand.name for hand in hands)),
        [
            (rate, _targets(of_pilots), *_cells(result, of_pilots))
            for rate, of_pilots in by_rate.items()
        ],
    )
    return [table, f"Certifying games per matchup: {games}. {BAND_LEGEND}"]


def _targets(of_pilots: dict[str, PanelRow]) -> str:
    """Return the bands of a rate as text, each once, in the order of the pilots."""
    words = [wanted_words(row.least, row.most) for row in of_pilots.values()]
    return "; ".join(dict.fromkeys(words))


def _cells(result: PanelRun, of_pilots: dict[str, PanelRow]) -> list[str]:
    """Return a rate before and after the patch in the hands of each pilot, as text."""
    cells = list[str]()
    for hand in result.contest.hands:
        row = of_pilots[hand.name]
        before = 100 * float(row.before.estimate)
        cells.append(f"{before:.1f} -> {marked(percent(row.after), row.verdict)}")
    return cells
