"""`lustra ingest`."""

from lustra.app.process import until_told
from lustra.live.ingest.main import run


def main() -> None:
    until_told("ingest", run)
