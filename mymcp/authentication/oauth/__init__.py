"""`oauth-jwt-jwks-v1`: access tokens of one OAuth issuer (RFC 9068), for this server alone.

At start, two fetches give an immutable snapshot of the issuer's keys; from then on a token is
judged without any further question. `signature` is the one module that loads a library for it.
"""
