"""`lustra ingest`."""

import gc

from lustra.app.processes.runner import run_until_stopped
from lustra.live.ingest.main import run

# A batch is thousands of objects that are all gone when it is committed, and none of them in a circle: looking for
# garbage among them costs more than all else that is done with them.
YOUNG, MIDDLE, OLD = 400_000, 50, 50


def main() -> None:
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    run_until_stopped("ingest", run)
