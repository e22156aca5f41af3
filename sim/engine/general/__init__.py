"""General rules: every effect row of the vocabulary, weapons, hero powers, the mulligan.

Read in this order: `groups`, `gathering` and `measures` (targets and amounts), `events`, `changes`
and `moves` (changes of records), `auras` (continuous effects), `secrets`, `listeners` and
`resolution` (order of resolution), `legality` and `choices`, `turns`, `attacks`, `rules`.
"""
