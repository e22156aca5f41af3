"""Report: a finished balance run as one HTML page, rendered from plain data by a template.

Needs the extra `report` (jinja2, plotly). The workbench uses its templates and wording too.
"""
