"""Trained agents play wherever scripted ones do, and wrong references are refused with a remedy.

Files of weights are looked for in the same places as pilots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agents import agent_named, dqn
from agents.search.turn import weights
from experiments.files.agent_files import find_pilot
from experiments.loading import load_experiment
from sim import stream_seed
from sim.play import Batch, play
from tests.command_line import (
    TINY,
    ask,
    assert_says,
    command,
    contents,
    done,
    refusal,
    run_folder,
    unchanged,
    write_experiment,
)
from tests.duels import CORE
from tests.experiments.learners import PLAYERS, TRAINING, write_pilot, write_run
from tests.messages import check_message
from tests.refusals import refusal_of

CARD = '[[card]]\nid = "{0}"\nname = "{0}"\ncost = 1\nattack = 1\nhealth = 1\n'
STRIKE = 'effects = [{ on = "play", do = "damage", to = "enemy_player", amount = 3 }]\n'
OWN_POOL = (
    'name = "mine"\n' + CARD.format("one") + CARD.format("two") + CARD.format("fire") + STRIKE
)
OWN_DECK = 'name = "mine"\npool = "mine"\nruleset = "duel"\n[cards]\none = 2\ntwo = 2\nfire = 2\n'


def piloted(reference: str, text: str = PLAYERS) -> str:
    """Return the experiment with a trained agent as pilot of the first deck."""
    return text.replace('"aggro"', f'"dqn:{reference}"')


pytestmark = pytest.mark.usefixtures("here")


def test_a_path_begins_at_the_experiment_then_in_the_working_directory() -> None:
    experiment = Path("lab/tiny.toml")
    working = write_pilot(Path("ember.pt"))
    results = Path("results")
    first = find_pilot("dqn:ember.pt", near=experiment, results=results)
    assert first.path == working
    near = write_pilot(Path("lab/ember.pt"), seed=2)
    again = find_pilot("dqn:ember.pt", near=experiment, results=results)
    assert again.path == near
    assert again.content != first.content


def test_a_name_is_the_newest_finished_run_of_that_experiment() -> None:
    results = Path("results")
    runs = [
        write_run(results, name, "ember", experiment=experiment, seed=seed)
        for seed, (name, experiment) in enumerate(
            [
                ("my_game-train-00000001", "my game"),
                ("my_game-train-00000002", "my game"),
                ("my_game-train-00000003.1", "my game"),
                ("my_game-train-00000004", "my game"),  # has not finished
                ("my_game-train-00000005", "my_game"),  # is called alike
                ("my_game-train-x-train-00000006", "my game-train-x"),
            ]
        )
    ]
    for age, run in enumerate([2, 0, 1, 3, 4, 5]):
        os.utime(runs[run] / "summary.json", (1000 + age, 1000 + age))
    (runs[3] / "summary.json").unlink()

    def find_path() -> Path:
        return find_pilot("dqn:my game/ember", near=Path("x.toml"), results=results).path

    assert find_path() == runs[1] / "ember.pt"
    (runs[1] / "ember.pt").unlink()
    assert find_path() == runs[0] / "ember.pt"
    (runs[0] / "summary.json").unlink()
    assert find_path() == runs[2] / "ember.pt"


def searching(reference: str) -> str:
    """Return the experiment with a search on a trained agent as pilot of the first deck."""
    return PLAYERS.replace('"aggro"', f'"rollout:2:control:dqn:{reference}"')


either_way = pytest.mark.parametrize("with_pilot", [piloted, searching])


@pytest.mark.thorough
@either_way
def test_it_plays_wherever_agents_do_under_the_name_that_the_file_gave(
    with_pilot: Callable[[str], str],
) -> None:
    write_run(Path("results"), "school-train-0123abcd", "ember", experiment="school")
    text = with_pilot("school/ember") + "\n[games]\nmatchups = 8\npower = 4\n"
    done(ask("matchups", Path(), "--no-plots", text=text))
    outcome = done(ask("power", Path(), "--no-plots", text=text))
    assert "dqn:school/ember" in outcome.out
    assert "dqn:school/ember)" in done(ask("replay", Path(), text=text)).out.splitlines()[1]
    (log,) = Path("results").glob("tiny-matchups-*/log.txt")
    file = Path("results/school-train-0123abcd/ember.pt")
    assert f"dqn:school/ember is {file} (sha256 " in log.read_text(encoding="utf-8")


@either_way
def test_another_pilot_is_another_run(with_pilot: Callable[[str], str]) -> None:
    pilot = write_pilot(Path("ember.pt"))
    experiment = str(write_experiment(Path(), with_pilot("ember.pt")))
    before, again = (load_experiment(experiment).resolved() for _ in range(2))
    assert before == again
    write_pilot(pilot, seed=2)
    assert load_experiment(experiment).resolved() != before


def test_players_that_name_one_pilot_share_it() -> None:
    write_pilot(Path("two.pt"), decks=("ember_rush", "tide_keep"))
    text = piloted("two.pt").replace('"control"', '"dqn:two.pt"')
    first, second = load_experiment(str(write_experiment(Path(), text))).agents
    assert first is second
    assert first.name == "dqn:two.pt"


def test_the_registry_reads_a_pilot_anew() -> None:
    path = write_pilot(Path("ember.pt"))
    first = agent_named("dqn:ember.pt")
    assert first.name == "dqn:ember.pt"
    write_pilot(path, seed=2)
    assert agent_named("dqn:ember.pt") is not first


def check_refused(text: str, *names: str, name: str = "matchups") -> None:
    """Check that a command refuses an experiment, in one line and without writing anything.

    Args:
        text: the experiment.
        names: names that the message must hold, such as its place.
        name: name of the command.
    """
    write_experiment(Path(), text)
    with unchanged(contents, Path()):
        message = refusal(ask(name, Path(), text=text))
    assert_says(message, *names)
    check_message(message)


PLACE = "tiny.toml: player 'ember_rush': agent: "


@pytest.fixture
def wrong_pilots(here: Path) -> None:
    """Write pilots and training runs of which none can play this experiment's first deck."""
    write_run(Path("results"), "school-train-0123abcd", "ember", "tide", experiment="school")
    begun = write_run(Path("results"), "lab-train-0123abcd", "ember", experiment="lab")
    (begun / "summary.json").unlink()
    cut = write_pilot(Path("cut.pt"))
    cut.write_bytes(cut.read_bytes()[:1000])
    write_pilot(Path("tide.pt"), decks=("tide_keep",))
    cards = (card.with_numbers({"cost": card.cost + 1}) for card in CORE.cards)
    write_pilot(Path("dear.pt"), pool=CORE.model_copy(update={"cards": tuple(cards)}))


WRONG_REFERENCES = (
    *("ember.pt", "scool/ember", "lab/ember", "school/embr"),
    *("", "ember", "/ember", "school/", "cut.pt", "tide.pt", "dear.pt"),
)


@pytest.mark.usefixtures("wrong_pilots")
@pytest.mark.parametrize("reference", WRONG_REFERENCES)
def test_a_pilot_that_cannot_play_is_named_with_what_would_help(reference: str) -> None:
    check_refused(piloted(reference), PLACE, reference)


def test_a_search_is_refused_for_its_own_name_and_for_its_pilot() -> None:
    check_refused(searching("gone.pt"), PLACE, "'dqn:gone.pt'")
    write_pilot(Path("tide.pt"), decks=("tide_keep",))
    check_refused(searching("tide.pt"), PLACE, "'rollout:2:control:dqn:tide.pt'", "'tide_keep'")
    write_pilot(Path("ember.pt"))
    text = searching("ember.pt").replace("rollout:2", "rollout:0")
    check_refused(text, PLACE, "'rollout:0:control:dqn:ember.pt'", "'0'")
    build = PLAYERS + '\n[build]\nagent = "rollout:2:dqn:ember.pt"\n'
    check_refused(build, "build.agent", "'rollout:2:dqn:ember.pt'", name="build")
    improve = searching("ember.pt") + '\n[build]\nimprove = "ember_rush"\n'
    check_refused(improve, "'rollout:2:control:dqn:ember.pt'", name="build")


def own_cards(text: str) -> str:
    """Return the experiment with a deck that has a card which a learner cannot see."""
    Path("mine.toml").write_text(OWN_POOL, encoding="utf-8")
    Path("deck.toml").write_text(OWN_DECK, encoding="utf-8")
    text = text.replace("seed", 'pool = "mine.toml"\nseed', 1)
    for name in ("ember_rush", "tide_keep"):
        text = text.replace(f'deck = "{name}"', f'deck = "deck.toml"\nname = "{name}"')
    return text


def test_a_deck_that_a_learner_cannot_see_is_refused_by_card() -> None:
    write_pilot(Path("ember.pt"))
    place = "tiny.toml: deck 'mine': card 'fire'"
    check_refused(own_cards(piloted("ember.pt")), place)
    check_refused(own_cards(TRAINING), place, name="train")


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    write_pilot(Path("ember.pt"))
    monkeypatch.setattr(dqn, "find_spec", lambda _: None)
    check_refused(piloted("ember.pt"), PLACE, "'dqn:ember.pt'", "evenhand[rl]")
    check_refused(TRAINING, "tiny.toml", "evenhand[rl]", name="train")
    check_refused(TRAINING, "tiny.toml", "evenhand[rl]", name="evaluate")


def test_narrowing_does_not_take_one_pilot_for_all_decks() -> None:
    write_pilot(Path("ember.pt"))
    text = PLAYERS + '\n[narrow]\nagent = "dqn:ember.pt"\n'
    check_refused(text, "tiny.toml: narrow.agent", "'dqn:ember.pt'")


def test_a_replay_of_a_trained_agent_shows_the_game_that_is_played() -> None:
    write_pilot(Path("ember.pt"))
    experiment = write_experiment(Path(), piloted("ember.pt"))
    text = done(command("replay", experiment)).out
    assert text.splitlines()[1] == "seat 0: ember_rush (dqn:ember.pt)"
    loaded = load_experiment(str(experiment))
    contest = loaded.contest()
    batch = Batch(
        decks=contest.deck_rows,
        variant=np.zeros(1, dtype=np.int64),
        seats=np.array([[0, 1]]),
        n_games=np.ones(1, dtype=np.int64),
        first_game=np.zeros(1, dtype=np.int64),
        stream=stream_seed(loaded.settings.seed, "matchups"),
    )
    (turns,) = np.flatnonzero(play(batch, contest.table, contest.agents).turns[0])
    assert f"turns {turns}  " in text.splitlines()[-1]


def test_only_what_is_asked_for_needs_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dqn, "find_spec", lambda _: None)
    folder = run_folder("matchups", Path(), text=TRAINING + "\n[games]\nmatchups = 40\n")
    assert folder.name.startswith("tiny-matchups-")


def test_a_finder_of_pilots_takes_only_names_of_pilots() -> None:
    refusal_of(find_pilot, "dqns:a/b", near=Path(), results=Path("results"))


SHIPPED = Path(weights.__file__).parent / "shipped"
NAME = "turn:5:mine.toml"


@pytest.fixture
def with_weights(tmp_path: Path) -> Path:
    text = TINY.replace('"aggro"', f'"{NAME}"').replace('"power"', f'"power"\nagent = "{NAME}"')
    return write_experiment(tmp_path, text)


def test_the_folder_of_the_experiment_comes_first(
    with_weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_folder = tmp_path / "elsewhere"
    other_folder.mkdir()
    monkeypatch.chdir(other_folder)
    shutil.copy(SHIPPED / "coac.toml", other_folder / "mine.toml")
    by_working_folder = load_experiment(str(with_weights))
    shutil.copy(SHIPPED / "gsvb.toml", tmp_path / "mine.toml")
    by_experiment = load_experiment(str(with_weights))
    assert by_working_folder.agents[0].name == by_experiment.agents[0].name == NAME
    assert by_working_folder.agents[0] != by_experiment.agents[0]
    resolved = by_experiment.resolved("balance")
    assert resolved["experiment"]["narrow"]["agent"] == NAME
    monkeypatch.chdir(tmp_path)
    assert load_experiment(with_weights.name).resolved("balance") == resolved


@pytest.mark.parametrize(
    ("old", "new"),
    [('"aggro"', f'"{NAME}"'), ('"power"', f'"power"\nagent = "{NAME}"')],
    ids=["of a player", "of no player"],
)
def test_weights_of_a_file_are_part_of_what_a_run_depends_on(
    old: str, new: str, tmp_path: Path
) -> None:
    experiment = write_experiment(tmp_path, TINY.replace(old, new))
    pilots = []
    for weights_of in ("coac", "gsvb"):
        shutil.copy(SHIPPED / f"{weights_of}.toml", tmp_path / "mine.toml")
        pilots.append(load_experiment(str(experiment)).resolved("balance")["pilots"])
    assert pilots[0].keys() == pilots[1].keys() == {NAME}
    assert pilots[0] != pilots[1]


def test_where_there_is_none_both_places_are_named(with_weights: Path) -> None:
    message = refusal(command("matchups", with_weights))
    assert_says(message, "narrow.agent", f"'{NAME}'", f"{with_weights.parent / 'mine.toml'}")
    check_message(message)


def test_an_unknown_opponent_is_blamed_before_a_missing_pilot(tmp_path: Path) -> None:
    text = TINY.replace('"aggro"', '"rollout:16:x:dqn:nope.pt"')
    message = refusal(command("matchups", write_experiment(tmp_path, text)))
    assert_says(message, "'rollout:16:x:dqn:nope.pt'", "'x'")
    check_message(message)
