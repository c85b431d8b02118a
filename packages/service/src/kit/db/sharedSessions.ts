import type pg from 'pg';
import { connectionTo } from './connecting.js';
import { DatabaseUnavailableError } from './errors.js';

/**
 * The order in which the two connections query: a pooler that assigns the last-used or the next
 * session is found in either case.
 */
const TURNS = [0, 1, 1, 0, 0, 1] as const;

const ignore = () => undefined;
/** The service itself says which server it does not use. */
const SILENT = { info: ignore, warn: ignore, error: ignore };

/**
 * Whether connections share sessions, as with PgBouncer and transaction pooling. Session state
 * (LISTEN, settings, prepared statements) is then lost or visible to others. A session is
 * identified by its process id and start time.
 * Throws DatabaseUnavailableError.
 */
export async function sharesSessions(databaseUrl: string): Promise<boolean> {
  const { config, Client } = connectionTo(databaseUrl, SILENT);
  const clients = [new Client(config), new Client(config)] as const;
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // the running statement fails with it
      await client.connect();
    }
    const seen = [new Set<string>(), new Set<string>()] as const;
    for (const turn of TURNS) seen[turn].add(await sessionOf(clients[turn]));
    const [own, others] = seen;
    return own.size > 1 || others.size > 1 || [...own].some((session) => others.has(session));
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function sessionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    `select pg_backend_pid() || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()`,
  );
  return rows[0]?.session ?? '';
}
