"""Fields of cards: the numbers that balancing may change, and the titles that people give them.

The titles come from other games and languages, in lower case with single spaces. The list has only
titles with the same meaning in every card game known to the authors.
"""

from __future__ import annotations

from collections.abc import Iterable

from sim.names import Names

AMOUNTS = ("amount", "amount_2", "amount_3", "amount_4")
FIELDS = ("cost", "attack", "health", "durability", *AMOUNTS)
"""Names of all numbers that balancing may change; `Card.fields` is the selection for one card."""
NUMBERS = tuple(field for field in FIELDS if field not in AMOUNTS)
"""Names of the numbers that are printed on cards."""

# Cards of all other kinds print only their cost.
_PRINTED = {
    "minion": ("cost", "attack", "health"),
    "weapon": ("cost", "attack", "durability"),
}


def printed_fields(kind: str) -> tuple[str, ...]:
    """Return the names in `FIELDS` of the numbers that are printed on cards of a kind.

    Args:
        kind: word of a `sim.cards.vocabulary.Kind`, such as `minion`.
    """
    return _PRINTED.get(kind, ("cost",))


BODY = "attack/health"  # column with both numbers in one cell, such as 3/4
SAME = "attack+health"  # column with one number that is both attack and health

_TITLES = {
    "id": "card id; cardid; kartenid",
    "name": (
        "card; card name; cardname; title; card title; "
        "nome; nome carta; nom; nom de la carte; nombre; kartenname; karte; "
        "名前; カード名; 卡牌; 卡名; 名称; 이름; название; имя"
    ),
    "cost": (
        "mana; mana cost; manacost; card cost; mana value; cmc; converted mana cost; energy; "
        "energy cost; costo; costo mana; coste; coût; cout; coût de mana; kosten; manakosten; "
        "custo; koszt; コスト; マナ; マナコスト; 费用; 法力; 비용; стоимость; мана"
    ),
    "attack": (
        "atk; att; power; strength; action points; actionpoints; attack power; "
        "attacco; forza; ataque; fuerza; força; attaque; force; angriff; stärke; "
        "攻撃力; 攻撃; パワー; 攻击; 攻击力; 공격력; атака"
    ),
    "health": (
        "hp; life; toughness; health points; hit points; hitpoints; "
        "vita; salute; costituzione; vida; salud; resistencia; resistência; vie; santé; "
        "endurance; leben; lebenspunkte; widerstandskraft; 体力; 生命; 生命值; 체력; здоровье"
    ),
    BODY: (
        "p/t; pt; power/toughness; attack/health; atk/hp; attack/hp; atk/def; attack/defense; "
        "attack/defence; a/h; stats; body; kampfwerte"
    ),
    "durability": "durabilità; durabilité; haltbarkeit; durabilidad",
    "kind": (
        "type; card type; cardtype; type line; card kind; "
        "tipo; tipo carta; tipo de carta; typ; kartentyp; art der karte; "
        "種類; カード種類; 类型; 类别; 타입; 유형; тип"
    ),
    "keywords": "ability; abilities; keyword abilities; mechanics",
    "tags": "card tags; labels",
}
SYNONYMS = {title: column for column, titles in _TITLES.items() for title in titles.split("; ")}
"""Column of a sheet by a synonym of its title; an exact title takes precedence."""


def field_titles(field: str) -> tuple[str, ...]:
    """Return the alternative spreadsheet titles of a field of cards, such as `hp` for `health`."""
    return tuple(title for title, column in SYNONYMS.items() if column == field)


def field_names(fields: Iterable[str], what: str = "field") -> Names:
    """Return an index of fields of cards for look-up by name or by spreadsheet title.

    Args:
        fields: names in `FIELDS` that the index contains.
        what: noun for a field in error messages.
    """
    return Names(what, {field: field_titles(field) for field in fields})
