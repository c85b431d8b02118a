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
