-- What happened reaches the platform: envelopes, where they go, and what they are sent for.

-- Everything that is told, once per platform: the text that webhooks, channels and streams send. Written in the transaction
-- of what it tells of. Grows with platforms: on Citus distributed by platform_id, as delivery is.
create table envelope (
  platform_id uuid not null,
  envelope_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  type text not null,
  subject_id uuid, -- whom it is about: a reset of test data takes it along
  body text not null, -- the very bytes that are sent
  only_target uuid, -- for this target alone: a test delivery, which streams leave out
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, envelope_id)
);
-- Streams read on behind (xid, id): rows of transactions that have all ended, so nothing can come to sort before them.
create index envelope_in_order on envelope (platform_id, livemode, xid, envelope_id);
-- retention; rows come in the order of time, so summaries of blocks do and cost a writer nothing
create index envelope_by_age on envelope using brin (created_at);

-- What is still to be delivered: a row per target and envelope. A queue, so a local table on Citus.
create table outbox_queue (
  target_id uuid not null, -- webhook or notification channel
  envelope_id uuid not null,
  platform_id uuid not null,
  kind text not null check (kind in ('webhook', 'channel')),
  attempt integer not null default 1, -- number of the attempt that comes next
  -- When it comes. Whoever takes the row moves this into the future: should it die, the row is due again by itself.
  due_at timestamptz not null,
  claim uuid, -- of who has taken the row: what it records later counts only while the row is still its own
  primary key (target_id, envelope_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- a lane: what is due for one target, oldest first; also walks from target to target
create index outbox_queue_lane on outbox_queue (target_id, due_at, envelope_id);

create table webhook (
  webhook_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  url text not null,
  events text[] not null,
  description text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea, -- signs along until previous_ends_at
  previous_ends_at timestamptz,
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'failing')), -- null: active, or switched off by its owner
  failing_since timestamptz, -- first failure after the last success
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- endpoints of one platform and mode, to list them and to fan envelopes out
create index webhook_by_platform on webhook (platform_id, livemode, webhook_id);

-- The log of attempts, one row each, never changed.
create table delivery (
  platform_id uuid not null,
  delivery_id uuid not null, -- UUIDv7
  webhook_id uuid not null,
  envelope_id uuid not null,
  type text not null,
  status text not null check (status in ('succeeded', 'failed')),
  attempt integer not null,
  response_status integer,
  latency_ms integer not null,
  response_body text, -- its first KiB
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, delivery_id)
);
-- the log of one endpoint, newest first; and what of it failed, a needle in a haystack most days
create index delivery_by_webhook on delivery (webhook_id, delivery_id);
create index delivery_failed on delivery (webhook_id, delivery_id) where status = 'failed';
create index delivery_by_age on delivery using brin (created_at); -- retention

create table notification_channel (
  channel_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  type text not null check (type in ('slack', 'email')),
  sealed_target bytea not null,
  masked_target text not null,
  is_active boolean not null default true,
  last_sent_at timestamptz,
  last_error text, -- null: the last message was taken
  created_at timestamptz not null
);
create index notification_channel_by_platform on notification_channel (platform_id, livemode, channel_id);

-- Evaluated by the recompute, in the transaction that writes the score.
create table monitor (
  monitor_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  subject_id uuid not null,
  below_score numeric(5, 2),
  above_score numeric(5, 2),
  on_band_change boolean not null default false,
  is_active boolean not null default true,
  last_triggered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (below_score is not null or above_score is not null or on_band_change)
);
create index monitor_by_platform on monitor (platform_id, livemode, monitor_id);
create index monitor_to_evaluate on monitor (subject_id) where is_active;

create table policy (
  policy_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  name text not null,
  metric text not null check (metric in ('score', 'component', 'verified_events', 'band')),
  direction text not null check (direction in ('below', 'above', 'enter', 'leave')),
  threshold numeric,
  component text,
  band text,
  subject_id uuid, -- null: the whole book
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index policy_by_platform on policy (platform_id, livemode, policy_id);
create index policy_by_subject on policy (subject_id) where subject_id is not null; -- test reset

-- The six components at that moment, so that a policy can be tried on history. Null: written before they were kept.
alter table score_snapshot add column components json;
-- the history of one platform over a span of time: previews of policies, analytics
create index score_snapshot_by_platform on score_snapshot (platform_id, livemode, computed_at);

-- An open live stream, so that all processes together keep to a platform's cap. A process that dies stops saying that it lives.
create table stream_seat (
  seat_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  process_id uuid not null,
  seen_at timestamptz not null
);
create index stream_seat_by_platform on stream_seat (platform_id, livemode);

-- Keys the service signs with. The private part is sealed under DATA_KEY.
create table signing_key (
  key_id text primary key, -- JWK thumbprint (RFC 7638)
  purpose text not null,   -- 'message': RFC 9421 signatures of deliveries
  public_jwk json not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz -- signs no more, but stays published for a while
);
-- at most one key of a purpose signs
create unique index signing_key_in_use on signing_key (purpose) where retired_at is null;

-- A text sealed under DATA_KEY: tells a start with another key apart from the right one before anything is sealed with it.
alter table installation add column data_key_check bytea;
