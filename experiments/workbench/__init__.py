"""The workbench: a page on which a designer changes numbers and sees the win rates at once.

Read in this order: `view_model` (the numbers that can be edited), `draft` (the designer's edits),
`session` (all of it, stored on disk), `refine` (win rates from more and more games), `worker` (the
long jobs `suggest` and `certify`), `controller` (connects these), `server` and `security` (routes,
and access to them), `answers` (the data that the page receives), `save`. The folder `page` holds
the page itself, which receives only JSON.
"""
