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
