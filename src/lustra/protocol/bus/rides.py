"""How a robot rides an elevator. The wire says "lift" (robots.<sn>.lift, liftName), and so do tables and settings;
elsewhere it is an elevator."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload

RideStep = Literal["ask", "inside", "left", "cancel"]
RidePhase = Literal["waiting", "reserved", "coming", "open", "boarded", "moving", "arrived", "ended"]


class ElevatorWish(Payload):
    """A robot wants to ride; sent every 2 s until the ride has ended."""

    ride: Annotated[str, Meta(description="The robot's own name for the ride.")]
    step: Annotated[
        RideStep,
        Meta(description="`ask`: it waits at the door; `inside`: it is in; `left`: it is out; `cancel`: it gave up."),
    ]
    target: Annotated[str, Meta(description="Floor of the map it wants to reach.")]
    origin: Annotated[str, Meta(description="Floor of its map; empty: it was switched on inside an elevator.")] = ""
    building: Annotated[str, Meta(description="Building of its map.")] = ""
    lift: Annotated[
        str,
        Meta(description="Code of the elevator that its schedule names, if that serves both floors; empty: any."),
    ] = ""
    simulated: Annotated[float, Meta(description="Speed factor of a virtual robot; 0: a real one.")] = 0.0


class ElevatorOffer(msgspec.Struct, kw_only=True):
    """How a ride stands: sent after each request and at each change. The robot boards when the phase is `open`, and
    leaves when it is `arrived`."""

    ride: Annotated[str, Meta(description="The robot's name for the ride.")]
    phase: Annotated[RidePhase, Meta(description="Phase of the ride.")]
    lift: Annotated[str, Meta(description="Name of the elevator, which is also that of its point on the map.")] = ""
    floor: Annotated[str, Meta(description="Floor where the cabin is.")] = ""
    ahead: Annotated[int, Meta(description="Number of robots that ride before.")] = 0
    reason: Annotated[str, Meta(description='Of an ended ride: "done", or why not.')] = ""
