"""The general rules: every effect row of the vocabulary, weapons, hero powers, the mulligan.

Read in this order: `groups`, `gathering` and `measures` (whom and how much), `events`, `changes`
and `moves` (what may happen), `auras` (what follows from it), `secrets`, `listeners` and
`resolution` (in which order), `legality` and `choices`, `turns`, `attacks`, `rules`.
"""
