"""Offsets of a turn agent's settings and weights in a row of 16-bit words.

The names are those of weight files (`agents.search.turn.weights`). The weights of a side occur
twice: for the own side and for the enemy's side, where most weights are negative.
"""

from sim.engine.layout import numbered

# --- weights of a side ---
(
    LIFE,  # per unit of concave life (`features.concave`): the last points count most
    POINTS,  # per point of life, all points alike
    ATTACK,  # per attack of minions that can attack in their side's next turn
    HEALTH,  # per health of minions
    BODIES,  # per minion
    GUARD,  # per health of minions with taunt
    SHIELD,  # per attack plus 1 of minions with a shield
    SKILL,  # per attack plus 1 of minions with windfury, stealth, poison or frost
    TEXT,  # per minion with a text that reacts to an event
    FROZEN,  # per attack of minions that will miss their side's next turn
    HAND,  # per card in the hand
    WEAPON,  # per attack times durability of the weapon
    SECRET,  # per secret in play
    DECK,  # per card left in the deck, up to `features.DECK_SHORT` cards
    SIDE_SIZE,  # number of the weights of a side
    *_,
) = numbered()

(
    NODES,  # maximum number of positions that a decision tries
    WINS,  # maximum number of positions tried before these in search of a win in this turn
    # --- limits of the search ---
    DEPTH,  # maximum number of actions in a line, 0 for no limit
    LEAVES,  # number of ends of the turn that the enemy answers
    WORLDS,  # number of worlds in which the enemy answers and random outcomes are averaged
    REPLY,  # weight, in 16ths, of the position after the answer in the value of a turn's end
    VALUE,  # weight, in 16ths, of the learned value in the mean with the features after an answer
    LOGIT,  # points of the features that equal a logit of 1 of the learned value
    LINES,  # number of best lines that are compared again by stronger replies, 0 for none
    TRIALS,  # number of worlds in which these lines are first compared
    FRESH,  # per attack and mana not yet used in this turn; affects only the order of search
    # --- limits of the mulligan ---
    CHEAP,  # maximum cost at which every card is kept
    DEAREST,  # maximum cost at which one card of each cost is kept
    # --- prospects: weights of both sides together ---
    CRYSTALS,  # per mana by which the own mana cap exceeds the enemy's
    PLAYABLE,  # per mana of the own next turn that the own hand can use
    UNUSED,  # per mana left at the end of the own turn
    OVERLOAD,  # per mana that overload takes from the own next turn
    TRICKS,  # per spell in the own hand
    DANGER,  # the enemy's characters in play could kill the own player in its next turn
    THREAT,  # the enemy's characters in play could take half of the own player's life
    FINISH,  # the own characters in play could kill the enemy player in the own next turn
    PRESSURE,  # the own characters in play could take half of the enemy player's life
    MASTERY,  # the own side has minions, and the enemy none
    OWN,  # first of the own side's weights
    *_,
) = numbered()
ENEMY = OWN + SIDE_SIZE  # first of the enemy side's weights
PARAMETERS_SIZE = ENEMY + SIDE_SIZE  # number of words in all
