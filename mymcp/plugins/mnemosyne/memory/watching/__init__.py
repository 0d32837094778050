"""Being told by the kernel what changed, where it can be trusted to tell."""
