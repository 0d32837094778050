"""From a catalog to the generated tree: one module a kind of output, all of them pure."""
