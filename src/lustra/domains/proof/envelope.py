"""A record with its seal, as a file: what is signed, the signature, and the certificate that it verifies with.

Rule: the file has one form alone (sorted names, no spaces, a final line end), so that no byte of it can be changed
unseen.
"""

import base64
import hashlib
import json
import warnings
from collections.abc import Mapping
from typing import Any

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

LARGEST = 8 << 20  # bytes
# DER of what no signature covers in a certificate: ecdsa-with-SHA256, and the tag of the signature.
ALGORITHM = bytes.fromhex("300a06082a8648ce3d040302")
BIT_STRING = 3
UNREADABLE = (ValueError, UnsupportedAlgorithm, x509.InvalidVersion, Warning)


class Envelope(msgspec.Struct, forbid_unknown_fields=True):
    certificate: str
    record: str
    signature: str


READ = msgspec.json.Decoder(Envelope)


class Altered(ValueError):
    """The file is not as it was sealed; the text says in which part."""


def write_canonical(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def sign(record: str, private: str) -> bytes:
    key = serialization.load_pem_private_key(private.encode(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError(type(key).__name__)
    return key.sign(record.encode(), ec.ECDSA(hashes.SHA256()))


def write(record: str, signature: bytes, certificate: str) -> bytes:
    values = {"certificate": certificate, "record": record, "signature": base64.b64encode(signature).decode()}
    return (write_canonical(values) + "\n").encode()


def read(content: bytes) -> tuple[dict[str, Any], x509.Certificate]:
    """The record and who sealed it. Raises Altered."""
    try:
        values = READ.decode(content)
        signature = base64.b64decode(values.signature, validate=True)
    except (msgspec.MsgspecError, ValueError) as why:
        raise Altered("form") from why
    if write(values.record, signature, values.certificate) != content:
        raise Altered("form")
    certificate = read_certificate(values.certificate)
    verify(certificate, signature, values.record.encode())
    return json.loads(values.record), certificate


def read_certificate(pem: str) -> x509.Certificate:
    """One that is its own issuer, in its one form. Raises Altered."""
    try:
        with warnings.catch_warnings(action="error"):  # what is no certificate of ours is none
            certificate = x509.load_pem_x509_certificate(pem.encode())
        written = certificate.public_bytes(serialization.Encoding.PEM).decode()
        signature, content = certificate.signature, certificate.tbs_certificate_bytes
        unsigned = certificate.public_bytes(serialization.Encoding.DER).rpartition(content)[2]
    except UNREADABLE as why:
        raise Altered("certificate") from why
    if written != pem or unsigned != ALGORITHM + bytes([BIT_STRING, len(signature) + 1, 0]) + signature:
        raise Altered("certificate")
    verify(certificate, signature, content)
    return certificate


def verify(certificate: x509.Certificate, signature: bytes, content: bytes) -> None:
    """Raises Altered where the signature is not that of the certificate for this content."""
    try:
        key = certificate.public_key()
    except UNREADABLE as why:
        raise Altered("certificate") from why
    if not isinstance(key, ec.EllipticCurvePublicKey):
        raise Altered("certificate")
    try:
        key.verify(signature, content, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as why:
        raise Altered("signature") from why


def digest(record: str) -> str:
    return hashlib.sha256(record.encode()).hexdigest()


def fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex()
