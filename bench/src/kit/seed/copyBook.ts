import type { Database } from '../../../../packages/service/src/kit/db/database.js';
import { DatabaseBusyError } from '../../../../packages/service/src/kit/db/errors.js';
import { onServer } from '../../../../packages/service/test/harness/postgresCluster.js';

/** What the list of users reads. */
const TABLES = ['subject', 'subject_search', 'score'];
const ROWS = 2_000;

/**
 * Copies the book of a platform, as far as the list of users reads it, into a database on which the service has been started once. It
 * becomes the book of the platform there.
 */
export async function copyBook(
  from: { databaseUrl: string; platformId: string },
  to: Database,
  say: (line: string) => void,
): Promise<void> {
  const [platform] = await to.query<{ platformId: string }>('select platform_id from platform limit 1');
  const own = platform?.platformId ?? '';
  const [before, after] = [from.platformId, own].map((id) => `'${id.slice(-3)}L`);
  const changed: Readonly<Record<string, string>> = {
    platform_id: `'${own}'::uuid as platform_id`,
    // Each gram has the mark of its platform.
    grams: `replace(grams::text, $mark$${before}$mark$, $mark$${after}$mark$) as grams`,
  };
  await onServer(from.databaseUrl, async (client) => {
    for (const table of TABLES) {
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      const columns = names.map((name) => changed[name] ?? name).join(', ');
      const own = `subject_id in (select subject_id from subject where platform_id = '${from.platformId}')`;
      await client.query('begin');
      await client.query(`declare source no scroll cursor for select ${columns} from ${table} where ${own}`);
      for (let copied = 0; ; copied += ROWS) {
        const page = await client.query(`fetch ${ROWS} from source`);
        if (page.rows.length === 0) break;
        await whenFree(() =>
          to.execute(
            `insert into ${table} (${names.join(', ')}) select ${names.join(', ')} from json_populate_recordset(null::${table}, $1::json)`,
            [JSON.stringify(page.rows)],
          ),
        );
        if (copied % 100_000 === 0) say(`  ${table}: ${copied} rows copied`);
      }
      await client.query('commit');
      await whenFree(() => to.execute(`analyze ${table}`));
    }
  });
}

/** Housekeeping may keep the one connection of the embedded database for longer than a statement waits. */
async function whenFree(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseBusyError)) throw error;
    }
  }
}
