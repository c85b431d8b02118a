-- Imports of CSV files: what became of each, and, while one is under way, the rows that are still to be done.

-- Grows with platforms: on Citus distributed by platform_id.
create table import_job (
  platform_id uuid not null,
  import_id uuid not null, -- UUIDv7; also the id of its job
  livemode boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  trust_tier text not null, -- of the platform when the file came: goes onto each event
  plan json, -- the file's columns and the mapping, as they were when the file came; gone when it is over
  total_rows integer not null,
  created_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  warning_count integer not null default 0,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  xid xid8 not null default pg_current_xact_id(),
  primary key (platform_id, import_id)
) with (fillfactor = 70); -- counts move with every chunk
-- a worker knows its job's id alone
create index import_job_by_id on import_job (import_id);

-- What went wrong with single rows, as far as it is kept.
create table import_issue (
  platform_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('error', 'warning')),
  row_no integer not null, -- data row of the file, from 1; 0: the request itself
  issue_no integer not null, -- 1, 2, 3 … of the kind
  code text not null,
  reason text not null,
  primary key (platform_id, import_id, kind, issue_no)
);

-- Rows that are still to be done. A chunk goes in the transaction that records its rows, so where an import stands after whatever
-- has happened is the lowest chunk that is left. Short-lived, so a local table on Citus.
create table import_chunk (
  import_id uuid not null,
  chunk_no integer not null, -- 1, 2, 3 …
  rows text not null, -- JSON: for each row its number in the file and its cells
  primary key (import_id, chunk_no)
);
-- read once and then deleted: compressing it would cost more than it saves
alter table import_chunk alter column rows set storage external;
