"""Agents that are trained for a contest, and how far a balance drifts as they learn on."""
