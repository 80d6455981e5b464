"""`lustra elevators`."""

from lustra.app.processes.runner import run_until_stopped
from lustra.elevators.main import run


def main() -> None:
    run_until_stopped("elevators", run)
