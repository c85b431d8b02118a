-- How a request for a confirmation or a reference was answered, and whether by whoever asked. Networks are coarse, 24 bits of an IPv4 or
-- 64 of an IPv6 address, and go with the request's row. Null in all of them: asked or answered before this was recorded.

alter table confirmation
  add column asked_by_key uuid,
  add column asked_from text,
  add column answer_channel text check (answer_channel in ('page', 'api')),
  add column answered_by_asker boolean,
  add column answer_network text,
  add column answer_browser text;

alter table reference_request
  add column asked_by_key uuid,
  add column asked_from text,
  add column answer_channel text check (answer_channel in ('page', 'api')),
  add column answered_by_asker boolean,
  add column answer_network text,
  add column answer_browser text;
