-- Tables that exist once, for all ledger groups (ledger/groups): what is needed before the group of a
-- request is known, and what is about the installation.

create table ledger_group (
  -- 0 is this schema; group n has the schema ledger_group_n.
  group_id integer primary key check (group_id between 0 and 999),
  created_at timestamptz not null,
  is_open boolean not null default true -- false: no new platform is placed in this group
);
insert into ledger_group (group_id, created_at) values (0, now());

create table platform (
  platform_id uuid primary key,
  name text not null,
  -- Weight of this platform's reports. Each event keeps a copy, so a later change never rewrites
  -- history (RULES S21).
  trust_tier text not null check (trust_tier in ('ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED')),
  plan text not null check (plan in ('starter', 'growth', 'enterprise')),
  velocity_exempt boolean not null default false,
  is_active boolean not null default true,
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0), -- null: the plan's own
  monthly_quota bigint check (monthly_quota >= 0), -- null: the plan's own; 0: unlimited
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Maximum lifetime of a new key, in days (RULES K6). Null: no limit.
  max_key_lifetime_days integer check (max_key_lifetime_days between 1 and 3650),
  -- Closes confirmations and references to keys that cannot write anything else (RULES A9).
  confirmations_require_write boolean not null default false,
  -- On the notice for its subjects (/how/{platform}): whom they ask, and where its own notice is.
  contact text,
  privacy_url text,
  group_id integer not null default 0 references ledger_group
);
-- counts the platforms of each group when a new one is placed
create index platform_by_group on platform (group_id);

-- Keys are few and every request needs one, so each process caches them.
create table api_key (
  key_id uuid primary key,
  platform_id uuid not null references platform,
  -- SHA-256 of the key; the key itself is not stored (RULES K1). Unique: authentication looks a key
  -- up by its hash.
  key_hash bytea not null unique,
  label text,
  scopes text[] not null default '{}', -- empty: all scopes
  livemode boolean not null,
  is_active boolean not null default true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  created_by text, -- id of the key that made this one, 'operator' or 'bootstrap'; null: unknown
  -- The key that a rotation made in its place. Until its grace period ends, a replaced key works
  -- but makes no keys (RULES K5).
  replaced_by uuid,
  allowed_cidrs text[] not null default '{}', -- empty: any address
  expiry_announced_at timestamptz -- key.expiring was written
);
-- lists the keys of one platform, newest first
create index api_key_by_platform on api_key (platform_id, key_id);
-- the sweep that announces expiring keys reads only those that may expire soon
create index api_key_ending on api_key (expires_at) where is_active and expiry_announced_at is null;

-- What the installation knows about itself.
create table installation (
  only_row boolean primary key default true check (only_row), -- one row
  -- The host of BASE_URL at the last start: credentials and the log are signed with it
  base_host text,
  -- A text sealed under DATA_KEY. A start with another key fails on it before anything is sealed
  -- (RULES P4).
  data_key_check bytea,
  party_salt uuid not null default gen_random_uuid(), -- of event_text_hash.attester_hash
  -- DATA_KEY can be replaced. A text sealed under the key before, while something may still be sealed
  -- under it; null: everything is under the key of data_key_check.
  previous_data_key_check bytea
);
insert into installation default values;

-- Keys that the service signs with. The private part is sealed under DATA_KEY.
create table signing_key (
  key_id text primary key, -- JWK thumbprint (RFC 7638)
  purpose text not null, -- 'message': signatures of deliveries (RFC 9421); 'credential' (RULES C8)
  public_jwk json not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz -- no longer signs, and stays published for a while
);
-- at most one key of a purpose signs
create unique index signing_key_in_use on signing_key (purpose) where retired_at is null;

-- Each worker process updates its row while it runs.
create table worker_heartbeat (
  worker_id uuid primary key,
  beat_at timestamptz not null
);

-- One row a minute while the service runs: the uptime history of /status.json.
create table status_sample (
  sampled_at timestamptz primary key,
  is_ok boolean not null
);

-- One row per log of another installation that this one witnesses (LOG_WITNESS_FOR): the newest
-- checkpoint that was cosigned.
create table witnessed_log (
  origin text primary key,
  size bigint not null,
  root bytea not null check (length(root) = 32),
  note text not null, -- with the signatures of the log and the cosignatures
  cosigned_at timestamptz not null
);

-- Nonces that have been used (RULES W3). An unused nonce is not stored: it carries its own expiry,
-- sealed.
create table wallet_nonce (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
-- retention
create index wallet_nonce_by_end on wallet_nonce (expires_at);

-- People who may sign in to the console through the issuer (OIDC_ISSUER), each with a role.
create table console_user (
  user_id uuid primary key,
  platform_id uuid references platform, -- null: the operator's
  email text not null, -- ASCII, in lower case
  role text not null check (role in ('viewer', 'support', 'admin')),
  created_at timestamptz not null,
  created_by text not null, -- as of api_key, or 'user:<email>'
  last_signed_in_at timestamptz,
  -- also finds whom an email address may sign in as
  unique nulls not distinct (email, platform_id)
);
-- lists the users of one platform, newest first
create index console_user_by_platform on console_user (platform_id, user_id);

create table console_session (
  session_hash bytea primary key, -- SHA-256 of the cookie
  -- The session may do what this key may.
  key_id uuid references api_key,
  -- SHA-256 of the cookie and the admin secret: another secret ends the operator's sessions.
  operator_mark bytea,
  email text, -- signed in through the issuer
  -- The session may do what this user may, and ends with it. Null: one of several is still to be chosen.
  user_id uuid references console_user on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- `<platform id> live` or `<platform id> test`: read by the operator in this session
  viewed text[] not null default '{}',
  check (num_nonnulls(key_id, operator_mark, email) = 1),
  check (user_id is null or email is not null)
);

-- One-time sign-in links.
create table console_sign_in (
  token_hash bytea primary key, -- SHA-256
  key_id uuid not null references api_key,
  expires_at timestamptz not null
);

-- Results of `reliability audit-ledger`, so that the operator sees when it last ran. The differences
-- themselves are in its output: they name subjects.
create table audit_run (
  audit_id uuid primary key, -- UUIDv7 made at started_at
  started_at timestamptz not null,
  ended_at timestamptz not null,
  differences integer not null,
  groups json not null -- the counts of each audited ledger group, as the command prints them
);
