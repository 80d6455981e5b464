"""St. Orla Clinic: two ward wings, joined by a corridor past the nurses' station."""

from lustra.robot.buildings.floor_plan import FloorPlan, box

BUILDING = "St. Orla Clinic"


def ward(number: str) -> FloorPlan:
    wide, deep = 38.0, 20.5
    outline = [
        (0, 0),
        (13.5, 0),
        (13.5, 6.8),
        (24.5, 6.8),
        (24.5, 0),
        (wide, 0),
        (wide, deep),
        (24.5, deep),
        (24.5, 13.6),
        (13.5, 13.6),
        (13.5, deep),
        (0, deep),
    ]
    plan = FloorPlan(f"orla-{number}", BUILDING, f"ward {number}", outline)
    plan.wall((13.5, 11.4), (24.5, 11.4))
    for west in (True, False):
        outer, a, b, inner = (0.0, 5.4, 8.0, 13.5) if west else (wide, wide - 5.4, wide - 8.0, 24.5)
        plan.wall((a, 0), (a, deep))
        plan.wall((b, 0), (b, 9.0))
        plan.wall((b, 11.4), (b, deep))
        plan.wall((b, 9.0), (inner, 9.0))
        plan.wall((b, 11.4), (inner, 11.4))
        for n, y in enumerate((0.0, 5.1, 10.2, 15.3)):
            if y:
                plan.wall((outer, y), (a, y))
            plan.door(a, y + 1.3, upright=True, width=1.2)
            x = 0.6 if west else wide - 2.8
            for bed in (2.4, 3.9):
                if y + bed + 0.9 < deep - 0.2:
                    plan.obstacle(x, y + bed, x + 2.2, y + bed + 0.9)
            room = f"{number}{n + (1 if west else 5):02d}"
            plan.room(f"Room {room}", *box(min(outer, a), y, max(outer, a), min(y + 5.1, deep)))
        for y0, y1, name in (
            (0.0, 4.5, "Stores"),
            (4.5, 9.0, "Staff"),
            (11.4, 16.0, "Treatment"),
            (16.0, deep, "Bath"),
        ):
            if y0 in {4.5, 16.0}:
                plan.wall((b, y0), (inner, y0))
            wing = "west" if west else "east"
            guard = f"{name} {wing}" if name in {"Stores", "Treatment"} else ""
            plan.door(b, (y0 + y1) / 2, upright=True, width=1.2, guarded=guard)
            plan.room(f"{name} {wing}", *box(min(b, inner), y0, max(b, inner), y1))
            middle = (b + inner) / 2
            plan.obstacle(middle - 0.2, (y0 + y1) / 2 - 0.5, middle + 1.6, (y0 + y1) / 2 + 0.5)
        plan.room(f"Corridor {'west' if west else 'east'}", *box(min(a, b), 0, max(a, b), deep))
        plan.wall((inner, 6.8), (inner, 9.0))
        plan.wall((inner, 11.4), (inner, 13.6))
    plan.wall((13.5, 9.0), (24.5, 9.0))
    plan.door(19.0, 9.0, upright=False, width=4.0)
    plan.door(16.0, 11.4, upright=False, width=1.2)
    plan.obstacle(17.4, 7.3, 20.6, 7.9)
    plan.obstacle(21.4, 12.0, 24.0, 13.2)
    plan.room("Link corridor", *box(8.0, 9.0, 30.0, 11.4))
    plan.room("Nurses' station", *box(13.5, 6.8, 24.5, 9.0))
    plan.room("Waiting", *box(13.5, 11.4, 24.5, 13.6))
    plan.forbid("Isolation", *box(0.2, 15.5, 5.2, 20.3))
    plan.charger("Dock", 23.6, 8.0, 3.14159)
    return plan
