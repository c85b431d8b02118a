-- The book of a platform at a million subjects: any filter, order and page from indexes alone.

-- What a filter or an order of the book reads stands in one row, so that one index can answer for all of it. The first two
-- never change; the type is written anew by each recompute.
alter table score
  add column external_id text collate "C",
  add column subject_type text,
  add column registered_at timestamptz;
update score set external_id = s.external_id, subject_type = s.subject_type, registered_at = s.registered_at
  from subject s where s.subject_id = score.subject_id;
alter table score
  alter column external_id set not null,
  alter column subject_type set not null,
  alter column registered_at set not null;

-- The shelf of a row: one number for its type, verified events (none, 1, 5, 20 and more), band and frozen flag. A filter on
-- any of these names the shelves that pass (features/users/shelves.ts knows the same numbers), and a page merges the
-- first rows of each. So a page costs the same however rare its rows are: nothing is walked past in search of them. Bands are
-- ranges of the score, fixed by INTERFACE 2.2.
alter table score add column shelf smallint not null generated always as ((
  case subject_type when 'PERSON' then 0 when 'AGENT' then 48 else 96 end
  + case when own_verified_events >= 20 then 36 when own_verified_events >= 5 then 24 when own_verified_events >= 1 then 12 else 0 end
  + case when final_score >= 80 then 10 when final_score >= 65 then 8 when final_score >= 50 then 6
      when final_score >= 35 then 4 when final_score >= 20 then 2 else 0 end
  + case when frozen_at is null then 0 else 1 end
)::smallint) stored;

-- One index for each order, shelf by shelf. The other columns that filters ask for ride along: what a filter leaves out is
-- then never fetched from the wide rows of the table. Where dates leave few, these are gathered by their date and sorted, so
-- the two that begin with a date bring along what the other orders go by.
drop index score_book;
create index score_book_by_score on score (platform_id, livemode, shelf, final_score, subject_id)
  include (last_activity_at, registered_at, own_verified_events);
create index score_book_by_activity on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events, external_id);
create index score_book_by_registration on score (platform_id, livemode, shelf, registered_at, subject_id)
  include (final_score, last_activity_at, own_verified_events, external_id);
create index score_book_by_external_id on score (platform_id, livemode, shelf, external_id, subject_id)
  include (final_score, last_activity_at, registered_at, own_verified_events);
-- History that was imported when its subject was already late to the book: the few whom a walk by activity from a date of
-- registration on would miss (features/users/bookStore.ts). The condition there and here must be the same.
create index score_book_backdated on score (platform_id, livemode, shelf, last_activity_at, subject_id)
  include (final_score, registered_at, own_verified_events)
  where registered_at - last_activity_at > interval '24 hours';

-- Reading from indexes alone needs a fresh visibility map, and a planner that knows how many rows stand on which shelf.
alter table score set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
alter table score alter column shelf set statistics 500;

-- Subjects without a score are few: those registered ahead of their first event, and those whose first recompute is about to run.
-- False may lag behind, true never does: readers of the index below look whether there is a score after all.
alter table subject add column is_scored boolean not null default false;
update subject set is_scored = true where exists (select 1 from score where score.subject_id = subject.subject_id);
-- the part of the book that has no score, in each of its orders: by id (where the order goes by a score), registration and name
create index subject_unscored on subject (platform_id, livemode, subject_id) include (subject_type, registered_at)
  where not is_scored;
create index subject_unscored_by_registration on subject (platform_id, livemode, registered_at, subject_id)
  include (subject_type) where not is_scored;
create index subject_unscored_by_external_id on subject (platform_id, livemode, external_id, subject_id)
  include (subject_type, registered_at) where not is_scored;
