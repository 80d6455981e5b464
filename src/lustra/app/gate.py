"""`lustra gate`: the settings of the process that answers the bus who may log in."""

import asyncio
import os
from pathlib import Path

from lustra.gate.process import Settings, run


def main() -> None:
    told = os.environ
    asyncio.run(
        run(
            Settings(
                fleet_url=told["LUSTRA_NATS_URL"],
                gate_url=told["LUSTRA_GATE_URL"],
                system_url=told["LUSTRA_SYSTEM_URL"],
                seed=told["LUSTRA_GATE_SEED"],
                file=Path(told["LUSTRA_DATA"]) / "gate.json",
            )
        )
    )
