"""What `lustra up --tls` shows to browsers and robots, and whom its processes trust.

An authority of the installation's own certifies this machine; its key stands among the secrets of settings.json, and so
in each backup. Files of the operator's (LUSTRA_TLS_CERTIFICATE, LUSTRA_TLS_KEY) are shown in its place to all but our
own processes: they reach the bus by its address, which no public authority certifies, and give no name.

DIR/tls has what is made of it: `authority.pem`, to be trusted by browsers and robots, `server.pem`, `server.key`, and
`trusted.pem`, whom our own processes trust: the machine's authorities, and our own.
"""

import asyncio
import contextlib
import ipaddress
import os
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lustra.core.files.private_files import write_private
from lustra.core.settings import Settings, split_urls
from lustra.stack.place import LOOPBACK, private_folder

FOLDER = "tls"
AUTHORITY_LIFE = timedelta(days=3650)
LIFE = timedelta(days=397)  # what browsers take at most
RENEWED_BEFORE = timedelta(days=30)
CLOCKS = timedelta(days=1)  # by which a robot's clock may be behind
LOOK_EACH_S = 60.0
TRUSTED = "SSL_CERT_FILE"  # what OpenSSL, and with it every client of ours, reads its authorities from


@dataclass(frozen=True, slots=True)
class Pair:
    """Files: a certificate with its chain, and its private key."""

    certificate: Path
    key: Path


def generate_authority() -> dict[str, str]:
    """PEM of a new authority: `authority_key` is secret, `authority` is for everybody."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Lustra on {socket.gethostname()}"[:64])])
    now = datetime.now(timezone.utc)
    authority = (
        _certificate(name, name, key.public_key(), now, now + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    return {"authority_key": _private_text(key), "authority": _text(authority)}


class Certificates:
    """Those of one data folder. `names`: by which this machine is reached, names and addresses. `given`: files of the
    operator's. `uid`: whom our processes run as."""

    def __init__(
        self, folder: Path, saved: Mapping[str, str], names: Iterable[str], *, given: Pair | None = None, uid: int = -1
    ) -> None:
        self.folder, self.uid, self.given = folder / FOLDER, uid, given
        self.copy = Pair(self.folder / "given.pem", self.folder / "given.key")  # which our processes may read
        machine = ["localhost", LOOPBACK, socket.gethostname(), *filter(None, names)]
        # Beside files of the operator's the own certificate has addresses alone, so that each name sees theirs.
        self.names = tuple(dict.fromkeys(name for name in machine if given is None or is_address(name)))
        self.issuer = x509.load_pem_x509_certificate(saved["authority"].encode())
        self.issuer_key = saved["authority_key"]
        self.own = Pair(self.folder / "server.pem", self.folder / "server.key")
        self.authority, self.trusted = self.folder / "authority.pem", self.folder / "trusted.pem"

    @property
    def shown(self) -> Pair:
        """To browsers and robots."""
        return self.copy if self.given else self.own

    @property
    def of_bus(self) -> list[Pair]:
        """Who gives no name sees the first."""
        return [self.own, self.copy] if self.given else [self.own]

    @property
    def public_host(self) -> str:
        """A name of the operator's certificate; empty for the own one, which has all that this machine is called."""
        if self.given is None:
            return ""
        names = _names_of(x509.load_pem_x509_certificate(self.given.certificate.read_bytes()))
        return next((name for name in names if "*" not in name), "")

    @property
    def settings(self) -> dict[str, str]:
        """Of the processes that serve HTTP."""
        own = {"TLS_AUTHORITY": str(self.authority)}
        return {
            "TLS_CERTIFICATE": str(self.shown.certificate),
            "TLS_KEY": str(self.shown.key),
            **({} if self.given else own),
        }

    @property
    def fingerprint(self) -> str:
        """Of the own authority, as browsers show it: SHA-256 in hex, by pairs."""
        return self.issuer.fingerprint(hashes.SHA256()).hex(":").upper()

    def prepare(self) -> None:
        """Writes what is missing. From here on this process and its children trust what `trusted.pem` names.
        Raises SystemExit where the operator's files cannot be used."""
        private_folder(self.folder, self.uid)
        write_private(self.authority, _text(self.issuer), self.uid)
        write_private(self.trusted, _machine_authorities(self.trusted) + _text(self.issuer), self.uid)
        self.renew()
        os.environ[TRUSTED] = str(self.trusted)

    def renew(self) -> bool:
        """Whether something is new: the operator's files, or a certificate of ours in place of one that ends soon or
        has other names. Raises SystemExit where the operator's files cannot be used."""
        copied = self.given is not None and self._copy(self.given)
        if self._stands():
            return copied
        self._make()
        return True

    def _copy(self, given: Pair) -> bool:
        demand_pair(given)
        text, key = given.certificate.read_text(), given.key.read_text()
        with contextlib.suppress(FileNotFoundError):
            if (self.copy.certificate.read_text(), self.copy.key.read_text()) == (text, key):
                return False
        write_private(self.copy.key, key, self.uid)
        write_private(self.copy.certificate, text, self.uid)
        return True

    def _make(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(timezone.utc)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.names[0])])
        end = min(now + LIFE, self.issuer.not_valid_after_utc)
        certificate = (
            _certificate(subject, self.issuer.subject, key.public_key(), now, end)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in self.names]), critical=False)
            .add_extension(_issuer_identifier(self.issuer), critical=False)
            .sign(_private_key(self.issuer_key), hashes.SHA256())
        )
        write_private(self.own.key, _private_text(key), self.uid)
        write_private(self.own.certificate, _text(certificate), self.uid)

    def _stands(self) -> bool:
        try:
            certificate = x509.load_pem_x509_certificate(self.own.certificate.read_bytes())
            certificate.verify_directly_issued_by(self.issuer)
            demand_pair(self.own)
        except (OSError, ValueError, TypeError, InvalidSignature, SystemExit):
            return False
        ends_later = certificate.not_valid_after_utc - datetime.now(timezone.utc) > RENEWED_BEFORE
        return ends_later and _names_of(certificate) == [str(_general_name(name).value) for name in self.names]


def find_certificates(settings: Settings, folder: Path, saved: Mapping[str, Any], host: str, uid: int) -> Certificates:
    """Of a data folder, by the environment. The demo, whose robots know this machine by its address, has its own
    alone. Raises SystemExit where only half a pair is named."""
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        raise SystemExit("LUSTRA_TLS_CERTIFICATE and LUSTRA_TLS_KEY go together")
    given = Pair(Path(settings.tls_certificate), Path(settings.tls_key)) if settings.tls_certificate else None
    urls = (settings.public_url, settings.relay_url, settings.video_url, settings.robots_nats, settings.mqtt_url)
    full = [url if "://" in url else f"//{url}" for text in urls for url in split_urls(text)]
    reached = [urlsplit(url).hostname or "" for url in full]
    names = [host, *(name.strip() for name in settings.hosts.split(",")), *reached]
    return Certificates(folder, saved, names, given=None if saved["demo"] else given, uid=uid)


async def keep_renewed(certificates: Certificates, say: Callable[[str], None], tell_bus: Callable[[], None]) -> None:
    """Processes that serve HTTP look at the files themselves; the bus is signalled."""
    while True:
        await asyncio.sleep(LOOK_EACH_S)
        try:
            if not await asyncio.to_thread(certificates.renew):
                continue
        except (SystemExit, OSError) as why:
            say(f"the certificate stays as it is: {why}")
        else:
            say("the certificate is renewed")
            tell_bus()


def demand_pair(pair: Pair) -> None:
    """Raises SystemExit, saying why, where the files are no certificate with its key."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(pair.certificate, pair.key)
    except OSError as why:  # an SSLError is one
        raise SystemExit(f"{pair.certificate} and {pair.key} cannot be used for TLS: {why}") from None


def trusting(folder: Path | None) -> ssl.SSLContext:
    """Whom the processes of a data folder trust, for who looks at them from outside."""
    trusted = folder and folder / FOLDER / "trusted.pem"
    return ssl.create_default_context(cafile=str(trusted) if trusted and trusted.exists() else None)


def unverified() -> ssl.SSLContext:
    """For asking a child of ours, on a socket that we ourselves hold open, whether it lives."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
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


def _issuer_identifier(issuer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    identifier = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)


def is_address(name: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(name))
    return False


def _general_name(name: str) -> x509.DNSName | x509.IPAddress:
    if is_address(name):
        return x509.IPAddress(ipaddress.ip_address(name))
    return x509.DNSName(name.encode("idna").decode())


def _names_of(certificate: x509.Certificate) -> list[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(name.value) for name in names]


def _machine_authorities(own: Path) -> str:
    """What would be trusted without us. A folder of authorities is read by OpenSSL beside the file."""
    named = os.environ.get(TRUSTED) or ssl.get_default_verify_paths().cafile
    if not named or Path(named) == own or not Path(named).exists():
        named = ssl.get_default_verify_paths().openssl_cafile
    return Path(named).read_text() + "\n" if Path(named).exists() and Path(named) != own else ""


def _text(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _private_text(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _private_key(text: str) -> ec.EllipticCurvePrivateKey:
    key = load_pem_private_key(text.encode(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SystemExit("the authority's key in settings.json is none of ours")
    return key
