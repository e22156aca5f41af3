"""Benchmarks: the tasks of `evenhand bench`, and scripts that measure answers and agents.

`duel` defines tasks and the games that all of them play; `environments`, `legacy` and `learning`
(needs torch) add tasks of their topics. The other modules are scripts, run by `script`:
`substitutes`, `infeasible`, `estimates` and `default_pilots` measure how good answers are, `whatif`
and `workbench` how soon they come, and `pilot_search`, `turn_search`, `turn_tuning`, `turn_wins`
and `big_two_learning` how strong agents are.
"""
