"""`lustra lifts`."""

from lustra.app.process import run_until_stopped
from lustra.lifts.main import run


def main() -> None:
    run_until_stopped("lifts", run)
