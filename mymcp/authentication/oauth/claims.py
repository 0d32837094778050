"""What a token whose signature holds has to say (RFC 9068, section 2.2): to us, now, about whom."""

from collections.abc import Mapping
from typing import Final

from mymcp.authentication.method import Refused
from mymcp.authentication.oauth.reading import is_name
from mymcp.authentication.principal import is_subject

SKEW_SECONDS: Final = 30
"""How far the issuer's clock may be from ours."""
LIFETIME_MAX_SECONDS: Final = 300
CLAIM_MAX_CHARACTERS: Final = 256

REQUIRED: Final = frozenset({"iss", "aud", "sub", "exp", "iat", "client_id", "jti"})


def subject_in(claims: Mapping[str, object], *, issuer: str, audience: str, now: int) -> str:
    """Return the `sub` of `claims`, if `issuer` made them for `audience` and they hold at `now`.

    `now` is in seconds since the epoch. Claims beyond those of the contract are ignored. Raises
    `Refused` for the first claim that fails, in this order: all that are required are there, `iss`,
    `aud`, the types of `exp` and `iat`, `exp`, `iat`, the lifetime, `nbf`, `sub`, `client_id`,
    `jti`. Its code is `malformed` for what no such claim may be, `rejected` for another issuer,
    audience or time.
    """
    _require(claims.keys() >= REQUIRED)
    _check_issuer(claims["iss"], issuer)
    _check_audience(claims["aud"], audience)
    _check_times(claims, now)
    subject = claims["sub"]
    if not isinstance(subject, str) or not is_subject(subject):
        raise Refused("malformed")
    _require(is_name(claims["client_id"], CLAIM_MAX_CHARACTERS))
    _require(is_name(claims["jti"], CLAIM_MAX_CHARACTERS))
    return subject


def _check_issuer(found: object, issuer: str) -> None:
    _require(isinstance(found, str))
    _trust(found == issuer)


def _check_audience(found: object, audience: str) -> None:
    named = [found] if isinstance(found, str) else found
    if not isinstance(named, list) or not named:
        raise Refused("malformed")
    _require(all(isinstance(each, str) for each in named))
    _trust(audience in named)


def _check_times(claims: Mapping[str, object], now: int) -> None:
    expires, issued = _time(claims["exp"]), _time(claims["iat"])
    _trust(now - expires <= SKEW_SECONDS)
    _trust(issued - now <= SKEW_SECONDS)
    _trust(0 < expires - issued <= LIFETIME_MAX_SECONDS)
    if "nbf" in claims:
        _trust(_time(claims["nbf"]) - now <= SKEW_SECONDS)


def _time(found: object) -> int:
    """Return a time in whole seconds; `true` and 1.0 are none."""
    if type(found) is not int or found < 0:
        raise Refused("malformed")
    return found


def _require(well_formed: bool) -> None:
    if not well_formed:
        raise Refused("malformed")


def _trust(trustworthy: bool) -> None:
    if not trustworthy:
        raise Refused("rejected")
