-- The ledger and the facts beside it. This file and all behind it run once for each ledger group.
-- subject_id leads the primary keys, because most reads are about one subject.

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- A person, agent or organization as one platform and mode knows it (RULES U1).
create table subject (
  -- UUIDv8 of SHA-256(platform, mode, external id): an append needs no read
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  external_id text collate "C", -- null: erased; an append to such a row fails, because it sets event_count to null
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
  declaration_no integer not null default 0,
  -- What the platform calls it: free text, so it goes with an erasure and by age, and no fact holds it.
  -- Only ledger/displayNames.ts writes it, since scores and the search have copies.
  display_name text,
  named_at timestamptz -- null: it has no name
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

-- retention of names
create index subject_named on subject (named_at) where named_at is not null;

-- Finds subjects by any part of their id or name (RULES Q6), folded by domain/searchText.ts. Written
-- with the first score, so that appends do not pay for it, and with each change of a name.
create table subject_search (
  subject_id uuid primary key,
  search_text text not null, -- to check what the grams find
  -- Every three characters that follow one another, and at the ends fewer, each behind a mark of
  -- platform and mode. A search of three or more characters asks for all of its grams, a shorter one
  -- for grams that begin with it. pg_trgm cannot do the latter, leaves out what the locale of the
  -- database does not call a letter, and may not be created everywhere.
  grams tsvector not null
);
-- New entries wait in a list until it has so many kB, which every search reads as well.
create index subject_search_by_gram on subject_search using gin (grams) with (gin_pending_list_limit = 128);

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
  due_date timestamptz,
  completed_at timestamptz,
  -- Came with POST /imports: the velocity guard does not count it (RULES J7)
  imported boolean not null default false,
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  dispute_id uuid, -- set on events that the service writes about a dispute
  -- An outcome of a dispute names the event it closes. From this position on the closed event does
  -- not count (RULES D6).
  closes_event_id uuid,
  by_operator boolean, -- true: rests on the word of the subject's operator; null: does not
  primary key (subject_id, event_id)
);
-- export, activity and analytics of one platform in the order of writing; also finds an event by
-- its id
create index event_by_platform on event (platform_id, livemode, event_id);
-- an event is closed once, whatever goes wrong
create unique index event_closes on event (subject_id, closes_event_id) where closes_event_id is not null;
create trigger event_never_deleted before delete on event
  for each row when (old.livemode) execute function refuse_ledger_change();
-- `new.livemode`: nor does a test event become a live one
create trigger event_never_changed before update on event
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger event_never_truncated before truncate on event
  for each statement execute function refuse_ledger_change();

-- One row for an event that has any of it. Rows are inserted and deleted, never changed.
create table event_text (
  subject_id uuid not null,
  event_id uuid not null,
  metadata json, -- json, not jsonb: stored exactly as given (RULES E7)
  transaction_value numeric,
  -- Who confirmed the event; only the service writes it (RULES V8). Null: unverified, or verified
  -- on the reporter's word.
  attester text,
  -- Ids carry the time of recording: an insert goes to the right edge, and retention reads a range.
  primary key (event_id, subject_id)
);
create trigger event_text_never_changed before update on event_text
  for each row execute function refuse_ledger_change();
create trigger event_text_never_truncated before truncate on event_text
  for each statement execute function refuse_ledger_change();

-- What is left of a text that was dropped by age.
create table event_text_hash (
  subject_id uuid not null,
  event_id uuid not null,
  -- As the leaf of the event commits to it; null: a test event, which has no leaf
  text_hash bytea,
  -- SHA-256 of installation.party_salt and the attester's key, so that figures about attesters stay
  -- the same; null: there was no attester
  attester_hash bytea,
  primary key (event_id, subject_id)
);
create trigger event_text_hash_never_changed before update on event_text_hash
  for each row execute function refuse_ledger_change();
create trigger event_text_hash_never_truncated before truncate on event_text_hash
  for each statement execute function refuse_ledger_change();

-- What a subject was declared to be, from 1 on. The last one is in force (RULES V9).
create table declaration_fact (
  subject_id uuid not null,
  number integer not null,
  platform_id uuid not null,
  livemode boolean not null,
  is_own boolean not null, -- the platform operates or controls the subject
  facts json, -- as domain/declaredSubject writes them; null: erased with its subject
  -- Judges the subject's events behind this position, up to the next declaration
  after_position integer not null,
  declared_at timestamptz not null,
  primary key (subject_id, number)
);
create trigger declaration_never_deleted before delete on declaration_fact
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger declaration_never_truncated before truncate on declaration_fact
  for each statement execute function refuse_ledger_change();
create trigger declaration_never_changed before update on declaration_fact
  for each row when ((old.livemode or new.livemode) and (
    new.facts is not null or (old.subject_id, old.number, old.platform_id, old.livemode, old.is_own, old.after_position, old.declared_at)
      is distinct from (new.subject_id, new.number, new.platform_id, new.livemode, new.is_own, new.after_position, new.declared_at)
  )) execute function refuse_ledger_change();

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
-- The course of a score by day of recording asks who was in a record, also before the present members.
create index subject_link_by_record on subject_link (record_id);

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

-- Freezes as facts: `score.frozen_at` forgets a freeze when it is cleared.
create table freeze_fact (
  subject_id uuid not null,
  -- 1, 2, 3 … within the subject, in commit order
  number integer not null,
  action text not null check (action in ('set', 'cleared')),
  at timestamptz not null,
  primary key (subject_id, number)
);
create trigger freeze_fact_never_changed before update or delete on freeze_fact
  for each row execute function refuse_ledger_change();
create trigger freeze_fact_never_truncated before truncate on freeze_fact
  for each statement execute function refuse_ledger_change();

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

-- Every erasure, as a fact of the log. A salt may be missing only for these subjects.
create table erasure (
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  at timestamptz not null,
  events integer not null, -- in its ledger: so many leaves are its own
  xid xid8 not null default pg_current_xact_id()
);
-- processes read what was erased since they last looked
create index erasure_by_xid on erasure (xid);
-- reset of test data
create index erasure_in_test on erasure (platform_id) where not livemode;
create trigger erasure_never_deleted before delete on erasure
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger erasure_never_changed before update on erasure
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger erasure_never_truncated before truncate on erasure
  for each statement execute function refuse_ledger_change();

-- What the jobs of an erasure still need: the external id, to find it in stored texts. Each job
-- deletes its row.
create table erasure_work (
  job_id uuid primary key,
  subject_id uuid not null,
  livemode boolean not null,
  sealed_external_id bytea not null, -- under DATA_KEY
  -- Takes the place of the hash of the erased name where the person attested outcomes of others: random,
  -- so that it cannot be guessed, and one for the person, so that figures about attesters stay
  attester_mark bytea not null
);

-- One row per Idempotency-Key, committed together with what the request wrote (RULES I1).
create table idempotency (
  -- UUIDv8 of SHA-256(platform or operator, mode, key). The append knows the constraint by its name.
  key_id uuid constraint idempotency_pkey primary key,
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

-- Which cluster counted the transaction ids in the rows of this group (ledger/distribute.ts). Each
-- group has its own: Citus moves groups between nodes, and every node counts for itself.
create table ledger_cluster (
  only_row boolean primary key default true check (only_row), -- one row
  cluster_id text not null,
  -- Rows written before this moment count as settled whatever their xid.
  cluster_since timestamptz not null
);

-- Decisions to commit on several servers (kit/db/participants.ts). Empty on one server.
create table group_commit (
  commit_id uuid primary key,
  groups integer[] not null
);
