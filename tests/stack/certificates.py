"""An authority of the tests' own, and what it certifies."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    authority: Path  # whom to trust
    chain: Path
    key: Path


def certify(folder: Path) -> Certificate:
    """A certificate for this machine, by an authority that nobody else knows."""
    authority, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of the tests")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    root = _builder(issuer, issuer, authority).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    leaf = _builder(subject, issuer, own).add_extension(x509.SubjectAlternativeName(names), critical=False)
    files = Certificate(folder / "authority.pem", folder / "server.pem", folder / "server.key")
    files.authority.write_bytes(root.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM))
    files.chain.write_bytes(leaf.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM))
    files.key.write_bytes(own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    files.key.chmod(0o600)
    return files


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    at = datetime.now(timezone.utc)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - DAY)
        .not_valid_after(at + DAY)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
