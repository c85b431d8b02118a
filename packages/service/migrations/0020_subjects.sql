-- Agents and businesses: subjects that say who answers for them.

-- The platform that reports the subject operates or controls it itself, so its own word makes no outcome verified (INTERFACE 1.7).
-- Here, since every append holds this row: what it takes for granted about the subject is held against it in the same statement.
alter table subject add column is_own boolean not null default false;

-- What was declared last. Its type stands with the subject, and never changes.
create table declaration (
  subject_id uuid primary key,
  platform_id uuid not null,
  livemode boolean not null,
  facts json not null, -- as domain/declaredSubject writes them
  declared_at timestamptz not null, -- first
  updated_at timestamptz not null
);
