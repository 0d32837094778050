"""The method operator-bearer-v1: credentials that the operator issues on this machine."""
