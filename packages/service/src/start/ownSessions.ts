import { sharesSessions } from '../kit/db/sharedSessions.js';
import { ConfigError } from './config.js';

/**
 * Refuses a pooler between program and database that shares sessions. Throws ConfigError, and
 * DatabaseUnavailableError.
 * @param variable has the address.
 */
export async function assertOwnSessions(
  variable: 'DATABASE_URL' | 'DATABASE_MIGRATION_URL',
  url: string,
): Promise<void> {
  if (!(await sharesSessions(url))) return;
  throw new ConfigError(
    `${variable} points to a pooler that shares sessions between connections, such as PgBouncer with pool_mode = ` +
      'transaction. Locks, notifications and prepared statements do not work there. Set pool_mode = session, or ' +
      `point ${variable} at PostgreSQL itself.`,
  );
}
