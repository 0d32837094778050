"""Who is calling: from the headers of a request to a principal, or a refusal.

Authentication contract, version 1. Pure but for the files and fetches of the methods at start.
"""
