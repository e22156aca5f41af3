from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_generated_tables_are_current():
    path = ROOT / "docs" / "generate_tables.py"
    spec = importlib.util.spec_from_file_location("generate_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.RULES.read_text()
    assert module.with_tables(text) == text, "run `make docs`"


def test_links_between_documents_lead_somewhere():
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (document, target)
        for document in documents
        for target in re.findall(r"\]\(([^)#]+)", document.read_text())
        if "://" not in target
    ]
    assert links
    missing = [(d.name, target) for d, target in links if not (d.parent / target).exists()]
    assert not missing
