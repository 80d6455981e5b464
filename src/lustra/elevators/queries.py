"""SQL of elevators and of the rides of robots."""

from lustra.core.scope import Statement, system

ELEVATORS = system("all elevators, which one process serves")
ELEVATOR = """e.id, e.elevator_name as name, e.code, e.provider, e.floor as floors, e.server,
  e.module_id, e.robot_id, e.secret, e.out_of_service as out, e.releases,
  coalesce(e.live->>'occupant', '') as occupant"""
# Those that a robot may ride: its own, and all of its building that belong to its owner.
RIDEABLE = Statement(f"""
select {ELEVATOR}, e.id is not distinct from d.elevator_id as own
from device d join elevator e on e.id = d.elevator_id
  or (e.account_id = d.owner_id and lower(e.building_name) = lower($2) and $2 <> '')
where d.serial_number = $1 and d.deleted_at is null order by own desc, e.id""")
BY_IDS = Statement(f"select {ELEVATOR} from elevator e where e.id = any($1::bigint[])")
OPEN_RIDES = Statement(f"""
select {ELEVATOR}, r.ride, r.sn, r.from_floor, r.to_floor, r.phase, r.boarded_at is not null as inside
from elevator e left join lift_ride r on r.elevator_id = e.id and r.ended_at is null
where r.id is not null or coalesce(e.live->>'occupant', '') <> '' order by r.phase = 'waiting', r.id""")
STORE_RIDE = Statement("""
insert into lift_ride (ride, elevator_id, account_id, device_id, sn, name, from_floor, to_floor, phase)
select $1, $2, e.account_id, d.id, $3, d.name, $4, $5, $6
from elevator e join device d on d.serial_number = $3 and d.deleted_at is null where e.id = $2
on conflict (sn, ride) do update set phase = excluded.phase, reason = $7, updated_at = now(),
  boarded_at = case when $8 then coalesce(lift_ride.boarded_at, now()) else lift_ride.boarded_at end,
  ended_at = case when excluded.phase = 'ended' then coalesce(lift_ride.ended_at, now()) end""")
STORE_LIVE = Statement("update elevator set live = $2::jsonb where id = $1 and live is distinct from $2::jsonb")
