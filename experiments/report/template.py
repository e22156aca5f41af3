"""Templates of pages for people: escaped, strict about names, with our words and numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from experiments.report.wording import FILTERS, known


@cache  # compiled once a process
def page_template(path: Path) -> Template:
    """A template of jinja2; what it extends or includes lies in its folder.

    Args:
        path: of the file.
    """
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.tests[known.__name__] = known
    return environment.get_template(path.name)
