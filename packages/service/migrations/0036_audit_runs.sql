-- Results of `reliability audit-ledger`, so that the operator sees when it last ran. The differences
-- themselves are in its output: they name subjects.
create table audit_run (
  audit_id uuid primary key, -- UUIDv7 made at started_at
  started_at timestamptz not null,
  ended_at timestamptz not null,
  differences integer not null,
  groups json not null -- the counts of each audited ledger group, as the command prints them
);
