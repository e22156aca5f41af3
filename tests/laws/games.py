"""Random games under the general rules, checked after every action, in compiled code."""

from __future__ import annotations

from typing import Any

from sim.engine import layout as at
from sim.engine.addresses import call_policy, words_at
from sim.engine.compiled import (
    Block,
    Vector,
    Words,
    compiled,
    i64,
    none,
    u64,
)
from sim.engine.kernel import copy_game, prepare
from sim.engine.listing import list_actions, listed
from sim.engine.rules import act, deal
from sim.engine.streams import mix64, number, pick
from sim.engine.zones import hand, item
from tests.laws.changes import law_of_change
from tests.laws.checker import law_of_state
from tests.laws.clauses import Numbers, Words16, forget_standing
from tests.laws.law import KEPT, Law
from tests.laws.masks import law_of_masks

# Positions of the settings: intervals of the slow checks, in actions; 0 for never.
MASKS_EVERY = 0
CLONES_EVERY = 1
SAMPLES_EVERY = 2

# Kinds of players, by the number of the game.
UNIFORM, GREEDY_FIRST, GREEDY_SECOND, BUSY = range(4)
N_KINDS = 4
CLONE_ACTIONS = 40  # actions that a copy plays; enough for several turns

# Positions in a game's outcome.
LAW = 0
AT_ACTION = 1  # number of actions taken when the law was found broken
LAST_ACTION = 2
RESULT_OF_GAME = 3
N_TURNS = 4
N_TAKEN = 5
DIGEST = 6
N_SAMPLED = 7
OUTCOME_SIZE = 8

N_STATES = 4  # scratch: the game, the game before the last action, a clone and its twin


@compiled(none(Words, Words, i64))
def _copy(source: Any, target: Any, n_words: int) -> None:
    """Copy the first `n_words` words of `source` to `target`."""
    for word in range(n_words):
        target[word] = source[word]


@compiled(i64(Words, Words, i64, u64, i64), apart=True)
def choose(state: Any, table: Any, kind: int, choice_seed: int, greedy: int) -> int:
    """Return the action of the active seat: a function of the game, its seed and its kind.

    Args:
        state: the game.
        table: card table of its variant.
        kind: `UNIFORM`; `GREEDY_FIRST` or `GREEDY_SECOND`, where one seat is greedy; or `BUSY`, as
            uniform, but a turn goes on as long as there is another legal action.
        choice_seed: seed of the choices.
        greedy: address of the greedy agent.
    """
    is_greedy = (
        kind in (GREEDY_FIRST, GREEDY_SECOND) and (kind == GREEDY_SECOND) == state[at.ACTIVE]
    )
    if is_greedy:
        return call_policy(greedy, state, table)
    n_listed = list_actions(state, table)
    if kind == BUSY and state[at.PHASE] == at.MAIN_PHASE and n_listed > 1:
        n_listed -= 1  # the end of the turn is the last
    return listed(state, pick(choice_seed, state[at.N_ACTIONS] + 1, n_listed))  # type: ignore[no-any-return]


@compiled(i64(Words, Words, Words, Words, i64, u64, i64))
def _law_of_clones(
    state: Any, table: Any, clone: Any, twin: Any, kind: int, choice_seed: int, greedy: int
) -> int:
    """Check that a copy such as searches make plays on exactly as a copy of all words does."""
    for word in range(at.STATE_SIZE):
        clone[word] = 0
    copy_game(state, clone)
    _copy(state, twin, at.STATE_SIZE)
    for _ in range(CLONE_ACTIONS):
        for word in range(at.CLONE_SIZE):
            if clone[word] != twin[word]:
                return Law.CLONE.value
        if twin[at.RESULT] != at.RUNNING:
            break
        action = choose(twin, table, kind, choice_seed, greedy)
        if choose(clone, table, kind, choice_seed, greedy) != action:
            return Law.CLONE.value
        act(clone, table, action)
        act(twin, table, action)
    return KEPT


@compiled(none(Words, Vector, i64))
def _count_play(state: Any, played: Any, action: int) -> None:
    """Count the card that an action plays."""
    if at.PLAY <= action < at.ATTACK_WITH and state[at.PHASE] == at.MAIN_PHASE:
        card = item(state, hand(state[at.ACTIVE]), (action >> at.SOURCE_SHIFT) & at.POSITION_MASK)
        played[state[card + at.CARD]] += 1


@compiled(i64(i64, i64))
def _is_due(every: int, turn: int) -> bool:
    """Return whether a check with this interval takes place now."""
    return every > 0 and turn % every == 0


@compiled(i64(Words, Words, Words, Vector, i64))
def _law_of_step(state: Any, table: Any, before: Any, notes: Any, action: int) -> int:
    """Return the first law that a state, or the step to it, breaks."""
    law = law_of_state(state, table, before, notes)
    return law_of_change(before, state, action) if law == KEPT else law  # type: ignore[no-any-return]


@compiled(none(Words, Vector, i64, i64, i64))
def _note_outcome(state: Any, outcomes: Any, start: int, law: int, action: int) -> None:
    """Write the outcome of a game, with a digest of its final state."""
    digest = 0
    for word in range(at.CLONE_SIZE):
        digest = (digest * 31 + state[word]) & 0xFFFFFFFF
    outcomes[start + LAW] = law
    outcomes[start + AT_ACTION] = state[at.N_ACTIONS] if law != KEPT else 0
    outcomes[start + LAST_ACTION] = action if law != KEPT else 0
    outcomes[start + RESULT_OF_GAME] = state[at.RESULT]
    outcomes[start + N_TURNS] = state[at.TURN]
    outcomes[start + N_TAKEN] = state[at.N_ACTIONS]
    outcomes[start + DIGEST] = digest


@compiled(
    none(Block, Block, Block, i64, i64, u64, i64, Vector, Block, Vector, Vector, Vector, Block),
    from_python=True,
)
def check_games(
    table: Words16,
    counting: Words16,
    decks: Words16,
    start: int,
    stop: int,
    stream: int,
    greedy: int,
    settings: Numbers,
    scratch: Words16,
    notes: Numbers,
    outcomes: Numbers,
    played: Numbers,
    samples: Words16,
) -> None:
    """Play games `start` to `stop` until they are over, or a law is broken.

    Args:
        table: ``[size]`` card table of one variant.
        counting: ``[size]`` the same table that counts its rows; overwritten
            (`tests.laws.clauses`).
        decks: ``[2 * G * DECK_ROW_SIZE]`` deck rows; those of game g are 2g and 2g + 1.
        start: first game.
        stop: one past the last game.
        stream: seed of the stream of game seeds.
        greedy: address of the greedy agent.
        settings: ``[3]`` intervals of the slow checks.
        scratch: ``[N_STATES * STATE_SIZE]`` working memory, overwritten.
        notes: ``[NOTES_SIZE]`` notes of the checks, overwritten.
        outcomes: ``[G * OUTCOME_SIZE]`` outcomes, filled in for the games that are played.
        played: ``[cards of the table]`` added to: how often each card was played.
        samples: ``[S * STATE_SIZE]`` filled with positions, as far as there is space.
    """
    words = words_at(table, 0)
    counts = words_at(counting, 0)
    rows = words_at(decks, 0)
    state = words_at(scratch, 0)
    before = words_at(scratch, at.STATE_SIZE)
    clone = words_at(scratch, 2 * at.STATE_SIZE)
    twin = words_at(scratch, 3 * at.STATE_SIZE)
    n_samples = 0
    tick = 0  # count of the actions of all games, which times the slow checks
    for game in range(start, stop):
        kind = game % N_KINDS
        seed = number(stream, game + 1)
        choice_seed = mix64(seed)
        notes[:] = 0
        forget_standing(counts)
        prepare(state, counts, rows, 2 * game, 2 * game + 1)
        deal(state, counts, seed)
        law = law_of_state(state, words, state, notes)
        action = at.END_TURN
        while law == KEPT and state[at.RESULT] == at.RUNNING:
            tick += 1
            if _is_due(settings[MASKS_EVERY], tick):
                law = law_of_masks(state, words)
            if law == KEPT and _is_due(settings[CLONES_EVERY], tick):
                law = _law_of_clones(state, words, clone, twin, kind, choice_seed, greedy)
            if _is_due(settings[SAMPLES_EVERY], tick) and n_samples * at.STATE_SIZE < samples.size:
                _copy(state, words_at(samples, n_samples * at.STATE_SIZE), at.STATE_SIZE)
                n_samples += 1
            if law == KEPT:
                action = choose(state, words, kind, choice_seed, greedy)
                _copy(state, before, at.STATE_SIZE)
                _count_play(state, played, action)
                act(state, counts, action)
                law = _law_of_step(state, words, before, notes, action)
        _note_outcome(state, outcomes, game * OUTCOME_SIZE, law, action)
    outcomes[start * OUTCOME_SIZE + N_SAMPLED] = n_samples


@compiled(i64(Block, Block, Block, i64, Vector), from_python=True)
def law_between(
    table: Words16, before: Words16, state: Words16, action: int, notes: Numbers
) -> int:
    """Return the first law that one step of a game breaks, or `KEPT`.

    Args:
        table: card table of the game's variant.
        before: ``[STATE_SIZE]`` the game before the step, which breaks no law.
        state: ``[STATE_SIZE]`` the game after it.
        action: the action of the step.
        notes: ``[NOTES_SIZE]`` zeros, overwritten.
    """
    words = words_at(table, 0)
    first = words_at(before, 0)
    second = words_at(state, 0)
    law = law_of_state(first, words, first, notes)
    return _law_of_step(second, words, first, notes, action) if law == KEPT else law  # type: ignore[no-any-return]


@compiled(i64(Block, Block), from_python=True)
def law_of_list(table: Words16, state: Words16) -> int:
    """Return the law that the list of legal actions breaks in a position, or `KEPT`."""
    return law_of_masks(words_at(state, 0), words_at(table, 0))
