"""Battery and disinfectant: what driving, cleaning and utilities take, and when the robot goes to charge for more."""

from lustra.protocol.refusals import RobotRefusal
from lustra.robot.simulation import goals
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.body import Body
from lustra.robot.simulation.tanks import FULL_WASTE

# % an hour.
DRAIN_DRIVE = 10.0
DRAIN_CLEAN = 25.0
DRAIN_REST = 1.5
CHARGE = 60.0
ENOUGH_LIQUID = 90.0  # %: what a run goes on with
REFILL_ML_S = 40.0
DRY = 1.5


def use(m: Body, s: float) -> None:
    cleans, moves = m.cleaning and m.rate > 0, m.rate > 0 or m.hand.moving
    drain = DRAIN_CLEAN if cleans else DRAIN_DRIVE if moves else DRAIN_REST
    drain = max(DRAIN_REST, drain + m.utilities.drain(cleaning=cleans))
    m.battery = max(0.0, m.battery - (0.0 if m.charging else drain) * s / 3600)


def charge(m: Body, s: float) -> None:
    m.battery = min(100.0, m.battery + CHARGE * s / 3600)
    m.tanks.refill(REFILL_ML_S * s)


def full(m: Body) -> bool:
    """Whether battery and tanks are full enough to go on with a run."""
    return m.battery >= m.params["go_on_above"] and m.liquid >= ENOUGH_LIQUID and m.tanks.waste <= 100 - ENOUGH_LIQUID


def low(m: Body) -> bool:
    return m.battery < m.params["charge_below"] or m.liquid < DRY or m.tanks.waste > FULL_WASTE


def leave_for_charger(m: Body) -> None:
    """Battery or supply is low, or the waste tank full: charge, fill up, then go on with the rest of the run."""
    if m.transit and m.transit.then == "refill":
        return
    try:
        m.travel(goals.to_charger(m, m.params["speed_moving"]), "refill")
    except RobotRefusal:
        m.faults["low_battery" if m.battery < m.params["charge_below"] else "low_liquid"] = True
        if m.battery <= 1 or m.liquid <= 0:
            m.set_hold(Hold.PAUSE, on=True)
