import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { StartError } from '../firstStart.js';
import { type Database, type DatabaseLog, openDatabase } from '../kit/db/database.js';
import { hasLedger } from '../ledger/audit/store.js';

/** For commands, whose own output is what they have to say: complaints alone, to the console. */
export const commandLog: DatabaseLog = { info: () => {}, warn: complain, error: complain };

/** Works on the database of a service that has been started before, and closes it. Throws StartError where there is none. */
export async function withLedger<T>(
  { databaseUrl, dataDir }: Config,
  poolSize: number,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'database');
  // Opening a folder that is not there would create a database, and find it in order.
  if (databaseUrl === undefined && !existsSync(folder)) {
    throw new StartError(`There is no database in ${folder}. DATA_DIR or DATABASE_URL says where it is.`);
  }
  const db = await openDatabase({ databaseUrl, dataDir: folder, poolSize, log: commandLog });
  try {
    if (await hasLedger(db)) return await work(db);
    throw new StartError('The database holds no ledger: the service has never been started on it.');
  } finally {
    await db.close();
  }
}

function complain(details: object, message: string): void {
  console.error(message, details);
}
