"""Workbench: a web page on which a designer edits card numbers and sees the new win rates.

Modules in reading order: `view_model` (numbers that can be edited), `draft` (edits of the
designer), `session` (drafts and results, as stored on disk), `refinement` and `refine` (win rates
from a growing number of games), `worker` (the long jobs `suggest` and `certify`), `controller`
(connects the other modules), `server` and `security` (routes and authentication), `answers` (data
that the page receives), and `save` (files for other commands). The folder `page` holds the web
page, which receives only JSON.
"""
