from __future__ import annotations

import re
from pathlib import Path

from sim.cards.pool import load_pool
from sim.real_cards.hearthstone import real_cards
from tests.legacy import needs_package
from tests.scripts import script

ROOT = Path(__file__).parent.parent


def test_generated_tables_are_current():
    module = script(ROOT / "docs" / "generate_tables.py")
    for path in module.GENERATED:
        assert module.made_anew(path) == path.read_text(), "run `make docs`"


def test_links_between_documents_have_targets():
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (document, target)
        for document in documents
        for target in re.findall(r"\]\(([^)#]+)", document.read_text())
        if "://" not in target
    ]
    assert links
    assert not [(d.name, target) for d, target in links if not (d.parent / target).exists()]


def test_paths_named_in_the_architecture_exist():
    text = (ROOT / "docs" / "architecture.md").read_text()
    named = set(re.findall(r"`((?:sim|agents|balance|experiments|tests)/[a-z_/.]+)`", text))
    assert len(named) > 40
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_figures_about_our_own_pool_are_current():
    pool = load_pool("saga")
    counts = [sum(card.hero == hero.id for card in pool.cards) for hero in pool.heroes]
    n_neutral = len(pool.cards) - sum(counts)
    saga, readme = (
        " ".join((ROOT / name).read_text().split()) for name in ("docs/saga.md", "README.md")
    )
    assert f"{len(pool.cards)} cards, {len(pool.tokens)} tokens, four heroes" in saga
    assert f"Each has {min(counts)} to {max(counts)} cards of its own; {n_neutral} cards" in saga
    assert f"Our own pool `saga` has {len(pool.cards)} such cards" in readme


@needs_package
def test_the_figures_about_real_cards_are_current():
    text = (ROOT / "docs" / "real_cards.md").read_text()
    kinds = [card.kind for card in load_pool("hearthstone").cards]
    *others, last = (
        f"{kinds.count(kind)} {kind}s" for kind in ("minion", "spell", "secret", "weapon")
    )
    figures = f"{', '.join(others)} and {last}"
    assert f"{len(kinds)} of them, {figures}" in " ".join(text.split())
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert f"The extra `[hearthstone]` brings {len(kinds)} real cards" in readme
    cards = real_cards()
    for title, counted in (
        ("in the file", cards),
        ("in the pool", [card for card in cards if card.is_implemented]),
    ):
        by_set = [
            sum(card.set_name == name for card in counted)
            for name in ("basic", "classic", "hall_of_fame")
        ]
        assert f"| {title} | {' | '.join(map(str, [*by_set, len(counted)]))} |" in text
    left_out = text[text.index("Excluded are") : text.index(", which changes the hero")]
    listed = re.findall(r"`([a-z0-9_]+)`", left_out)
    assert sorted(listed) == sorted(card.id for card in cards if not card.is_implemented)
