-- Long work that is done once, by whichever worker process is there: claim with a lease, commit, run, finish. What the
-- work is stands in tables of its own under the same id. A queue, so a local table on Citus.
create table job (
  job_id uuid primary key,
  kind text not null,
  platform_id uuid not null,
  -- When it may be taken. Whoever takes it moves this into the future, again and again: should it die, the job is due by itself.
  due_at timestamptz not null,
  claim uuid, -- of who works on it; set and due: whoever took it has died
  failures integer not null default 0, -- attempts that ended with an error
  deaths integer not null default 0,   -- attempts whose process was never heard of again
  created_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- the next one to take
create index job_due on job (due_at);

-- A screening: the scores of many subjects, looked up once. On Citus distributed by platform_id, as what hangs on it is.
create table screening (
  platform_id uuid not null,
  screening_id uuid not null, -- UUIDv7; also the id of its job
  livemode boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  label text,
  total integer not null,
  found_count integer not null default 0, -- so far
  error text,
  created_at timestamptz not null,
  progress_at timestamptz not null, -- when it was last seen to move
  completed_at timestamptz,
  primary key (platform_id, screening_id)
) with (fillfactor = 70);
create index screening_by_age on screening (coalesce(completed_at, created_at)); -- retention

-- Some hundred of its ids at a time, and what was found for them. Written twice at most, read in order.
create table screening_chunk (
  platform_id uuid not null,
  screening_id uuid not null,
  first_place integer not null, -- of its first id in the request, from 0
  id_count integer not null,
  user_ids json not null,
  results json, -- in the order of user_ids; null: still to be done
  primary key (platform_id, screening_id, first_place)
);
