"""Report of a finished balance run as one HTML page, which templates render from plain data.

The package needs the extra `report` (jinja2, plotly). The workbench also uses its templates and
wording.
"""
