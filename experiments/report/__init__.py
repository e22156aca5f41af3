"""A finished balance run as one page for people: plain data first, then a template.

Needs the extra `report` (jinja2, plotly); of it the workbench has its templates and words.
"""
