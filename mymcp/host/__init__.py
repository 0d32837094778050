"""What runs: the tools of all plugins composed into one immutable runtime."""
