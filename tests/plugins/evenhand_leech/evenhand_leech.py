"""The action `leech`: damage that also heals the card's player."""

from sim.cards.action import Action
from sim.cards.vocabulary.receivers import CHARACTER
from sim.engine import layout as at
from sim.engine.general.changes import deal_damage, heal
from sim.engine.general.groups import is_in_play
from sim.engine.zones import player


def leech(state, table, row, source, target):
    """Damage the target and heal the source's player, if the target is still in play."""
    if is_in_play(state, target):
        deal_damage(state, source, target, state[at.NOW_AMOUNT])
        heal(state, player(state[source + at.OWNER]), state[at.NOW_AMOUNT])


LEECH = Action(
    "leech",
    leech,
    phrase="leech {amount:life} from {receivers}",
    acts_on=CHARACTER,
    default_to="enemy_player",
    tunable=("amount",),
)
