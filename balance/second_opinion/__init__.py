"""Second opinion: games with a recommended patch by pilots that the search did not use."""
