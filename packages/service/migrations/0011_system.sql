-- What the installation knows about itself.

create table installation (
  only_row boolean primary key default true check (only_row), -- one row
  cluster_id text not null,
  -- A backup that is restored into another cluster starts transaction ids over. Rows written before
  -- this moment count as settled whatever their xid.
  cluster_since timestamptz not null,
  -- The host of BASE_URL at the last start: credentials and the log are signed with it
  base_host text,
  -- A text sealed under DATA_KEY. A start with another key fails on it before anything is sealed
  -- (RULES P4).
  data_key_check bytea
);

-- One row a minute while the service runs: the uptime history of /status.json.
create table status_sample (
  sampled_at timestamptz primary key,
  is_ok boolean not null
);
