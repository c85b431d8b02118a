-- The reasons that were stated with a published score, so that a proof of it shows them: codes as
-- {adverse, supporting}. `factors` has the points.
alter table score_snapshot add column reason_codes json not null;
