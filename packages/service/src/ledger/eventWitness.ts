/**
 * Who vouched for an event `e`, as its reporter or the confirmation wrote it down: `metadata.verifiedBy`, else
 * `metadata.counterpartyRef`. Null where it is not verified or neither is a text.
 */
export const EVENT_WITNESS = `case when e.is_verified then coalesce(
    nullif(btrim(case when json_typeof(e.metadata -> 'verifiedBy') = 'string' then e.metadata ->> 'verifiedBy' end), ''),
    nullif(btrim(case when json_typeof(e.metadata -> 'counterpartyRef') = 'string' then e.metadata ->> 'counterpartyRef' end), '')
  ) end`;
