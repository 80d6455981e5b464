"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.proof.envelope import Altered, fingerprint
from lustra.domains.proof.pdf import list_missing_fonts
from lustra.domains.proof.verify import read as read_proof

__all__ = [
    "Altered",
    "fingerprint",
    "list_missing_fonts",
    "read_proof",
]
