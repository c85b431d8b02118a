-- A backtest compares scores with the outcomes that followed them. It runs as a job of the same id.
create table backtest (
  platform_id uuid not null, -- all zeros: the operator's, over all platforms
  backtest_id uuid not null, -- UUIDv7; also the id of its job
  livemode boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  known_by text not null check (known_by in ('recorded', 'outcome')),
  every_days integer not null,
  horizon_days integer not null,
  from_day date, -- null: from the first event
  to_day date, -- null: up to the last cut-off with a whole horizon
  progress smallint not null default 0, -- percent
  report json, -- when COMPLETED
  error text,
  created_at timestamptz not null, -- also the day on which horizons must have ended
  completed_at timestamptz,
  primary key (platform_id, backtest_id)
) with (fillfactor = 70); -- progress is updated while it runs
-- one at a time for each platform and mode
create unique index backtest_under_way on backtest (platform_id, livemode) where status in ('QUEUED', 'RUNNING');
-- retention
create index backtest_by_age on backtest (coalesce(completed_at, created_at));
