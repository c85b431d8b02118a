-- Records whose score could not be computed. Their entries stay in recompute_queue; workers leave them alone until `retry_at`
-- and compute each by itself then, so that a record holds up no other.
create table recompute_failure (
  record_id uuid primary key,
  failed_attempts integer not null, -- since it was last computed
  failing_since timestamptz not null,
  retry_at timestamptz not null,
  error text not null -- of the latest attempt
);

-- The daily sweep walks through aged scores in this order, each once. In place of the index on as_of alone.
create index score_by_day_and_subject on score (as_of, subject_id);
drop index score_by_day;

-- An endpoint is switched off by what it did, not by how long nothing was sent to it: time in which no process ran holds no
-- attempts. Hence the count of attempts that failed since the last success, and the last of them.
alter table webhook add column failed_attempts integer not null default 0, add column last_failed_at timestamptz;
update webhook set failed_attempts = 1 where failing_since is not null;
