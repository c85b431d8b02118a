-- Moved to ledger_cluster (0030_ledger_cluster.sql).
alter table installation drop column cluster_id, drop column cluster_since;
insert into installation default values on conflict (only_row) do nothing;

-- False: no new platform is placed in this group.
alter table ledger_group add column is_open boolean not null default true;
