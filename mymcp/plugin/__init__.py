"""What a plugin author imports: small, stable, documented."""
