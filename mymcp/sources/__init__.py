"""The one safe way to an operator's file: `file` reads its bytes, `document` its meaning.

`replacement` is for the commands that change one.
"""
