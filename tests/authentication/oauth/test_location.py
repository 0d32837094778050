"""Where the documents of an issuer are, and where its keys may be."""

import pytest

from mymcp.authentication.oauth.location import Location, keys_location, metadata_location

WELL_KNOWN = "/.well-known/oauth-authorization-server"


@pytest.mark.parametrize(
    ("issuer", "host", "port", "path"),
    [
        ("https://issuer.invalid", "issuer.invalid", 443, ""),
        ("https://issuer.invalid/", "issuer.invalid", 443, ""),
        ("https://issuer.invalid:443", "issuer.invalid", 443, ""),
        ("https://issuer.invalid:8443/", "issuer.invalid", 8443, ""),
        ("https://issuer.invalid/a", "issuer.invalid", 443, "/a"),
        ("https://issuer.invalid:8443/a/b-c.d", "issuer.invalid", 8443, "/a/b-c.d"),
        ("https://a.b.issuer.invalid/realms/one", "a.b.issuer.invalid", 443, "/realms/one"),
    ],
)
def test_metadata_is_at_the_well_known_place_before_the_path(
    issuer: str, host: str, port: int, path: str
) -> None:
    assert metadata_location(issuer) == Location(host, port, f"{WELL_KNOWN}{path}")


@pytest.mark.parametrize("issuer", ["", "http://issuer.invalid", "https://Issuer.invalid"])
def test_what_the_configuration_does_not_admit_has_no_place(issuer: str) -> None:
    with pytest.raises(ValueError, match=r"^the issuer breaks"):
        metadata_location(issuer)


def test_the_authority_names_a_port_only_where_it_is_not_the_usual_one() -> None:
    assert Location("a.invalid", 443, "/").authority == "a.invalid"
    assert Location("a.invalid", 8443, "/").authority == "a.invalid:8443"


HOME = "https://issuer.invalid"


@pytest.mark.parametrize(
    ("issuer", "url", "port", "target"),
    [
        (HOME, f"{HOME}/keys", 443, "/keys"),
        (HOME, f"{HOME}:443/keys", 443, "/keys"),
        (f"{HOME}:443", f"{HOME}/keys", 443, "/keys"),
        (f"{HOME}:8443/a", f"{HOME}:8443/keys", 8443, "/keys"),
        (f"{HOME}/a", f"{HOME}/other/keys", 443, "/other/keys"),
        (HOME, f"{HOME}/keys?a=b&c=d", 443, "/keys?a=b&c=d"),
        (HOME, f"{HOME}/?keys", 443, "/?keys"),
        (HOME, f"{HOME}/a%20b", 443, "/a%20b"),
        (HOME, f"{HOME}/.well-known/jwks.json", 443, "/.well-known/jwks.json"),
        (HOME, f"{HOME}/keys/", 443, "/keys/"),
        (HOME, f"{HOME}/a..b/c", 443, "/a..b/c"),
    ],
)
def test_keys_are_where_the_metadata_says(issuer: str, url: str, port: int, target: str) -> None:
    assert keys_location(url, issuer) == Location("issuer.invalid", port, target)


@pytest.mark.parametrize(
    "url",
    [
        None, 1, True, [], {}, [f"{HOME}/keys"], "", "/keys", "keys", "//issuer.invalid/keys",
        "http://issuer.invalid/keys", "HTTPS://issuer.invalid/keys", "https:/issuer.invalid/keys",
        "https://other.invalid/keys", "https://issuer.invalid.other/keys", "https://invalid/keys",
        "https://a.issuer.invalid/keys", "https://Issuer.invalid/keys",
        "https://issuer.invalid./keys", "https://issuer.invalid@other.invalid/keys",
        "https://user@issuer.invalid/keys", "https://issuer.invalid%2f/keys",
        "https://issuer.invalid:8443/keys", "https://issuer.invalid:/keys",
        "https://issuer.invalid:99999999/keys", "https://issuer.invalid:-1/keys",
        f"{HOME}/keys#a", f"{HOME}/keys#", HOME, f"{HOME}/", f"{HOME}?keys",
        f"{HOME}/a/../keys", f"{HOME}/./keys", f"{HOME}/..", f"{HOME}/%2e%2e/keys",
        f"{HOME}/%2E./keys", f"{HOME}/a%2f..%2fkeys", f"{HOME}/a b", f" {HOME}/keys",
        f"{HOME}/keys\n", f"{HOME}/keys\r\nHost: other.invalid", f"{HOME}/\0", f"{HOME}/k\u00e9ys",
        f"{HOME}\\keys", f"{HOME}/a\\b", f'{HOME}/"', f"{HOME}/<a>", f"{HOME}/{{a}}",
        f"{HOME}/{'a' * 2_048}", "https:///keys", "https://[::1]/keys", "https://127.0.0.1/keys",
    ],
)  # fmt: skip
def test_keys_are_fetched_from_nowhere_else(url: object) -> None:
    assert keys_location(url, HOME) is None


@pytest.mark.parametrize("issuer", [f"{HOME}/a", f"{HOME}:8443/a", f"{HOME}/"])
def test_an_issuer_is_not_its_own_keys(issuer: str) -> None:
    assert keys_location(issuer, issuer) is None
