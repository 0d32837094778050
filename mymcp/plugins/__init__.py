"""The bundled plugins; each knows the contracts and nothing of the host."""
