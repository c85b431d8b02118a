-- Counterparties attest outcomes and qualifications: requests, the tokens that answer them, and
-- campaigns of many requests. Subjects object to what their record holds: reviews.

-- What a counterparty's token leads to: a counterparty has neither a key nor a platform.
create table witness_token (
  token_hash bytea primary key, -- SHA-256; the token itself is not stored (RULES A5)
  kind text not null check (kind in ('confirmation', 'reference')),
  platform_id uuid not null,
  request_id uuid not null
);

-- Many requests for confirmation under one name; each is a row of confirmation.
create table activation_campaign (
  platform_id uuid not null,
  campaign_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  name text not null,
  created_at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, campaign_id),
  unique (platform_id, livemode, name)
);

-- A counterparty is asked to confirm an outcome. Confirmed, it becomes an event (RULES A1).
create table confirmation (
  platform_id uuid not null,
  confirmation_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  subject_id uuid not null, -- the subject does not exist before its first event
  external_id text not null,
  event_type text not null,
  stake_level text not null,
  transaction_value numeric,
  due_date timestamptz,
  completed_at timestamptz,
  metadata json, -- the platform's own, for the event
  counterparty_ref text not null,
  counterparty_name text,
  subject_name text, -- of the subject, for the counterparty. Never copied to the event
  description text not null,
  return_url text,
  campaign_id uuid,
  row_key text,
  token_hash bytea not null, -- finds the row of witness_token
  -- A PENDING row past expires_at reads as EXPIRED. The sweep only writes that down.
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED')),
  event_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  responded_at timestamptz,
  awaiting_sent_at timestamptz, -- confirmation.awaiting_response was written
  expiring_sent_at timestamptz, -- confirmation.expiring_soon was written
  xid xid8 not null default pg_current_xact_id(),
  -- How the request was made and answered; null: before the service recorded it. Addresses are
  -- networks of 24 bits (IPv4) or 64 bits (IPv6), for privacy, and they are deleted with the row
  -- (RULES A10).
  asked_by_key uuid,
  asked_from text,
  answer_channel text check (answer_channel in ('page', 'api')),
  answered_by_asker boolean, -- by the party that asked
  answer_network text,
  answer_browser text,
  primary key (platform_id, confirmation_id),
  check ((campaign_id is null) = (row_key is null)),
  check ((event_id is not null) = (status = 'CONFIRMED'))
);
-- listings, newest first: all of a mode, of one status, of one subject
create index confirmation_in_order on confirmation (platform_id, livemode, confirmation_id);
create index confirmation_by_status on confirmation (platform_id, livemode, status, confirmation_id);
create index confirmation_by_subject on confirmation (subject_id, confirmation_id);
-- those of one type, newest first: without it the search for a rare type reads all rows (15 ms in
-- 100 000)
create index confirmation_by_type on confirmation (platform_id, livemode, event_type, confirmation_id);
-- those of one campaign, newest first (an old one among 100 000: 0.1 ms instead of 13)
create index confirmation_by_campaign on confirmation (platform_id, campaign_id, confirmation_id)
  where campaign_id is not null;
-- a row of a campaign is requested once; the campaign's counts read this index
create unique index confirmation_by_row on confirmation (platform_id, campaign_id, row_key) where campaign_id is not null;
-- sweeps: requests whose window ends, and requests that have waited long without a reminder
create index confirmation_to_end on confirmation (expires_at) where status = 'PENDING';
create index confirmation_to_remind on confirmation (created_at) where status = 'PENDING' and awaiting_sent_at is null;
-- RETENTION_TEXT_DAYS finds ended requests that have their texts. Requests are rare beside events.
create index confirmation_with_text on confirmation (created_at) where status <> 'PENDING' and counterparty_ref <> '';

-- A counterparty is asked to vouch for one qualification. Confirmed, it becomes a row of
-- qualification.
create table reference_request (
  platform_id uuid not null,
  reference_id uuid not null, -- UUIDv7 made at created_at
  livemode boolean not null,
  subject_id uuid not null,
  external_id text not null,
  kind text not null check (kind in ('employment', 'education', 'certification', 'skill')),
  title text not null,
  organization text,
  start_date text, -- as the claim words it: a day or an instant
  end_date text, -- likewise
  description text,
  counterparty_ref text not null,
  counterparty_name text,
  return_url text,
  token_hash bytea not null, -- finds the row of witness_token
  -- A PENDING row past expires_at reads as EXPIRED. The sweep only writes that down.
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED')),
  qualification_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  responded_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  -- as in confirmation
  asked_by_key uuid,
  asked_from text,
  answer_channel text check (answer_channel in ('page', 'api')),
  answered_by_asker boolean,
  answer_network text,
  answer_browser text,
  primary key (platform_id, reference_id),
  check ((qualification_id is not null) = (status = 'CONFIRMED'))
);
-- listings, newest first: all of a mode, of one status, of one subject
create index reference_request_in_order on reference_request (platform_id, livemode, reference_id);
create index reference_request_by_status on reference_request (platform_id, livemode, status, reference_id);
create index reference_request_by_subject on reference_request (subject_id, reference_id);
-- sweep: requests whose window ends
create index reference_request_to_end on reference_request (expires_at) where status = 'PENDING';
create index reference_request_with_text on reference_request (created_at)
  where status <> 'PENDING' and counterparty_ref <> '';

-- A subject objects to an outcome or to the whole record, and a person of the platform answers
-- (RULES F1). Its facts are in the log (`otherFacts.ts`), its texts are not.
create table review (
  review_id uuid primary key, -- UUIDv7 made at opened_at
  subject_id uuid not null,
  number integer not null, -- 1, 2, 3 … within the subject, in commit order: names its facts in the log
  platform_id uuid not null,
  livemode boolean not null,
  event_id uuid, -- null: about the record
  record_link_id uuid not null, -- with which link it was opened
  -- What the subject wrote, the answer and who gave it. Null once erased, withdrawn or old.
  text text,
  answer text,
  reviewer text,
  status text not null default 'OPEN' check (status in ('OPEN', 'ANSWERED', 'WITHDRAWN')),
  outcome text check (outcome in ('UPHELD', 'CORRECTED', 'PARTLY')),
  opened_at timestamptz not null,
  respond_by timestamptz not null,
  answered_at timestamptz,
  reminded_at timestamptz, -- the reminder was written
  overdue_at timestamptz, -- review.overdue was written
  xid xid8 not null default pg_current_xact_id(), -- of its opening
  unique (subject_id, number),
  check ((status = 'ANSWERED') = (outcome is not null) and (status = 'ANSWERED') = (answered_at is not null))
);
-- the listing of a platform: all, newest first, or the few that are open by their deadline
create index review_by_platform on review (platform_id, livemode, review_id);
create index review_open on review (platform_id, livemode, respond_by, review_id) where status = 'OPEN';
-- sweeps: those whose deadline is near, and those past it
create index review_to_remind on review (respond_by) where status = 'OPEN' and reminded_at is null;
create index review_to_report on review (respond_by) where status = 'OPEN' and overdue_at is null;
-- RETENTION_TEXT_DAYS finds ended reviews that have texts
create index review_with_text on review (opened_at)
  where status <> 'OPEN' and (text is not null or answer is not null or reviewer is not null);
