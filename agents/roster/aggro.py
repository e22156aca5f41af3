"""The agent `aggro`."""

from __future__ import annotations

from agents.scripted import aggro as general
from agents.scripted.plain import aggro as plain
from sim.play.agent import CompiledAgent

AGENT = CompiledAgent("aggro", general.aggro, shortcut=plain.aggro)
