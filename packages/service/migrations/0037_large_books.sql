-- What the console shows of a book of a million subjects, without counting all of it.

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

-- The scores of a book above BOOK_SUMMARY_MAX, as the sweep last counted them.
create table book_histogram (
  platform_id uuid not null,
  livemode boolean not null,
  counts integer[] not null, -- by whole points, from 0 to 100
  counted_at timestamptz not null,
  primary key (platform_id, livemode)
);

-- The largest moves of each day, for movers of a large book. Decay moves a score by less.
create index score_snapshot_by_step on score_snapshot
  (platform_id, livemode, ((computed_at at time zone 'UTC')::date), (final_score - previous_score))
  where final_score - previous_score >= 1 or final_score - previous_score <= -1;
