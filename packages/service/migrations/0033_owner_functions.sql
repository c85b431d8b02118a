-- The functions of 0017_roles.sql and 0023_erasure.sql that were written in SQL, in PL/pgSQL: Citus
-- plans no statement with a parameter of a SQL function.
do $do$
begin
  execute format($statement$
    create or replace function delete_test_subjects(platform uuid) returns setof uuid
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      return query delete from subject where platform_id = platform and not livemode returning subject_id;
    end
    $body$;
  $statement$, current_schema());
  execute format($statement$
    create or replace function delete_decay_snapshots(subject_ids uuid[], numbers integer[]) returns bigint
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    declare
      deleted bigint;
    begin
      delete from score_snapshot
      using unnest(subject_ids, numbers) as surplus (subject_id, snapshot_no)
      where score_snapshot.subject_id = surplus.subject_id
        and score_snapshot.snapshot_no = surplus.snapshot_no and score_snapshot.reason = 'decay';
      get diagnostics deleted = row_count;
      return deleted;
    end
    $body$;
  $statement$, current_schema());
  execute format($statement$
    create or replace function clear_erased_subject(erased uuid) returns void
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      insert into subject as known (subject_id, platform_id, livemode, external_id, record_id, registered_at, is_scored)
      select subject_id, platform_id, livemode, null, subject_id, at, true from erasure where subject_id = erased
      on conflict (subject_id) do update set external_id = null, is_scored = true;
    end
    $body$;
  $statement$, current_schema());
  execute format($statement$
    create or replace function delete_test_erasures(subject_ids uuid[]) returns void
    language plpgsql volatile security definer set search_path = %1$I, pg_temp as $body$
    begin
      delete from erasure where subject_id = any(subject_ids) and not livemode;
    end
    $body$;
  $statement$, current_schema());
end
$do$;
