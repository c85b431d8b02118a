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
