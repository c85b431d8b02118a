--- 0001_platforms.sql
-- Platforms and their keys. Small, read by every request through a cache; on Citus reference tables (DESIGN "Storage").

create table platform (
  platform_id uuid primary key,
  name text not null,
  -- what reports of this platform weigh; copied onto each event, so that a later change never rewrites history (SCORING)
  trust_tier text not null check (trust_tier in ('ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED')),
  plan text not null check (plan in ('starter', 'growth', 'enterprise')),
  velocity_exempt boolean not null default false,
  is_active boolean not null default true,
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0), -- null: the plan's own
  monthly_quota bigint check (monthly_quota >= 0),                  -- null: the plan's own, 0: unlimited
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table api_key (
  key_id uuid primary key,
  platform_id uuid not null references platform,
  key_hash bytea not null unique, -- SHA-256 of the key; the key itself is kept nowhere. Unique: authentication looks it up
  label text,
  scopes text[] not null default '{}', -- empty: unscoped
  livemode boolean not null,
  is_active boolean not null default true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null
);

-- lists the keys of one platform, newest first
create index api_key_by_platform on api_key (platform_id, key_id);
--- 0002_ledger.sql
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
--- 0003_operations.sql
-- Exactly-once writes, the audit trail, and what the installation knows of itself.

-- One row per Idempotency-Key, committed together with what the request wrote. Distributed by key on Citus.
create table idempotency (
  key_id uuid primary key, -- UUIDv8 of SHA-256 (platform or operator, mode, key)
  platform_id uuid,        -- null: the operator
  livemode boolean not null,
  fingerprint bytea not null, -- SHA-256 of method, path, query and body
  status smallint,
  answer json,   -- what the answer is rendered from
  sealed bytea,  -- in its place, when the answer holds a secret: only the caller's own key opens it
  created_at timestamptz not null
);
create index idempotency_by_age on idempotency (created_at);                  -- retention
create index idempotency_by_platform on idempotency (platform_id, livemode); -- test reset

-- Item keys stand as long as their event does. Distributed by key on Citus.
create table item_key (
  key_id uuid primary key, -- UUIDv8 of SHA-256 (platform, mode, key)
  platform_id uuid not null,
  livemode boolean not null,
  subject_id uuid not null,
  event_id uuid not null,
  fingerprint bytea not null -- SHA-256 of the event's content: a repeat with other content is told so
);
create index item_key_by_platform on item_key (platform_id, livemode); -- test reset

-- Who did what. EVENT_CREATED is read from the ledger, not stored twice (part 4.3). Distributed by platform on Citus.
create table activity (
  platform_id uuid not null,
  activity_id uuid not null, -- UUIDv7
  livemode boolean not null,
  action text not null,
  actor text not null, -- 'key:<id>', 'operator' or 'service'
  target text,
  subject_id uuid,
  details json,
  at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, activity_id)
);
create index activity_by_subject on activity (subject_id, activity_id) where subject_id is not null; -- audit log of a subject

-- One row a minute while the service runs: the uptime history of /status.json.
create table status_sample (
  sampled_at timestamptz primary key,
  is_ok boolean not null
);

-- One row. Transaction ids start over when a backup is restored into another cluster, so rows written before
-- `cluster_since` are settled whatever their xid says.
create table installation (
  only_row boolean primary key default true check (only_row),
  cluster_id text not null,
  cluster_since timestamptz not null
);

-- A worker process says here that it lives.
create table worker_heartbeat (
  worker_id uuid primary key,
  beat_at timestamptz not null
);
--- 0004_usage.sql
-- What platforms call, by day. Counted in memory and written once a second, so a busy row is updated, not multiplied.
-- Grows with platforms and days: on Citus all three are distributed by platform_id, which leads every primary key.

create table usage_daily (
  platform_id uuid not null,
  livemode boolean not null,
  day date not null, -- UTC
  route text not null, -- as the route table names it: 'GET /users/{id}/score'
  status_class text not null check (status_class in ('ok', 'clientError', 'serverError')),
  requests bigint not null,
  calls bigint not null, -- what billing counts: a request is one call, a CSV export one per started 1000 rows
  primary key (platform_id, livemode, day, route, status_class)
) with (fillfactor = 70); -- room for heap-only updates: the rows of today change every second
create index usage_daily_by_age on usage_daily (day); -- retention

-- Calls of a UTC calendar month that count against the quota. Apart from usage_daily, since not every request does.
create table quota_usage (
  platform_id uuid not null,
  period date not null, -- first day of the month
  used bigint not null,
  primary key (platform_id, period)
) with (fillfactor = 70);

-- Who has come near the end of a month's quota, once a month.
create table quota_warning (
  platform_id uuid not null,
  period date not null,
  at timestamptz not null,
  used bigint not null,
  cap bigint not null,
  primary key (platform_id, period)
);
--- 0006_activity2.sql
-- Reading the audit trail, and what retention deletes.

-- the trail of one platform and mode, all of it or one action alone, newest first
create index activity_by_mode on activity (platform_id, livemode, activity_id);
create index activity_by_action on activity (platform_id, livemode, action, activity_id);
-- retention walks from the oldest on
create index activity_by_age on activity (at);

-- Decay snapshots are thinned to one a month (DECISIONS 9). Retention looks at each of them once: it deletes it, or notes
-- here that it stays. So the numbers of a subject's snapshots may have gaps.
alter table score_snapshot add column is_kept boolean not null default false;
create index score_snapshot_to_thin on score_snapshot (computed_at) where reason = 'decay' and not is_kept;
--- 0007_outbox.sql
-- What happened reaches the platform: envelopes, where they go, and what they are sent for.

-- Everything that is told, once per platform: the text that webhooks, channels and streams send. Written in the transaction
-- of what it tells of. Grows with platforms: on Citus distributed by platform_id, as delivery is.
create table envelope (
  platform_id uuid not null,
  envelope_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  type text not null,
  subject_id uuid, -- whom it is about: a reset of test data takes it along
  body text not null, -- the very bytes that are sent
  only_target uuid, -- for this target alone: a test delivery, which streams leave out
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, envelope_id)
);
-- Streams read on behind (xid, id): rows of transactions that have all ended, so nothing can come to sort before them.
create index envelope_in_order on envelope (platform_id, livemode, xid, envelope_id);
-- retention; rows come in the order of time, so summaries of blocks do and cost a writer nothing
create index envelope_by_age on envelope using brin (created_at);

-- What is still to be delivered: a row per target and envelope. A queue, so a local table on Citus.
create table outbox_queue (
  target_id uuid not null, -- webhook or notification channel
  envelope_id uuid not null,
  platform_id uuid not null,
  kind text not null check (kind in ('webhook', 'channel')),
  attempt integer not null default 1, -- number of the attempt that comes next
  -- When it comes. Whoever takes the row moves this into the future: should it die, the row is due again by itself.
  due_at timestamptz not null,
  claim uuid, -- of who has taken the row: what it records later counts only while the row is still its own
  primary key (target_id, envelope_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- a lane: what is due for one target, oldest first; also walks from target to target
create index outbox_queue_lane on outbox_queue (target_id, due_at, envelope_id);

create table webhook (
  webhook_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  url text not null,
  events text[] not null,
  description text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea, -- signs along until previous_ends_at
  previous_ends_at timestamptz,
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'failing')), -- null: active, or switched off by its owner
  failing_since timestamptz, -- first failure after the last success
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- endpoints of one platform and mode, to list them and to fan envelopes out
create index webhook_by_platform on webhook (platform_id, livemode, webhook_id);

-- The log of attempts, one row each, never changed.
create table delivery (
  platform_id uuid not null,
  delivery_id uuid not null, -- UUIDv7
  webhook_id uuid not null,
  envelope_id uuid not null,
  type text not null,
  status text not null check (status in ('succeeded', 'failed')),
  attempt integer not null,
  response_status integer,
  latency_ms integer not null,
  response_body text, -- its first KiB
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, delivery_id)
);
-- the log of one endpoint, newest first; and what of it failed, a needle in a haystack most days
create index delivery_by_webhook on delivery (webhook_id, delivery_id);
create index delivery_failed on delivery (webhook_id, delivery_id) where status = 'failed';
create index delivery_by_age on delivery using brin (created_at); -- retention

create table notification_channel (
  channel_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  type text not null check (type in ('slack', 'email')),
  sealed_target bytea not null,
  masked_target text not null,
  is_active boolean not null default true,
  last_sent_at timestamptz,
  last_error text, -- null: the last message was taken
  created_at timestamptz not null
);
create index notification_channel_by_platform on notification_channel (platform_id, livemode, channel_id);

-- Evaluated by the recompute, in the transaction that writes the score.
create table monitor (
  monitor_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  subject_id uuid not null,
  below_score numeric(5, 2),
  above_score numeric(5, 2),
  on_band_change boolean not null default false,
  is_active boolean not null default true,
  last_triggered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (below_score is not null or above_score is not null or on_band_change)
);
create index monitor_by_platform on monitor (platform_id, livemode, monitor_id);
create index monitor_to_evaluate on monitor (subject_id) where is_active;

create table policy (
  policy_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  name text not null,
  metric text not null check (metric in ('score', 'component', 'verified_events', 'band')),
  direction text not null check (direction in ('below', 'above', 'enter', 'leave')),
  threshold numeric,
  component text,
  band text,
  subject_id uuid, -- null: the whole book
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index policy_by_platform on policy (platform_id, livemode, policy_id);
create index policy_by_subject on policy (subject_id) where subject_id is not null; -- test reset

-- The six components at that moment, so that a policy can be tried on history. Null: written before they were kept.
alter table score_snapshot add column components json;
-- the history of one platform over a span of time: previews of policies, analytics
create index score_snapshot_by_platform on score_snapshot (platform_id, livemode, computed_at);

-- An open live stream, so that all processes together keep to a platform's cap. A process that dies stops saying that it lives.
create table stream_seat (
  seat_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  process_id uuid not null,
  seen_at timestamptz not null
);
create index stream_seat_by_platform on stream_seat (platform_id, livemode);

-- Keys the service signs with. The private part is sealed under DATA_KEY.
create table signing_key (
  key_id text primary key, -- JWK thumbprint (RFC 7638)
  purpose text not null,   -- 'message': RFC 9421 signatures of deliveries
  public_jwk json not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz -- signs no more, but stays published for a while
);
-- at most one key of a purpose signs
create unique index signing_key_in_use on signing_key (purpose) where retired_at is null;

-- A text sealed under DATA_KEY: tells a start with another key apart from the right one before anything is sealed with it.
alter table installation add column data_key_check bytea;
--- 0008_book.sql
-- The book of a platform at a million subjects: any filter, order and page from indexes alone.

-- What a filter or an order of the book reads stands in one row, so that one index can answer for all of it. The first two
-- never change; the type is written anew by each recompute.
alter table score
  add column external_id text collate "C",
  add column subject_type text,
  add column registered_at timestamptz;
update score set external_id = s.external_id, subject_type = s.subject_type, registered_at = s.registered_at
  from subject s where s.subject_id = score.subject_id;
alter table score
  alter column external_id set not null,
  alter column subject_type set not null,
  alter column registered_at set not null;

-- The shelf of a row: one number for its type, verified events (none, 1, 5, 20 and more), band and frozen flag. A filter on
-- any of these names the shelves that pass (features/users/shelves.ts knows the same numbers), and a page merges the
-- first rows of each. So a page costs the same however rare its rows are: nothing is walked past in search of them. Bands are
-- ranges of the score, fixed by INTERFACE 2.2.
alter table score add column shelf smallint not null generated always as ((
  case subject_type when 'PERSON' then 0 when 'AGENT' then 48 else 96 end
  + case when own_verified_events >= 20 then 36 when own_verified_events >= 5 then 24 when own_verified_events >= 1 then 12 else 0 end
  + case when final_score >= 80 then 10 when final_score >= 65 then 8 when final_score >= 50 then 6
      when final_score >= 35 then 4 when final_score >= 20 then 2 else 0 end
  + case when frozen_at is null then 0 else 1 end
)::smallint) stored;

-- One index for each order, shelf by shelf. The other columns that filters ask for ride along: what a filter leaves out is
-- then never fetched from the wide rows of the table. Where dates leave few, these are gathered by their date and sorted, so
-- the two that begin with a date bring along what the other orders go by.
drop index score_book;
create index score_book_by_score on score (platform_id, livemode, shelf, final_score, subject_id)
  include (last_activity_at, registered_at, own_verified_events);
create index score_book_by_activity on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events, external_id);
create index score_book_by_registration on score (platform_id, livemode, shelf, registered_at, subject_id)
  include (final_score, last_activity_at, own_verified_events, external_id);
create index score_book_by_external_id on score (platform_id, livemode, shelf, external_id, subject_id)
  include (final_score, last_activity_at, registered_at, own_verified_events);
-- History that was imported when its subject was already late to the book: the few whom a walk by activity from a date of
-- registration on would miss (features/users/bookStore.ts). The condition there and here must be the same.
create index score_book_backdated on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events)
  where registered_at - last_activity_at > interval '24 hours';

-- Reading from indexes alone needs a fresh visibility map, and a planner that knows how many rows stand on which shelf.
alter table score set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
alter table score alter column shelf set statistics 500;

-- Subjects without a score are few: those registered ahead of their first event, and those whose first recompute is about to run.
-- False may lag behind, true never does: readers of the index below look whether there is a score after all.
alter table subject add column is_scored boolean not null default false;
update subject set is_scored = true where exists (select 1 from score where score.subject_id = subject.subject_id);
-- the part of the book that has no score, in each of its orders: by id (where the order goes by a score), registration and name
create index subject_unscored on subject (platform_id, livemode, subject_id) include (subject_type, registered_at)
  where not is_scored;
create index subject_unscored_by_registration on subject (platform_id, livemode, registered_at, subject_id)
  include (subject_type) where not is_scored;
create index subject_unscored_by_external_id on subject (platform_id, livemode, external_id, subject_id)
  include (subject_type, registered_at) where not is_scored;
--- 0009_links.sql
-- Linked subjects (DECISIONS 1): several platforms' aliases of one person, agent or organisation, with one record and one score.

-- What a platform hands out for a subject, for another one to bring in. Using it deletes its row, so of two uses at one moment
-- the second finds nothing.
create table link_token (
  token_hash bytea primary key, -- SHA-256: the token itself is kept nowhere
  subject_id uuid not null,
  expires_at timestamptz not null
);
create index link_token_by_end on link_token (expires_at); -- retention

-- Who joined which record, and who left. subject.record_id follows from these facts, as tallies follow from events.
create table subject_link (
  subject_id uuid not null,
  position integer not null, -- 1, 2, 3 … within the subject, in the order of commits: clocks of two processes may disagree
  link_id uuid not null,     -- UUIDv7 made at `at`
  platform_id uuid not null, -- the subject's own
  record_id uuid not null,   -- the one that was joined or left; left, a subject is a record of its own again
  action text not null check (action in ('linked', 'unlinked')),
  -- The latest of the subject's snapshots at that moment. Those after it rest on who is a member from here on.
  snapshot_no integer not null,
  at timestamptz not null,
  primary key (subject_id, position)
);

-- Test subjects never link, so there is nothing that a reset would have to take away.
create trigger subject_link_never_changed before update or delete on subject_link
  for each row execute function refuse_ledger_change();
create trigger subject_link_never_truncated before truncate on subject_link
  for each statement execute function refuse_ledger_change();
--- 0010_indexes.sql
-- every recompute asks for the policies of its platforms, of which only active ones are capped
create index policy_to_evaluate on policy (platform_id, livemode) where is_active;
-- the attempts of one envelope: a replay takes the next number
create index delivery_by_envelope on delivery (webhook_id, envelope_id);
--- 0011_insight.sql
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
--- 0012_jobs.sql
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
--- 0013_imports.sql
-- Imports of CSV files: what became of each, and, while one is under way, the rows that are still to be done.

-- Grows with platforms: on Citus distributed by platform_id.
create table import_job (
  platform_id uuid not null,
  import_id uuid not null, -- UUIDv7; also the id of its job
  livemode boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  trust_tier text not null, -- of the platform when the file came: goes onto each event
  plan json, -- the file's columns and the mapping, as they were when the file came; gone when it is over
  total_rows integer not null,
  created_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  warning_count integer not null default 0,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, import_id)
) with (fillfactor = 70); -- counts move with every chunk
-- a worker knows its job's id alone
create index import_job_by_id on import_job (import_id);

-- What went wrong with single rows, as far as it is kept.
create table import_issue (
  platform_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('error', 'warning')),
  row_no integer not null, -- data row of the file, from 1; 0: the request itself
  issue_no integer not null, -- 1, 2, 3 … of the kind
  code text not null,
  reason text not null,
  primary key (platform_id, import_id, kind, issue_no)
);

-- Rows that are still to be done. A chunk goes in the transaction that records its rows, so where an import stands after whatever
-- has happened is the lowest chunk that is left. Short-lived, so a local table on Citus.
create table import_chunk (
  import_id uuid not null,
  chunk_no integer not null, -- 1, 2, 3 …
  rows text not null, -- JSON: for each row its number in the file and its cells
  primary key (import_id, chunk_no)
);
-- read once and then deleted: compressing it would cost more than it saves
alter table import_chunk alter column rows set storage external;
--- 0014_mappings.sql
-- Mappings that a platform has saved: how records of its own shape become events (DECISIONS 5).
create table saved_mapping (
  platform_id uuid not null,
  mapping_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  name text not null,
  rules json not null, -- as given; json and not jsonb, so that the order of its keys stays its author's
  created_at timestamptz not null,
  primary key (platform_id, mapping_id)
);
-- a name once in each mode
create unique index saved_mapping_by_name on saved_mapping (platform_id, livemode, name);
--- 0015_confirmations.sql
-- Somebody other than the subject says so: requests for confirmation, the tokens that answer them, and campaigns of many at once.

-- Where a counterparty's token leads: who answers has neither a key nor a platform. Of references too.
create table witness_token (
  token_hash bytea primary key, -- SHA-256: the token itself is kept nowhere
  kind text not null check (kind in ('confirmation', 'reference')),
  platform_id uuid not null,
  request_id uuid not null
);

create table activation_campaign (
  platform_id uuid not null,
  campaign_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  name text not null,
  created_at timestamptz not null,
  primary key (platform_id, campaign_id),
  unique (platform_id, livemode, name)
);

create table confirmation (
  platform_id uuid not null,
  confirmation_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  subject_id uuid not null, -- there is no such subject yet where nothing was reported of it
  external_id text not null,
  event_type text not null,
  stake_level text not null,
  transaction_value numeric,
  due_date timestamptz,
  completed_at timestamptz,
  metadata json, -- the platform's own, for the event
  counterparty_ref text not null,
  counterparty_name text,
  description text not null,
  return_url text,
  campaign_id uuid,
  row_key text,
  token_hash bytea not null, -- finds the row of witness_token again
  -- PENDING past expires_at is EXPIRED to every reader; the sweep only writes it down.
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED')),
  event_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  responded_at timestamptz,
  awaiting_told_at timestamptz, -- confirmation.awaiting_response was written
  expiring_told_at timestamptz, -- confirmation.expiring_soon was written
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, confirmation_id),
  check ((campaign_id is null) = (row_key is null)),
  check ((event_id is not null) = (status = 'CONFIRMED'))
);
-- listings, newest first: all of a mode, of one status, of one subject
create index confirmation_in_order on confirmation (platform_id, livemode, confirmation_id);
create index confirmation_by_status on confirmation (platform_id, livemode, status, confirmation_id);
create index confirmation_by_subject on confirmation (subject_id, confirmation_id);
-- a row of a campaign is asked for once; the funnel counts along it
create unique index confirmation_by_row on confirmation (platform_id, campaign_id, row_key) where campaign_id is not null;
-- sweeps: whose window ends, and who has waited long without the platform being told
create index confirmation_to_end on confirmation (expires_at) where status = 'PENDING';
create index confirmation_to_remind on confirmation (created_at) where status = 'PENDING' and awaiting_told_at is null;
--- 0016_profile.sql
-- Qualifications, projects and references (DECISIONS 6 and 8): beside the ledger, never in it. They count in no total and no score
-- is computed from them, so they may be corrected and deleted where an event may not.

-- On Citus distributed by subject_id, as the ledger is.
create table qualification (
  subject_id uuid not null,
  qualification_id uuid not null, -- UUIDv7 made at created_at
  platform_id uuid not null,
  livemode boolean not null,
  event_type text not null
    check (event_type in ('EDUCATION_VERIFIED', 'SKILL_VERIFIED', 'CERTIFICATION_VERIFIED', 'EMPLOYMENT_VERIFIED')),
  title text not null,
  issuer text,
  description text,
  start_date text, -- these two as the claim of a reference words them, a day or a moment
  end_date text,
  issued_at timestamptz,
  expires_at timestamptz,
  url text,
  is_verified boolean not null,
  verified_by text,
  reference_id uuid, -- the reference that a counterparty confirmed; null: reported by the platform
  created_at timestamptz not null,
  primary key (subject_id, qualification_id),
  check (not is_verified or verified_by is not null)
);
create index qualification_in_test on qualification (platform_id) where not livemode; -- reset of test data

create table project (
  subject_id uuid not null,
  project_id uuid not null, -- UUIDv7 made at created_at
  platform_id uuid not null,
  livemode boolean not null,
  title text not null,
  url text not null, -- shown, never opened
  description text,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  primary key (subject_id, project_id)
);
create index project_in_test on project (platform_id) where not livemode; -- reset of test data

-- Somebody other than the subject is asked to vouch for one qualification. Confirmed, it becomes one. Its token stands in witness_token.
create table reference_request (
  platform_id uuid not null,
  reference_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  subject_id uuid not null, -- there is no such subject where nothing was reported of it
  external_id text not null,
  kind text not null check (kind in ('employment', 'education', 'certification', 'skill')),
  title text not null,
  organization text,
  start_date text, -- as the claim words them, a day or a moment
  end_date text,
  description text,
  counterparty_ref text not null,
  counterparty_name text,
  return_url text,
  token_hash bytea not null, -- finds the row of witness_token again
  -- PENDING past expires_at is EXPIRED to every reader; the sweep only writes it down.
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED')),
  qualification_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  responded_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, reference_id),
  check ((qualification_id is not null) = (status = 'CONFIRMED'))
);
-- listings, newest first: all of a mode, of one status, of one subject
create index reference_request_in_order on reference_request (platform_id, livemode, reference_id);
create index reference_request_by_status on reference_request (platform_id, livemode, status, reference_id);
create index reference_request_by_subject on reference_request (subject_id, reference_id);
-- sweep: whose window ends
create index reference_request_to_end on reference_request (expires_at) where status = 'PENDING';
--- 0017_disputes.sql
-- Disputes (DECISIONS 6): each is about one event, at most one ever, and ends by rule.

-- What the dispute engine writes says for which dispute, and an outcome names the filing that it closes: from that position on the
-- filing is left out of the fold (SCORING), live and in every rebuild.
alter table event add column dispute_id uuid, add column closes_event_id uuid;
-- a filing is closed once, whatever goes wrong
create unique index event_closes on event (subject_id, closes_event_id) where closes_event_id is not null;

create table dispute (
  subject_id uuid not null,
  dispute_id uuid not null, -- UUIDv7 made at opened_at
  platform_id uuid not null,
  livemode boolean not null,
  event_id uuid not null, -- the disputed event
  filed_event_id uuid, -- its DISPUTE_FILED; null: it opened with a TRANSACTION_DISPUTED, which weighs by itself
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER')),
  lapsed boolean not null default false,
  opened_at timestamptz not null,
  respond_by timestamptz not null,
  resolved_at timestamptz,
  outcome_event_id uuid,
  xid xid8 not null default pg_current_xact_id(), -- of its opening: lets a listing stop before transactions that may still commit
  primary key (subject_id, dispute_id),
  unique (subject_id, event_id)
);
-- one by its id, also where a caller names that of another platform
create index dispute_by_id on dispute (dispute_id);
-- the listing of a platform, newest first
create index dispute_by_platform on dispute (platform_id, livemode, dispute_id);
-- the same for those that are open, few among many; and what the sweep finds lapsed
create index dispute_open on dispute (platform_id, livemode, dispute_id) where status = 'OPEN';
create index dispute_due on dispute (respond_by) where status = 'OPEN';
--- 0018_credentials.sql
-- What a subject shares with strangers: one token at a time, and the credentials that are issued under it.

-- Opens the public reads of one subject. Live subjects only, so a reset of test data has nothing to take away. On Citus distributed
-- by subject_id, with the score that is shown; a look-up by hash asks all shards, many tokens at a time.
create table share_token (
  subject_id uuid not null,
  token_id uuid not null, -- UUIDv7 made at created_at
  token_hash bytea not null, -- SHA-256: what a reader presents is looked up by it
  sealed_token bytea, -- under DATA_KEY, since the platform is shown an active token again; null once withdrawn
  include_profile boolean not null, -- the subject shares its professional profile as well
  status_list integer not null, -- which bit of which list says that credentials issued under the token are revoked
  status_index integer not null,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (subject_id, token_id),
  check ((sealed_token is null) = (withdrawn_at is not null))
);
-- at most one of a subject's tokens opens anything
create unique index share_token_active on share_token (subject_id) where withdrawn_at is null;
create index share_token_by_hash on share_token (token_hash) where withdrawn_at is null;

-- Bitstring status lists (W3C), each of 131072 bits. Opened when the one before is as good as full.
create table status_list (
  list_no integer primary key, -- 1, 2, 3 …
  revision integer not null default 0, -- raised with every bit that is set: whoever keeps the signed list knows when to make it anew
  created_at timestamptz not null
);

-- The bits that are given away, drawn at random so that an index says nothing about when or for whom it was.
create table status_entry (
  list_no integer not null,
  entry_index integer not null check (entry_index between 0 and 131071),
  revoked_at timestamptz, -- for good
  primary key (list_no, entry_index)
);
-- the bits of a list that are set
create index status_entry_revoked on status_entry (list_no, entry_index) where revoked_at is not null;
--- 0019_wallets.sql
-- Credentials on their way into wallets (OpenID4VCI 1.0, pre-authorized code).

-- An offer lives for minutes, and is found by what its reader holds: its id, then its code, then the access token. Live subjects only,
-- so a reset of test data has nothing to take away. A local table on Citus.
create table credential_offer (
  offer_hash bytea primary key, -- SHA-256 of the id, which is all that is needed to read the offer
  code_hash bytea not null unique, -- SHA-256 of the pre-authorized code
  subject_id uuid not null,
  share_token_id uuid not null, -- withdrawn, it takes the offer with it
  credential_type text not null,
  ttl_seconds integer not null, -- of the credential
  sealed_grant bytea, -- code and tx_code under DATA_KEY, since wallets are told the code; null once it is spent or dead
  wrong_tx_codes smallint not null default 0,
  expires_at timestamptz not null, -- of the code
  access_hash bytea unique, -- SHA-256 of the access token
  access_expires_at timestamptz,
  check ((access_hash is null) = (access_expires_at is null)),
  check (access_hash is null or sealed_grant is null)
);
create index credential_offer_by_end on credential_offer (expires_at); -- retention

-- Nonces that have been used. They are handed out without being written down: each says itself, sealed, until when it holds.
create table wallet_nonce (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
create index wallet_nonce_by_end on wallet_nonce (expires_at); -- retention
--- 0020_subjects.sql
-- Agents and businesses: subjects that say who answers for them.

-- The platform that reports the subject operates or controls it itself, so its own word makes no outcome verified (INTERFACE 1.7).
-- Here, since every append holds this row: what it takes for granted about the subject is held against it in the same statement.
alter table subject add column is_own boolean not null default false;

-- What was declared last. Its type stands with the subject, and never changes.
create table declaration (
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  facts json not null, -- as domain/declaredSubject writes them
  declared_at timestamptz not null, -- first
  updated_at timestamptz not null
);
--- 0021_evidence.sql
-- Who confirmed an event, and what was declared of its subject when it was reported.

-- Written by the service alone: the counterparty of a confirmation, or the party that an ingested or imported record named and that
-- verified it. Null: not verified, or verified on the word of the reporter.
alter table event add column attester text;
-- The outcome rests on the word of the one who runs the subject. Null: it does not.
alter table event add column by_operator boolean;

-- What is in force of declaration_fact. Each append that claims verification names the number it was judged by, and holds this row.
alter table subject add column declaration_no integer not null default 0;

-- What a subject was declared to be, from 1 on. The last one is in force.
create table declaration_fact (
  subject_id uuid not null,
  number integer not null,
  platform_id uuid not null,
  livemode boolean not null,
  is_own boolean not null, -- the platform operates or controls the subject itself; the subject's row has that of the last one, too
  facts json not null, -- as domain/declaredSubject writes them
  after_position integer not null, -- the subject's events behind this position are judged by it, until the next one
  declared_at timestamptz not null,
  primary key (subject_id, number)
);

-- Earlier declarations were overwritten. Where there was more than one, its facts are those of the last.
insert into declaration_fact
select d.subject_id, n.number, d.platform_id, d.livemode, s.is_own, d.facts, s.event_count, n.at
from declaration d join subject s using (subject_id)
cross join lateral (values (1, d.declared_at), (2, d.updated_at)) as n (number, at)
where n.number = 1 or d.updated_at > d.declared_at;

update subject s set declaration_no = (select max(number) from declaration_fact d where d.subject_id = s.subject_id)
where exists (select from declaration_fact d where d.subject_id = s.subject_id);

drop table declaration;

create trigger declaration_never_deleted before delete on declaration_fact
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger declaration_never_changed before update on declaration_fact
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger declaration_never_truncated before truncate on declaration_fact
  for each statement execute function refuse_ledger_change();

-- The live ledger refuses updates, and no outcome changes here: these columns are new, and what the service itself wrote down
-- elsewhere is copied into them, in this transaction and never again. Provable is who confirmed: the answered request names the event
-- and its counterparty. Who runs a subject was kept for its last declaration only. Whoever else was named is in metadata that the
-- reporter wrote, so it stays there. A schema spread over Citus has no such trigger, and refuses by its privileges; there both
-- columns stay null.
do $$
begin
  if exists (select from pg_trigger where tgrelid = 'event'::regclass and tgname = 'event_never_changed') then
    alter table event disable trigger event_never_changed;
    update event e set attester = c.counterparty_ref
    from confirmation c where c.event_id = e.event_id and c.subject_id = e.subject_id and e.is_verified;
    update event e set by_operator = true
    from subject s where s.subject_id = e.subject_id and s.is_own;
    alter table event enable trigger event_never_changed;
  end if;
end $$;
--- 0022_formula.sql
-- The formula and its fold have changed before their first release; the version stays 5.3.

-- Scores and snapshots that the draft computed. Existing rows get the first default, without being
-- rewritten. The worker computes the scores again; the snapshots stay, and the audit does not rebuild them.
alter table score add column is_draft boolean not null default true;
alter table score alter column is_draft set default false;
alter table score_snapshot add column is_draft boolean not null default true;
alter table score_snapshot alter column is_draft set default false;
-- the walk through those still to be computed: empty from then on
create index score_of_draft on score (subject_id) where is_draft;

-- A disputed transaction weighs until its dispute has ended, as a filing always did. What ended before
-- now is closed here: the outcome event names the transaction, and its tally goes. The mark is the one
-- change of the ledger, and says what the table `dispute` says already.
do $$
declare
  guarded constant boolean := exists (
    select from pg_trigger where tgrelid = 'event'::regclass and tgname = 'event_never_changed'
  );
begin
  if not exists (select from dispute where status <> 'OPEN' and filed_event_id is null) then
    return;
  end if;
  if guarded then
    alter table event disable trigger event_never_changed;
  end if;
  with ended as (
    select e.*, d.outcome_event_id
    from dispute d
    join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
    where d.status <> 'OPEN' and d.filed_event_id is null
  ), marked as (
    update event outcome set closes_event_id = ended.event_id
    from ended where outcome.subject_id = ended.subject_id and outcome.event_id = ended.outcome_event_id
  ), counted as (
    -- the key of a TRANSACTION_DISPUTED event, as tallyKeyOf and tallyCodeOf of packages/scoring make it
    select subject_id, count(*)::integer as events,
      floor(extract(epoch from least(coalesce(completed_at, due_date, created_at), created_at)) / 86400)::integer as day,
      ((array_position(array['ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED'], platform_tier) - 1) * 1024 + 32
        + (array_position(array['HIGH', 'MEDIUM', 'LOW'], stake_level) - 1) * 8 + is_verified::integer * 4
        + case when completed_at <= due_date then 0 when completed_at > due_date then 1 else 2 end)::smallint as code
    from ended group by subject_id, day, code
  )
  update tally set count = tally.count - counted.events
  from counted where (tally.subject_id, tally.day, tally.code) = (counted.subject_id, counted.day, counted.code);
  if guarded then
    alter table event enable trigger event_never_changed;
  end if;
end $$;
--- 0023_keys.sql
-- Where a key comes from, where it may be used from, and what took its place.

alter table api_key
  -- Id of the key that was used to make it, 'operator' or 'bootstrap'. Null: made before this was recorded, and no longer known.
  add column created_by text,
  -- The key that a rotation made in its place. Until its grace ends, a replaced key works but makes no other keys.
  add column replaced_by uuid,
  add column allowed_cidrs text[] not null default '{}', -- empty: from everywhere
  add column expiry_announced_at timestamptz;

update api_key k set created_by = case
    when a.actor like 'key:%' then substr(a.actor, 5)
    when a.actor = 'service' then 'bootstrap'
    else a.actor end
from activity a
where a.platform_id = k.platform_id
  and ((a.action = 'API_KEY_GENERATED' and a.target = k.key_id::text)
    or (a.action = 'API_KEY_ROTATED' and a.details->>'replacedBy' = k.key_id::text));

update api_key k set replaced_by = (a.details->>'replacedBy')::uuid
from activity a
where a.platform_id = k.platform_id and a.action = 'API_KEY_ROTATED' and a.target = k.key_id::text;

-- The sweep that announces the end of keys finds those that end soon without reading the others.
create index api_key_ending on api_key (expires_at) where is_active and expiry_announced_at is null;

alter table platform
  -- Days that a new key lives at most. Null: without limit.
  add column max_key_lifetime_days integer check (max_key_lifetime_days between 1 and 3650),
  -- Closes confirmations and references to keys that cannot write anything else.
  add column confirmations_require_write boolean not null default false;
--- 0024_answer_evidence.sql
-- How a request for a confirmation or a reference was answered, and whether by whoever asked. Networks are coarse, 24 bits of an IPv4 or
-- 64 of an IPv6 address, and go with the request's row. Null in all of them: asked or answered before this was recorded.

alter table confirmation
  add column asked_by_key uuid,
  add column asked_from text,
  add column answer_channel text check (answer_channel in ('page', 'api')),
  add column answered_by_asker boolean,
  add column answer_network text,
  add column answer_browser text;

alter table reference_request
  add column asked_by_key uuid,
  add column asked_from text,
  add column answer_channel text check (answer_channel in ('page', 'api')),
  add column answered_by_asker boolean,
  add column answer_network text,
  add column answer_browser text;
--- 0025_failures.sql
-- Records whose score could not be computed. Their entries stay in recompute_queue; workers leave them alone until `retry_at`
-- and compute each by itself then, so that a record holds up no other.
create table recompute_failure (
  record_id uuid primary key,
  failed_attempts integer not null, -- since it was last computed
  failing_since timestamptz not null,
  retry_at timestamptz not null,
  error text not null -- of the latest attempt
);

-- The daily sweep walks through aged scores in this order, each once. In place of the index on as_of alone.
create index score_by_day_and_subject on score (as_of, subject_id);
drop index score_by_day;

-- An endpoint is switched off by what it did, not by how long nothing was sent to it: time in which no process ran holds no
-- attempts. Hence the count of attempts that failed since the last success, and the last of them.
alter table webhook add column failed_attempts integer not null default 0, add column last_failed_at timestamptz;
update webhook set failed_attempts = 1 where failing_since is not null;
--- 0026_lists.sql
-- Lists of campaigns and screenings, and filters of lists.

-- lets a listing stop before transactions that may still commit
alter table activation_campaign add column xid xid8 not null default pg_current_xact_id();
alter table screening add column xid xid8 not null default pg_current_xact_id();
-- every listing looks first for screenings that have stopped moving: few among all that are kept
create index screening_under_way on screening (platform_id, livemode) where status in ('QUEUED', 'RUNNING');
-- the requests of one campaign, newest first (an old one among 100 000: 0.1 ms rather than 13)
create index confirmation_by_campaign on confirmation (platform_id, campaign_id, confirmation_id)
  where campaign_id is not null;
-- those of one type, newest first: without it a rare type is looked for through all of them
-- (15 ms in 100 000)
create index confirmation_by_type on confirmation (platform_id, livemode, event_type, confirmation_id);
