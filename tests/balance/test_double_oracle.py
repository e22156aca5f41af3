"""Double oracle: its rounds, the decks that are added, and continuation after any round."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from agents.registry import agent_named
from balance.decks import double_oracle
from balance.decks.attack import AttackRound
from balance.decks.built_deck import BuiltDeck
from balance.decks.double_oracle import Attacker, check_attack, run_attack
from balance.metagame.field import play_field
from balance.settings.tables import BalanceSettings, Build, Games
from sim import SEED_MAX, Deck
from sim.play.batch import deck_row
from tests.balance.contests import RUSH_KEEP, body, own_contest
from tests.balance.test_pipeline import assert_equal
from tests.refusals import refusal_of

TINY_BUILD = Build(population=8, generations=2, search=20, select=40, certify=200, size=20)


def settings_of(**more):
    defaults = {"seed": 5, "games": Games(matchups=200), "build": TINY_BUILD}
    return BalanceSettings(**(defaults | more))


def attacker_of(phase="before", **more):
    pilot = agent_named("aggro")
    defaults = {"settings": settings_of(), "pilot": pilot, "phase": phase, "rounds": 3}
    return Attacker(**(defaults | more))


WEAK = body("weak", 1, 1, 1)
FAIR = body("fair", 1, 2, 2)
STRONG = body("strong", 1, 5, 5)
PAIR = own_contest([WEAK, FAIR, STRONG], [{"weak": 10, "fair": 10}, {"fair": 10, "weak": 10}])


def builder_of(decks, n_games=400):
    """Return a builder that returns given decks in turn, with results like `build_deck`'s."""
    asked = []
    queue = list(decks)

    def build(contest, settings, *, field, name, on_generation):
        asked.append(SimpleNamespace(contest=contest, settings=settings, field=field, name=name))
        deck = Deck(name=name, pool="own", ruleset="duel", cards=queue.pop(0))
        row = deck_row(deck.slots(contest.table.pool))
        pilot = agent_named("aggro")
        counts = play_field(
            field, row[np.newaxis], pilot, n_games=n_games, run_seed=settings.seed,
            purpose="build/certify", keep_games=True,
        )  # fmt: skip
        return BuiltDeck(
            deck=deck, agent=pilot, field=field, origin=None, n_games=n_games,
            score=counts.score().at(0), win_rates=counts.win_rate().at(0),
            certified=None, tried=None, improvements=(), selection=None, state=None, games={},
        )  # fmt: skip

    return build, asked


def attacked(decks, contest=PAIR, **how):
    """Return an attack with given decks, and the arguments of each call of its builder."""
    build, asked = builder_of(decks)
    return run_attack(contest, attacker_of(**how), build=build), asked


def test_a_stronger_deck_joins_and_takes_all():
    attack, asked = attacked([{"strong": 20}, {"strong": 20}])
    first, second = attack.rounds
    assert (first.added, second.added) == (True, False)
    assert first.low > 0.9
    assert second.win_rate == 0.5  # a mirror
    assert attack.contest.player_names == ("a", "b", "attacker_1")
    assert attack.n_original == 2
    assert attack.metagame.shares.estimate.tolist() == [0, 0, 1]
    # The second deck is built against the mix, in which the first one is alone.
    assert [player.name for player in asked[1].field.opponents] == ["attacker_1"]


def test_the_mix_is_the_field():
    attack, (call,) = attacked([{"weak": 20}])
    shares = dict(zip([p.name for p in call.field.opponents], call.field.weights, strict=True))
    likely = attack.metagame.resampled_shares.mean(axis=0)  # as it is resampled in the end, too
    for player, share in zip("ab", likely, strict=True):
        assert shares.get(player, 0) == pytest.approx(float(share))
    (entry,) = attack.rounds
    assert [one.name for one in entry.opponents] == [*shares]
    mean = sum(shares[one.name] * one.win_rate for one in entry.opponents)
    assert entry.win_rate == pytest.approx(mean)
    assert entry.n == sum(one.n for one in entry.opponents)


def test_an_attacker_without_a_certain_margin_is_not_added():
    def only_round(margin):
        return attacked([{"fair": 20}], margin=margin, rounds=1)[0].rounds[0]

    lead = only_round(0.0).low - 0.5
    assert 0 < lead < 0.5
    inside = only_round(lead - 1e-6)
    outside = only_round(lead + 1e-6)
    assert (inside.added, outside.added) == (True, False)
    assert outside.win_rate > 0.5 + lead + 1e-6


def test_rounds_and_phases_have_separate_seeds():
    calls = [attacked([{"strong": 20}] * 2, phase=phase)[1] for phase in ("before", "after")]
    seeds = {call.settings.seed for call in chain(*calls)}
    assert len(seeds) == 4
    assert all(0 <= seed <= SEED_MAX for seed in seeds)


def test_a_deck_is_built_anew_and_needs_no_goal():
    settings = settings_of(build=TINY_BUILD.model_copy(update={"improve": "a", "goal": 0.9}))
    _, (call,) = attacked([{"weak": 20}], settings=settings)
    assert (call.settings.build.improve, call.settings.build.goal) == (None, 0)


def test_a_name_that_is_taken_is_changed():
    first, second = PAIR.players
    contest = replace(PAIR, players=(replace(first, name="attacker_1"), second))
    attack, _ = attacked([{"strong": 20}, {"strong": 20}], contest)
    assert attack.contest.player_names == ("attacker_1", "b", attack.rounds[0].name)
    assert attack.rounds[0].name == "attacker_1_"


@pytest.fixture(scope="module")
def real():
    """An attack with real but tiny searches."""
    rounds = []
    attack = run_attack(RUSH_KEEP, attacker_of(), on_round=rounds.append)
    assert tuple(rounds) == attack.rounds
    return attack


def test_an_attack_may_be_continued_after_any_round(real):
    assert real.rounds[0].added  # so that something is continued
    written = [entry.model_dump(mode="json") for entry in real.rounds]
    for n_done in range(len(real.rounds) + 1):
        kept = [AttackRound.model_validate(entry) for entry in written[:n_done]]
        again = run_attack(RUSH_KEEP, attacker_of(), done=kept)
        assert again.rounds == real.rounds
        assert_equal(again.metagame, real.metagame)


def test_impossible_settings_are_refused_before_any_game():
    refusal_of(check_attack, own_contest([WEAK], [{"weak": 2}]), attacker_of())
    impossible = settings_of(build=TINY_BUILD.model_copy(update={"curve": {"1": (21, 30)}}))
    error = refusal_of(check_attack, RUSH_KEEP, attacker_of(settings=impossible))
    assert error.place == "build"
    check_attack(RUSH_KEEP, attacker_of())


@pytest.mark.parametrize("phase", ["before", "after"])
def test_phases_have_streams_of_their_own(phase, monkeypatch):
    names = ("play_matchups", "average_equilibrium", "metagame_of")
    spies = {name: Mock(wraps=getattr(double_oracle, name)) for name in names}
    for name, spy in spies.items():
        monkeypatch.setattr(double_oracle, name, spy)
    attacked([{"weak": 20}], phase=phase)
    purposes = {call.kwargs["purpose"] for spy in spies.values() for call in spy.call_args_list}
    assert purposes == {f"attack/{phase}/{what}" for what in ("matchups", "again", "resample")}


def test_decks_that_hardly_anybody_plays_are_no_opponents(monkeypatch):
    monkeypatch.setattr(
        "balance.decks.double_oracle.average_equilibrium", lambda *_, **__: np.array([0.995, 0.005])
    )
    _, (call,) = attacked([{"weak": 20}])
    assert [player.name for player in call.field.opponents] == ["a"]
