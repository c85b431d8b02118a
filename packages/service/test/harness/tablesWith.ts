import type { Database } from '#kit/db/database.js';
import { globalTables } from '#ledger/groups/store.js';

/** The tables with a row, in any ledger group, whose text is as `isMeant` says. */
export async function tablesWith(db: Database, isMeant: (row: string) => boolean): Promise<string[]> {
  // With several groups the first schema of the path has a view for each table of theirs.
  const tables = await db.query<{ name: string }>(
    `select distinct relname as name from pg_class
     where relkind in ('r', 'v') and relnamespace::regnamespace::text = any(current_schemas(false)) order by 1`,
  );
  const found: string[] = [];
  // The schema of a distributed group has no shared tables.
  for (const name of new Set([...tables.map(({ name }) => name), ...globalTables])) {
    const rows = await db.query<{ row: string }>(`select t::text as row from ${name} t`, [], {
      isUncached: true,
    });
    if (rows.some(({ row }) => isMeant(row))) found.push(name);
  }
  return found;
}
