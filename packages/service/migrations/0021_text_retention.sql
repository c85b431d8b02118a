-- RETENTION_TEXT_DAYS finds ended requests that have their texts. Requests are rare beside events.
create index confirmation_with_text on confirmation (created_at) where status <> 'PENDING' and counterparty_ref <> '';
create index reference_request_with_text on reference_request (created_at)
  where status <> 'PENDING' and counterparty_ref <> '';
