-- Which cluster counted the transaction ids in the rows of this group (ledger/clusterNote.ts). Each
-- group has its own: Citus moves groups between nodes, and every node counts for itself.
create table ledger_cluster (
  only_row boolean primary key default true check (only_row), -- one row
  cluster_id text not null,
  -- Rows written before this moment count as settled whatever their xid.
  cluster_since timestamptz not null
);

-- The first schema has noted it so far.
do $do$
begin
  insert into ledger_cluster (cluster_id, cluster_since) select cluster_id, cluster_since from installation;
exception when undefined_column then
  null; -- a group that is added later
end
$do$;

-- The table has no key, and a move replicates deletions.
alter table log_queue replica identity full;
