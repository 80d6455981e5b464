"""The machine's part of the facts that outlive a loss of power: written as it is, and taken up again."""

from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.machine import Machine
from lustra.robot.store import Facts, Store


def write_facts(m: Machine, facts: Facts) -> None:
    facts.map = m.floor.name if m.floor else ""
    (facts.x, facts.y, facts.yaw), facts.charging = m.pose, m.charging
    facts.battery, facts.liquid, facts.total = m.battery, m.liquid, m.total
    facts.tanks = m.tanks.named()
    facts.emergency, facts.locked = Hold.EMERGENCY in m.holds, Hold.BRAKE in m.holds
    facts.dose, facts.params = m.utilities.dose, m.params
    facts.utilities, facts.lost = m.utilities.set, "lost" in m.faults


def take_up_facts(m: Machine, store: Store) -> None:
    """At a start: where it stands, what is left in its tanks and battery, and what holds it."""
    facts = store.facts
    m.battery, m.liquid, m.total = facts.battery, facts.liquid, facts.total
    m.tanks.levels |= {name: level for name, level in facts.tanks.items() if name in m.tanks.levels}
    if facts.map in store.maps:
        m.floor = store.maps[facts.map]
    m.place(facts.x, facts.y, facts.yaw, charging=facts.charging)
    m.set_hold(Hold.EMERGENCY, on=facts.emergency)
    m.set_hold(Hold.BRAKE, on=facts.locked)
    m.utilities.dose = facts.dose
    m.params |= facts.params
    m.utilities.set |= facts.utilities
    if facts.lost:
        m.fault("lost", on=True)


def follow_store(m: Machine, store: Store) -> None:
    """While it runs, when maps and settings on its disk have become others."""
    facts, maps = store.facts, store.maps
    m.params |= facts.params
    m.utilities.dose = facts.dose
    m.utilities.set = {name: n for name, n in facts.utilities.items() if name in m.utilities.fitted}
    if m.floor and m.floor.name not in maps:
        m.leave_floor()
    elif m.floor and maps[m.floor.name] is not m.floor:
        m.floor = maps[m.floor.name]
