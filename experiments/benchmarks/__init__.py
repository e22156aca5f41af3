"""What `evenhand bench` measures: a module per topic, each with functions that offer tasks.

`duel` says what a task is, and which games all of them play. `learning` needs torch.
"""
