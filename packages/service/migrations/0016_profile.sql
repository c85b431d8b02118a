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
