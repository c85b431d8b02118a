-- Exactly-once writes, the audit trail, and what the installation knows of itself.

-- One row per Idempotency-Key, committed together with what the request wrote. Distributed by key on Citus.
create table idempotency (
  key_id uuid primary key, -- UUIDv8 of SHA-256 (platform or operator, mode, key)
  platform_id uuid,        -- null: the operator
  livemode boolean not null,
  fingerprint bytea not null, -- SHA-256 of method, path, query and body
  status smallint,
  answer json,   -- what the answer is rendered from
  sealed bytea,  -- in its place, when the answer holds a secret: only the caller's own key opens it
  created_at timestamptz not null
);
create index idempotency_by_age on idempotency (created_at);                  -- retention
create index idempotency_by_platform on idempotency (platform_id, livemode); -- test reset

-- Item keys stand as long as their event does. Distributed by key on Citus.
create table item_key (
  key_id uuid primary key, -- UUIDv8 of SHA-256 (platform, mode, key)
  platform_id uuid not null,
  livemode boolean not null,
  subject_id uuid not null,
  event_id uuid not null,
  fingerprint bytea not null -- SHA-256 of the event's content: a repeat with other content is told so
);
create index item_key_by_platform on item_key (platform_id, livemode); -- test reset

-- Who did what. EVENT_CREATED is read from the ledger, not stored twice (part 4.3). Distributed by platform on Citus.
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
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, activity_id)
);
create index activity_by_subject on activity (subject_id, activity_id) where subject_id is not null; -- audit log of a subject

-- One row a minute while the service runs: the uptime history of /status.json.
create table status_sample (
  sampled_at timestamptz primary key,
  is_ok boolean not null
);

-- One row. Transaction ids start over when a backup is restored into another cluster, so rows written before
-- `cluster_since` are settled whatever their xid says.
create table installation (
  only_row boolean primary key default true check (only_row),
  cluster_id text not null,
  cluster_since timestamptz not null
);

-- A worker process says here that it lives.
create table worker_heartbeat (
  worker_id uuid primary key,
  beat_at timestamptz not null
);
