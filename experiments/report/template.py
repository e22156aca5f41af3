"""Jinja2 templates of HTML pages, with escaping, filters of numbers and words of verdicts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from experiments.report.wording import FILTERS, known
from experiments.screen import BAND_LEGEND, VERDICT_WORDS

_SHARED = Path(__file__).parent / "templates"


@cache  # each template is compiled once per process
def page_template(path: Path) -> Template:
    """Return the jinja2 template in a file; rendering fails if a variable is undefined.

    Args:
        path: file of the template. Templates that it includes or imports must be in the same
            folder or in the folder of the report's templates.
    """
    environment = Environment(
        loader=FileSystemLoader([path.parent, _SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(BAND_LEGEND=BAND_LEGEND, VERDICT_WORDS=VERDICT_WORDS)
    environment.tests[known.__name__] = known
    return environment.get_template(path.name)
