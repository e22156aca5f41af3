"""The agent `random`."""

from __future__ import annotations

from agents.scripted import uniform as general
from agents.scripted.plain import uniform as plain
from sim.play.agent import CompiledAgent

AGENT = CompiledAgent("random", general.uniform, shortcut=plain.uniform)
