"""The examples of the content policy, by their numbers. Whatever would look like a live secret is
written as a formula: n times one letter."""

from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.content_policy import (
    DETECTORS,
    Field,
    Refusal,
    reason_against,
    refusal,
)

KEY, CREDENTIAL, TOKEN = "private_key_shape", "credential_shape", "compact_token_shape"
SSN, CARD = "government_identifier_shape", "payment_card_shape"
DASHES = 5 * "-"
CARD_NUMBER = "4" + 15 * "1"


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)


def arabic(text: str) -> str:
    return "".join(chr(0x0660 + int(c)) if c.isdigit() else c for c in text)


def header(name: str, dashes: str = DASHES) -> str:
    return f"{dashes}BEGIN {name}{dashes}"


REFUSED = [
    (1, header("PRIVATE KEY"), KEY),
    (2, header("RSA PRIVATE KEY"), KEY),
    (2, header("EC PRIVATE KEY"), KEY),
    (2, header("DSA PRIVATE KEY"), KEY),
    (2, header("OPENSSH PRIVATE KEY"), KEY),
    (3, header("PGP PRIVATE KEY BLOCK"), KEY),
    (4, "AKIA" + 16 * "A", CREDENTIAL),
    (4, "ASIA" + 16 * "A", CREDENTIAL),
    (5, "xAKIA" + 16 * "A", CREDENTIAL),
    (5, "_AKIA" + 16 * "A", CREDENTIAL),
    (6, "ghp_" + 20 * "A", CREDENTIAL),
    (6, "ghp_" + 36 * "A", CREDENTIAL),
    *[(6, f"gh{letter}_" + 20 * "A", CREDENTIAL) for letter in "ousr"],
    (7, "github_pat_" + 20 * "A", CREDENTIAL),
    *[(8, f"xox{letter}-" + 10 * "A", CREDENTIAL) for letter in "abprs"],
    (9, "sk_live_" + 16 * "A", CREDENTIAL),
    (9, "rk_live_" + 16 * "A", CREDENTIAL),
    (10, "AIza" + 35 * "A", CREDENTIAL),
    (11, "sk-" + 20 * "A", CREDENTIAL),
    (11, "sk-ant-api03-" + 20 * "A", CREDENTIAL),
    (12, "sk-this-is-a-plain-kebab-slug", CREDENTIAL),
    (13, "Authorization: Basic abcd", CREDENTIAL),
    (13, "authorization:bearer x", CREDENTIAL),
    (14, "AUTHORIZATION :\n BEARER  x", CREDENTIAL),
    (15, "Proxy-Authorization: Basic abcd", CREDENTIAL),
    (16, "password=abcd", CREDENTIAL),
    (16, "Password : hunter2", CREDENTIAL),
    (16, "passwd:abcd", CREDENTIAL),
    (16, "pwd=abcd", CREDENTIAL),
    (16, "secret=abcd", CREDENTIAL),
    (17, "api_key=abcd", CREDENTIAL),
    (17, "api-key: abcd", CREDENTIAL),
    (17, "APIKEY=abcd", CREDENTIAL),
    (18, "access_token=abcd", CREDENTIAL),
    (18, "accesstoken=abcd", CREDENTIAL),
    (18, "refresh-token=abcd", CREDENTIAL),
    (18, "client_secret=abcd", CREDENTIAL),
    (18, "clientSecret=abcd", CREDENTIAL),
    (19, "password=\nabcd", CREDENTIAL),
    (20, "db-password=hunter2222", CREDENTIAL),
    (21, "pa\u017f\u017fword=abcd", CREDENTIAL),
    (22, "The secret: patience", CREDENTIAL),
    (22, "Top secret: none", CREDENTIAL),
    (23, "postgres://user:pw@host/db", CREDENTIAL),
    (23, "https://u:p:w@h", CREDENTIAL),
    (24, "eyJ" + 8 * "a" + ".a.b", TOKEN),
    (25, "eyJ" + 20 * "a" + ".a.b.c", TOKEN),
    (25, "eyJ" + 20 * "a" + ".a.b.c.d", TOKEN),
    (26, "123-45-6789", SSN),
    (26, "000-00-0000", SSN),
    (26, "666-12-3456", SSN),
    (26, "987-65-4321", SSN),
    (27, "1-123-45-6789", SSN),
    (27, "x123-45-6789y", SSN),
    (28, full_width("123-45-6789"), SSN),
    (28, arabic("123-45-6789"), SSN),
    (29, CARD_NUMBER, CARD),
    (29, "4111 1111 1111 1111", CARD),
    (29, "4111-1111-1111-1111", CARD),
    (29, "-".join(CARD_NUMBER), CARD),
    (30, 13 * "0", CARD),
    (30, 19 * "0", CARD),
    (30, "4" + 12 * "2", CARD),
    (31, "5" + 12 * "0" + "9", CARD),
    (31, "5" + 13 * "0" + "5", CARD),
    (31, "1" + 17 * "0" + "9", CARD),
    (32, "1700000000004", CARD),
    (33, "1, " + CARD_NUMBER, CARD),
    (33, f"x{CARD_NUMBER}y", CARD),
    (33, full_width(CARD_NUMBER), CARD),
    (34, "4111 1111 1111 1111 1234 567", CARD),
    (35, CARD_NUMBER + " and 123-45-6789", SSN),
    (36, "123-45-6789 password=abcd", CREDENTIAL),
    (37, "sk-" + 20 * "a", CREDENTIAL),
]

ACCEPTED = [
    (38, header("ENCRYPTED PRIVATE KEY")),
    (39, header("PRIVATE KEY").lower()),
    (39, header("PRIVATE KEY", 4 * "-")),
    (39, f"{4 * '-'} BEGIN SSH2 ENCRYPTED PRIVATE KEY {4 * '-'}"),
    (40, header("PUBLIC KEY")),
    (40, header("CERTIFICATE")),
    (41, "AKIA" + 15 * "A"),
    (41, "AKIA" + 17 * "A"),
    (41, "akia" + 16 * "a"),
    (41, "AROA" + 16 * "A"),
    (42, "ghp_" + 19 * "A"),
    (42, "ghx_" + 20 * "A"),
    (42, "GHP_" + 20 * "A"),
    (42, "xghp_" + 20 * "A"),
    (42, "ghp_" + 20 * "A" + "_"),
    (43, "github_pat_" + 19 * "A"),
    (44, "xoxb-" + 9 * "A"),
    (44, "xoxe-" + 10 * "A"),
    (44, "xapp-" + 20 * "A"),
    (45, "sk_live_" + 15 * "A"),
    (45, "pk_live_" + 16 * "A"),
    (45, "sk_test_" + 16 * "A"),
    (46, "AIza" + 34 * "A"),
    (46, "AIza" + 36 * "A"),
    (47, "sk-" + 19 * "A"),
    (47, "task-" + 20 * "A"),
    (47, "risk-assessment-framework-v2"),
    (48, "glpat-" + 20 * "A"),
    (48, "npm_" + 36 * "A"),
    (48, "hf_" + 34 * "A"),
    (49, "Authorization: Bearer"),
    (49, "Authorization: Token abcdef"),
    (49, "Authorization: Digest abc"),
    (49, "Bearer abcdefgh"),
    (49, "x_authorization: bearer x"),
    (49, '"Authorization": "Bearer abc"'),
    (50, "password=abc"),
    (50, "secret: see wiki"),
    (50, "api key = abcd"),
    (50, "token=abcdefgh"),
    (50, "passphrase=abcdefgh"),
    (50, "private_key=abcdefgh"),
    (50, "auth_token=abcdefgh"),
    (50, "passwords: hunter2222"),
    (50, "mypassword=hunter2222"),
    (51, "DB_PASSWORD=hunter2222"),
    (51, "AWS_SECRET_ACCESS_KEY=" + 40 * "A"),
    (52, '{"password": "hunter2222"}'),
    (52, "'password': hunter2222"),
    (53, "password is hunter2222"),
    (53, "password == hunter2222"),
    (53, "password := hunter2222"),
    (53, "password => hunter2222"),
    (53, "Password policy: rotate yearly"),
    (54, "pass\u200bword=abcd"),
    (54, "password\uff1dabcd"),
    (55, "https://user@example.com"),
    (55, "redis://:pw@host"),
    (55, "https://example.com:8080/path@x"),
    (55, "https://u:p/w@h"),
    (55, "git@github.com:o/r.git"),
    (55, "mailto:user@example.com"),
    (56, "eyJ" + 7 * "a" + ".a.b"),
    (56, "eyJ" + 20 * "a" + ".abc"),
    (56, "eyJ" + 20 * "a" + ".abc."),
    (56, "eyJ" + 20 * "a" + "..b.c.d"),
    (56, "xeyJ" + 20 * "a" + ".a.b"),
    (56, "eyj" + 20 * "a" + ".a.b"),
    (56, "eyJ" + 20 * "a" + " .a.b"),
    (57, "1.2.3"),
    (57, "configuration.environment.production"),
    (57, "a@b.com"),
    (58, "1123-45-6789"),
    (58, "123-45-67890"),
    (58, "123 45 6789"),
    (58, "123456789"),
    (58, "123\u201345\u20136789"),
    (58, "12-3456789"),
    (58, "555-123-4567"),
    (58, "2026-11-30"),
    (59, "4" + 14 * "1" + "2"),
    (59, "4111.1111.1111.1111"),
    (59, "4111_1111_1111_1111"),
    (59, "4111  1111  1111  1111"),
    (59, "4111\n1111\n1111\n1111"),
    (59, "4111\u00a01111\u00a01111\u00a01111"),
    (60, "1 " + CARD_NUMBER),
    (60, CARD_NUMBER + " 12"),
    (61, 12 * "0"),
    (61, 20 * "0"),
    (61, "1700000000005"),
    (61, "978-0-306-40615-7"),
    (61, "123e4567-e89b-12d3-a456-426614174000"),
    (61, "12345678-1234-1234-1234-123456789012"),
    (61, "arn:aws:iam::123456789012:role/x"),
    (62, "password:"),
    (62, "hunter2222"),
]


@pytest.mark.parametrize(("row", "text", "reason"), REFUSED)
def test_a_refused_example_has_its_reason_anywhere_in_a_text(
    row: int, text: str, reason: str
) -> None:
    assert reason_against(text) == reason, row
    assert reason_against(f"Note:\n{text}\nThanks.") == reason, row


@pytest.mark.parametrize(("row", "text"), ACCEPTED)
def test_an_accepted_example_has_no_reason(row: int, text: str) -> None:
    assert reason_against(text) is None, row


def test_every_row_of_the_policy_is_here() -> None:
    rows = {row for row, _, _ in REFUSED} | {row for row, _ in ACCEPTED}
    assert rows == set(range(1, 63))


def test_every_detector_alone_refuses_something() -> None:
    assert len(DETECTORS) == 13
    for detector in DETECTORS:
        assert any(
            detector.finds(text) and reason == detector.reason for _, text, reason in REFUSED
        )


def test_the_first_field_that_is_refused_is_named() -> None:
    fields: list[tuple[Field, str | None]] = [
        ("namespace", "atlas"),
        ("title", None),
        ("content", "123-45-6789"),
        ("tags", "password=abcd"),
    ]
    assert refusal(fields) == Refusal("content", "government_identifier_shape")


def test_fields_are_not_joined() -> None:
    assert refusal([("content", "password:"), ("tags", "hunter2222")]) is None


@given(st.text())
def test_no_text_makes_a_detector_fail(text: str) -> None:
    reason_against(text)


@given(st.text("eyJ.-_ skgh:/@=0123456789\u0661\ud800", max_size=200))
def test_no_text_near_a_shape_makes_a_detector_fail(text: str) -> None:
    reason_against(text)


class Counted(str):
    """A text that counts how often one of its characters is looked at from Python."""

    looks = 0

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        self.looks += 1
        return super().__getitem__(key)


@pytest.mark.parametrize("part", ["a-", "a.", "://a:", "x://a:b@", "+", "é://a:b@", "a://:@"])
def test_a_login_in_a_url_is_sought_in_one_pass(part: str) -> None:
    text = Counted(part * 2_000)
    for detector in DETECTORS:
        detector.finds(text)
    assert text.looks <= 2 * len(text)


@pytest.mark.parametrize(
    "part",
    ["a-", "a.", "://a:", "4 ", "1-", "111-11-", "password ", "authorization : ", "eyJaaaaaaaa.",
     "ghp_", "sk", "-----BEGIN ", "secret=a ", " ", "é"],
)  # fmt: skip
def test_a_very_long_text_is_looked_through(part: str) -> None:
    """With a square anywhere this would take minutes."""
    expected = "compact_token_shape" if part.startswith("eyJ") else None
    assert reason_against(part * (200_000 // len(part))) == expected
