"""What `evenhand bench` measures: a module per topic, each with functions that offer tasks.

`task` says what a task is, `duel` which games all of them play. `learning` needs torch.
"""
