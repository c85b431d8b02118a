-- Ledger groups: schemas with the tables of some platforms (kit/db/groups.ts, ledger/groups).

create table ledger_group (
  -- 0 is this schema; group n has the schema ledger_group_n.
  group_id integer primary key check (group_id between 0 and 999),
  created_at timestamptz not null
);
insert into ledger_group (group_id, created_at) values (0, now());

alter table platform add column group_id integer not null default 0 references ledger_group;
-- counts the platforms of each group when a new one is placed
create index platform_by_group on platform (group_id);

-- Where a public token is found. Groups other than 0 list theirs here: one that is missing is of
-- group 0, so a database with one group writes nothing.
create table token_group (
  token_hash bytea primary key, -- SHA-256
  group_id integer not null references ledger_group,
  expires_at timestamptz -- the row may be deleted from then on; null: the token does not expire
);
-- retention
create index token_group_ending on token_group (expires_at) where expires_at is not null;
