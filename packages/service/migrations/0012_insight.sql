-- Benchmarks, analytics, screenings and backtests.

-- Benchmarks compare a score with published figures of groups of records. They are computed once a
-- day and never tell about a single record (RULES B1).

-- Which cohorts of the live universe count a record: one bit each (benchmarkCohorts.ts). A cohort
-- is computed again only where that reveals nothing about one record (benchmarkPrivacy.ts,
-- RULES B2); for this decision the former bits are kept.
create table benchmark_member (
  record_id uuid primary key,
  published integer not null, -- bits as of the edition before `edition`
  -- Bits found for `edition`; the row of that edition tells which cohorts it published
  drafted integer not null,
  score numeric(5, 2) not null,
  edition integer not null
) with (fillfactor = 70); -- updated once a day

-- The figures. Readers use the latest edition; the one before stays for readers that are still
-- using it.
create table benchmark_edition (
  -- The platform of a test universe; all zeros: live, the whole installation
  universe uuid not null,
  edition integer not null,
  made_at timestamptz not null,
  taken integer not null, -- cohorts computed in this edition; the others are unchanged
  cohorts json not null, -- [{bit, records, hundredths, bins, asOf}]: every cohort that has members
  -- [[cohorts, records]]: how many records are in exactly these published cohorts
  cells json not null,
  primary key (universe, edition)
);

-- The caller's own part of the live universe's cells. The caller knows this part and could
-- subtract it.
create table benchmark_own (
  platform_id uuid not null,
  edition integer not null,
  cells json not null,
  primary key (platform_id, edition)
);

-- Analytics: sums of past days, of live data alone, because only that never changes. Other days are
-- counted on each read.

create table analytics_score_day (
  platform_id uuid not null,
  day date not null,
  published integer not null,
  hundredths bigint not null, -- sum of the scores
  band_changes integer not null,
  band_net json not null, -- net change of each band by day: {"Good": 2, "Fair": -1, …}
  primary key (platform_id, day)
);

-- Sums of the day that is under way, added by the sweep in parts: each holds the scores published
-- before `until` and behind the part before it. When the day is over, all of it is summed in
-- analytics_score_day, and its parts go.
create table analytics_score_part (
  platform_id uuid not null,
  until timestamptz not null,
  day date not null, -- UTC
  published integer not null,
  hundredths bigint not null, -- sum of the scores
  band_changes integer not null,
  band_net json not null,
  primary key (platform_id, until, day)
);

-- A late report changes an old day of outcomes, so the sums of events are not complete day by day.
-- They hold every event up to an id (analytics_progress.events_before), and a read counts the events
-- from there on. Ids carry the time of the report, so each event is in exactly one of the two.
create table analytics_event_day (
  platform_id uuid not null,
  day date not null, -- of the report, UTC
  event_type text not null,
  stake_level text not null,
  is_verified boolean not null,
  count integer not null,
  primary key (platform_id, day, event_type, stake_level, is_verified)
) with (fillfactor = 80); -- space for heap-only updates of count

create table analytics_outcome_day (
  platform_id uuid not null,
  day date not null, -- of the outcome, UTC
  event_type text not null,
  stake_level text not null,
  is_verified boolean not null,
  count integer not null,
  primary key (platform_id, day, event_type, stake_level, is_verified)
) with (fillfactor = 80); -- space for heap-only updates of count

-- How far the sums reach. The two kinds of sums advance on their own.
create table analytics_progress (
  platform_id uuid primary key,
  summed_before date, -- every day before this one is in analytics_score_day
  events_before uuid -- every event with a smaller id is in both sums of events; null: none is yet
);

-- The scores of a book above BOOK_SUMMARY_MAX, as the sweep last counted them.
create table book_histogram (
  platform_id uuid not null,
  livemode boolean not null,
  counts integer[] not null, -- by whole points, from 0 to 100
  counted_at timestamptz not null,
  primary key (platform_id, livemode)
);

-- A screening looks the scores of many subjects up, once.
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
  progress_at timestamptz not null, -- of the latest progress
  completed_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, screening_id)
) with (fillfactor = 70); -- progress is updated with every chunk
-- retention
create index screening_by_age on screening (coalesce(completed_at, created_at));
-- every listing first looks for screenings that no longer progress: few among all that are kept
create index screening_under_way on screening (platform_id, livemode) where status in ('QUEUED', 'RUNNING');

-- Some hundred ids of a screening at a time, and their results. Written at most twice, read in
-- order.
create table screening_chunk (
  platform_id uuid not null,
  screening_id uuid not null,
  first_place integer not null, -- index of its first id in the request, from 0
  id_count integer not null,
  user_ids json not null,
  results json, -- in the order of user_ids; null: not processed yet
  primary key (platform_id, screening_id, first_place)
);

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
