import type { Tx } from '../../../kit/db/database.js';

/** Deletes up to `limit` log rows from before `before`; answers how many. In no order, so that the summaries of blocks serve. */
export function deleteDeliveries(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from delivery where (platform_id, delivery_id) in (
       select platform_id, delivery_id from delivery where created_at < $1 limit $2
     )`,
    [before, limit],
  );
}

/** The same of envelopes. */
export function deleteEnvelopes(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from envelope where (platform_id, envelope_id) in (
       select platform_id, envelope_id from envelope where created_at < $1 limit $2
     )`,
    [before, limit],
  );
}
