-- Envelopes, the queue of their deliveries, and long work.

-- Everything the service sends, once per platform: the text that webhooks, channels and streams
-- deliver. It is written in the transaction of what it reports (RULES H1).
create table envelope (
  platform_id uuid not null,
  envelope_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  type text not null,
  subject_id uuid, -- a reset of test data deletes by it
  body text not null, -- the exact bytes that are sent
  only_target uuid, -- a test delivery goes to this target alone; streams leave it out
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, envelope_id)
);
-- Streams read on behind (xid, id), and only rows whose transactions have all ended: no later row
-- can sort before them.
create index envelope_in_order on envelope (platform_id, livemode, xid, envelope_id);
-- retention; rows arrive in order of time, so brin is enough and costs a writer nothing
create index envelope_by_age on envelope using brin (created_at);

-- What is still to be delivered: one row for each target and envelope.
create table outbox_queue (
  target_id uuid not null, -- webhook or notification channel
  envelope_id uuid not null,
  platform_id uuid not null,
  kind text not null check (kind in ('webhook', 'channel')),
  attempt integer not null default 1, -- number of the next attempt
  -- Time of the next attempt. A claim moves it into the future, so the row of a dead process
  -- becomes due again by itself.
  due_at timestamptz not null,
  claim uuid, -- a process may record a result only while the row has its claim
  primary key (target_id, envelope_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0); -- short and busy
-- what is due for one target, oldest first; also walks from target to target
create index outbox_queue_lane on outbox_queue (target_id, due_at, envelope_id);

create table job (
  job_id uuid primary key,
  kind text not null,
  platform_id uuid not null,
  -- When the job may be claimed. A worker moves it into the future again and again, so the job of a
  -- dead process becomes due by itself.
  due_at timestamptz not null,
  claim uuid, -- of the worker; a job with a claim that is due has lost its worker
  failures integer not null default 0, -- attempts that ended with an error
  deaths integer not null default 0, -- attempts whose process disappeared
  created_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0); -- short and busy
-- the next job to claim
create index job_due on job (due_at);
