-- The transparency log (RULES E15 to E23): one Merkle tree (RFC 9162) over all live facts. One
-- sequencer writes these tables. Salts and commitments have rows; the facts stay in their own tables.

-- Subjects with facts to log. Insert-only like recompute_queue. Without a key: the sequencer reads the
-- table from its beginning and deletes rows by their place. Appends and recomputes announce all their
-- subjects in one row: a row for each cost the write path three times as much.
create table log_queue (
  subject_ids uuid[] not null,
  -- Which kinds of facts: 1 events, 2 snapshots, 4 others (ledger/log/queue.ts)
  kinds smallint not null,
  queued_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- The table has no key, and a move to another node replicates deletions.
alter table log_queue replica identity full;

-- One row: the state of the tree. The sequencer locks it.
create table log_state (
  only_row boolean primary key default true check (only_row),
  tree_size bigint not null default 0,
  -- Every fact that was recorded before this time is in the log. Never goes back.
  complete_until timestamptz not null default '1970-01-01T00:00:00Z',
  -- Why no checkpoint is signed; null: all is well
  halted text,
  -- The newest signed head that a process knew of, also if this database lacks its leaves: no tree is
  -- signed that does not contain it.
  signed_head text
);
insert into log_state default values;

-- One row per leaf. The leaf's data is d = SHA-256(salt, fact).
create table log_fact (
  subject_id uuid not null, -- zero: a fact about the log itself
  kind smallint not null, -- ledger/log/queue.ts
  ref bigint not null, -- which fact of this kind and subject: the position of an event, the number of a snapshot …
  leaf_index bigint not null,
  salt bytea, -- null: erased with its subject
  d bytea not null,
  -- Of events: the hash over the subject's commitments up to this one, and what `complete_until` was
  -- before this leaf. Null for other kinds.
  chain bytea,
  complete_until timestamptz,
  primary key (subject_id, kind, ref)
);
-- the audit reads leaves in order; unique, so that two sequencers can never number two facts alike
create unique index log_fact_by_leaf on log_fact (leaf_index);
create trigger log_fact_never_deleted before delete on log_fact
  for each row execute function refuse_ledger_change();
-- Erasure may drop a salt.
create trigger log_fact_never_changed before update on log_fact
  for each row when (
    (old.subject_id, old.kind, old.ref, old.leaf_index, old.d, old.chain, old.complete_until) is distinct from
    (new.subject_id, new.kind, new.ref, new.leaf_index, new.d, new.chain, new.complete_until) or new.salt is not null
  ) execute function refuse_ledger_change();
create trigger log_fact_never_truncated before truncate on log_fact
  for each statement execute function refuse_ledger_change();

-- Hashes of perfect subtrees, in blocks of four levels: 16 hashes of `level`, then 8, 4 and 2 of the
-- levels above. A proof so reads one row for four levels and hashes nothing. `level` is 0, 4, 8 …
create table log_block (
  level smallint not null,
  block_index bigint not null,
  filled smallint not null check (filled between 1 and 16), -- hashes of `level` that are set
  hashes bytea not null check (length(hashes) = 960), -- zero where not set
  primary key (level, block_index)
) with (fillfactor = 50); -- the last block of a level is updated in place
alter table log_block alter column hashes set storage plain;
create trigger log_block_never_deleted before delete on log_block
  for each row execute function refuse_ledger_change();
create trigger log_block_never_changed before update on log_block
  for each row when (
    new.filled <= old.filled or substring(new.hashes for old.filled * 32) <> substring(old.hashes for old.filled * 32)
  ) execute function refuse_ledger_change();
create trigger log_block_never_truncated before truncate on log_block
  for each statement execute function refuse_ledger_change();

-- Every signed head (C2SP tlog-checkpoint).
create table log_checkpoint (
  tree_size bigint primary key,
  root bytea not null,
  note text not null,
  signed_at timestamptz not null,
  cosignatures json not null default '[]', -- {key, line} of each witness
  published_at timestamptz -- null: not enough witnesses have cosigned it
);
create trigger log_checkpoint_never_deleted before delete on log_checkpoint
  for each row execute function refuse_ledger_change();
create trigger log_checkpoint_never_changed before update on log_checkpoint
  for each row when ((old.tree_size, old.root, old.note, old.signed_at) is distinct from (new.tree_size, new.root, new.note, new.signed_at))
  execute function refuse_ledger_change();
create trigger log_checkpoint_never_truncated before truncate on log_checkpoint
  for each statement execute function refuse_ledger_change();
-- the newest published one, and the first one that covers a leaf
create index log_checkpoint_published on log_checkpoint (tree_size) where published_at is not null;

-- Facts about the log itself: its keys, and rollbacks that an operator accepted.
create table log_note (
  number integer primary key, -- 1, 2, 3 …
  fact json not null
);
create trigger log_note_never_changed before update or delete on log_note
  for each row execute function refuse_ledger_change();
create trigger log_note_never_truncated before truncate on log_note
  for each statement execute function refuse_ledger_change();

-- One row per witness that cosigns this log, as LOG_WITNESSES names them.
create table log_witness (
  key text primary key, -- name+id
  cosigned_size bigint not null default 0, -- of the newest checkpoint that it cosigned
  cosigned_at timestamptz,
  problem text, -- why its last answer was of no use; null: all is well
  failing_since timestamptz,
  -- It has seen another log under this name.
  is_contradicting boolean not null default false
);
