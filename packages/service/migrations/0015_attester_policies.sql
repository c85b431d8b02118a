-- A policy can watch how far the verified outcomes of a record rest on few parties.
alter table policy drop constraint policy_metric_check;
alter table policy add constraint policy_metric_check check (
  metric in ('score', 'component', 'verified_events', 'band', 'largest_attester_share', 'distinct_attesters')
);
