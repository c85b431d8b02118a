-- Benchmarks: what a score is compared with. Figures of groups of records, made once a day, never of a single one.

-- Which records the published figures of the live universe count in which cohort: a bit each (domain/benchmarkCohorts.ts). Kept so
-- that a cohort is made anew only where that gives nobody away (domain/benchmarkPrivacy.ts). On Citus distributed by record_id.
create table benchmark_member (
  record_id uuid primary key,
  published integer not null, -- as of the edition before `edition`
  drafted integer not null,   -- as found for `edition`; what of it was published, that edition's row says
  score numeric(5, 2) not null,
  edition integer not null
) with (fillfactor = 70); -- rewritten once a day

-- The figures, in few rows: the latest edition is read, the one before stays for readers that are at it.
create table benchmark_edition (
  universe uuid not null, -- the platform of a test universe; all zeros: live, the whole installation
  edition integer not null,
  made_at timestamptz not null,
  taken integer not null,  -- cohorts made anew in it; the others stand as they were
  cohorts json not null,   -- [{bit, records, hundredths, bins, asOf}], one that has members each
  masses json not null,    -- [[cohorts, records]]: how many records are in exactly these published cohorts
  primary key (universe, edition)
);

-- The caller's part of the masses of the live universe: what it knows anyway and could subtract.
create table benchmark_own (
  platform_id uuid not null,
  edition integer not null,
  masses json not null,
  primary key (platform_id, edition)
);

-- Analytics: sums of days that are over, of live data alone, since only that never changes. What is not summed yet is counted.

create table analytics_event_day (
  platform_id uuid not null,
  day date not null,
  event_type text not null,
  stake_level text not null,
  is_verified boolean not null,
  count integer not null,
  primary key (platform_id, day, event_type, stake_level, is_verified)
);

create table analytics_score_day (
  platform_id uuid not null,
  day date not null,
  published integer not null,
  hundredths bigint not null, -- sum of the scores
  band_changes integer not null,
  primary key (platform_id, day)
);

-- Every day before this one is in both tables.
create table analytics_progress (
  platform_id uuid primary key,
  summed_before date not null
);
