-- The operator's list of frozen scores. Few scores are frozen at a time, so the index is small.
create index score_frozen on score (frozen_at, subject_id) where frozen_at is not null;
