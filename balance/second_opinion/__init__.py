"""Second opinion: a found patch played by pilots that took no part in finding it."""
