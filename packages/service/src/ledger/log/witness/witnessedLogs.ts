import type { Database, Queryable } from '../../../kit/db/database.js';
import { insertNote, lockNotes } from '../notes.js';

/** The newest checkpoint of another installation's log that this one cosigned. */
export interface WitnessedLog {
  size: number;
  root: Buffer;
  /** With the signatures of the log and the cosignatures. */
  note: string;
}

export async function findWitnessedLog(db: Queryable, origin: string): Promise<WitnessedLog | null> {
  const [row] = await db.query<WitnessedLog>('select size, root, note from witnessed_log where origin = $1', [
    origin,
  ]);
  return row ?? null;
}

/**
 * Replaces what is known of a log, if it is still what the new checkpoint was compared with. One
 * statement, so that two processes never cosign two logs under one name.
 * @param before null: nothing is known of the log.
 * @returns false: somebody else was faster.
 */
export async function advanceWitnessedLog(
  db: Queryable,
  origin: string,
  before: WitnessedLog | null,
  after: WitnessedLog,
  now: Date,
): Promise<boolean> {
  const values = [origin, after.size, after.root, after.note, now];
  const changed = before
    ? await db.execute(
        `update witnessed_log set size = $2, root = $3, note = $4, cosigned_at = $5
         where origin = $1 and size = $6 and root = $7`,
        [...values, before.size, before.root],
      )
    : await db.execute(
        `insert into witnessed_log (origin, size, root, note, cosigned_at) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        values,
      );
  return changed === 1;
}

/**
 * Forgets a log, which makes this witness cosign whatever it gets next under that name. So it
 * becomes a fact of this installation's own log.
 * @returns the leaves that were known; null: the log is unknown.
 */
export function forgetWitnessedLog(db: Database, origin: string, now: Date): Promise<number | null> {
  return db.transaction(async (tx) => {
    await lockNotes(tx);
    const [row] = await tx.query<{ size: number }>(
      'delete from witnessed_log where origin = $1 returning size',
      [origin],
    );
    if (!row) return null;
    await insertNote(tx, { kind: 'rollback', at: now.toISOString(), origin, size: row.size }, now);
    return row.size;
  });
}
