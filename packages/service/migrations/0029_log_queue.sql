-- Appends and recomputes announce all their subjects in one row of the log's queue. A row for each
-- subject cost the write path three times as much.
alter table log_queue
  alter column subject_id drop not null, -- one subject; null: several
  add column subject_ids uuid[],
  -- Of each of these subjects: the position of its last event, or the number of its last snapshot;
  -- null: not known
  add column numbers integer[],
  add check (num_nonnulls(subject_id, subject_ids) = 1);
