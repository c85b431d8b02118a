-- What anonymous callers can read: share tokens, the credentials issued under them and offers to
-- wallets, which are for live subjects only, and links to a subject's own record, in both modes.

-- Opens the public reads of one subject (RULES C1).
create table share_token (
  subject_id uuid not null,
  token_id uuid not null, -- UUIDv7 made at created_at
  token_hash bytea not null, -- SHA-256: a reader's token is looked up by it
  -- Under DATA_KEY, because the platform can read an active token again; null once withdrawn
  sealed_token bytea,
  include_profile boolean not null, -- the subject shares its professional profile as well
  -- The list and the bit that say whether credentials issued under the token are revoked
  status_list integer not null,
  status_index integer not null,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (subject_id, token_id),
  check ((sealed_token is null) = (withdrawn_at is not null))
);
-- a subject has at most one active token
create unique index share_token_active on share_token (subject_id) where withdrawn_at is null;
-- every read of a shared record looks its token up
create index share_token_by_hash on share_token (token_hash) where withdrawn_at is null;

-- Opens the page on which subjects read their own record and object to it (RULES Z1).
create table record_link (
  record_link_id uuid primary key, -- UUIDv7 made at created_at
  subject_id uuid not null,
  platform_id uuid not null,
  livemode boolean not null,
  token_hash bytea not null unique, -- SHA-256; the token itself is not stored
  language text check (language in ('en', 'de')), -- null: that of the browser
  created_at timestamptz not null,
  expires_at timestamptz not null,
  withdrawn_at timestamptz
);
-- the links of a subject that still open
create index record_link_by_subject on record_link (subject_id, expires_at) where withdrawn_at is null;
-- retention
create index record_link_by_end on record_link (expires_at);

-- W3C Bitstring Status Lists of 131072 bits each. The service opens a new list when the last one is
-- nearly full.
create table status_list (
  list_no integer primary key, -- 1, 2, 3 …
  -- Rises with every bit that is set, so a cached signed list knows that it is stale
  revision integer not null default 0,
  created_at timestamptz not null
);

-- Bits in use. Each is drawn at random, so an index does not tell when or for whom it was assigned
-- (RULES C6).
create table status_entry (
  list_no integer not null,
  entry_index integer not null check (entry_index between 0 and 131071),
  revoked_at timestamptz, -- never cleared again (RULES C2)
  primary key (list_no, entry_index)
);
-- the bits of a list that are set
create index status_entry_revoked on status_entry (list_no, entry_index) where revoked_at is not null;

-- Credentials on their way into wallets (OpenID4VCI 1.0, pre-authorized code; RULES W1). An offer
-- lives for minutes. A wallet finds it by the offer's id, then by its code, then by the access
-- token.
create table credential_offer (
  offer_hash bytea primary key, -- SHA-256 of the id, which is all that is needed to read the offer
  code_hash bytea not null unique, -- SHA-256 of the pre-authorized code
  subject_id uuid not null,
  share_token_id uuid not null, -- the offer ends when this token is withdrawn
  credential_type text not null,
  ttl_seconds integer not null, -- of the credential
  -- Code and tx_code under DATA_KEY, because wallets are sent the code; null once used or expired
  sealed_grant bytea,
  wrong_tx_codes smallint not null default 0,
  expires_at timestamptz not null, -- of the code
  access_hash bytea unique, -- SHA-256 of the access token
  access_expires_at timestamptz,
  check ((access_hash is null) = (access_expires_at is null)),
  check (access_hash is null or sealed_grant is null)
);
-- retention
create index credential_offer_by_end on credential_offer (expires_at);
