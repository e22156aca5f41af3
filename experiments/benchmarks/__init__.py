"""What `evenhand bench` measures: a module per topic, each with functions that offer tasks.

`duel` says what a task is, and which games all of them play. `learning` needs torch. Commands of
their own, all run by `script`, are `substitutes`, `infeasible` and `estimates`, which measure how
good answers are, `whatif` and `workbench`, how soon they come, and `pilot_search`, `turn_search`,
`turn_tuning` and `big_two_learning`, how strong agents are.
"""
