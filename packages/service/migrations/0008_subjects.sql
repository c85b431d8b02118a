-- Links between subjects, and the professional profile. A profile is not part of the ledger: it
-- counts in no total and no score, so its rows may be corrected and deleted where an event may not
-- (RULES E11).

-- A platform passes this token to another one, which links its own subject with it. Use deletes the
-- row, so of two uses at the same time the second finds nothing (RULES L1).
create table link_token (
  token_hash bytea primary key, -- SHA-256; the token itself is not stored
  subject_id uuid not null,
  expires_at timestamptz not null
);
-- retention
create index link_token_by_end on link_token (expires_at);

-- What a reference confirmed, or what the platform reported.
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
  start_date text, -- as the reference words it: a day or an instant
  end_date text, -- likewise
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
-- reset of test data
create index qualification_in_test on qualification (platform_id) where not livemode;

-- Work that the subject presents. Nobody verifies it.
create table project (
  subject_id uuid not null,
  project_id uuid not null, -- UUIDv7 made at created_at
  platform_id uuid not null,
  livemode boolean not null,
  title text not null,
  url text not null, -- shown, never fetched
  description text,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  primary key (subject_id, project_id)
);
-- reset of test data
create index project_in_test on project (platform_id) where not livemode;
