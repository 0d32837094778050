"""A server among clients that come, call and vanish in every way, for as long as one likes."""
