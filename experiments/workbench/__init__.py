"""The workbench: a page on which every number has a stepper, and win rates that answer at once.

Read in this order: `board` (what can be edited), `draft` (what a designer does), `session` (all of
it, kept on disk), `refine` (rates, by more and more games), `worker` (what takes longer: `suggest`,
`certify`), `desk` (who ties them), `server` and `security` (who may ask, and what), `answers` (what
the page is told), `save`. The page is in `page`; it gets nothing but JSON.
"""
