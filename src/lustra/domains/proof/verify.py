"""Whether a file is as it was sealed: a PDF or a record, by itself, with no network and no database."""

import base64
from typing import Any

from cryptography.x509 import Certificate

from lustra.core.errors import Code, Refusal
from lustra.domains.proof import envelope, pdf
from lustra.domains.proof.envelope import Altered

PDF = b"%PDF-"


def read(content: bytes) -> tuple[dict[str, Any], Certificate]:
    """The record and who sealed it. Raises Altered."""
    if len(content) > envelope.LARGEST:
        raise Altered("form")
    return pdf.read(content) if content.startswith(PDF) else envelope.read(content)


def check(files: dict[str, bytes]) -> dict[str, Any]:
    """What a file proves; run in a process of its own, since anybody may hand it in."""
    try:
        record, certificate = read(base64.b64decode(files["file"], validate=True))
    except Altered as why:
        return {"intact": False, "part": str(why), "fingerprint": "", "record": {}}
    except ValueError as why:
        raise Refusal(Code.BAD_INPUT, "content", reason="format") from why
    return {"intact": True, "part": "", "fingerprint": envelope.fingerprint(certificate), "record": record}
