"""Reading and writing of files (TOML, JSON, CSV, workbooks), with validation and size limits."""
