"""The second opinion: a found patch in the hands of pilots that nothing was chosen by."""
