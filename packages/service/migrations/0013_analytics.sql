-- Analytics by the day on which outcomes happened, of live data alone.

-- A late report changes an old day, so these sums are not complete day by day. They hold every
-- event up to an id (analytics_progress.outcomes_before), and a read counts the events from there
-- on. Ids carry the time of the report, so each event is in exactly one of the two.
create table analytics_outcome_day (
  platform_id uuid not null,
  day date not null, -- of the outcome, UTC
  event_type text not null,
  stake_level text not null,
  is_verified boolean not null,
  count integer not null,
  primary key (platform_id, day, event_type, stake_level, is_verified)
) with (fillfactor = 80); -- space for heap-only updates of count

-- The two kinds of sums advance on their own.
alter table analytics_progress alter column summed_before drop not null;
-- Every event with a smaller id is in analytics_outcome_day; null: none is yet.
alter table analytics_progress add column outcomes_before uuid;
