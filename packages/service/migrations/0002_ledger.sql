-- The ledger and everything derived from it. subject_id leads the primary keys, because Citus
-- shards by it.

-- A person, agent or organization as one platform and mode knows it (RULES U1).
create table subject (
  -- UUIDv8 of SHA-256(platform, mode, external id): an append needs no read
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  external_id text collate "C" not null,
  subject_type text not null default 'PERSON' check (subject_type in ('PERSON', 'AGENT', 'ORGANIZATION')),
  record_id uuid not null, -- the subject's own id, or the id that all linked subjects share
  -- Length of the subject's ledger. Each append raises it first and so holds the row until commit.
  -- That gives the subject's events gapless positions in commit order, and a snapshot names the
  -- position it was computed from (RULES E4).
  event_count integer not null default 0,
  last_activity_at timestamptz, -- latest occurrence among its events
  velocity_cleared_at timestamptz, -- the velocity guard counts from here on
  registered_at timestamptz not null,
  -- Whether a score exists. False may lag behind and true never does, so readers of the partial
  -- indexes below check.
  is_scored boolean not null default false,
  -- The reporting platform operates or controls the subject, so its own word verifies nothing
  -- (RULES V5). The column is here and not only in declaration_fact because every append holds this
  -- row.
  is_own boolean not null default false,
  -- Number of the declaration_fact in force. An append that claims verification names the number it
  -- was judged by.
  declaration_no integer not null default 0
) with (fillfactor = 70); -- space for heap-only updates of event_count, the most frequent write

-- looks a platform's subjects up by external id, and serves the reset of test data
create index subject_book on subject (platform_id, livemode, external_id);
-- a recompute reads all members of a record
create index subject_by_record on subject (record_id);
-- The subjects without a score, in each order of the list of users: by id (for orders by score), by
-- registration and by external id. They are few: registered before their first event, or waiting
-- for their first recompute.
create index subject_unscored on subject (platform_id, livemode, subject_id) include (subject_type, registered_at)
  where not is_scored;
create index subject_unscored_by_registration on subject (platform_id, livemode, registered_at, subject_id)
  include (subject_type) where not is_scored;
create index subject_unscored_by_external_id on subject (platform_id, livemode, external_id, subject_id)
  include (subject_type, registered_at) where not is_scored;

-- The ledger itself. Append-only: the triggers below refuse changes of live rows (RULES E1, E2).
create table event (
  subject_id uuid not null,
  event_id uuid not null, -- UUIDv7 made at created_at, so both sort alike
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
  metadata json, -- json, not jsonb: stored exactly as given (RULES E7)
  -- Came with POST /imports: the velocity guard does not count it (RULES J7)
  imported boolean not null default false,
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  dispute_id uuid, -- set on events that the service writes about a dispute
  -- An outcome of a dispute names the event it closes. From this position on the closed event does
  -- not count (RULES D6).
  closes_event_id uuid,
  -- Who confirmed the event; only the service writes it (RULES V8). Null: unverified, or verified
  -- on the reporter's word.
  attester text,
  by_operator boolean, -- true: rests on the word of the subject's operator; null: does not
  primary key (subject_id, event_id)
);

-- export, activity and analytics of one platform in the order of writing; also finds an event by
-- its id
create index event_by_platform on event (platform_id, livemode, event_id);
-- an event is closed once, whatever goes wrong
create unique index event_closes on event (subject_id, closes_event_id) where closes_event_id is not null;

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger event_never_deleted before delete on event
  for each row when (old.livemode) execute function refuse_ledger_change();
-- `new.livemode`: nor does a test event become a live one
create trigger event_never_changed before update on event
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger event_never_truncated before truncate on event
  for each statement execute function refuse_ledger_change();

-- What a subject was declared to be, from 1 on. The last one is in force (RULES V9).
create table declaration_fact (
  subject_id uuid not null,
  number integer not null,
  platform_id uuid not null,
  livemode boolean not null,
  is_own boolean not null, -- the platform operates or controls the subject
  facts json not null, -- as domain/declaredSubject writes them
  -- Judges the subject's events behind this position, up to the next declaration
  after_position integer not null,
  declared_at timestamptz not null,
  primary key (subject_id, number)
);

create trigger declaration_never_deleted before delete on declaration_fact
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger declaration_never_changed before update on declaration_fact
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger declaration_never_truncated before truncate on declaration_fact
  for each statement execute function refuse_ledger_change();

-- Which subject joined or left which record (RULES L3). subject.record_id follows from these rows,
-- as tallies follow from events (RULES E13).
create table subject_link (
  subject_id uuid not null,
  -- 1, 2, 3 … within the subject, in commit order: clocks of two processes may disagree
  position integer not null,
  link_id uuid not null, -- UUIDv7 made at `at`
  platform_id uuid not null, -- the subject's own
  -- The record that was joined or left; a subject that leaves is a record of its own again
  record_id uuid not null,
  action text not null check (action in ('linked', 'unlinked')),
  -- The subject's latest snapshot then; later ones rest on the new set of members
  snapshot_no integer not null,
  at timestamptz not null,
  primary key (subject_id, position)
);

-- No `when`: test subjects never link (RULES L1), so a reset of test data needs no exception.
create trigger subject_link_never_changed before update or delete on subject_link
  for each row execute function refuse_ledger_change();
create trigger subject_link_never_truncated before truncate on subject_link
  for each statement execute function refuse_ledger_change();

-- A dispute is about one event. Each event is disputed at most once, and each dispute ends by rule
-- (RULES D1, D2).
create table dispute (
  subject_id uuid not null,
  dispute_id uuid not null, -- UUIDv7 made at opened_at
  platform_id uuid not null,
  livemode boolean not null,
  event_id uuid not null, -- the disputed event
  -- Its DISPUTE_FILED; null: it opened with a TRANSACTION_DISPUTED, which weighs by itself
  filed_event_id uuid,
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER')),
  lapsed boolean not null default false,
  opened_at timestamptz not null,
  respond_by timestamptz not null,
  resolved_at timestamptz,
  outcome_event_id uuid,
  xid xid8 not null default pg_current_xact_id(), -- of its opening
  primary key (subject_id, dispute_id),
  unique (subject_id, event_id)
);
-- finds a dispute by its id alone, also where a caller names one of another platform
create index dispute_by_id on dispute (dispute_id);
-- the listing of a platform, newest first: all, or the few that are open
create index dispute_by_platform on dispute (platform_id, livemode, dispute_id);
create index dispute_open on dispute (platform_id, livemode, dispute_id) where status = 'OPEN';
-- the sweep finds disputes whose window has ended
create index dispute_due on dispute (respond_by) where status = 'OPEN';

-- Settings of the environment that decide what the ledger holds, from the start of the first process
-- with the value on. The audit recomputes by the value that was in force.
create table setting_in_force (
  name text not null,
  value bigint not null,
  since timestamptz not null,
  primary key (name, since)
);
create trigger setting_in_force_never_changed before update or delete on setting_in_force
  for each row execute function refuse_ledger_change();
create trigger setting_in_force_never_truncated before truncate on setting_in_force
  for each statement execute function refuse_ledger_change();

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
  -- Facet bucket: one number for type, verified events (0, 1, 5, 20 and more), band and frozen
  -- flag. A filter on any of these names the buckets that match (facets of the list of users know
  -- the same numbers), and a page merges the first rows of each. A page therefore costs the same
  -- however rare its rows are. The limits of the bands are those of the score.
  shelf smallint not null generated always as ((
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
alter table score alter column shelf set statistics 500;

-- One index for each order of the list of users, bucket by bucket. It includes the other columns
-- that filters read, so rows that a filter leaves out are not fetched from the wide table. The two
-- that start with a date also include the keys of the other orders: where a range of dates leaves
-- few rows, the service collects those by date and sorts them.
create index score_book_by_score on score (platform_id, livemode, shelf, final_score, subject_id)
  include (last_activity_at, registered_at, own_verified_events);
create index score_book_by_activity on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events, external_id);
create index score_book_by_registration on score (platform_id, livemode, shelf, registered_at, subject_id)
  include (final_score, last_activity_at, own_verified_events, external_id);
create index score_book_by_external_id on score (platform_id, livemode, shelf, external_id, subject_id)
  include (final_score, last_activity_at, registered_at, own_verified_events);
-- Subjects whose imported history is older than their registration: a walk by activity that starts
-- at a date of registration would miss them. The query in bookStore.ts must have the same
-- condition.
create index score_book_backdated on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events)
  where registered_at - last_activity_at > interval '24 hours';
-- the daily decay sweep walks through scores whose ages were taken on an earlier day, each once
create index score_by_day_and_subject on score (as_of, subject_id);
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
  -- The six components, so that a policy can be tried on history
  components json not null,
  primary key (subject_id, snapshot_no)
);
-- previews of policies and analytics read one platform over a range of time
create index score_snapshot_by_platform on score_snapshot (platform_id, livemode, computed_at);
-- what retention has not looked at yet
create index score_snapshot_to_thin on score_snapshot (computed_at) where reason = 'decay' and not is_kept;

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

-- One row per Idempotency-Key, committed together with what the request wrote (RULES I1).
create table idempotency (
  key_id uuid primary key, -- UUIDv8 of SHA-256(platform or operator, mode, key)
  platform_id uuid, -- null: the operator
  livemode boolean not null,
  fingerprint bytea not null, -- SHA-256 of method, path, query and body
  status smallint,
  answer json, -- what the response is rendered from
  -- Used in place of `answer` when that contains a secret: only the caller's own key opens it
  -- (RULES I4)
  sealed bytea,
  created_at timestamptz not null
);
-- retention
create index idempotency_by_age on idempotency (created_at);
-- reset of test data
create index idempotency_by_platform on idempotency (platform_id, livemode);

-- Item keys live as long as their event (RULES I5).
create table item_key (
  key_id uuid primary key, -- UUIDv8 of SHA-256(platform, mode, key)
  platform_id uuid not null,
  livemode boolean not null,
  subject_id uuid not null,
  event_id uuid not null,
  -- SHA-256 of the event's content: tells a repeat from a different event under the same key
  fingerprint bytea not null
);
-- reset of test data
create index item_key_by_platform on item_key (platform_id, livemode);
