-- Where envelopes go, and what platforms watch for.

create table webhook (
  webhook_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  url text not null,
  events text[] not null,
  description text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea, -- also signs, until previous_ends_at
  previous_ends_at timestamptz,
  is_active boolean not null default true,
  -- Null: active, or disabled by its owner
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  failing_since timestamptz, -- first failure after the last success
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A webhook is disabled by failed attempts, not by the time since a success: while no process
  -- runs there are no attempts (RULES H5).
  failed_attempts integer not null default 0, -- since the last success
  last_failed_at timestamptz
);
-- webhooks of one platform and mode: to list them, and to queue an envelope for each
create index webhook_by_platform on webhook (platform_id, livemode, webhook_id);

-- The log of attempts, one row each. Rows never change (RULES H7).
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
  response_body text, -- the first KiB
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  sent json, -- URL and headers as they were sent: {url, headers}. The body is in the envelope
  primary key (platform_id, delivery_id)
);
-- the log of one webhook, newest first: all attempts, or the few that failed
create index delivery_by_webhook on delivery (webhook_id, delivery_id);
create index delivery_failed on delivery (webhook_id, delivery_id) where status = 'failed';
-- the attempts of one envelope: a replay takes the next number
create index delivery_by_envelope on delivery (webhook_id, envelope_id);
-- retention; brin as in envelope_by_age
create index delivery_by_age on delivery using brin (created_at);

-- Slack and e-mail. The address is a secret, so only its masked form is shown.
create table notification_channel (
  channel_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  type text not null check (type in ('slack', 'email')),
  sealed_target bytea not null,
  masked_target text not null,
  is_active boolean not null default true,
  last_sent_at timestamptz,
  last_error text, -- null: the last message was accepted
  created_at timestamptz not null
);
-- channels of one platform and mode: to list them, and to queue an envelope for each
create index notification_channel_by_platform on notification_channel (platform_id, livemode, channel_id);

-- Watches one subject. The recompute evaluates it in the transaction that writes the score.
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
-- the listing of a platform
create index monitor_by_platform on monitor (platform_id, livemode, monitor_id);
-- each recompute reads the monitors of its subjects
create index monitor_to_evaluate on monitor (subject_id) where is_active;

-- Watches one subject or all subjects of the platform. Evaluated as monitors are.
create table policy (
  policy_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  name text not null,
  metric text not null check (metric in ('score', 'component', 'verified_events', 'band', 'largest_attester_share', 'distinct_attesters')),
  direction text not null check (direction in ('below', 'above', 'enter', 'leave')),
  threshold numeric,
  component text,
  band text,
  subject_id uuid, -- null: all subjects of the platform
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- the listing of a platform
create index policy_by_platform on policy (platform_id, livemode, policy_id);
-- each recompute reads the active policies of its platforms; only active ones are capped
create index policy_to_evaluate on policy (platform_id, livemode) where is_active;
-- reset of test data
create index policy_by_subject on policy (subject_id) where subject_id is not null;

-- One lease per open live stream: all processes together keep to a platform's cap. The lease of a
-- dead process is no longer renewed and stops counting.
create table stream_lease (
  lease_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  process_id uuid not null,
  seen_at timestamptz not null
);
-- counts the open streams of one platform and mode
create index stream_lease_by_platform on stream_lease (platform_id, livemode);
