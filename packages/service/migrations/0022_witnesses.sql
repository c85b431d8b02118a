-- Witnesses of the transparency log (RULES E21 to E23). A checkpoint is published once enough of them have
-- cosigned it; `cosignatures` of a checkpoint is a list of {key, line}.

-- null: not enough witnesses have cosigned it
alter table log_checkpoint add column published_at timestamptz;
-- the newest published one, and the first one that covers a leaf
create index log_checkpoint_published on log_checkpoint (tree_size) where published_at is not null;

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

-- One row per log of another installation that this one witnesses (LOG_WITNESS_FOR): the newest
-- checkpoint that was cosigned.
create table witnessed_log (
  origin text primary key,
  size bigint not null,
  root bytea not null check (length(root) = 32),
  note text not null, -- with the signatures of the log and the cosignatures
  cosigned_at timestamptz not null
);
