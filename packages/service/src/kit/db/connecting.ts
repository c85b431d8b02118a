import pg, { type ClientConfig } from 'pg';
import { columnTypes } from './columnTypes.js';
import { parseDatabaseUrl } from './databaseUrl.js';
import { clientOfPrimary, createPrimaryFinder } from './primaryFinder.js';
import type { DatabaseLog } from './types.js';

/** How to connect: every connection to a server is made with it. */
export interface Connecting {
  readonly config: ClientConfig;
  /** Connects to the server that accepts writes if DATABASE_URL names several. */
  readonly Client: typeof pg.Client;
}

export function connectionTo(
  databaseUrl: string,
  log: Pick<DatabaseLog, 'info'>,
  connectWithinMs = CONNECT_WITHIN_MS,
): Connecting {
  const { url, servers, mustAcceptWrites } = parseDatabaseUrl(databaseUrl);
  const config = { ...connectionConfig(url), connectionTimeoutMillis: connectWithinMs };
  if (!mustAcceptWrites) return { config, Client: pg.Client };
  return { config, Client: clientOfPrimary(createPrimaryFinder(servers, config, log)) };
}

// Parameters in the URL (application_name, ssl, …) override these.
function connectionConfig(connectionString: string): ClientConfig {
  return {
    connectionString,
    application_name: 'reliability-score',
    query_timeout: STATEMENT_LIMIT_MS + 5_000, // for a server that no longer answers
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: columnTypes,
  };
}

export const CONNECT_WITHIN_MS = 2_000;
export const STATEMENT_LIMIT_MS = 30_000;
