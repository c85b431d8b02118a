-- Long work: claim with a lease, commit, run, finish. The feature that defines a kind of work has a
-- table of its own, with the same id.

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

-- Each worker process updates its row while it runs.
create table worker_heartbeat (
  worker_id uuid primary key,
  beat_at timestamptz not null
);
