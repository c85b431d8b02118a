-- Credentials on their way into wallets (OpenID4VCI 1.0, pre-authorized code).

-- An offer lives for minutes, and is found by what its reader holds: its id, then its code, then the access token. Live subjects only,
-- so a reset of test data has nothing to take away. A local table on Citus.
create table credential_offer (
  offer_hash bytea primary key, -- SHA-256 of the id, which is all that is needed to read the offer
  code_hash bytea not null unique, -- SHA-256 of the pre-authorized code
  subject_id uuid not null,
  share_token_id uuid not null, -- withdrawn, it takes the offer with it
  credential_type text not null,
  ttl_seconds integer not null, -- of the credential
  sealed_grant bytea, -- code and tx_code under DATA_KEY, since wallets are told the code; null once it is spent or dead
  wrong_tx_codes smallint not null default 0,
  expires_at timestamptz not null, -- of the code
  access_hash bytea unique, -- SHA-256 of the access token
  access_expires_at timestamptz,
  check ((access_hash is null) = (access_expires_at is null)),
  check (access_hash is null or sealed_grant is null)
);
create index credential_offer_by_end on credential_offer (expires_at); -- retention

-- Nonces that have been used. They are handed out without being written down: each says itself, sealed, until when it holds.
create table wallet_nonce (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
create index wallet_nonce_by_end on wallet_nonce (expires_at); -- retention
