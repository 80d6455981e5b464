"""SQL on the rows of accounts."""

from lustra.core.scope import Statement

HELD_KEYS = Statement("select held_keys(a) from account a where a.id = :id")
# As whom an account `a` acts. Staff see what the admin sees that made them.
_ACTS = """a.id AS real_id, a.account, acting.id AS acting_id, acting.level, held_keys(a) AS keys,
  (CASE WHEN acting.roles && {staff} THEN subpath(acting.path, 0, -1) ELSE acting.path END)::text AS path,
  a.level <= 2 OR a.roles && {staff} AS support"""
_ACTING = "JOIN account acting ON acting.id = coalesce(a.shadow_of, a.id) AND acting.deleted_at IS NULL"
ACTOR = Statement(f"""
SELECT {_ACTS.format(staff="cast(:staff AS bigint[])")}
FROM account a {_ACTING} WHERE a.id = :id AND a.deleted_at IS NULL""")
LOOK_UP = Statement(f"""
WITH l AS (
  SELECT id, account_id, language, NULL::text[] AS chosen, seen_at FROM login
  WHERE token = $1 AND seen_at > now() - $2::interval AND began_at > now() - $5::interval
  UNION ALL
  SELECT id, account_id, '', keys, coalesce(seen_at, '-infinity') FROM api_key WHERE token = $1 AND expires_at > now()
)
SELECT l.id, l.language, l.chosen, a.must_change, {_ACTS.format(staff="$3::bigint[]")},
  l.seen_at < now() - $4::interval AS untouched
FROM l
JOIN account a ON a.id = l.account_id AND a.deleted_at IS NULL
{_ACTING}""")
# No standby is waited for: who reads a page must not wait while there is none (core/db.commit_alone).
TOUCH = Statement("""
with alone as (select set_config('synchronous_commit', 'local', true))
update login set seen_at = now() from alone where id = $1""")
TOUCH_KEY = Statement("""
with alone as (select set_config('synchronous_commit', 'local', true))
update api_key set seen_at = now() from alone where id = $1""")
CUSTOMER_OF = Statement("""
select c.id, c.name, support_open(p.path) as open
from (select $1::text::ltree as path) p left join account c on c.id = support_customer(p.path)""")
RECORD_LOOK = Statement("""
insert into audit (account_id, acting_id, name, session_id, address, action, code, detail, device_id)
values ($1, $2, $3, $4, $5, 'support.look', 0, $6, $7)
on conflict ((detail ->> 'key')) where detail ? 'key' do nothing""")
OPEN_CUSTOMERS = Statement("""
select id, support_default, support_until from account
where level = 3 and (support_default = 'always' or support_until > now())""")
