-- The formula and its fold have changed before their first release; the version stays 5.3.

-- Scores and snapshots that the draft computed. Existing rows get the first default, without being
-- rewritten. The worker computes the scores again; the snapshots stay, and the audit does not rebuild them.
alter table score add column is_draft boolean not null default true;
alter table score alter column is_draft set default false;
alter table score_snapshot add column is_draft boolean not null default true;
alter table score_snapshot alter column is_draft set default false;
-- the walk through those still to be computed: empty from then on
create index score_of_draft on score (subject_id) where is_draft;

-- A disputed transaction weighs until its dispute has ended, as a filing always did. What ended before
-- now is closed here: the outcome event names the transaction, and its tally goes. The mark is the one
-- change of the ledger, and says what the table `dispute` says already.
do $$
declare
  guarded constant boolean := exists (
    select from pg_trigger where tgrelid = 'event'::regclass and tgname = 'event_never_changed'
  );
begin
  if not exists (select from dispute where status <> 'OPEN' and filed_event_id is null) then
    return;
  end if;
  if guarded then
    alter table event disable trigger event_never_changed;
  end if;
  with ended as (
    select e.*, d.outcome_event_id
    from dispute d
    join event e on e.subject_id = d.subject_id and e.event_id = d.event_id
    where d.status <> 'OPEN' and d.filed_event_id is null
  ), marked as (
    update event outcome set closes_event_id = ended.event_id
    from ended where outcome.subject_id = ended.subject_id and outcome.event_id = ended.outcome_event_id
  ), counted as (
    -- the key of a TRANSACTION_DISPUTED event, as tallyKeyOf and tallyCodeOf of packages/scoring make it
    select subject_id, count(*)::integer as events,
      floor(extract(epoch from least(coalesce(completed_at, due_date, created_at), created_at)) / 86400)::integer as day,
      ((array_position(array['ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED'], platform_tier) - 1) * 1024 + 32
        + (array_position(array['HIGH', 'MEDIUM', 'LOW'], stake_level) - 1) * 8 + is_verified::integer * 4
        + case when completed_at <= due_date then 0 when completed_at > due_date then 1 else 2 end)::smallint as code
    from ended group by subject_id, day, code
  )
  update tally set count = tally.count - counted.events
  from counted where (tally.subject_id, tally.day, tally.code) = (counted.subject_id, counted.day, counted.code);
  if guarded then
    alter table event enable trigger event_never_changed;
  end if;
end $$;
