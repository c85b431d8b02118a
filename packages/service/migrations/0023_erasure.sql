-- Erasure of subjects (RULES P10): what remains of an erased subject is its derived id and facts that
-- carry no person.

-- Null: erased. An append to such a row fails, because it sets `event_count` to null.
alter table subject alter column external_id drop not null;

-- Every erasure, as a fact of the log. A salt may be missing only for these subjects.
create table erasure (
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  at timestamptz not null,
  events integer not null, -- in its ledger: so many leaves are its own
  xid xid8 not null default pg_current_xact_id()
);
-- processes read what was erased since they last looked
create index erasure_by_xid on erasure (xid);
-- reset of test data
create index erasure_in_test on erasure (platform_id) where not livemode;

create trigger erasure_never_deleted before delete on erasure
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger erasure_never_changed before update on erasure
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger erasure_never_truncated before truncate on erasure
  for each statement execute function refuse_ledger_change();

-- What the jobs of an erasure still need: the external id, to find it in stored texts. Each job
-- deletes its row.
create table erasure_work (
  job_id uuid primary key,
  subject_id uuid not null,
  livemode boolean not null,
  sealed_external_id bytea not null, -- under DATA_KEY
  -- Takes the place of the hash of the erased name where the person attested outcomes of others: random,
  -- so that it cannot be guessed, and one for the person, so that figures about attesters stay
  attester_mark bytea not null
);

-- Null: erased with its subject.
alter table declaration_fact alter column facts drop not null;
drop trigger declaration_never_changed on declaration_fact;
create trigger declaration_never_changed before update on declaration_fact
  for each row when ((old.livemode or new.livemode) and (
    new.facts is not null or (old.subject_id, old.number, old.platform_id, old.livemode, old.is_own, old.after_position, old.declared_at)
      is distinct from (new.subject_id, new.number, new.platform_id, new.livemode, new.is_own, new.after_position, new.declared_at)
  )) execute function refuse_ledger_change();

-- The subject of the row, as far as its cells name one: an erasure deletes its issues.
alter table import_issue add column subject_id uuid;

-- The application's role may neither change an external id nor delete an erasure (0017_roles.sql).
do $do$
begin
  execute format($statement$
    -- Makes the row of a recorded erasure anonymous, or a row without an external id, so that appends
    -- fail. `is_scored` without a score keeps it out of every list of users.
    create function clear_erased_subject(erased uuid) returns void
    language sql volatile security definer set search_path = %1$I, pg_temp as $body$
      insert into subject as known (subject_id, platform_id, livemode, external_id, record_id, registered_at, is_scored)
      select subject_id, platform_id, livemode, null, subject_id, at, true from erasure where subject_id = erased
      on conflict (subject_id) do update set external_id = null, is_scored = true
    $body$;

    create function delete_test_erasures(subject_ids uuid[]) returns void
    language sql volatile security definer set search_path = %1$I, pg_temp as $body$
      delete from erasure where subject_id = any(subject_ids) and not livemode
    $body$;
  $statement$, current_schema());
end
$do$;

revoke execute on function clear_erased_subject(uuid) from public;
revoke execute on function delete_test_erasures(uuid[]) from public;
