-- The reasons that were stated with a published score, so that a proof of it shows them: codes as
-- {adverse, supporting}. `factors` has the points. Null: published before they were stored.
alter table score_snapshot add column reason_codes json;
