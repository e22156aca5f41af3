"""The duel in plain objects: a slow, independent reference with which the engine is compared.

Two players take turns. Cards cost mana and put units on the board; units attack the enemy player or
enemy units. A player without life, or one that must draw from an empty deck, loses. The code is not
optimised and imports nothing from the packages under test: read it top to bottom to learn the game.
Every list runs from the oldest (left) to the newest (right), and ties go to the oldest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

DRAW = 2  # winner of a drawn game
AGGRO_DEFENDS_BELOW = 12  # own life under which aggro looks at enemy units
CONTROL_RACE_FACTOR = 2.0  # control races when enemy attack times this exceeds its units' health
GAMMA = 0x9E3779B97F4A7C15  # splitmix64's increment
MASK64 = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True)
class Effect:
    """An effect of playing a card; `token` is the unit that a summon makes."""

    do: Literal["damage", "heal", "draw", "summon"]
    to: Literal["own_player", "enemy_player"]
    amount: int
    token: ReferenceCard | None = None


@dataclass(frozen=True)
class ReferenceCard:
    """A unit card: its numbers, its keyword, and its effects in order."""

    cost: int
    attack: int
    health: int
    haste: bool = False
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class ReferenceRules:
    """The numbers and switches of the duel.

    `opening_hand` is by seat; fields that end in `second` are for seat 1; all others hold for both.
    """

    life: int = 20
    hand_limit: int = 9
    board_limit: int = 5
    mana_max: int = 5
    opening_hand: tuple[int, int] = (5, 5)
    skip_first_draw: bool = True
    deck_out: Literal["lose", "fatigue"] = "lose"
    turn_cap: int = 100
    extra_life_second: int = 0
    extra_mana_second: int = 0


@dataclass(frozen=True)
class ReferenceOutcome:
    """Outcome of a game: the winning seat or 2 for a draw, its length, and the life left."""

    winner: int
    n_turns: int
    n_actions: int
    life: tuple[int, int]


Deck = Sequence[ReferenceCard | None]  # by slot; None is a blank: a card that was left out


def mix64(z: int) -> int:
    """Return the splitmix64 finaliser of a 64-bit number."""
    z &= MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def random_numbers(game_seed: int, key: int) -> Iterator[int]:
    """Yield 32-bit numbers: the high halves of the splitmix64 stream of `key`."""
    seed = mix64(game_seed + key * GAMMA)
    return (mix64(seed + n * GAMMA) >> 32 for n in count(1))


def pick(number: int, n_choices: int) -> int:
    """Return a 32-bit number scaled to 0..n_choices-1."""
    return (number * n_choices) >> 32


@dataclass(eq=False)  # two units with equal numbers are still two units
class Unit:
    """A unit on the board; `health` is what is left of it, `ready` whether it may attack."""

    attack: int
    health: int
    ready: bool

    def would_destroy(self, other: Unit) -> bool:
        """Return whether one hit of this unit destroys the other."""
        return self.attack >= other.health


class Player:
    """A seat with its cards, life and mana. Random numbers are keyed by seat, never shared."""

    def __init__(self, seat: int, life: int, deck: Deck, game_seed: int) -> None:
        self.seat = seat
        self.life = life
        self.most_life = life
        self.mana = 0
        self.mana_cap = 0
        self.fatigue = 0
        self.has_attacked = False  # this turn
        self.slots = list(deck)  # what is left of the deck, in deck order, blanks included
        self.hand: list[ReferenceCard] = []
        self.board: list[Unit] = []
        self.draw_numbers = random_numbers(game_seed, seat + 1)
        self.choice_numbers = random_numbers(game_seed, seat + 17)


@dataclass(frozen=True)
class Play:
    """The action of playing the card at a position in the hand."""

    hand_index: int


@dataclass(frozen=True)
class Attack:
    """The action of attacking an enemy unit, or the enemy player if there is no target unit."""

    attacker: Unit
    target: Unit | None


@dataclass(frozen=True)
class EndTurn:
    """The action of ending the turn."""


Action = Play | Attack | EndTurn


class Game:
    """One game: `own` is the active player, `enemy` the other; `start` deals."""

    def __init__(self, rules: ReferenceRules, decks: tuple[Deck, Deck], game_seed: int) -> None:
        self.rules = rules
        lives = (rules.life, rules.life + rules.extra_life_second)
        self.players = tuple(Player(seat, lives[seat], decks[seat], game_seed) for seat in (0, 1))
        self.own, self.enemy = self.players
        self.winner: int | None = None
        self.n_turns = 0
        self.n_actions = 0

    def start(self) -> None:
        """Deal both opening hands, seat 0 first, and begin the first turn."""
        for player in self.players:
            self.draw(player, self.rules.opening_hand[player.seat])
        if self.winner is None:
            self.begin_turn()

    def begin_turn(self) -> None:
        """Grow and refill mana, ready every unit, draw a card (seat 0 may skip its first).

        Seat 1 has more mana in its first turn, which is the second of the game.
        """
        self.n_turns += 1
        self.own.mana_cap = min(self.own.mana_cap + 1, self.rules.mana_max)
        self.own.mana = self.own.mana_cap
        if self.n_turns == 2:
            self.own.mana += self.rules.extra_mana_second
        self.own.has_attacked = False
        for unit in self.own.board:
            unit.ready = True
        if self.n_turns > 1 or not self.rules.skip_first_draw:
            self.draw(self.own, 1)

    def legal_actions(self) -> list[Action]:
        """Return the legal actions in ascending order; ending the turn comes last."""
        plays = [Play(i) for i, card in enumerate(self.own.hand) if card.cost <= self.own.mana]
        attackers = [unit for unit in self.own.board if unit.ready]
        targets = [*self.enemy.board, None]  # the player is the last target
        attacks = [Attack(unit, target) for unit in attackers for target in targets]
        return [*plays, *attacks, EndTurn()]

    def perform(self, action: Action) -> None:
        """Carry out one legal action of the active player."""
        self.n_actions += 1
        if isinstance(action, Play):
            self.play_card(action.hand_index)
        elif isinstance(action, Attack):
            self.attack(action.attacker, action.target)
        else:
            self.end_turn()

    def play_card(self, hand_index: int) -> None:
        """Pay, place the unit, then apply the effects, even if the unit is lost."""
        card = self.own.hand.pop(hand_index)
        self.own.mana -= card.cost
        self.place(self.own, card)
        for effect in card.effects:
            if self.winner is None:
                self.apply(effect)
                self.check_life()

    def apply(self, effect: Effect) -> None:
        """Apply one effect row to the player that it names."""
        player = self.own if effect.to == "own_player" else self.enemy
        match effect.do:
            case "damage":
                player.life -= effect.amount
            case "heal":  # up to the starting life, and never down to it
                player.life = max(player.life, min(player.life + effect.amount, player.most_life))
            case "draw":
                self.draw(player, effect.amount)
            case "summon":
                assert effect.token is not None, "a summon effect needs a token"
                for _ in range(effect.amount):
                    self.place(player, effect.token)

    def place(self, player: Player, card: ReferenceCard) -> None:
        """Put a unit at the right end of the board; on a full board it is destroyed."""
        if len(player.board) < self.rules.board_limit:
            player.board.append(Unit(card.attack, card.health, ready=card.haste))

    def attack(self, attacker: Unit, target: Unit | None) -> None:
        """Damage the enemy player, or exchange damage with a unit at the same time."""
        attacker.ready = False
        self.own.has_attacked = True
        if target is None:
            self.enemy.life -= attacker.attack
        else:
            target.health -= attacker.attack
            attacker.health -= target.attack
            for player in self.players:
                player.board = [unit for unit in player.board if unit.health > 0]
        self.check_life()

    def end_turn(self) -> None:
        """Pass to the other seat; the end of the last turn allowed is a draw."""
        if self.n_turns == self.rules.turn_cap:
            self.winner = DRAW
        else:
            self.own, self.enemy = self.enemy, self.own
            self.begin_turn()

    def draw(self, player: Player, n_cards: int) -> None:
        """Draw cards one by one, until the game is over."""
        for _ in range(n_cards):
            if self.winner is None:
                self.draw_one(player)

    def draw_one(self, player: Player) -> None:
        """Draw from a random slot; an empty deck costs the game, or 1 life, then 2, then 3, ..."""
        if any(slot is not None for slot in player.slots):
            card = None
            while card is None:  # a drawn blank is redrawn
                card = player.slots.pop(pick(next(player.draw_numbers), len(player.slots)))
            if len(player.hand) < self.rules.hand_limit:  # else the card is destroyed
                player.hand.append(card)
        elif self.rules.deck_out == "lose":
            self.winner = 1 - player.seat
        else:
            player.fatigue += 1
            player.life -= player.fatigue
            self.check_life()

    def check_life(self) -> None:
        """End the game when a player has no life left; when neither has any, it is a draw."""
        losers = [player.seat for player in self.players if player.life <= 0]
        if losers:
            self.winner = DRAW if len(losers) == len(self.players) else 1 - losers[0]


def random_agent(game: Game, number: int) -> Action:
    """Choose uniformly from the legal actions."""
    actions = game.legal_actions()
    return actions[pick(number, len(actions))]


def greedy_agent(game: Game, _number: int) -> Action:
    """Take the action with the best score, the lowest of equals; stop when none is positive."""

    def score(action: Action) -> int:
        match action:
            case Play(hand_index):
                return game.own.hand[hand_index].cost
            case Attack(attacker, None):
                return attacker.attack
            case Attack(attacker, Unit() as target):
                gain = target.attack + target.health if attacker.would_destroy(target) else 0
                loss = attacker.attack + attacker.health if target.would_destroy(attacker) else 0
                return gain - loss
        return 0

    best = max(game.legal_actions(), key=score)  # of equals, max keeps the first
    return best if score(best) > 0 else EndTurn()


def aggro_agent(game: Game, _number: int) -> Action:
    """Go for the player; trade with units only when hurt and only when it destroys one."""

    def choose_target(attacker: Unit) -> Unit | None:
        if game.own.life >= AGGRO_DEFENDS_BELOW:
            return None
        victims = [unit for unit in game.enemy.board if attacker.would_destroy(unit)]
        return victims[0] if victims else None

    return play_then_attack(game, choose_target)


def control_agent(game: Game, _number: int) -> Action:
    """Clear the enemy board, unless the player can be killed now or the race is already on."""

    def choose_target(attacker: Unit) -> Unit | None:
        own = game.own
        enemy = game.enemy
        ready_attack = sum(unit.attack for unit in own.board if unit.ready)
        own_health = sum(unit.health for unit in own.board)
        enemy_attack = sum(unit.attack for unit in enemy.board)
        if not enemy.board or ready_attack >= enemy.life:
            return None
        if CONTROL_RACE_FACTOR * enemy_attack > own_health:
            return None
        victims = [unit for unit in enemy.board if attacker.would_destroy(unit)]
        free_victims = [unit for unit in victims if not unit.would_destroy(attacker)]
        if victims:
            return (free_victims or victims)[0]
        if enemy_attack > own.life:
            return max(enemy.board, key=lambda unit: unit.attack)
        return min(enemy.board, key=lambda unit: unit.health)

    return play_then_attack(game, choose_target)


def play_then_attack(game: Game, choose_target: Callable[[Unit], Unit | None]) -> Action:
    """Return the next action: play what fits, oldest card first; attack, oldest unit first; end."""
    own = game.own
    if not own.has_attacked and len(own.board) < game.rules.board_limit:
        for hand_index, card in enumerate(own.hand):
            if card.cost <= own.mana:
                return Play(hand_index)
    for unit in own.board:
        if unit.ready:
            return Attack(unit, choose_target(unit))
    return EndTurn()


AGENTS: dict[str, Callable[[Game, int], Action]] = {
    "random": random_agent,
    "greedy": greedy_agent,
    "aggro": aggro_agent,
    "control": control_agent,
}


def play_reference(
    rules: ReferenceRules, decks: tuple[Deck, Deck], agents: tuple[str, str], game_seed: int
) -> ReferenceOutcome:
    """Play one whole game; the n-th decision of a seat takes the n-th number of its stream."""
    game = Game(rules, decks, game_seed)
    game.start()
    while game.winner is None:
        agent = AGENTS[agents[game.own.seat]]
        game.perform(agent(game, next(game.own.choice_numbers)))
    first, second = game.players
    return ReferenceOutcome(game.winner, game.n_turns, game.n_actions, (first.life, second.life))
