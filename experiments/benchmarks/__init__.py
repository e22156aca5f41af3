"""Benchmarks: the tasks of `evenhand bench`, and scripts that measure results and agents.

`duel` defines tasks and the games of two decks that most tasks use; `environments`, `legacy` and
`learning` (needs torch) define further tasks. `other_commit` compares speeds with another commit.
The other modules are scripts: `substitutes`, `planted_costs` (with `even_cards`), `infeasible`,
`estimates`, `default_pilots` (with `made_games`) and `attacked_pools` (with `planted_pools` and
`every_deck`) measure the quality of results, `card_texts` and `people` compare with a published
game, `whatif` and `workbench` measure response times, and `pilot_search`, `turn_search`,
`turn_tuning`, `turn_wins` and `big_two_learning` the strength of agents. `script` contains their
common functions.
"""
