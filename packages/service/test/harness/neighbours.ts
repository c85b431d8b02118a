import type { Database } from '#kit/db/database.js';
import { isDatabaseBusy } from '#kit/db/errors.js';
import { APPLICATION_ROLE } from './applicationRole.js';
import { eventually } from './eventually.js';

/**
 * Pages of the newest rows wait up to a second for open transactions, then omit rows that these may
 * still precede.
 */
export const LISTS =
  /\/(activity|audit-log|campaigns|confirmations|deliveries|disputes|export|imports|references|reviews|screenings)(\?|$)/;

/**
 * Before a list is read: waits for the transactions that are open now. Such a transaction would keep
 * the newest rows off the page.
 */
export async function neighboursSettled(db: Database, path: string): Promise<void> {
  if (LISTS.test(path)) await neighboursEnded(db);
}

/**
 * Waits for the transactions that are open now: those of other test files in the server's other
 * databases, also prepared ones, and those of the service, whose loops work on after the answers. It
 * does not wait for those that the test itself holds open.
 */
export async function neighboursEnded(db: Database): Promise<void> {
  if (db.hasOneConnection) return;
  const before = new Set(await openTransactions(db));
  if (before.size > 0)
    await eventually(async () => !(await openTransactions(db)).some((xid) => before.has(xid)));
}

async function openTransactions(db: Database): Promise<string[]> {
  const rows = await db
    .query<{ xid: string }>(
      `select backend_xid::text as xid from pg_stat_activity
       where backend_xid is not null and (datname <> current_database() or usename = $1)
       union all
       select transaction::text from pg_prepared_xacts where database <> current_database()`,
      [APPLICATION_ROLE],
    )
    .catch((error: unknown) => {
      // A test that has used up all connections expects a refusal, not a list.
      if (isDatabaseBusy(error)) return [];
      throw error;
    });
  return rows.map(({ xid }) => xid);
}
