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
