"""A cabin takes its time, moves behind closed doors only, and opens wherever it arrives."""

from lustra.protocol.cabin import DOOR_S, FLOOR_S, Cabin


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_cabin_closes_moves_and_opens_each_in_its_time():
    clock = Clock()
    cabin = Cabin(["1", "2", "3"], clock)
    assert (cabin.floor, cabin.door, cabin.target, cabin.direction) == ("1", "closed", "", 0)
    cabin.open()
    clock.now += DOOR_S / 2
    assert cabin.door == "opening"
    clock.now += DOOR_S / 2
    assert cabin.door == "open"
    cabin.go("3")
    clock.now += DOOR_S / 2
    assert (cabin.door, cabin.floor, cabin.target, cabin.direction) == ("closing", "1", "3", 1)
    cabin.open()  # on its way it does not
    clock.now += DOOR_S / 2 + FLOOR_S / 2
    assert (cabin.door, cabin.floor) == ("closed", "")
    clock.now += FLOOR_S * 1.5
    assert (cabin.floor, cabin.target, cabin.direction, cabin.door) == ("3", "", 0, "opening")
    clock.now += DOOR_S
    cabin.close()
    assert cabin.door == "closing"
    clock.now += 10 * DOOR_S
    assert (cabin.door, cabin.floor) == ("closed", "3")


def test_however_seldom_it_is_looked_at_it_is_as_far():
    often, seldom = (Cabin(["1", "2", "3"], Clock(), factor=2.0, at=2.0, gap=1.0, opening=True) for _ in range(2))
    for cabin in (often, seldom):
        cabin.go("1")
    assert often.direction == -1
    total = (DOOR_S + 2 * FLOOR_S + DOOR_S / 2) / 2
    for part in range(1, 101):
        assert isinstance(often.clock, Clock)
        often.clock.now = 100.0 + total * part / 100
        often.pass_time()
    assert isinstance(seldom.clock, Clock)
    seldom.clock.now += total
    assert (seldom.floor, seldom.door, round(seldom.gap, 6)) == ("1", "opening", 0.5)
    assert (often.floor, often.door, round(often.gap, 6)) == ("1", "opening", 0.5)
