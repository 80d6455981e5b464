"""Jade Gate Mall: an octagonal hall with two round wells, shops all round, food court in the south."""

from itertools import pairwise

from lustra.robot.buildings.floor_plan import FloorPlan, box

BUILDING = "Jade Gate Mall"


def ground() -> FloorPlan:
    wide, deep, cut = 46.0, 26.0, 5.0
    outline = [
        (cut, 0),
        (wide - cut, 0),
        (wide, cut),
        (wide, deep - cut),
        (wide - cut, deep),
        (cut, deep),
        (0, deep - cut),
        (0, cut),
    ]
    plan = FloorPlan("jade-1", BUILDING, "floor 1", outline)
    x0, x1, y0, y1 = 5.6, 40.4, 6.0, 20.0  # the hall
    plan.wall((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))
    shops = (5.6, 11.0, 17.0, 23.0, 29.0, 35.0, 40.4)
    for n, (a, b) in enumerate(pairwise(shops)):
        for y, edge, south in ((y0, 0.0, True), (y1, deep, False)):
            if a > x0:
                plan.wall((a, y), (a, edge))
            plan.door((a + b) / 2, y, upright=False, width=2.2)
            plan.room(f"Shop {n * 2 + (1 if south else 2)}", *box(a, min(y, edge), b, max(y, edge)))
            depth = 2.0 if south else deep - 2.8
            plan.obstacle(a + 0.9, depth, a + 1.5, depth + 1.8)
            plan.obstacle(b - 1.9, depth, b - 1.3, depth + 1.4)
    for x, edge, name in ((x0, 0.0, "West"), (x1, wide, "East")):
        plan.door(x, (y0 + y1) / 2, upright=True, width=3.0)
        plan.wall((x, y0), (edge, y0))
        plan.wall((x, y1), (edge, y1))
        plan.room(f"{name} entrance", *box(min(x, edge), y0, max(x, edge), y1))
    for x in (16.6, 29.4):
        plan.table(x, 13.0, 3.2)
    for x in (7.8, 23.0, 38.2):
        plan.table(x, 13.0, 0.7)
    for x in (10.0, 23.0, 36.0):
        for y in (8.2, 17.8):
            plan.table(x, y, 0.4)
    plan.obstacle(21.9, 15.2, 24.1, 16.2)
    plan.room("Hall", *box(x0, y0, x1, y1))
    plan.charger("Dock W", 6.35, 7.2, 0.0)
    plan.charger("Dock E", 39.65, 18.8, 3.14159)
    return plan
