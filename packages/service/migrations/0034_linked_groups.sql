-- Records whose members live in several ledger groups (ledger/links, docs/ARCHITECTURE.md "Links over
-- groups").

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

-- Decisions to commit on several servers (kit/db/preparedTransactions.ts). Empty on one server.
create table group_commit (
  commit_id uuid primary key,
  groups integer[] not null
);
