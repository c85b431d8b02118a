-- Platforms and their keys. Small, read by every request through a cache; on Citus reference tables (DESIGN "Storage").

create table platform (
  platform_id uuid primary key,
  name text not null,
  -- what reports of this platform weigh; copied onto each event, so that a later change never rewrites history (SCORING)
  trust_tier text not null check (trust_tier in ('ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED')),
  plan text not null check (plan in ('starter', 'growth', 'enterprise')),
  velocity_exempt boolean not null default false,
  is_active boolean not null default true,
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0), -- null: the plan's own
  monthly_quota bigint check (monthly_quota >= 0),                  -- null: the plan's own, 0: unlimited
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table api_key (
  key_id uuid primary key,
  platform_id uuid not null references platform,
  key_hash bytea not null unique, -- SHA-256 of the key; the key itself is kept nowhere. Unique: authentication looks it up
  label text,
  scopes text[] not null default '{}', -- empty: unscoped
  livemode boolean not null,
  is_active boolean not null default true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null
);

-- lists the keys of one platform, newest first
create index api_key_by_platform on api_key (platform_id, key_id);
