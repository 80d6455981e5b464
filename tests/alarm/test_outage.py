"""A channel that is down for an hour, by a clock of the test's own: nothing is lost, and nothing waits for it."""

from dataclasses import dataclass, field
from datetime import timedelta

from tests.account.test_mail import Post, post
from tests.alarm.test_groups import FLEET, raise_on, settle
from tests.alarm.test_notifications import set_up_post, switch, want_mails, work
from tests.world import World

__all__ = ["post"]

HOUR_S = 3600.0
TOGETHER_S = 5.0  # jobs that are run at once
WAITING = """
select id, task_name as name, extract(epoch from scheduled_at - now())::float8 as wait from procrastinate_jobs
where queue_name = 'alarms' and status = 'todo' and scheduled_at > now()"""


@dataclass
class FakeClock:
    """Seconds since the outage began; a job's time is that of when it was enqueued, and what it waits."""

    world: World
    now: float = 0.0
    due: dict[int, tuple[float, str]] = field(default_factory=dict[int, tuple[float, str]])
    ran: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])

    async def pass_until(self, end: float) -> None:
        """Each job runs at its time."""
        while True:
            await work(self.world)
            rows = await self.world.pool.fetch(WAITING)
            self.due = {row["id"]: self.due.get(row["id"], (self.now + row["wait"], row["name"])) for row in rows}
            first = min((at for at, _ in self.due.values()), default=end + 1)
            if first > end:
                break
            next_ids = [id_ for id_, (at, _) in self.due.items() if at <= first + TOGETHER_S]
            self.ran += [self.due[id_] for id_ in next_ids]
            self.now = first
            await self.world.pool.execute(
                "update procrastinate_jobs set scheduled_at = null where id = any($1::bigint[])", next_ids
            )
        self.now = end


async def test_a_channel_down_for_an_hour_loses_nothing_and_delays_no_escalation(world: World, post: Post):
    set_up_post(world, post)
    await settle(world)
    for place, sn in enumerate(FLEET):  # each in a building of its own: no group
        await world.pool.execute("update device set address = $2 where serial_number = $1", sn, f"Building {place}")
    await switch(world, "stuck", email=1)
    await want_mails(world, "a@b.com,c@d.org")
    await want_mails(world, "e@f.org", "dealer")
    await world.call("user", "/warn/editEscalation", minutes=15, steps=1)
    post.answers["MAIL"] = "451 later"
    clock = FakeClock(world)
    await raise_on(world, *FLEET, code="stuck")
    await clock.pass_until(HOUR_S)
    assert post.taken == []
    escalated = [at for at, name in clock.ran if name == "alarm.escalate"]
    assert len(escalated) == len(FLEET)
    assert all(abs(at - timedelta(minutes=15).total_seconds()) < 5 for at in escalated)
    del post.answers["MAIL"]
    await clock.pass_until(3 * HOUR_S)
    states = await world.pool.fetch("select state, key::text from alarm_notification")
    mailboxes = 3  # of the owner's people two, and one above
    assert [row["state"] for row in states] == ["sent"] * mailboxes * len(FLEET)
    assert len(post.taken) == len(states)
    assert all(sum(row["key"].encode() in mail for mail in post.taken) == 1 for row in states)
