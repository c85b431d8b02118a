-- The application may run as a role that does not own these tables (ledger/roles). It has no right
-- to delete from the ledger. The two deletions that the service needs are functions with the rights
-- of the owner. Each deletes only what its name says, whatever it is called with.

do $do$
begin
  -- A fixed search path: else the caller could put tables of its own before ours.
  execute format($statement$
    create function delete_test_subjects(platform uuid) returns setof uuid
    language sql volatile security definer set search_path = %1$I, pg_temp as $body$
      delete from subject where platform_id = platform and not livemode returning subject_id
    $body$;

    -- Rows of test subjects. Tallies do not know their mode, so those of a live subject are kept.
    create function delete_test_facts(subject_ids uuid[]) returns bigint
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    declare
      events bigint;
    begin
      delete from event where subject_id = any(subject_ids) and not livemode;
      get diagnostics events = row_count;
      delete from declaration_fact where subject_id = any(subject_ids) and not livemode;
      delete from dispute where subject_id = any(subject_ids) and not livemode;
      delete from score_snapshot where subject_id = any(subject_ids) and not livemode;
      delete from tally where subject_id = any(subject_ids) and not exists (
        select 1 from subject s where s.subject_id = tally.subject_id and s.livemode
      );
      return events;
    end
    $body$;

    -- Retention thins snapshots that only show decay (RULES O3).
    create function delete_decay_snapshots(subject_ids uuid[], numbers integer[]) returns bigint
    language sql volatile security definer set search_path = %1$I, pg_temp as $body$
      with deleted as (
        delete from score_snapshot
        using unnest(subject_ids, numbers) as surplus (subject_id, snapshot_no)
        where score_snapshot.subject_id = surplus.subject_id
          and score_snapshot.snapshot_no = surplus.snapshot_no and score_snapshot.reason = 'decay'
        returning 1
      )
      select count(*) from deleted
    $body$;
  $statement$, current_schema());
end
$do$;

revoke execute on function delete_test_subjects(uuid) from public;
revoke execute on function delete_test_facts(uuid[]) from public;
revoke execute on function delete_decay_snapshots(uuid[], integer[]) from public;
