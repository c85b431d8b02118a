-- What platforms call, by day. Counted in memory and written once a second, so a busy row is updated, not multiplied.
-- Grows with platforms and days: on Citus all three are distributed by platform_id, which leads every primary key.

create table usage_daily (
  platform_id uuid not null,
  livemode boolean not null,
  day date not null, -- UTC
  route text not null, -- as the route table names it: 'GET /users/{id}/score'
  status_class text not null check (status_class in ('ok', 'clientError', 'serverError')),
  requests bigint not null,
  calls bigint not null, -- what billing counts: a request is one call, a CSV export one per started 1000 rows
  primary key (platform_id, livemode, day, route, status_class)
) with (fillfactor = 70); -- room for heap-only updates: the rows of today change every second
create index usage_daily_by_age on usage_daily (day); -- retention

-- Calls of a UTC calendar month that count against the quota. Apart from usage_daily, since not every request does.
create table quota_usage (
  platform_id uuid not null,
  period date not null, -- first day of the month
  used bigint not null,
  primary key (platform_id, period)
) with (fillfactor = 70);

-- Who has come near the end of a month's quota, once a month.
create table quota_warning (
  platform_id uuid not null,
  period date not null,
  at timestamptz not null,
  used bigint not null,
  cap bigint not null,
  primary key (platform_id, period)
);
