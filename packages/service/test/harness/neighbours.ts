import type { Database } from '../../src/kit/db/database.js';
import { eventually } from './eventually.js';

/** Pages of the newest rows leave out what an open transaction may still come to sort before, and wait a second at most for its end. */
const LISTS =
  /\/(activity|audit-log|campaigns|confirmations|deliveries|disputes|export|imports|references|screenings)(\?|$)/;

/**
 * Before a list is read: waits for the transactions that are open now in other databases of the server, where other files of this run are
 * at work. Such a one would keep the newest rows from the page.
 */
export async function neighboursSettled(db: Database, path: string): Promise<void> {
  if (db.engine !== 'postgresql' || !LISTS.test(path)) return;
  const before = new Set(await openElsewhere(db));
  if (before.size > 0)
    await eventually(async () => !(await openElsewhere(db)).some((xid) => before.has(xid)));
}

async function openElsewhere(db: Database): Promise<string[]> {
  const rows = await db.query<{ xid: string }>(
    'select backend_xid::text as xid from pg_stat_activity where backend_xid is not null and datname <> current_database()',
  );
  return rows.map(({ xid }) => xid);
}
