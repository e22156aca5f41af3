"""Reasons: what the agents of a game compared at each choice, beside the game as it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from textwrap import wrap
from typing import Any

from agents.explanation import Compared, Explainer, Explanation
from agents.registry import agent_line
from sim.engine import layout as at
from sim.engine.stepping import Words16, may_act, perform
from sim.game_log.deal import Deal
from sim.game_log.log_writer import LogWriter
from sim.game_log.snapshot import take_snapshot

_FEW = 3
_MANY = 8  # ways that are told of each choice: of all in a game, of one turn's
_FEATURES = 4  # that are told apart, where there are few
_WIDTH = 100
_MARGIN = "    | "
_PERSON = "a person"  # the pilot of a seat that somebody played


class Reasons:
    """Tells what was compared, as lines of a playthrough and as data.

    Attributes:
        choices: of those told so far, as plain data.
        differs: whether an agent would now choose otherwise than it did in the game.
    """

    def __init__(
        self, deal: Deal, explainers: Sequence[Explainer | None], *, turn: int | None = None
    ) -> None:
        """Get ready.

        Args:
            deal: the game.
            explainers: by seat, `None` for who is not explained.
            turn: the only one whose choices are told, and then at length; 0 for the mulligan.
        """
        self._deal = deal
        self._explainers = explainers
        self._turn = turn
        self._story = LogWriter(deal.card_names, deal.table.ruleset.starting_lives)
        self.choices: list[dict[str, Any]] = []
        self.differs = False

    def note(self, state: Words16, action: int) -> Iterator[str]:
        """The lines about an action that is about to be taken."""
        seat = int(state[at.ACTIVE])
        turn = self._turn_of(state)
        explain = self._explainers[seat]
        if explain is None or self._turn not in {None, turn}:
            return
        told = explain(state)
        if told.by == "only":
            return
        self.choices.append(self._as_data(told, state, action))
        lines = list(self._lines(told, state))
        if told.action != action:
            self.differs = True
            lines.append(
                f"the agent would now do otherwise: {self._deeds((told.action,), state)[0]}"
            )
        for line in lines:
            yield from wrap(
                line,
                _WIDTH,
                initial_indent=_MARGIN,
                subsequent_indent=f"{_MARGIN}      ",
                break_long_words=False,
                break_on_hyphens=False,
            )

    def silent(self) -> Iterator[str]:
        """Of each seat that is not explained, that it is not."""
        for seat, explain in enumerate(self._explainers):
            pilot = self._deal.pilots[seat]
            if explain is None and pilot != _PERSON:
                yield f"why: {pilot} (seat {seat}) goes by rules, and compares nothing to be shown"
                if rule := agent_line(pilot):
                    yield f"     its rules: {rule[:1].lower()}{rule[1:]}"
        is_dealt_anew = _PERSON not in self._deal.pilots  # what a person played stays as it was
        if is_dealt_anew and None in self._explainers:
            yield "     --agent turn:200 tells the same deal played by a search, which compares"

    # --- words ---

    def _lines(self, told: Explanation, state: Words16) -> Iterator[str]:
        n_shown = _FEW if self._turn is None else _MANY
        if told.by == "mulligan":
            yield (
                f"by its rule: keeps all cards up to {told.facts['cheap']} mana, "
                f"one of each cost up to {told.facts['dearest']}"
            )
        elif told.by == "win":
            (line,) = told.compared
            yield f"wins in this turn, whatever luck brings: {self._words(line, told, state)}"
        else:
            yield _heading(told)
            for one in islice(told.compared, n_shown):
                yield f"{_scored(one, told):>7}  {self._words(one, told, state)}"
            yield from _decided(told, n_features=_FEATURES if self._turn is None else None)

    def _words(self, one: Compared, told: Explanation, state: Words16) -> str:
        """A line in words, as far as it does not hang on luck."""
        deeds = self._deeds(one.actions[: one.n_sure + 1], _start(told, state))
        if len(one.actions) > one.n_sure + 1 or not one.ends_turn:
            if told.by not in {"points", "value"}:
                deeds.append("...")
        elif "won" not in one.parts and told.by != "win":
            deeds.append("end turn")
        return "; ".join(deeds)

    def _deeds(self, actions: Sequence[int], start: Words16) -> list[str]:
        """Actions in a row, each in the words of the position that it is taken in."""
        state = start.copy()
        deeds = []
        for action in actions:
            deeds.append(self._story.action_words(action, take_snapshot(state)))
            if may_act(state, self._deal.words, action):
                perform(state, self._deal.words, action)  # a fault is no more than a bad end here
        return deeds

    # --- data ---

    def _as_data(self, told: Explanation, state: Words16, action: int) -> dict[str, Any]:
        compared = [
            {
                "line": self._deeds(one.actions, _start(told, state)),
                "score": one.score,
                "sure": one.n_sure,
                "ends_turn": one.ends_turn,
                "parts": {name: round(part, 3) for name, part in one.parts.items()},
            }
            for one in told.compared
        ]
        seat = int(state[at.ACTIVE])
        return {
            "turn": self._turn_of(state),
            "seat": seat,
            "agent": self._deal.pilots[seat],
            "action": self._deeds((action,), state)[0],
            "as_played": told.action == action,
            "by": told.by,
            "compared": compared,
            **told.facts,
        }

    def _turn_of(self, state: Words16) -> int:
        return 0 if state[at.PHASE] == at.MULLIGAN_PHASE else int(state[at.TURN])


def _start(told: Explanation, state: Words16) -> Words16:
    return state if told.start is None else told.start


def _heading(told: Explanation) -> str:
    """What the numbers below it are, and of how many the first ones are shown."""
    n_compared = len(told.compared)
    if told.by == "points":
        return f"points of {2 * told.facts['worlds']} in {told.facts['worlds']} imagined games:"
    if told.by == "value":
        return f"value of the {n_compared} actions:"
    return (
        f"worth of {n_compared} {'end' if n_compared == 1 else 'ends'} of the turn after the "
        f"enemy's answer, of {told.facts['positions']:,} positions tried:"
    )


def _scored(one: Compared, told: Explanation) -> str:
    if one.score is None:
        return "dropped"
    return f"{one.score:+.3f}" if told.by == "value" else f"{one.score:,.0f}"


def _decided(told: Explanation, n_features: int | None) -> Iterator[str]:
    """What the first has over the second, feature by feature, the largest difference first."""
    if len(told.compared) < 2 or not (told.compared[0].parts and told.compared[1].parts):
        return
    first, second = (one.parts for one in told.compared[:2])
    gaps = {name: first.get(name, 0) - second.get(name, 0) for name in {**first, **second}}
    ranked = sorted(gaps.items(), key=lambda gap: (-abs(gap[1]), gap[0]))
    words = [f"{name} {gap:+,.0f}" for name, gap in ranked if abs(gap) >= 0.5]
    left = sum(gap for _, gap in ranked) - sum(gap for _, gap in ranked[:n_features])
    if n_features is not None and len(words) > n_features:
        words = [*words[:n_features], f"all else {left:+,.0f}"]
    yield f"first over second: {', '.join(words) or 'nothing, it was found first'}"
