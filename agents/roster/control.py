"""The agent `control`."""

from __future__ import annotations

from agents.scripted import control as general
from agents.scripted.plain import control as plain
from sim.play.agent import CompiledAgent

AGENT = CompiledAgent("control", general.control, shortcut=plain.control)
