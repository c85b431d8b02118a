-- Platforms, their keys, what they used and what was done in their name.

create table platform (
  platform_id uuid primary key,
  name text not null,
  -- Weight of this platform's reports. Each event keeps a copy, so a later change never rewrites
  -- history (RULES S21).
  trust_tier text not null check (trust_tier in ('ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED')),
  plan text not null check (plan in ('starter', 'growth', 'enterprise')),
  velocity_exempt boolean not null default false,
  is_active boolean not null default true,
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0), -- null: the plan's own
  monthly_quota bigint check (monthly_quota >= 0), -- null: the plan's own; 0: unlimited
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Maximum lifetime of a new key, in days (RULES K6). Null: no limit.
  max_key_lifetime_days integer check (max_key_lifetime_days between 1 and 3650),
  -- Closes confirmations and references to keys that cannot write anything else (RULES A9).
  confirmations_require_write boolean not null default false
);

-- Keys are few and every request needs one, so each process caches them.
create table api_key (
  key_id uuid primary key,
  platform_id uuid not null references platform,
  -- SHA-256 of the key; the key itself is not stored (RULES K1). Unique: authentication looks a key
  -- up by its hash.
  key_hash bytea not null unique,
  label text,
  scopes text[] not null default '{}', -- empty: all scopes
  livemode boolean not null,
  is_active boolean not null default true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  created_by text, -- id of the key that made this one, 'operator' or 'bootstrap'; null: unknown
  -- The key that a rotation made in its place. Until its grace period ends, a replaced key works
  -- but makes no keys (RULES K5).
  replaced_by uuid,
  allowed_cidrs text[] not null default '{}', -- empty: any address
  expiry_announced_at timestamptz -- key.expiring was written
);
-- lists the keys of one platform, newest first
create index api_key_by_platform on api_key (platform_id, key_id);
-- the sweep that announces expiring keys reads only those that may expire soon
create index api_key_ending on api_key (expires_at) where is_active and expiry_announced_at is null;

-- Audit trail. It has no copy of EVENT_CREATED: readers merge that in from the ledger.
create table activity (
  platform_id uuid not null,
  activity_id uuid not null, -- UUIDv7
  livemode boolean not null,
  action text not null,
  actor text not null, -- 'key:<id>', 'operator' or 'service'
  target text,
  subject_id uuid,
  details json,
  at timestamptz not null,
  -- A listing stops before transactions that may still commit. The same holds for `xid` of every
  -- other table.
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, activity_id)
);
-- the audit trail of one platform and mode, newest first: all actions, or one
create index activity_by_mode on activity (platform_id, livemode, activity_id);
create index activity_by_action on activity (platform_id, livemode, action, activity_id);
-- the audit log of one subject
create index activity_by_subject on activity (subject_id, activity_id) where subject_id is not null;
-- retention walks from the oldest row on
create index activity_by_age on activity (at);

-- Calls by day. Processes count in memory and write once a second, so a row is updated, not
-- multiplied.
create table usage_daily (
  platform_id uuid not null,
  livemode boolean not null,
  day date not null, -- UTC
  route text not null, -- as in the route table: 'GET /users/{id}/score'
  status_class text not null check (status_class in ('ok', 'clientError', 'serverError')),
  requests bigint not null,
  calls bigint not null, -- billed: one a request, for a CSV export one per started 1000 rows
  primary key (platform_id, livemode, day, route, status_class)
) with (fillfactor = 70); -- space for heap-only updates: today's rows change every second
-- retention
create index usage_daily_by_age on usage_daily (day);

-- Calls of a UTC calendar month that count against the quota: not every request does, so
-- usage_daily cannot answer this.
create table quota_usage (
  platform_id uuid not null,
  period date not null, -- first day of the month
  used bigint not null,
  primary key (platform_id, period)
) with (fillfactor = 70); -- as usage_daily

-- A platform is warned once a month that its quota is nearly used up (RULES N7). The primary key
-- holds that.
create table quota_warning (
  platform_id uuid not null,
  period date not null,
  at timestamptz not null,
  used bigint not null,
  cap bigint not null,
  primary key (platform_id, period)
);
