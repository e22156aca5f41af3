"""A trained agent stands wherever a scripted one does, and a wrong reference helps itself.

Files of weights are looked for as pilots are.
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
    assert_in_order,
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
from tests.refusals import complaint_of

CARD = '[[card]]\nid = "{0}"\nname = "{0}"\ncost = 1\nattack = 1\nhealth = 1\n'
STRIKE = 'effects = [{ on = "play", do = "damage", to = "enemy_player", amount = 3 }]\n'
OWN_POOL = (
    'name = "mine"\n' + CARD.format("one") + CARD.format("two") + CARD.format("fire") + STRIKE
)
OWN_DECK = 'name = "mine"\npool = "mine"\nruleset = "duel"\n[cards]\none = 2\ntwo = 2\nfire = 2\n'


def piloted(reference: str, text: str = PLAYERS) -> str:
    """The experiment with the first deck in the hands of a trained agent."""
    return text.replace('"aggro"', f'"dqn:{reference}"')


pytestmark = pytest.mark.usefixtures("here")


def test_a_path_begins_beside_the_experiment_then_in_the_working_directory() -> None:
    beside = Path("lab/tiny.toml")
    working = write_pilot(Path("ember.pt"))
    results = Path("results")
    found = find_pilot("dqn:ember.pt", near=beside, results=results)
    assert found.path == working
    near = write_pilot(Path("lab/ember.pt"), seed=2)
    again = find_pilot("dqn:ember.pt", near=beside, results=results)
    assert again.path == near
    assert again.content != found.content


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

    def found() -> Path:
        return find_pilot("dqn:my game/ember", near=Path("x.toml"), results=results).path

    assert found() == runs[1] / "ember.pt"
    (runs[1] / "ember.pt").unlink()
    assert found() == runs[0] / "ember.pt"
    (runs[0] / "summary.json").unlink()
    assert found() == runs[2] / "ember.pt"


def searching(reference: str) -> str:
    """The experiment with the first deck in the hands of a search on a trained agent."""
    return PLAYERS.replace('"aggro"', f'"rollout:2:control:dqn:{reference}"')


either_way = pytest.mark.parametrize("in_hands_of", [piloted, searching])


@pytest.mark.thorough
@either_way
def test_it_plays_wherever_agents_do_under_the_name_that_the_file_gave(
    in_hands_of: Callable[[str], str],
) -> None:
    write_run(Path("results"), "school-train-0123abcd", "ember", experiment="school")
    text = in_hands_of("school/ember") + "\n[games]\nmatchups = 8\npower = 4\n"
    done(ask("matchups", Path(), "--no-plots", text=text))
    outcome = done(ask("power", Path(), "--no-plots", text=text))
    assert "dqn:school/ember" in outcome.out
    assert "dqn:school/ember)" in done(ask("replay", Path(), text=text)).out.splitlines()[1]
    (log,) = Path("results").glob("tiny-matchups-*/log.txt")
    file = Path("results/school-train-0123abcd/ember.pt")
    assert f"dqn:school/ember is {file} (sha256 " in log.read_text(encoding="utf-8")


@either_way
def test_another_pilot_is_another_run(in_hands_of: Callable[[str], str]) -> None:
    pilot = write_pilot(Path("ember.pt"))
    experiment = str(write_experiment(Path(), in_hands_of("ember.pt")))
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


def refused(text: str, *says: str, asked: str = "matchups") -> None:
    """The command refuses the experiment with one line, and leaves everything as it was."""
    write_experiment(Path(), text)
    with unchanged(contents, Path()):
        assert_in_order(refusal(ask(asked, Path(), text=text)), says)


PLACE = "tiny.toml: player 'ember_rush': agent: "


@pytest.fixture
def shelf(here: Path) -> None:
    """Pilots and training runs, of which none can play this experiment's first deck."""
    write_run(Path("results"), "school-train-0123abcd", "ember", "tide", experiment="school")
    begun = write_run(Path("results"), "lab-train-0123abcd", "ember", experiment="lab")
    (begun / "summary.json").unlink()
    cut = write_pilot(Path("cut.pt"))
    cut.write_bytes(cut.read_bytes()[:1000])
    write_pilot(Path("tide.pt"), decks=("tide_keep",))
    cards = (card.with_numbers({"cost": card.cost + 1}) for card in CORE.cards)
    write_pilot(Path("dear.pt"), pool=CORE.model_copy(update={"cards": tuple(cards)}))


NO_FORM = ["names no pilot; it must be 'dqn:PATH.pt' or 'dqn:EXP"]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("ember.pt", ["'dqn:ember.pt': no such file: looked for ember.pt", "pilots there: ",
         "tide.pt", "trained: school/ember", "`evenhand train`"]),
        ("scool/ember", ["'dqn:scool/ember': no finished training run of 'scool' in",
         "trained: school/ember", "run: evenhand train scool"]),
        ("lab/ember", ["no finished training run of 'lab'",
         "results/lab-train-0123abcd is not finished: evenhand train lab --resume"]),
        ("school/embr", ["no learner 'embr' in", "did you mean 'ember'?", "it has: ember, tide"]),
        ("", NO_FORM), ("ember", NO_FORM), ("/ember", NO_FORM), ("school/", NO_FORM),
        ("cut.pt", ["cut.pt: cut short", "train the pilot anew"]),
        ("tide.pt", ["tide.pt: ", "trained for deck 'tide_keep' (", "not for 'ember_rush' (",
         "train one for this"]),
        ("dear.pt", ["dear.pt: ", "trained for card 'cinder_imp' as it was in pool 'core', not "
         "for what it is now"]),
    ],
)  # fmt: skip
def test_a_pilot_that_cannot_play_is_named_with_what_would_help(
    reference: str, says: list[str]
) -> None:
    refused(piloted(reference), PLACE, *says)


def test_a_search_is_refused_for_its_own_name_and_for_its_pilot() -> None:
    refused(searching("gone.pt"), PLACE, "'dqn:gone.pt': no such file")
    write_pilot(Path("tide.pt"), decks=("tide_keep",))
    name = "'rollout:2:control:dqn:tide.pt': "
    refused(searching("tide.pt"), PLACE, f"{name}trained for deck 'tide_keep' (")
    write_pilot(Path("ember.pt"))
    text = searching("ember.pt").replace("rollout:2", "rollout:0")
    refused(text, PLACE, "'rollout:0:control:dqn:ember.pt': the number of worlds is '0'")
    build = PLAYERS + '\n[build]\nagent = "rollout:2:dqn:ember.pt"\n'
    refused(build, "build.agent: 'rollout:2:dqn:ember.pt': a trained agent", asked="build")
    refused(
        searching("ember.pt") + '\n[build]\nimprove = "ember_rush"\n',
        "'rollout:2:control:dqn:ember.pt' is a trained agent",
        asked="build",
    )


def own_cards(text: str) -> str:
    """The experiment with a deck whose card a learner cannot see."""
    Path("mine.toml").write_text(OWN_POOL, encoding="utf-8")
    Path("deck.toml").write_text(OWN_DECK, encoding="utf-8")
    text = text.replace("seed", 'pool = "mine.toml"\nseed', 1)
    for name in ("ember_rush", "tide_keep"):
        text = text.replace(f'deck = "{name}"', f'deck = "deck.toml"\nname = "{name}"')
    return text


def test_a_deck_that_a_learner_cannot_see_is_refused_by_card() -> None:
    write_pilot(Path("ember.pt"))
    says = ("tiny.toml: deck 'mine': card 'fire': learned agents", "cannot see its effects")
    refused(own_cards(piloted("ember.pt")), *says)
    refused(own_cards(TRAINING), says[0], asked="train")


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    write_pilot(Path("ember.pt"))
    monkeypatch.setattr(dqn, "find_spec", lambda _: None)
    refused(piloted("ember.pt"), PLACE, "agent 'dqn:ember.pt' needs the extra", "evenhand[rl]")
    refused(TRAINING, "tiny.toml: training needs the extra: pip install", asked="train")
    refused(TRAINING, "tiny.toml: evaluation needs the extra: pip install", asked="evaluate")


def test_narrowing_does_not_take_one_pilot_for_all_decks() -> None:
    write_pilot(Path("ember.pt"))
    text = PLAYERS + '\n[narrow]\nagent = "dqn:ember.pt"\n'
    refused(text, "tiny.toml: narrow.agent: 'dqn:ember.pt': a trained agent plays only the decks")


def test_a_game_of_a_trained_agent_is_told_as_it_is_played() -> None:
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
    assert "'dqns:a/b' names no pilot" in complaint_of(
        find_pilot, "dqns:a/b", near=Path(), results=Path("results")
    )


SHIPPED = Path(weights.__file__).parent / "shipped"
NAME = "turn:5:mine.toml"


@pytest.fixture
def with_weights(tmp_path: Path) -> Path:
    text = TINY.replace('"aggro"', f'"{NAME}"').replace('"power"', f'"power"\nagent = "{NAME}"')
    return write_experiment(tmp_path, text)


def test_the_folder_of_the_experiment_comes_first(
    with_weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    shutil.copy(SHIPPED / "coac.toml", elsewhere / "mine.toml")
    here = load_experiment(str(with_weights))
    shutil.copy(SHIPPED / "gsvb.toml", tmp_path / "mine.toml")
    beside = load_experiment(str(with_weights))
    assert here.agents[0].name == beside.agents[0].name == NAME
    assert here.agents[0] != beside.agents[0]
    told = beside.resolved("balance")
    assert told["experiment"]["narrow"]["agent"] == NAME
    monkeypatch.chdir(tmp_path)
    assert load_experiment(with_weights.name).resolved("balance") == told


@pytest.mark.parametrize(
    ("old", "new"),
    [('"aggro"', f'"{NAME}"'), ('"power"', f'"power"\nagent = "{NAME}"')],
    ids=["of a player", "of no player"],
)
def test_weights_of_a_file_are_part_of_what_a_run_depends_on(
    old: str, new: str, tmp_path: Path
) -> None:
    experiment = write_experiment(tmp_path, TINY.replace(old, new))
    told = []
    for weights_of in ("coac", "gsvb"):
        shutil.copy(SHIPPED / f"{weights_of}.toml", tmp_path / "mine.toml")
        told.append(load_experiment(str(experiment)).resolved("balance")["pilots"])
    assert told[0].keys() == told[1].keys() == {NAME}
    assert told[0] != told[1]


def test_where_there_is_none_both_places_are_said(with_weights: Path) -> None:
    assert_says(
        refusal(command("matchups", with_weights)),
        f"narrow.agent: agent '{NAME}': no such file: looked for ",
        f"{with_weights.parent / 'mine.toml'}, mine.toml",
    )


def test_an_unknown_opponent_is_blamed_before_a_missing_pilot(tmp_path: Path) -> None:
    text = TINY.replace('"aggro"', '"rollout:16:x:dqn:nope.pt"')
    message = refusal(command("matchups", write_experiment(tmp_path, text)))
    assert "agent 'rollout:16:x:dqn:nope.pt': no agent 'x'" in message
