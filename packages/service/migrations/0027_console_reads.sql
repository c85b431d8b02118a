-- The header line of an import, and the rows that failed: they can be corrected and sent again.
-- Erasure and retention delete them with the reason.
alter table import_job add column header text[];
alter table import_issue add column cells json;

-- The URL and the headers of an attempt as they were sent: {url, headers}. Not the body, which is in
-- the envelope. Null for older attempts.
alter table delivery add column sent json;
