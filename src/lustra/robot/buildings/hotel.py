"""Kestrel Quay Hotel: three floors over one another, two elevators in the same place on each.

Floor 1 has the lobby, restaurant and ballroom along one corridor; floors 2 and 3 are U-shaped, with guest rooms along
corridors round a court.
"""

from itertools import pairwise

from lustra.robot.buildings.floor_plan import FloorPlan, box

BUILDING = "Kestrel Quay Hotel"
WIDE = 40.0
DEEP = 22.5
SHAFTS = (21.6, 25.9)  # x of the shafts' outer walls
SHAFT_DOORS = 20.6  # their doors' y, from there to the facade
CABIN = 21.4  # y of where a robot stands in them


def elevators(plan: FloorPlan) -> None:
    left, right = SHAFTS
    middle = (left + right) / 2
    plan.shaft(left, SHAFT_DOORS, middle, DEEP)
    plan.shaft(middle, SHAFT_DOORS, right, DEEP)
    for name, low, high in (("Lift A", left, middle), ("Lift B", middle, right)):
        plan.elevator(name, (low + high) / 2, CABIN, 1.5708)


def ground() -> FloorPlan:
    outline = [(0, 0), (33.4, 0), (33.4, 6.6), (WIDE, 6.6), (WIDE, DEEP), (0, DEEP)]
    plan = FloorPlan("kestrel-1", BUILDING, "floor 1", outline)
    low, high = 12.5, 15.0  # the corridor
    plan.wall((0, high), (WIDE, high))
    plan.wall((0, low), (WIDE, low))
    for x in (11.6, 16.6, 21.6, 25.9, 30.0):
        plan.wall((x, high), (x, DEEP))
    plan.wall((25.9, 19.8), (30.0, 19.8))
    plan.wall((27.9, high), (27.9, 19.8))
    plan.wall((18.2, 0), (18.2, low))
    plan.wall((33.4, 6.6), (33.4, low))
    for x, width in ((5.8, 1.8), (14.1, 0.95), (19.1, 0.95), (23.8, 2.0), (26.9, 0.95), (29.0, 0.95), (36.0, 1.4)):
        plan.door(x, high, upright=False, width=width)
    for x, width in ((8.9, 6.4), (23.0, 1.2), (28.0, 1.2), (36.6, 1.2)):
        plan.door(x, low, upright=False, width=width)
    plan.door(26.9, 19.8, upright=False)
    plan.door(29.0, 19.8, upright=False)
    plan.door(18.2, 6.4, upright=True, width=1.6)
    elevators(plan)
    # Ballroom, meeting rooms, kitchen, office
    plan.obstacle(0.8, 16.0, 2.3, 21.6)
    plan.obstacle(12.9, 18.6, 15.3, 19.7)
    plan.obstacle(17.9, 18.6, 20.3, 19.7)
    plan.obstacle(31.2, 21.4, 39.4, 22.2)
    plan.obstacle(32.2, 18.9, 37.4, 19.7)
    plan.obstacle(31.2, 16.8, 33.7, 17.6)
    plan.obstacle(35.4, 10.0, 38.3, 10.8)
    plan.obstacle(34.2, 7.7, 35.9, 8.5)
    # Lobby: reception, sofas, round tables, columns
    plan.obstacle(1.6, 6.2, 2.3, 11.4)
    plan.obstacle(2.9, 6.8, 3.3, 10.8)
    for x, y in ((7.3, 7.0), (7.3, 4.2)):
        plan.obstacle(x, y, x + 2.8, y + 0.9)
    plan.table(8.7, 6.05, 0.5)
    plan.obstacle(14.4, 8.0, 15.3, 10.8)
    plan.obstacle(16.5, 8.0, 17.3, 10.8)
    for x, y in ((5.4, 9.6), (12.8, 9.6), (5.4, 3.2), (12.8, 3.2), (1.6, 1.6)):
        plan.table(x, y, 0.45)
    plan.obstacle(14.2, 2.2, 17.0, 3.0)
    # Restaurant: tables, counter, buffet
    for x in (20.6, 23.4, 26.2, 29.0):
        for y in (9.7, 7.0, 4.3):
            plan.table(x, y, 0.6)
    plan.obstacle(31.8, 3.6, 32.6, 11.0)
    plan.obstacle(20.2, 1.0, 27.6, 1.7)
    plan.room("Ballroom", *box(0, high, 11.6, DEEP))
    plan.room("Meeting 1", *box(11.6, high, 16.6, DEEP))
    plan.room("Meeting 2", *box(16.6, high, 21.6, DEEP))
    plan.room("Lift hall", *box(21.6, high, 25.9, 20.6))
    plan.room("Toilets", *box(25.9, high, 30.0, DEEP))
    plan.room("Kitchen", *box(30.0, high, WIDE, DEEP))
    plan.room("Corridor", *box(0, low, WIDE, high))
    plan.room("Lobby", *box(0, 0, 18.2, low))
    plan.room("Restaurant", *box(18.2, 0, 33.4, low))
    plan.room("Office", *box(33.4, 6.6, WIDE, low))
    plan.forbid("Buffet", *box(28.1, 3.3, 30.0, 5.4))
    plan.virtual_wall((30.4, 15.6), (30.4, 16.4), (34.6, 16.4))
    plan.charger("Dock A", 0.75, 13.75, 0.0)
    plan.charger("Dock B", 39.25, 13.75, 3.14159)
    return plan


def guests(number: str) -> FloorPlan:
    outline = [(0, 0), (15.2, 0), (15.2, 5.2), (25.2, 5.2), (25.2, 0), (WIDE, 0), (WIDE, DEEP), (0, DEEP)]
    plan = FloorPlan(f"kestrel-{number}", BUILDING, f"floor {number}", outline)
    low, high = 13.4, 15.7
    left, right = (3.8, 6.0), (34.0, 36.2)  # corridors of the wings
    plan.wall((0, high), (WIDE, high))
    plan.wall((left[1], low), (right[0], low))
    for a in (left[0], right[1]):
        plan.wall((a, 0), (a, high))
    for a in (left[1], right[0]):
        plan.wall((a, 0), (a, low))
    plan.wall((15.2, 5.2), (15.2, low))
    plan.wall((25.2, 5.2), (25.2, low))
    plan.wall((left[1], 6.6), (15.2, 6.6))
    plan.wall((25.2, 6.6), (right[0], 6.6))
    north = [0, 5.5, 11.0, 16.5, 21.6, 26.0, 31.0, 35.5, WIDE]
    for a, b in pairwise(north):
        if b < WIDE:
            plan.wall((b, high), (b, DEEP))
        if (a, b) == (21.6, 26.0):
            plan.door((a + b) / 2, high, upright=False, width=2.4)
            plan.room("Lift hall", *box(a, high, b, 20.6))
            continue
        plan.door(a + 1.2, high, upright=False)
        plan.obstacle(a + 1.5, 19.2, a + 3.5, 21.3)
        plan.room(f"{number}{len(plan.rooms) + 1:02d}", *box(a, high, b, DEEP))
    for y0, y1 in ((0, 4.4), (4.4, 8.8), (8.8, high)):
        for x0, x1, door, side in ((0.0, left[0], left[0], 0), (right[1], WIDE, right[1], 1)):
            if y1 < high:
                plan.wall((x0, y1), (x1, y1))
            plan.door(door, y0 + 1.2, upright=True)
            plan.obstacle(x0 + (0.4 if side == 0 else 1.6), y0 + 2.3, x0 + (2.2 if side == 0 else 3.4), y0 + 3.9)
            plan.room(f"{number}{len(plan.rooms) + 1:02d}", *box(x0, y0, x1, y1))
    for x0, x1, door, name in ((left[1], 15.2, left[1], "Laundry"), (25.2, right[0], right[0], "Stores")):
        plan.door(door, 9.8, upright=True, width=1.2)
        plan.door(door, 3.0, upright=True, width=1.2)
        plan.room(name, *box(x0, 6.6, x1, low))
        plan.room("Suite west" if name == "Laundry" else "Suite east", *box(x0, 0, x1, 6.6))
        plan.obstacle(x0 + 3.4, 2.2, x0 + 5.4, 4.3)
        plan.obstacle(x0 + 4.0, 9.4, x0 + 7.4, 10.6)
    plan.door(20.2, low, upright=False, width=1.8)
    plan.room("Lounge", *box(15.2, 5.2, 25.2, low))
    plan.obstacle(17.8, 9.8, 22.8, 10.7)
    plan.table(18.2, 7.6)
    plan.table(22.2, 7.6)
    plan.room(
        "Corridor",
        (left[0], 0),
        (left[1], 0),
        (left[1], low),
        (right[0], low),
        (right[0], 0),
        (right[1], 0),
        (right[1], high),
        (left[0], high),
    )
    elevators(plan)
    plan.charger("Dock", 27.0, low + 0.5, 1.5708)
    return plan
