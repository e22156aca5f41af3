"""The plain reference of the duel as a program: `python -m tests.simulator.reference_child FILE`.

The file holds cards, decks, agents and rules as JSON. Neither this program nor the reference
imports anything from the packages under test.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.reference_duel import DRAW, Effect, ReferenceCard, ReferenceRules, play_reference

FIELDS = ("cost", "attack", "health")


def card_of(data: dict[str, Any]) -> ReferenceCard:
    """Return a card from its JSON object."""
    effects = tuple(
        Effect(row["do"], row["to"], row["amount"], row["token"] and card_of(row["token"]))
        for row in data["effects"]
    )
    numbers = (data[name] for name in FIELDS)
    return ReferenceCard(*numbers, haste=data["haste"], effects=effects)


def hello(duel: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to the first request: every number of every card is a parameter."""
    parameters = {
        f"{name}.{field}": {"value": card[field], "low": 0, "high": card[field] + 5}
        for name, card in duel["cards"].items()
        for field in FIELDS
    }
    return {
        "evenhand": 1,
        "game": "duel",
        "players": list(duel["decks"]),
        "parameters": parameters,
        "can": ["turns", "without"],
    }


def play_row(duel: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Return the results of a row of a request."""
    cards = {name: dict(card) for name, card in duel["cards"].items()}
    for name, value in row["changes"].items():
        card, field = name.split(".")
        cards[card][field] = value
    without = row.get("without", [None, None])
    decks = [
        [None if name == blank else card_of(cards[name]) for name in duel["decks"][player]]
        for player, blank in zip(row["players"], without, strict=True)
    ]
    agents = tuple(duel["agents"][player] for player in row["players"])
    rules = ReferenceRules(
        **{**duel["rules"], "opening_hand": tuple(duel["rules"]["opening_hand"])}
    )
    games = [
        play_reference(rules, (decks[0], decks[1]), (agents[0], agents[1]), int(seed, 16))
        for seed in row["seeds"]
    ]
    winners = ("d" if game.winner == DRAW else str(game.winner) for game in games)
    return {"winners": "".join(winners), "turns": [game.n_turns for game in games]}


def main() -> None:
    """Answer the requests on standard input."""
    duel = json.loads(Path(sys.argv[1]).read_text())
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "hello":
            answer = hello(duel)
        else:
            rows = [play_row(duel, row) for row in request["rows"]]
            answer = {"id": request["id"], "results": rows}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
