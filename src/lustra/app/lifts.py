"""`lustra lifts`."""

from lustra.app.process import until_told
from lustra.lifts.main import run


def main() -> None:
    until_told("lifts", run)
