"""Looking through a whole memory for what its operator should know, without changing anything."""
