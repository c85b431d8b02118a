-- The name of the subject for the counterparty of a confirmation. It is never copied to the event.
alter table confirmation add column subject_name text;
