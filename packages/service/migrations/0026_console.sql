-- Sessions of the web console (RULES K13 to K16).

create table console_session (
  session_hash bytea primary key, -- SHA-256 of the cookie
  -- The session may do what this key may. Null: the operator's.
  key_id uuid references api_key,
  -- SHA-256 of the cookie and the admin secret: another secret ends the operator's sessions.
  operator_mark bytea,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- `<platform id> live` or `<platform id> test`: read by the operator in this session
  viewed text[] not null default '{}',
  check ((key_id is null) <> (operator_mark is null))
);

-- One-time sign-in links.
create table console_sign_in (
  token_hash bytea primary key, -- SHA-256
  key_id uuid not null references api_key,
  expires_at timestamptz not null
);
