"""The numbers of all shipped experiments at small budgets, compared with a committed file."""
