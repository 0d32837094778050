"""A certificate authority for one run of the tests."""

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = timedelta(days=1)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


class Authority:
    """Issues certificates for names."""

    def __init__(self, name: str = "Tests") -> None:
        self._name = _name(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._identifier = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        certificate = (
            self._begun(self._name, self._key.public_key(), DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(True), critical=True)
            .add_extension(self._identifier, critical=False)
            .sign(self._key, SHA256())
        )
        self.certificate = certificate.public_bytes(Encoding.PEM).decode()

    def issue(self, name: str, folder: Path, *, valid_for: timedelta = DAY) -> Path:
        """Write a certificate for the DNS name `name` with its key to `folder`; return the file.

        It was valid from two days ago on, and is `valid_for` from now on; less than nothing is
        expired.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(self._identifier)
        certificate = (
            self._begun(_name("server"), key.public_key(), valid_for)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(False), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(by, critical=False)
            .sign(self._key, SHA256())
        )
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path = folder / "server.pem"
        path.write_bytes(certificate.public_bytes(Encoding.PEM) + secret)
        return path

    def _begun(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, valid_for: timedelta
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 2 * DAY)
            .not_valid_after(now + valid_for)
        )


@cache
def authority() -> Authority:
    """Return the authority that the tests trust."""
    return Authority()
