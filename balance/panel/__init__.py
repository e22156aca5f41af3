"""Patches for a panel of pilots: every demand holds in the hands of each of them."""
