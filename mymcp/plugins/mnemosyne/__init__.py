"""Mnemosyne: a memory that its user governs, kept as files that a person can read."""
