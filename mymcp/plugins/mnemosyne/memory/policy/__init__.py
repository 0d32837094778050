"""How the shapes of `contracts/policy/content-v1.json` are found; the data are generated."""
