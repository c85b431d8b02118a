-- What an event says in free text, and what may name a person, leaves the ledger's row. So text can be
-- dropped, by age or with its subject, and rows of the ledger never change (RULES E20).

-- One row for an event that has any of it. Rows are inserted and deleted, never changed.
create table event_text (
  subject_id uuid not null,
  event_id uuid not null,
  metadata json, -- json, not jsonb: stored exactly as given (RULES E7)
  transaction_value numeric,
  -- Who confirmed the event; only the service writes it (RULES V8). Null: unverified, or verified
  -- on the reporter's word.
  attester text
);
-- Ids carry the time of recording: an insert goes to the right edge, and retention reads a range.
alter table event_text add primary key (event_id, subject_id);

-- What is left of a text that was dropped by age.
create table event_text_hash (
  subject_id uuid not null,
  event_id uuid not null,
  -- As the leaf of the event commits to it; null: a test event, which has no leaf
  text_hash bytea,
  -- SHA-256 of installation.party_salt and the attester's key, so that figures about attesters stay
  -- the same; null: there was no attester
  attester_hash bytea,
  primary key (event_id, subject_id)
);

alter table event drop column metadata, drop column transaction_value, drop column attester;

create trigger event_text_never_changed before update on event_text
  for each row execute function refuse_ledger_change();
create trigger event_text_never_truncated before truncate on event_text
  for each statement execute function refuse_ledger_change();
create trigger event_text_hash_never_changed before update on event_text_hash
  for each row execute function refuse_ledger_change();
create trigger event_text_hash_never_truncated before truncate on event_text_hash
  for each statement execute function refuse_ledger_change();

-- Salt of event_text_hash.attester_hash.
alter table installation add column party_salt uuid not null default gen_random_uuid();
