"""Reading and writing files: data models, TOML, JSON, CSV and workbooks, within limits."""
