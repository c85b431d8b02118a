-- Linked subjects (DECISIONS 1): several platforms' aliases of one person, agent or organisation, with one record and one score.

-- What a platform hands out for a subject, for another one to bring in. Using it deletes its row, so of two uses at one moment
-- the second finds nothing.
create table link_token (
  token_hash bytea primary key, -- SHA-256: the token itself is kept nowhere
  subject_id uuid not null,
  expires_at timestamptz not null
);
create index link_token_by_end on link_token (expires_at); -- retention

-- Who joined which record, and who left. subject.record_id follows from these facts, as tallies follow from events.
create table subject_link (
  subject_id uuid not null,
  position integer not null, -- 1, 2, 3 … within the subject, in the order of commits: clocks of two processes may disagree
  link_id uuid not null,     -- UUIDv7 made at `at`
  platform_id uuid not null, -- the subject's own
  record_id uuid not null,   -- the one that was joined or left; left, a subject is a record of its own again
  action text not null check (action in ('linked', 'unlinked')),
  -- The latest of the subject's snapshots at that moment. Those after it rest on who is a member from here on.
  snapshot_no integer not null,
  at timestamptz not null,
  primary key (subject_id, position)
);

-- Test subjects never link, so there is nothing that a reset would have to take away.
create trigger subject_link_never_changed before update or delete on subject_link
  for each row execute function refuse_ledger_change();
create trigger subject_link_never_truncated before truncate on subject_link
  for each statement execute function refuse_ledger_change();
