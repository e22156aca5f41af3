"""Pilots are stored in files unchanged, and files that are no pilots are refused."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import torch

from agents import DQNPilot, TrainSettings
from agents.dqn.checkpoint import (
    check_fits,
    load_pilot,
    read_torch_file,
    save_pilot,
    write_torch_file,
)
from agents.dqn.network import Architecture, QNetwork
from agents.dqn.provenance import Provenance, Stamp, stamps_of_cards
from sim import InputError, Pool, load_deck
from sim.play.reach import reach_of_decks
from tests.agents.dqn.test_pilot import positions
from tests.duels import CORE, DUEL
from tests.refusals import refusal_of, refused

EMBER = load_deck("ember_rush")
REACHED = reach_of_decks(CORE, DUEL, [EMBER, load_deck("tide_keep")])
NETWORK = QNetwork(Architecture(hidden=16, dueling=True, one_hot=True), seed=4)
PROVENANCE = Provenance(
    ruleset=Stamp.of(DUEL),
    pool="core",
    cards=stamps_of_cards(CORE, REACHED),
    decks=(Stamp.of(EMBER),),
    settings=TrainSettings(hidden=16),
    seed=3,
    steps=1000,
    opponents="aggro",
    seat="second",
    leave_out=0.0,
    versions={"torch": "2"},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ember.pt"
    save_pilot(path, NETWORK, PROVENANCE)
    return path


def test_a_pilot_comes_back_as_it_was(path: Path) -> None:
    pilot = load_pilot(path)
    requests = positions(300)
    assert np.array_equal(pilot.choose(*requests), DQNPilot("", NETWORK).choose(*requests))
    assert pilot.provenance == PROVENANCE
    assert pilot.name == "dqn:ember.pt"
    assert load_pilot(path, name="Ember").name == "Ember"


def test_the_same_pilot_is_the_same_file(path: Path, tmp_path: Path) -> None:
    save_pilot(tmp_path / "again.pt", NETWORK, PROVENANCE)
    assert (tmp_path / "again.pt").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999])
def test_a_file_that_was_cut_short_is_refused(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    error = refusal_of(load_pilot, path)
    assert error.place == str(path)
    assert error.remedy


def test_damage_is_never_more_than_bad_input(path: Path) -> None:
    data = path.read_bytes()
    for place in range(0, len(data), 97):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        with suppress(InputError):  # bytes that are not read may change without an error
            load_pilot(path)


def test_a_weight_that_changed_since_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(NETWORK.second.weight.detach().numpy().tobytes())] ^= 1
    path.write_bytes(data)
    assert refusal_of(load_pilot, path).place == str(path)


OTHERS = {
    "without a kind": {"weights": torch.zeros(3)},
    "of another kind": {"kind": "evenhand training state", "format": 1, "content": {}},
    "runs code": {"kind": "evenhand pilot", "content": Path.cwd()},
    "of another format": {"kind": "evenhand pilot", "format": 2, "content": {}},
    **{
        f"holds {content}": {"kind": "evenhand pilot", "format": 1, "content": content}
        for content in (None, 3, [1], torch.zeros(3))
    },
}


@pytest.mark.parametrize("other", OTHERS)
def test_another_file_of_tensors_is_refused(other: str, path: Path) -> None:
    torch.save(OTHERS[other], path)
    error = refusal_of(load_pilot, path)
    assert error.place == str(path)
    assert error.limit == (1 if other == "of another format" else None)


def content_of(path: Path) -> dict:
    return read_torch_file(path, "evenhand pilot", "")


WEIGHTS = {
    "of another shape": torch.zeros((4, 4)),
    "no number": torch.full((16, 16), torch.nan),
    "expanded": torch.zeros(1).expand(16, 16),
    "complex": torch.zeros((16, 16), dtype=torch.complex64),
    "sparse": torch.zeros((16, 16)).to_sparse(),
    "nowhere": torch.zeros((16, 16), device="meta"),
    "a list": [[0.0] * 16] * 16,
}


@pytest.mark.parametrize("weight", WEIGHTS)
def test_weights_that_are_no_plain_numbers_are_refused(weight: str, path: Path) -> None:
    content = content_of(path)
    content["weights"]["second.weight"] = WEIGHTS[weight]
    write_torch_file(path, "evenhand pilot", content)
    assert refusal_of(load_pilot, path).place == str(path)


def test_a_pilot_without_weights_or_of_another_version_is_refused(path: Path) -> None:
    content = content_of(path)
    origin = json.loads(content["provenance"])
    origin["settings"]["colour"] = "red"
    write_torch_file(path, "evenhand pilot", {**content, "provenance": json.dumps(origin)})
    assert refusal_of(load_pilot, path).place == str(path)
    del content["weights"]
    write_torch_file(path, "evenhand pilot", content)
    assert refusal_of(load_pilot, path).place == str(path)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("hidden", 10**12),
        ("hidden", 8000),
        ("hidden", -16),
        ("hidden", 0),
        ("one_hot", False),
        ("dueling", False),
        ("view", {"name": "duel", "n_values": 67, "n_actions": -40}),
        ("view", {"name": "duel", "n_values": 67, "n_actions": 10**12}),
        ("view", {"name": "general", "n_values": 9, "n_actions": 9, "n_indices": 10}),
        (
            "view",
            {
                "name": "general",
                "n_values": 9,
                "n_actions": 9,
                "n_indices": 8,
                "texts": [["a"]] * 9,
            },
        ),
    ],
)
def test_an_architecture_that_the_weights_do_not_have_is_refused_before_it_takes_memory(
    part: str, value: object, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = content_of(path)
    content["architecture"] = json.dumps({**json.loads(content["architecture"]), part: value})
    write_torch_file(path, "evenhand pilot", content)
    monkeypatch.setattr("agents.dqn.checkpoint.QNetwork", None)
    assert refusal_of(load_pilot, path).place == str(path)


def stronger(*ids: str) -> Pool:
    """Return the pool with one more attack on some cards."""
    cards = (
        card.with_numbers({"attack": card.attack + 1}) if card.id in ids else card
        for card in CORE.cards
    )
    return CORE.model_copy(update={"cards": tuple(cards)})


def test_cards_that_nobody_can_reach_make_no_difference_to_a_pilot(path: Path) -> None:
    met = {CORE.everything[number].id for number in REACHED}
    others = [card.id for card in CORE.cards if card.id not in met]
    assert others
    check_fits(load_pilot(path), DUEL, stronger(*others), EMBER, REACHED)
    renamed = tuple(card.model_copy(update={"name": "X", "tunable": None}) for card in CORE.cards)
    pool = CORE.model_copy(update={"cards": renamed})
    check_fits(load_pilot(path), DUEL, pool, EMBER, REACHED)


OTHER_GAMES = {
    "ruleset": (DUEL.model_copy(update={"life": 25}), CORE, EMBER),
    "card": (DUEL, stronger("ember_whelp", "tide_caller"), EMBER),
    "deck": (DUEL, CORE, load_deck("tide_keep")),
}


@pytest.mark.parametrize("part", OTHER_GAMES)
def test_a_pilot_refuses_another_game(path: Path, part: str) -> None:
    # Not compared with the golden messages, since hashes of the models' content stand in it.
    with pytest.raises(InputError) as refusal:
        check_fits(load_pilot(path), *OTHER_GAMES[part], REACHED)
    assert refusal.value.place == "agent 'dqn:ember.pt'"
    assert str(refusal.value.limit).startswith(part)


def test_a_packed_pilot_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ember.pt"
    write_torch_file(path, "evenhand pilot", {"weights": torch.zeros(10_000_000)})
    packed = tmp_path / "packed.pt"
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert packed.stat().st_size < path.stat().st_size / 100
    with refused() as refusal:
        read_torch_file(packed, "evenhand pilot", "")
    assert refusal.error.place == str(packed)
