-- Who confirmed an event, and what was declared of its subject when it was reported.

-- Written by the service alone: the counterparty of a confirmation, or the party that an ingested or imported record named and that
-- verified it. Null: not verified, or verified on the word of the reporter.
alter table event add column attester text;
-- The outcome rests on the word of the one who runs the subject. Null: it does not.
alter table event add column by_operator boolean;

-- What is in force of declaration_fact. Each append that claims verification names the number it was judged by, and holds this row.
alter table subject add column declaration_no integer not null default 0;

-- What a subject was declared to be, from 1 on. The last one is in force.
create table declaration_fact (
  subject_id uuid not null,
  number integer not null,
  platform_id uuid not null,
  livemode boolean not null,
  is_own boolean not null, -- the platform operates or controls the subject itself; the subject's row has that of the last one, too
  facts json not null, -- as domain/declaredSubject writes them
  after_position integer not null, -- the subject's events behind this position are judged by it, until the next one
  declared_at timestamptz not null,
  primary key (subject_id, number)
);

-- Earlier declarations were overwritten. Where there was more than one, its facts are those of the last.
insert into declaration_fact
select d.subject_id, n.number, d.platform_id, d.livemode, s.is_own, d.facts, s.event_count, n.at
from declaration d join subject s using (subject_id)
cross join lateral (values (1, d.declared_at), (2, d.updated_at)) as n (number, at)
where n.number = 1 or d.updated_at > d.declared_at;

update subject s set declaration_no = (select max(number) from declaration_fact d where d.subject_id = s.subject_id)
where exists (select from declaration_fact d where d.subject_id = s.subject_id);

drop table declaration;

create trigger declaration_never_deleted before delete on declaration_fact
  for each row when (old.livemode) execute function refuse_ledger_change();
create trigger declaration_never_changed before update on declaration_fact
  for each row when (old.livemode or new.livemode) execute function refuse_ledger_change();
create trigger declaration_never_truncated before truncate on declaration_fact
  for each statement execute function refuse_ledger_change();

-- The live ledger refuses updates, and no outcome changes here: these columns are new, and what the service itself wrote down
-- elsewhere is copied into them, in this transaction and never again. Provable is who confirmed: the answered request names the event
-- and its counterparty. Who runs a subject was kept for its last declaration only. Whoever else was named is in metadata that the
-- reporter wrote, so it stays there. A schema spread over Citus has no such trigger, and refuses by its privileges; there both
-- columns stay null.
do $$
begin
  if exists (select from pg_trigger where tgrelid = 'event'::regclass and tgname = 'event_never_changed') then
    alter table event disable trigger event_never_changed;
    update event e set attester = c.counterparty_ref
    from confirmation c where c.event_id = e.event_id and c.subject_id = e.subject_id and e.is_verified;
    update event e set by_operator = true
    from subject s where s.subject_id = e.subject_id and s.is_own;
    alter table event enable trigger event_never_changed;
  end if;
end $$;
