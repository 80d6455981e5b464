"""The PDF of a record: laid out by typst, signed by pyHanko, and read again. The extra `documents` is imported by the
functions that need it, which run in a process of their own (core/files/intake).

Rules: PDF/A-3 and PDF/UA; the record is attached as it was sealed, and the same key signs the file (PAdES). A file that
is verified has one signature over all of it, in the one form in which it is written here: no byte of it can be changed
unseen.
"""

import hashlib
import io
import json
from collections.abc import Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from cryptography.hazmat.primitives import serialization
from cryptography.x509 import Certificate, load_der_x509_certificate, load_pem_x509_certificate

from lustra.core.errors import Code, Refusal
from lustra.domains.proof import envelope
from lustra.domains.proof.envelope import Altered

LIBRARIES = ("typst", "pyhanko")
LATIN = "Noto Sans"
ARABIC = "Noto Sans Arabic"
CJK = {"zh-CN": "Noto Sans CJK SC", "ja": "Noto Sans CJK JP", "ko": "Noto Sans CJK KR"}
ANY_CJK = "Noto Sans CJK SC"
PACKAGES = {ARABIC: "fonts-noto-core", LATIN: "fonts-noto-core"}  # of Debian; else CJK_PACKAGE
CJK_PACKAGE = "fonts-noto-cjk"
TEMPLATE = Path(__file__).with_name("report.typ")
STANDARDS: Any = ["a-3a", "ua-1"]
FIELD = "Seal"
ATTACHED = "record.json"


def write(files: dict[str, bytes], document: dict[str, Any], language: str) -> bytes:
    """`files`: picture and logo as SVGs or empty, the envelope, certificate and private key as PEMs."""
    return sign(lay_out(files, document, language), files["certificate"], files["private"])


def lay_out(files: dict[str, bytes], document: dict[str, Any], language: str) -> bytes:
    demand_libraries()
    import typst  # noqa: PLC0415  of an extra

    fonts = typst.Fonts()
    inputs = {
        "document": json.dumps(document | {"fonts": choose_fonts(language, set(fonts.families()))}),
        "envelope": files["envelope"].decode(),
        "picture": files["picture"].decode(),
        "logo": files["logo"].decode(),
    }
    compiler = typst.Compiler(TEMPLATE.read_bytes(), font_paths=fonts, sys_inputs=inputs)
    timestamp = datetime.fromisoformat(document["sealed"])
    content = compiler.compile(format="pdf", pdf_standards=STANDARDS, timestamp=timestamp)
    if not isinstance(content, bytes):
        raise TypeError(type(content).__name__)
    return content


def demand_libraries() -> None:
    if missing := [name for name in LIBRARIES if find_spec(name) is None]:
        raise Refusal(Code.BAD_INPUT, "form", reason="documents_missing", names=", ".join(missing))


def list_missing_fonts() -> dict[str, list[str]]:
    """Families that documents in some language need and this machine lacks, by the package of Debian that has them."""
    demand_libraries()
    import typst  # noqa: PLC0415  of an extra

    families, missing = set(typst.Fonts().families()), dict[str, list[str]]()
    for family in (LATIN, ARABIC, *CJK.values()):
        if family not in families:
            missing.setdefault(PACKAGES.get(family, CJK_PACKAGE), []).append(family)
    return missing


def choose_fonts(language: str, families: set[str]) -> list[str]:
    """Names of places and robots may be in another script than the text: all that are there are offered."""
    own = CJK.get(language) or (ARABIC if language == "ar" else LATIN)
    for family in (LATIN, own):
        if family not in families:
            package = PACKAGES.get(family, CJK_PACKAGE)
            raise Refusal(Code.BAD_INPUT, "form", reason="fonts_missing", family=family, package=package)
    return [LATIN, *(family for family in dict.fromkeys((own, ARABIC, ANY_CJK)) if family in families - {LATIN})]


def der_of(certificate: bytes) -> bytes:
    return load_pem_x509_certificate(certificate).public_bytes(serialization.Encoding.DER)


def private_der_of(private: bytes) -> bytes:
    key = serialization.load_pem_private_key(private, None)
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.DER, form, plain)


def sign(content: bytes, certificate: bytes, private: bytes) -> bytes:
    from asn1crypto import keys, x509  # noqa: PLC0415  of an extra
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter  # noqa: PLC0415  of an extra
    from pyhanko.sign import signers  # noqa: PLC0415  of an extra
    from pyhanko.sign.fields import SigSeedSubFilter  # noqa: PLC0415  of an extra
    from pyhanko_certvalidator.registry import SimpleCertificateStore  # noqa: PLC0415  of an extra

    signer = signers.SimpleSigner(
        signing_cert=x509.Certificate.load(der_of(certificate)),
        signing_key=keys.PrivateKeyInfo.load(private_der_of(private)),
        cert_registry=SimpleCertificateStore(),
    )
    metadata = signers.PdfSignatureMetadata(field_name=FIELD, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256")
    out = io.BytesIO()
    signers.sign_pdf(IncrementalPdfFileWriter(io.BytesIO(content)), metadata, signer=signer, output=out)
    return out.getvalue()


def read(content: bytes) -> tuple[dict[str, Any], Certificate]:
    """The record that is attached and who sealed both. Raises Altered."""
    demand_libraries()
    from pyhanko.pdf_utils.reader import PdfFileReader  # noqa: PLC0415  of an extra

    try:
        reader = PdfFileReader(io.BytesIO(content))
        [embedded] = reader.embedded_signatures
        certificate = check_signature(cast("Sequence[Any]", embedded.byte_range), content)
        attached = reader.root["/Names"]["/EmbeddedFiles"]["/Names"][1]["/EF"]["/F"].data
        record, sealer = envelope.read(attached)
    except Altered:
        raise
    except Exception as why:
        raise Altered("form") from why
    if sealer != certificate:
        raise Altered("certificate")
    return record, certificate


def check_signature(byte_range: Sequence[Any], content: bytes) -> Certificate:
    """Of all of the file but its own place, in the one form in which pyHanko writes it: what no signature covers is
    written again and compared. Raises Altered."""
    from asn1crypto import cms  # noqa: PLC0415  of an extra

    start, before, after, rest = (int(part) for part in byte_range)
    place = content[before:after]
    held = bytes.fromhex(place[1:-1].decode())
    if start != 0 or after + rest != len(content) or place != b"<" + held.hex().upper().encode() + b">":
        raise Altered("signature")
    signed = cms.ContentInfo.load(held)["content"]
    [info], [chosen] = signed["signer_infos"], signed["certificates"]
    pem = load_der_x509_certificate(chosen.dump()).public_bytes(serialization.Encoding.PEM).decode()
    certificate = envelope.read_certificate(pem)
    attributes = cms.CMSAttributes.load(info["signed_attrs"].untag().dump())
    signature = info["signature"].native
    values = {attribute["type"].native: attribute["values"][0].native for attribute in attributes}
    if values["message_digest"] != hashlib.sha256(content[:before] + content[after:]).digest():
        raise Altered("content")
    envelope.verify(certificate, signature, attributes.dump())
    written = write_signature(pem, attributes.dump(), signature)
    if held != written.ljust(len(held), b"\0"):
        raise Altered("signature")
    return certificate


def write_signature(pem: str, attributes: bytes, signature: bytes) -> bytes:
    from asn1crypto import cms, x509  # noqa: PLC0415  of an extra

    certificate = x509.Certificate.load(der_of(pem.encode()))
    sha256 = {"algorithm": "sha256"}
    info = {
        "version": "v1",
        "sid": {"issuer_and_serial_number": {"issuer": certificate.issuer, "serial_number": certificate.serial_number}},
        "digest_algorithm": sha256,
        "signed_attrs": cms.CMSAttributes.load(attributes),
        "signature_algorithm": {"algorithm": "sha256_ecdsa"},
        "signature": signature,
    }
    signed = {
        "version": "v1",
        "digest_algorithms": [sha256],
        "encap_content_info": {"content_type": "data"},
        "certificates": [certificate],
        "signer_infos": [info],
    }
    return cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(signed)}).dump()
