-- Imports of files, and saved mappings.

-- What became of each imported file.
create table import_job (
  platform_id uuid not null,
  import_id uuid not null, -- UUIDv7; also the id of its job
  livemode boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  trust_tier text not null, -- of the platform when the file arrived; each event gets it
  key_id uuid, -- that sent the file; each event gets it
  -- The file's columns and the mapping when the file arrived; null once the import has ended (RULES
  -- J4)
  plan json,
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
  -- The header line of the file, and in import_issue the rows that failed: they can be corrected and
  -- sent again. Erasure and retention delete them with the reason.
  header text[] not null,
  -- What was wrong, by column, with the rows that failed: without any value of a row
  problems json not null default '[]',
  primary key (platform_id, import_id)
) with (fillfactor = 70); -- counts are updated with every chunk
-- a worker knows only the id of its job
create index import_job_by_id on import_job (import_id);

-- Errors and warnings about single rows; the number that is kept is limited.
create table import_issue (
  platform_id uuid not null,
  import_id uuid not null,
  kind text not null check (kind in ('error', 'warning')),
  row_no integer not null, -- data row of the file, from 1; 0: the request itself
  issue_no integer not null, -- 1, 2, 3 … of the kind
  code text not null,
  reason text not null,
  subject_id uuid, -- as far as the cells name one: an erasure deletes its issues
  cells json,
  primary key (platform_id, import_id, kind, issue_no)
);

-- Rows that are still to be recorded. The transaction that records a chunk deletes it, so after a
-- crash the import goes on at the lowest chunk that is left (RULES J6).
create table import_chunk (
  import_id uuid not null,
  chunk_no integer not null, -- 1, 2, 3 …
  rows text not null, -- JSON: for each row its number in the file and its cells
  primary key (import_id, chunk_no)
);
-- read once and then deleted: compression would cost more than it saves
alter table import_chunk alter column rows set storage external;

-- Mappings that a platform has saved: how its own records become events, in both modes (RULES J1).
create table saved_mapping (
  platform_id uuid not null,
  mapping_id uuid not null, -- UUIDv7 made at created_at
  name text not null,
  rules json not null, -- json, not jsonb: keeps the order of its keys as given
  created_at timestamptz not null,
  primary key (platform_id, mapping_id)
);
create unique index saved_mapping_by_name on saved_mapping (platform_id, name);
