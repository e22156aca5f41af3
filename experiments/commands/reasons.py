"""Explanations of the agents' choices in a game, as lines of the game log and as data."""

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

# Maximum number of options to list for a choice: few in a whole game, to keep its log readable, and
# more if only one turn is shown.
_FEW = 3
_MANY = 8
_FEATURES = 4  # features of a score to list by name in a whole game; they fit one line
_WIDTH = 100  # maximum width of a line in characters
_MARGIN = "    | "
_PERSON = "a person"  # name of the pilot in a seat that a person played


class Reasons:
    """Collector of explanations by agents of their choices in a game.

    Attributes:
        choices: choices explained so far, as plain data.
        differs: whether an agent would now choose another action than it chose in the game.
    """

    def __init__(
        self, deal: Deal, explainers: Sequence[Explainer | None], *, turn: int | None = None
    ) -> None:
        """Prepare the explanations of a game.

        Args:
            deal: the game.
            explainers: function of each seat that explains a choice; `None` for a seat without
                explanations.
            turn: the only turn to explain, in full detail, where 0 is the mulligan; `None` to
                explain all turns briefly.
        """
        self._deal = deal
        self._explainers = explainers
        self._turn = turn
        self._story = LogWriter(deal.card_names, deal.table.ruleset.starting_lives)
        self.choices: list[dict[str, Any]] = []
        self.differs = False

    def note(self, state: Words16, action: int) -> Iterator[str]:
        """Record the explanation of an action that is about to be taken, and yield it as lines.

        Nothing is recorded or yielded if the action was the only legal one, if the seat has no
        explanations, or if the turn is not to be explained.

        Args:
            state: state of the game before the action.
            action: action that was taken in the game.
        """
        seat = int(state[at.ACTIVE])
        turn = self._turn_of(state)
        explain = self._explainers[seat]
        if explain is None or self._turn not in {None, turn}:
            return
        explanation = explain(state)
        if explanation.by == "only":
            return
        self.choices.append(self._as_data(explanation, state, action))
        lines = list(self._lines(explanation, state))
        if explanation.action != action:
            self.differs = True
            lines.append(
                "the agent would now do otherwise: "
                f"{self._phrases((explanation.action,), state)[0]}"
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

    def missing_explanations(self) -> Iterator[str]:
        """Yield lines on each agent without explanations, and a suggestion of another agent."""
        for seat, explain in enumerate(self._explainers):
            pilot = self._deal.pilots[seat]
            if explain is None and pilot != _PERSON:
                yield f"why: {pilot} (seat {seat}) follows fixed rules and compares no actions"
                if rule := agent_line(pilot):
                    yield f"     its rules: {rule[:1].lower()}{rule[1:]}"
        # Another agent cannot repeat a game that a person played.
        can_play_again = _PERSON not in self._deal.pilots
        if can_play_again and None in self._explainers:
            yield "     --agent turn:200 plays the same deal by a search, which compares options"

    # --- explanations as text ---

    def _lines(self, explanation: Explanation, state: Words16) -> Iterator[str]:
        """Yield the lines of an explanation, not yet wrapped."""
        n_shown = _FEW if self._turn is None else _MANY
        if explanation.by == "mulligan":
            yield (
                f"by its rule: keeps all cards up to {explanation.facts['cheap']} mana, "
                f"one of each cost up to {explanation.facts['dearest']}"
            )
        elif explanation.by == "win":
            (line,) = explanation.compared
            words = self._words(line, explanation, state)
            yield f"wins in this turn, whatever the random draws are: {words}"
        else:
            yield _heading(explanation)
            for option in islice(explanation.compared, n_shown):
                words = self._words(option, explanation, state)
                yield f"{_score_words(option, explanation):>7}  {words}"
            n_features = _FEATURES if self._turn is None else None
            yield from _deciding_features(explanation, n_features)

    def _words(self, option: Compared, explanation: Explanation, state: Words16) -> str:
        """Return the actions of an option in words, up to the first one with a random result.

        The text ends with `...` if further actions of a line follow, or with `end turn` if the turn
        ends without a win.
        """
        phrases = self._phrases(option.actions[: option.n_sure + 1], _start(explanation, state))
        if len(option.actions) > option.n_sure + 1 or not option.ends_turn:
            if explanation.by not in {"points", "value"}:
                phrases.append("...")
        elif "won" not in option.parts and explanation.by != "win":
            phrases.append("end turn")
        return "; ".join(phrases)

    def _phrases(self, actions: Sequence[int], start: Words16) -> list[str]:
        """Return consecutive actions in words, each described for the state before it.

        Args:
            actions: actions to carry out from `start`, which is not changed.
            start: state before the first action.
        """
        state = start.copy()
        phrases = []
        for action in actions:
            phrases.append(self._story.action_words(action, take_snapshot(state)))
            if may_act(state, self._deal.words, action):
                # An action that is illegal in this copy is skipped, since `perform` would end the
                # turn.
                perform(state, self._deal.words, action)
        return phrases

    # --- explanations as data ---

    def _as_data(self, explanation: Explanation, state: Words16, action: int) -> dict[str, Any]:
        """Return a choice and its explanation as plain data.

        Args:
            explanation: options that the agent compared, and its choice.
            state: state of the game before the action.
            action: action that was taken in the game.
        """
        compared = [
            {
                "line": self._phrases(option.actions, _start(explanation, state)),
                "score": option.score,
                "sure": option.n_sure,
                "ends_turn": option.ends_turn,
                "parts": {name: round(part, 3) for name, part in option.parts.items()},
            }
            for option in explanation.compared
        ]
        seat = int(state[at.ACTIVE])
        return {
            "turn": self._turn_of(state),
            "seat": seat,
            "agent": self._deal.pilots[seat],
            "action": self._phrases((action,), state)[0],
            "as_played": explanation.action == action,
            "by": explanation.by,
            "compared": compared,
            **explanation.facts,
        }

    def _turn_of(self, state: Words16) -> int:
        """Return the number of the turn of a state; 0 during the mulligan."""
        return 0 if state[at.PHASE] == at.MULLIGAN_PHASE else int(state[at.TURN])


def _start(explanation: Explanation, state: Words16) -> Words16:
    """Return the state before the compared actions: that of the explanation, or else the game's."""
    return state if explanation.start is None else explanation.start


def _heading(explanation: Explanation) -> str:
    """Return a line on the meaning of the listed scores and the number of compared options."""
    n_compared = len(explanation.compared)
    if explanation.by == "points":
        n_games = explanation.facts["worlds"]
        return f"points of {2 * n_games} in {n_games} simulated games:"
    if explanation.by == "value":
        return f"value of the {n_compared} actions:"
    return (
        f"value of {n_compared} {'end' if n_compared == 1 else 'ends'} of the turn after the "
        f"enemy's answer, of {explanation.facts['positions']:,} positions tried"
        f"{_again(explanation)}:"
    )


def _again(explanation: Explanation) -> str:
    """Return words on a second comparison, which may choose another line than the first."""
    n_lines = explanation.facts.get("compared again", 0)
    return f"; the best {n_lines} were compared again" if n_lines else ""


def _score_words(option: Compared, explanation: Explanation) -> str:
    """Return the score of an option as text; `dropped` if the search stopped evaluating it."""
    if option.score is None:
        return "dropped"
    return f"{option.score:+.3f}" if explanation.by == "value" else f"{option.score:,.0f}"


def _deciding_features(explanation: Explanation, n_features: int | None) -> Iterator[str]:
    """Yield a line on the features in which the best option's score differs from the second's.

    Differences below 0.5 are not named. No line is yielded if fewer than two options were compared,
    or if an option has no features.

    Args:
        explanation: options that the agent compared, the best first.
        n_features: number of features to name, by decreasing difference; the others are summed.
            `None` names all features.
    """
    options = explanation.compared
    if len(options) < 2 or not (options[0].parts and options[1].parts):
        return
    first, second = (option.parts for option in options[:2])
    gaps = {name: first.get(name, 0) - second.get(name, 0) for name in {**first, **second}}
    ranked = sorted(gaps.items(), key=lambda gap: (-abs(gap[1]), gap[0]))
    # Smaller differences would be printed as 0.
    words = [f"{name} {gap:+,.0f}" for name, gap in ranked if abs(gap) >= 0.5]
    left = sum(gap for _, gap in ranked) - sum(gap for _, gap in ranked[:n_features])
    if n_features is not None and len(words) > n_features:
        words = [*words[:n_features], f"all else {left:+,.0f}"]
    yield f"first over second: {', '.join(words) or 'equal; the first was searched first'}"
