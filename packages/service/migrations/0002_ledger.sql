-- The ledger and what is derived from it. On Citus all of these are distributed by subject_id and colocated, so
-- subject_id leads every primary key.

create table subject (
  subject_id uuid primary key, -- UUIDv8 of SHA-256 (platform, mode, external id): an append needs no read
  platform_id uuid not null,
  livemode boolean not null,
  external_id text collate "C" not null,
  subject_type text not null default 'PERSON' check (subject_type in ('PERSON', 'AGENT', 'ORGANIZATION')),
  record_id uuid not null, -- whose score this is: the subject's own id, or the one shared by all linked subjects
  -- Length of this subject's ledger. Every append raises it first and so holds the row until it commits: events of one
  -- subject get gapless positions in commit order, which is what a snapshot names as the state it was computed from.
  event_count integer not null default 0,
  last_activity_at timestamptz, -- latest occurrence among its events
  velocity_cleared_at timestamptz, -- the velocity guard counts from here on
  registered_at timestamptz not null
) with (fillfactor = 70); -- room for heap-only updates of event_count, the hottest write of all

-- the book of one platform by external id, and the walk of a test reset
create index subject_book on subject (platform_id, livemode, external_id);
-- members of a record: the recompute reads all of them
create index subject_by_record on subject (record_id);

create table event (
  subject_id uuid not null,
  event_id uuid not null, -- UUIDv7, so its order is that of created_at
  platform_id uuid not null,
  livemode boolean not null,
  position integer not null, -- 1, 2, 3 … within the subject
  event_type text not null,
  stake_level text not null,
  is_verified boolean not null,
  platform_tier text not null,
  transaction_value numeric,
  due_date timestamptz,
  completed_at timestamptz,
  metadata json, -- json, not jsonb: stored as given
  imported boolean not null default false, -- came by POST /imports: the velocity guard leaves it out
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(), -- lets a page stop before transactions that may still commit
  primary key (subject_id, event_id)
);

-- export, activity and analytics of one platform in order of writing; also finds an event by its id
create index event_by_platform on event (platform_id, livemode, event_id);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger event_never_deleted before delete on event
  for each row when (old.livemode) execute function refuse_ledger_change();
-- neither can a test event be passed off as a live one
create trigger event_never_changed before update on event
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger event_never_truncated before truncate on event
  for each statement execute function refuse_ledger_change();

-- Integer counts that the formula weighs (SCORING "Order independence"). `code` packs platform tier, event type, stake,
-- verified and timeliness (tallyCodeOf in packages/scoring); `day` counts days since 1970-01-01 UTC.
create table tally (
  subject_id uuid not null,
  day integer not null,
  code smallint not null,
  count integer not null,
  primary key (subject_id, day, code)
) with (fillfactor = 80);

-- The score as last computed. Reads never compute.
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
  total_events integer not null,    -- of the record
  verified_events integer not null, -- of the record
  own_events integer not null,          -- of this subject alone: what its platform's book shows
  own_verified_events integer not null,
  last_activity_at timestamptz,         -- likewise
  frozen_at timestamptz, -- set by the velocity guard; until cleared the figures stand still
  detail json not null,  -- factors, components and reasons of this very score
  formula_version text not null,
  as_of integer not null,   -- day the ages were taken at
  position integer not null, -- ledger position of the subject the score rests on
  snapshot_no integer not null, -- its latest snapshot
  computed_at timestamptz not null
) with (fillfactor = 70);

-- the book's default order, by score
create index score_book on score (platform_id, livemode, final_score desc, subject_id);
-- the daily decay sweep: scores whose ages were taken on an earlier day
create index score_by_day on score (as_of);

-- Every published change of a score, in order. Append-only like the ledger it follows from.
create table score_snapshot (
  subject_id uuid not null,
  snapshot_no integer not null, -- 1, 2, 3 …
  platform_id uuid not null,
  livemode boolean not null,
  final_score numeric(5, 2) not null,
  score_band text not null,
  confidence numeric(5, 4) not null,
  behavioral_quality numeric(5, 2) not null,
  total_events integer not null,
  verified_events integer not null,
  previous_score numeric(5, 2),
  reason text,         -- null: events; decay; velocity_cleared
  factors json not null, -- the attribution, in points
  formula_version text not null,
  as_of integer not null,
  positions json not null, -- {subject id: ledger position} of every member of the record at that moment
  computed_at timestamptz not null,
  primary key (subject_id, snapshot_no)
);

-- Insert-only and without a unique key (DESIGN "One event's way" 3). A queue, so a local table on Citus.
create table recompute_queue (
  queue_id bigint generated always as identity primary key,
  record_id uuid not null,
  reason text, -- as in score_snapshot
  enqueued_at timestamptz not null
);

-- the worker takes all rows of the records it has locked, also while a decay sweep has filled the queue
create index recompute_queue_by_record on recompute_queue (record_id);
