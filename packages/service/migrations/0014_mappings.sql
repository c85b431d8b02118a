-- Mappings that a platform has saved: how records of its own shape become events (DECISIONS 5).
create table saved_mapping (
  platform_id uuid not null,
  mapping_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  name text not null,
  rules json not null, -- as given; json and not jsonb, so that the order of its keys stays its author's
  created_at timestamptz not null,
  primary key (platform_id, mapping_id)
);
-- a name once in each mode
create unique index saved_mapping_by_name on saved_mapping (platform_id, livemode, name);
