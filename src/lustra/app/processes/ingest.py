"""`lustra ingest`."""

from lustra.app.processes.runner import run_until_stopped
from lustra.live.ingest.main import run


def main() -> None:
    run_until_stopped("ingest", run)
