"""The science: win rates, card power, levers, search, patches and certificates."""
