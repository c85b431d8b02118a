/**
 * SQL that joins what stands beside the ledger's rows. One lookup by key for each event: a join in
 * one go would read whole tables while they are young and have no statistics. Both columns are
 * named, so that a cluster looks on the machine of the subject.
 * @param event alias of `event`.
 */

/** The text of an event as `t`. */
export const textOf = (event: string, eventId = `${event}.event_id`) =>
  lookup('t', 'event_text', 'metadata, transaction_value, attester', event, eventId);

/** What is left of a dropped text as `r`. */
export const remainsOf = (event: string, eventId = `${event}.event_id`) =>
  lookup('r', 'event_text_hash', 'text_hash, attester_hash', event, eventId);

function lookup(alias: string, table: string, columns: string, event: string, eventId: string): string {
  return `left join lateral (
    select ${columns} from ${table} as found
    where found.event_id = ${eventId} and found.subject_id = ${event}.subject_id limit 1
  ) ${alias} on true`;
}
