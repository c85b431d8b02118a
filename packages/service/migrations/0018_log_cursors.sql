-- The last leaves of a subject in log_fact say the same, and an update per subject and batch cost as
-- much as a leaf.
drop table log_subject;
