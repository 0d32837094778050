"""The one safe way to read an operator's file: `file` for its bytes, `document` for its meaning."""
