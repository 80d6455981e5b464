"""Keys that seal records: one signs at a time, for YEARS; a retired one's public half stays published for good.

ECDSA on P-256: of what readers of PDF files verify everywhere, the shortest. A certificate is its own issuer: who
trusts it, trusts the fingerprint that this installation publishes.
"""

from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.core.scope import shared
from lustra.core.security import sealed
from lustra.core.settings import Settings
from lustra.domains.proof.tables import ProofKey

PURPOSE = "proof"
DAYS = 365  # that a key signs
PUBLISHED_DAYS = 30 * 365  # that its certificate says it is good for
SUBJECT = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Lustra: proof of clean")])


async def signing_key(db: AsyncSession, settings: Settings) -> tuple[ProofKey, str]:
    """The one that signs now and its private half as a PEM; a new one where none is young enough."""
    oldest = now() - timedelta(days=DAYS)
    young = shared.select(ProofKey).where(ProofKey.retired_at.is_(None), ProofKey.created_at > oldest)
    key = await db.scalar(young.order_by(ProofKey.id.desc()).limit(1))
    if key is None:
        return await rotate(db, settings)
    return key, sealed.unseal(settings, PURPOSE, 0, key.sealed or b"")


async def rotate(db: AsyncSession, settings: Settings) -> tuple[ProofKey, str]:
    """A new key signs from now on; the private halves of those before are gone."""
    for former in await db.scalars(shared.select(ProofKey).where(ProofKey.retired_at.is_(None))):
        former.retired_at, former.sealed = now(), None
    certificate, private = create_key()
    key = ProofKey(certificate=certificate, sealed=sealed.seal(settings, PURPOSE, 0, private))
    db.add(key)
    await db.flush()
    return key, private


def create_key() -> tuple[str, str]:
    """A new certificate and its private key, both as PEM."""
    private = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        **dict.fromkeys(
            (
                "key_encipherment",
                "data_encipherment",
                "key_agreement",
                "key_cert_sign",
                "crl_sign",
                "encipher_only",
                "decipher_only",
            ),
            False,
        ),
    )
    builder = x509.CertificateBuilder().subject_name(SUBJECT).issuer_name(SUBJECT).public_key(private.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now() - timedelta(days=1))
    builder = builder.not_valid_after(now() + timedelta(days=PUBLISHED_DAYS)).add_extension(usage, critical=True)
    certificate = builder.sign(private, hashes.SHA256())
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), pem.decode()
