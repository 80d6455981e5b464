"""SQL on live pictures and recordings."""

from lustra.core.scope import Statement
from lustra.domains.map.api import CURRENT_MAP

STOP_OVER = Statement("delete from live_video where until_at <= $1")
# Of robots whose map marks rooms: where they stand, and the corners of those rooms.
MARKED_ROOMS = Statement(f"""
select s.robot, s.x, s.y, jsonb_path_query_array(m.marks, '$.*[*] ? (@.private == true).points')::text as rooms
from robot_state s join device d on d.id = s.robot {CURRENT_MAP}
where s.robot = any($1) and m.marks @? '$.*[*] ? (@.private == true)'""")
# Of robots that are online. `zone`: of the robot's place.
RULES = Statement("""
select r.device_id, r.owner_id, r.owner_path::text, r.cameras::text, r.days::text, r.starts, r.ends,
  r.alarm_level, r.alarm_s, d.serial_number, d.zone
from video_rule r join device d on d.id = r.device_id and d.owner_id = r.owner_id
join presence p on p.robot = d.id and p.online""")
# A camera that a rule records sends for so long again; a person's longer order stands.
RECORD_BY_RULE = Statement("""
insert into live_video as v (owner_id, owner_path, device_id, camera, until_at, recording, reason)
select owner_id, owner_path, device_id, $2, $3, true, $4 from video_rule where device_id = $1
on conflict (device_id, camera) do update
set until_at = greatest(v.until_at, excluded.until_at), recording = true,
  reason = case when v.recording and v.reason = 'person' then 'person' else excluded.reason end""")
# $1, $2: robots and cameras that a rule records now.
END_BY_RULE = Statement("""
update live_video set recording = false where recording and reason <> 'person'
and (device_id, camera) not in (select * from unnest($1::bigint[], $2::text[]))""")
RUNNING = Statement("""
select v.device_id, v.camera, v.until_at, v.recording, v.reason from live_video v
join unnest($1::bigint[], $2::text[]) as due (device_id, camera) using (device_id, camera)""")
SAY_PRIVATE = Statement("update live_video set private = $2 where id = $1")
END_VIEWS = Statement("update video_view set ended_at = now() where kind = 'live' and ended_at is null")
END_VIEW = Statement("update video_view set ended_at = now() where id = $1 and ended_at is null")
FINISH = Statement("""
with whole as (update video_record set ended_at = began_at + $2, size = $3, place = $4 where id = $1 returning owner_id)
insert into holding (account_id, place, kind, size) select owner_id, $4, 'recordings', $3 from whole""")
STOP_RECORDING = Statement("update live_video set recording = false where id = $1")
FORGET_EMPTY = Statement("delete from video_record where id = $1")
# Those of clips too, as long as their links open them.
PLACES_IN_USE = Statement("""
select place from video_record where place = any($1)
union select place from video_clip where place = any($1) and revoked_at is null and expires_at > now()""")
STORE_CLIP = Statement("""
with whole as (update video_clip set place = $2 where id = $1 returning record_id)
insert into holding (account_id, place, kind, size)
select r.owner_id, $2, 'recordings', $3 from whole w join video_record r on r.id = w.record_id""")
USED_SPACE = Statement("""
select a as account_id, coalesce(sum(h.size), 0)::bigint as used from unnest($1::bigint[]) a
left join holding h on h.account_id = a and h.kind = 'recordings' group by 1""")
# $1: of these accounts; null: of all.
RELEASE_UNUSED = Statement("""
delete from holding h where h.kind = 'recordings' and ($1::bigint[] is null or h.account_id = any($1))
and not exists (select from video_record r where r.place = h.place)
and not exists (select from video_clip c where c.place = h.place and c.revoked_at is null and c.expires_at > now())""")
FORGET_DELETED_OF = Statement("delete from video_record where owner_id = any($1) and deleted_at is not null")
FORGET_CLIPS = Statement("delete from video_clip where expires_at < now() - $1::interval")
FORGET_DELETED = Statement("delete from video_record where deleted_at < now() - $1::interval")
MOVE = Statement("""
with owner as (select id, path from account where id = :new),
views as (update video_view v set owner_id = o.id, owner_path = o.path from owner o
  where v.device_id = :robot and v.owner_id = :old),
moved as (select id, place from video_record where device_id = :robot and owner_id = :old),
held as (update holding h set account_id = o.id from owner o where h.account_id = :old and h.place in
  (select place from moved union select c.place from video_clip c join moved m on m.id = c.record_id))
update video_record r set owner_id = o.id, owner_path = o.path from owner o
where r.device_id = :robot and r.owner_id = :old""")
FORGET = Statement("""
with views as (delete from video_view where device_id = :robot and owner_id = :old)
delete from video_record where device_id = :robot and owner_id = :old""")
