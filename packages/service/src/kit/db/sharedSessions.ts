import pg from 'pg';
import { DatabaseUnavailableError } from './errors.js';
import { connectionConfig } from './postgres.js';

/** The two connections take turns so that neither a pooler's last-used session nor its next one passes for their own. */
const TURNS = [0, 1, 1, 0, 0, 1] as const;

/**
 * Whether two connections are given each other's sessions, as by PgBouncer with pooling by transaction: then what a session keeps
 * (LISTEN, settings, prepared statements) is lost or meets strangers. A session is known by its process and the start of that.
 * Throws DatabaseUnavailableError.
 */
export async function sharesSessions(databaseUrl: string): Promise<boolean> {
  const config = connectionConfig(databaseUrl);
  const clients = [new pg.Client(config), new pg.Client(config)] as const;
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // the statement under way fails with it
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
