-- What platforms used and what was done in their name.

-- Audit trail. It has no copy of EVENT_CREATED: readers merge that in from the ledger. Where a person
-- reported an event, a row with its id says who.
create table activity (
  platform_id uuid not null,
  activity_id uuid not null, -- UUIDv7
  livemode boolean not null,
  action text not null,
  actor text not null, -- 'key:<id>', 'user:<email>', 'operator' or 'service'
  target text,
  subject_id uuid,
  details json,
  at timestamptz not null,
  -- A listing stops before transactions that may still commit. The same holds for `xid` of every
  -- other table.
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, activity_id)
);
-- the audit trail of one platform and mode, newest first: all actions, or one
create index activity_by_mode on activity (platform_id, livemode, activity_id);
create index activity_by_action on activity (platform_id, livemode, action, activity_id);
-- the audit log of one subject
create index activity_by_subject on activity (subject_id, activity_id) where subject_id is not null;
-- retention walks from the oldest row on
create index activity_by_age on activity (at);

-- Calls by day. Processes count in memory and write once a second, so a row is updated, not
-- multiplied.
create table usage_daily (
  platform_id uuid not null,
  livemode boolean not null,
  day date not null, -- UTC
  route text not null, -- as in the route table: 'GET /users/{id}/score'
  status_class text not null check (status_class in ('ok', 'clientError', 'serverError')),
  requests bigint not null,
  calls bigint not null, -- billed: one a request, for a CSV export one per started 1000 rows
  primary key (platform_id, livemode, day, route, status_class)
) with (fillfactor = 70); -- space for heap-only updates: today's rows change every second
-- retention
create index usage_daily_by_age on usage_daily (day);

-- Calls of a UTC calendar month that count against the quota: not every request does, so
-- usage_daily cannot answer this.
create table quota_usage (
  platform_id uuid not null,
  period date not null, -- first day of the month
  used bigint not null,
  primary key (platform_id, period)
) with (fillfactor = 70); -- as usage_daily

-- A platform is warned once a month that its quota is nearly used up (RULES N7). The primary key
-- holds that.
create table quota_warning (
  platform_id uuid not null,
  period date not null,
  at timestamptz not null,
  used bigint not null,
  cap bigint not null,
  primary key (platform_id, period)
);
