"""What `evenhand bench` measures: a module per topic, each with functions that offer tasks.

`duel` says what a task is, and which games all of them play. `learning` needs torch. Commands of
their own are `substitutes`, `infeasible` and `estimates`, which measure how good answers are, and
`big_two_learning`, which measures what is learned of Big Two.
"""
