"""SQL on robots and their ports, and how a scope narrows them."""

from lustra.core.scope import Statement

# How a scope narrows robots `d`, and rows that are stamped with an owner (see device/scope).
BOUND = "select b.device_id from device_account b where b.account_path <@ {path}"
SEEN = "(d.owner_path <@ {path} or d.id in (" + BOUND + "))"
STAMPED = (
    "({row}.owner_path <@ {path} or {row}.device_id in (" + BOUND + ") and exists"
    " (select from device bd where bd.id = {row}.device_id and bd.owner_id = {row}.owner_id))"
)
BY_PLACE = Statement(
    """
select d.{column} as name, count(*) as n from device d where {where} and d.{column} <> ''
group by 1 order by 2 desc, 1""",
    where="true",
    column="area",
)
# Neither sorted nor a row each: tens of thousands of rows take longer to sort, to send and to collect as garbage.
OWNER_TREE = Statement("""
select parent_id, level, array_agg(id), array_agg(name) from account
where path <@ $1::text::ltree and deleted_at is null and shadow_of is null and not roles && $2::bigint[]
group by parent_id, level""")
DEVICES = Statement(
    """
select d.serial_number as sn, d.id, coalesce(d.frp_port, 0) as port, d.frp_host as node, d.protocol,
  c.password, c.ssh_key
from device d join device_credential c on c.device_id = d.id
where d.deleted_at is null and {condition}""",
    condition="true",
)
# One of the free ones by chance: of those who ask at once, few choose the same, and they choose again.
TAKE_FREE_PORT = Statement("""
insert into node_port (host, port, account_id, until)
select :host, p, :account, :until from generate_series(cast(:first as int), cast(:last as int)) p
where not exists (select from node_port n where n.host = :host and n.port = p) order by random() limit 1
on conflict do nothing returning port""")
STORE_COMMANDS = Statement("""
update device set commands = $2::text[], abilities = coalesce($3::text[], abilities)
where serial_number = $1 and deleted_at is null""")
ENTER_PLACE = Statement("""
update device d set address = $2, address1 = coalesce(nullif(d.address1, ''), $3)
where d.serial_number = $1 and d.deleted_at is null and d.address = ''
  and d.owner_id = (select o.owner_id from owner_at(d.id, $4) o)""")
