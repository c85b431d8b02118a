-- Where a key comes from, where it may be used from, and what took its place.

alter table api_key
  -- Id of the key that was used to make it, 'operator' or 'bootstrap'. Null: made before this was recorded, and no longer known.
  add column created_by text,
  -- The key that a rotation made in its place. Until its grace ends, a replaced key works but makes no other keys.
  add column replaced_by uuid,
  add column allowed_cidrs text[] not null default '{}', -- empty: from everywhere
  add column expiry_announced_at timestamptz;

update api_key k set created_by = case
    when a.actor like 'key:%' then substr(a.actor, 5)
    when a.actor = 'service' then 'bootstrap'
    else a.actor end
from activity a
where a.platform_id = k.platform_id
  and ((a.action = 'API_KEY_GENERATED' and a.target = k.key_id::text)
    or (a.action = 'API_KEY_ROTATED' and a.details->>'replacedBy' = k.key_id::text));

update api_key k set replaced_by = (a.details->>'replacedBy')::uuid
from activity a
where a.platform_id = k.platform_id and a.action = 'API_KEY_ROTATED' and a.target = k.key_id::text;

-- The sweep that announces the end of keys finds those that end soon without reading the others.
create index api_key_ending on api_key (expires_at) where is_active and expiry_announced_at is null;

alter table platform
  -- Days that a new key lives at most. Null: without limit.
  add column max_key_lifetime_days integer check (max_key_lifetime_days between 1 and 3650),
  -- Closes confirmations and references to keys that cannot write anything else.
  add column confirmations_require_write boolean not null default false;
