"""How messages arrive: the HTTP routes, their guard, their streams."""
