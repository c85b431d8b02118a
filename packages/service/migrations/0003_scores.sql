-- What is derived from the ledger.

-- Integer counts that the formula weighs; integers make the result independent of the order of
-- events.
create table tally (
  subject_id uuid not null,
  day integer not null, -- since 1970-01-01 UTC
  -- Platform tier, event type, stake, verified and timeliness: tallyCodeOf in packages/scoring
  code smallint not null,
  count integer not null,
  primary key (subject_id, day, code)
) with (fillfactor = 80); -- space for heap-only updates of count

-- The score as last computed: reads never compute (RULES S14). The row also has every column that
-- the list of users filters and sorts by, so that one index can answer each query.
create table score (
  subject_id uuid primary key,
  record_id uuid not null,
  platform_id uuid not null,
  livemode boolean not null,
  final_score numeric(5, 2) not null,
  score_band text not null,
  confidence numeric(5, 4) not null,
  confidence_label text not null,
  behavioral_quality numeric(5, 2) not null,
  total_events integer not null, -- of the record
  verified_events integer not null, -- of the record
  own_events integer not null, -- of this subject alone, as its platform's list of users shows them
  own_verified_events integer not null, -- of this subject alone
  last_activity_at timestamptz, -- of this subject alone
  -- Set by the velocity guard; the figures do not change until it is cleared (RULES S18)
  frozen_at timestamptz,
  detail json not null, -- factors, components and reasons of this very score
  formula_version text not null,
  as_of integer not null, -- the day on which ages were taken
  position integer not null, -- ledger position of the subject that the score rests on
  snapshot_no integer not null, -- its latest snapshot
  computed_at timestamptz not null,
  external_id text collate "C" not null, -- never changes
  subject_type text not null, -- each recompute copies it from the subject
  registered_at timestamptz not null, -- never changes
  display_name text, -- as in the subject
  search_text text not null, -- as in the subject
  -- Facet bucket: one number for type, verified events (0, 1, 5, 20 and more), band and frozen
  -- flag. A filter on any of these names the buckets that match (facets of the list of users know
  -- the same numbers), and a page merges the first rows of each. A page therefore costs the same
  -- however rare its rows are. The limits of the bands are those of the score.
  facet_bucket smallint not null generated always as ((
    case subject_type when 'PERSON' then 0 when 'AGENT' then 48 else 96 end
    + case when own_verified_events >= 20 then 36 when own_verified_events >= 5 then 24 when own_verified_events >= 1 then 12 else 0 end
    + case when final_score >= 80 then 10 when final_score >= 65 then 8 when final_score >= 50 then 6
        when final_score >= 35 then 4 when final_score >= 20 then 2 else 0 end
    + case when frozen_at is null then 0 else 1 end
  )::smallint) stored
) with (
  fillfactor = 70, -- space for heap-only updates
  -- Index-only reads need a fresh visibility map, and the planner needs to know how many rows each
  -- bucket has.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);
alter table score alter column facet_bucket set statistics 500;
-- One index for each order of the list of users, bucket by bucket. It includes the other columns
-- that filters read, so rows that a filter leaves out are not fetched from the wide table. A search
-- that finds many subjects is such a filter. The two indexes that start with a date also include the
-- keys of the other orders: where a range of dates leaves few rows, the service collects those by
-- date and sorts them.
create index score_book_by_score on score (platform_id, livemode, facet_bucket, final_score, subject_id)
  include (last_activity_at, registered_at, own_verified_events, search_text);
create index score_book_by_activity on score (platform_id, livemode, facet_bucket, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events, external_id, search_text);
create index score_book_by_registration on score (platform_id, livemode, facet_bucket, registered_at, subject_id)
  include (final_score, last_activity_at, own_verified_events, external_id, search_text);
create index score_book_by_external_id on score (platform_id, livemode, facet_bucket, external_id, subject_id)
  include (final_score, last_activity_at, registered_at, own_verified_events, search_text);
-- Subjects whose imported history is older than their registration: a walk by activity that starts
-- at a date of registration would miss them. The query in bookStore.ts must have the same
-- condition.
create index score_book_backdated on score (platform_id, livemode, facet_bucket, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events, search_text)
  where registered_at - last_activity_at > interval '24 hours';
-- the daily decay sweep walks through scores whose ages were taken on an earlier day, each once
create index score_by_day_and_subject on score (as_of, subject_id);
-- The operator's list of frozen scores. Few scores are frozen at a time, so the index is small.
create index score_frozen on score (frozen_at, subject_id) where frozen_at is not null;

-- the walk through scores that are still to be computed again: empty in a new installation

-- Every published change of a score, in order (RULES S15). Append-only, as the ledger it follows
-- from.
create table score_snapshot (
  subject_id uuid not null,
  snapshot_no integer not null, -- 1, 2, 3 …; retention leaves gaps
  platform_id uuid not null,
  livemode boolean not null,
  final_score numeric(5, 2) not null,
  score_band text not null,
  confidence numeric(5, 4) not null,
  behavioral_quality numeric(5, 2) not null,
  total_events integer not null,
  verified_events integer not null,
  previous_score numeric(5, 2),
  reason text, -- null: new events; 'decay', 'velocity_cleared', 'formula_changed' …
  factors json not null, -- the attribution, in points
  formula_version text not null,
  as_of integer not null,
  -- {subject id: ledger position} of every member of the record at that moment
  positions json not null,
  computed_at timestamptz not null,
  -- Decay snapshots are thinned to one a month (RULES O3). Retention reads each once: it deletes
  -- the row, or sets this.
  is_kept boolean not null default false,
  -- The six components: policies compare the next change with them
  components json not null,
  -- The reasons that were stated with the score, so that a proof of it shows them: codes as {adverse,
  -- supporting}. `factors` has the points.
  reason_codes json not null,
  primary key (subject_id, snapshot_no)
);
-- analytics reads one platform over a range of time
create index score_snapshot_by_platform on score_snapshot (platform_id, livemode, computed_at);
-- what retention has not looked at yet
create index score_snapshot_to_thin on score_snapshot (computed_at) where reason = 'decay' and not is_kept;
-- The largest moves of each day, for movers of a large book. Decay moves a score by less.
create index score_snapshot_by_step on score_snapshot
  (platform_id, livemode, ((computed_at at time zone 'UTC')::date), (final_score - previous_score))
  where final_score - previous_score >= 1 or final_score - previous_score <= -1;

-- Insert-only and without a unique key: an upsert would lose the event that arrives while a worker
-- holds the row, or it would delay the append.
create table recompute_queue (
  queue_id bigint generated always as identity primary key,
  record_id uuid not null,
  reason text, -- as in score_snapshot
  enqueued_at timestamptz not null
);
-- a worker takes all rows of the records it has locked, also while a decay sweep has filled the
-- queue
create index recompute_queue_by_record on recompute_queue (record_id);

-- Records whose score could not be computed. Their queue rows stay. Workers skip them until
-- `retry_at` and then compute each by itself, so that it delays no other record.
create table recompute_failure (
  record_id uuid primary key,
  failed_attempts integer not null, -- since the last success
  failing_since timestamptz not null,
  retry_at timestamptz not null,
  error text not null -- of the latest attempt
);

-- Members of this group's records that live in other groups, with what their group's published score
-- counts of them.
create table remote_member (
  subject_id uuid primary key,
  record_id uuid not null,
  group_id integer not null,
  platform_id uuid not null,
  subject_type text not null,
  registered_at timestamptz not null,
  position integer not null, -- of the member's ledger, up to which the tallies count
  verified_events integer not null,
  last_activity_at timestamptz,
  tallies json not null -- {days, codes, counts}: the columns of its rows in `tally`
);
create index remote_member_by_record on remote_member (record_id);

-- What the other groups of a record are about to get: the newest state of each member.
create table tally_outbox (
  outbox_id bigint generated always as identity primary key,
  subject_id uuid not null,
  record_id uuid not null,
  position integer not null,
  verified_events integer not null,
  last_activity_at timestamptz,
  tallies json not null,
  -- as in record_freeze
  freeze_no integer not null,
  frozen_at timestamptz,
  ended_at timestamptz
);
-- a newer state replaces the older one
create index tally_outbox_by_subject on tally_outbox (subject_id);

-- Whether such a record is frozen. The groups exchange the row, and the highest number wins.
create table record_freeze (
  record_id uuid primary key,
  freeze_no integer not null, -- rises with each freeze and its end
  frozen_at timestamptz, -- null: the last freeze has ended
  ended_at timestamptz -- when the last one ended
);

-- The application may run as a role that does not own these tables (ledger/roles). It has no right to
-- delete from the ledger, nor to change an external id. What it needs of that are functions with the
-- rights of the owner. Each does only what its name says, whatever it is called with. In PL/pgSQL: Citus
-- plans no statement with a parameter of a SQL function.
do $do$
begin
  -- A fixed search path: else the caller could put tables of its own before ours.
  execute format($statement$
    create function delete_test_subjects(platform uuid) returns setof uuid
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      return query delete from subject where platform_id = platform and not livemode returning subject_id;
    end
    $body$;

    -- Rows of test subjects. Tallies do not know their mode, so those of a live subject are kept.
    create function delete_test_facts(subject_ids uuid[]) returns bigint
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    declare
      events bigint;
    begin
      delete from event where subject_id = any(subject_ids) and not livemode;
      get diagnostics events = row_count;
      delete from declaration_fact where subject_id = any(subject_ids) and not livemode;
      delete from dispute where subject_id = any(subject_ids) and not livemode;
      delete from review where subject_id = any(subject_ids) and not livemode;
      delete from score_snapshot where subject_id = any(subject_ids) and not livemode;
      delete from tally where subject_id = any(subject_ids) and not exists (
        select 1 from subject s where s.subject_id = tally.subject_id and s.livemode
      );
      return events;
    end
    $body$;

    create function delete_test_erasures(subject_ids uuid[]) returns void
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      delete from erasure where subject_id = any(subject_ids) and not livemode;
    end
    $body$;

    -- Retention thins snapshots that only show decay (RULES O3).
    create function delete_decay_snapshots(subject_ids uuid[], numbers integer[]) returns bigint
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    declare
      deleted bigint;
    begin
      delete from score_snapshot
      using unnest(subject_ids, numbers) as surplus (subject_id, snapshot_no)
      where score_snapshot.subject_id = surplus.subject_id
        and score_snapshot.snapshot_no = surplus.snapshot_no and score_snapshot.reason = 'decay';
      get diagnostics deleted = row_count;
      return deleted;
    end
    $body$;

    -- Makes the row of a recorded erasure anonymous, or a row without an external id, so that appends
    -- fail. `is_scored` without a score keeps it out of every list of users.
    create function clear_erased_subject(erased uuid) returns void
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      insert into subject as known (subject_id, platform_id, livemode, external_id, record_id, registered_at, is_scored)
      select subject_id, platform_id, livemode, null, subject_id, at, true from erasure where subject_id = erased
      on conflict (subject_id) do update
        set external_id = null, display_name = null, named_at = null, search_text = null, is_scored = true;
    end
    $body$;
  $statement$, current_schema());
end
$do$;
revoke execute on function delete_test_subjects(uuid) from public;
revoke execute on function delete_test_facts(uuid[]) from public;
revoke execute on function delete_test_erasures(uuid[]) from public;
revoke execute on function delete_decay_snapshots(uuid[], integer[]) from public;
revoke execute on function clear_erased_subject(uuid) from public;
