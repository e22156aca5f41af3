"""Templates of pages for people: escaped, strict about names, with our words and numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from experiments.report.wording import FILTERS, known

_SHARED = Path(__file__).parent / "templates"


@cache  # compiled once a process
def page_template(path: Path) -> Template:
    """A template of jinja2.

    Args:
        path: of the file. What it extends, includes or imports lies in its folder, or in ours.
    """
    environment = Environment(
        loader=FileSystemLoader([path.parent, _SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.tests[known.__name__] = known
    return environment.get_template(path.name)
