"""The agent `greedy`."""

from __future__ import annotations

from agents.scripted import greedy as general
from agents.scripted.plain import greedy as plain
from sim.play.agent import CompiledAgent

AGENT = CompiledAgent("greedy", general.greedy, shortcut=plain.greedy)
