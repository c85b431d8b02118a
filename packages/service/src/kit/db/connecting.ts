import type pg from 'pg';
import type { ClientConfig } from 'pg';
import { parseDatabaseUrl, type ServerAddress } from './databaseUrl.js';
import { clientOf, createPrimaryFinder } from './primaryFinder.js';
import { columnTypes } from './results.js';
import { ServerHistory } from './serverHistory.js';
import type { DatabaseLog } from './types.js';

/** How to connect: every connection to a server is made with it. */
export interface Connecting {
  readonly config: ClientConfig;
  /**
   * Connects to the server that accepts writes if DATABASE_URL names several, and to no server that an
   * earlier connection has made an old one.
   */
  readonly Client: typeof pg.Client;
}

export function connectionTo(
  databaseUrl: string,
  log: DatabaseLog,
  connectWithinMs = CONNECT_WITHIN_MS,
  history = new ServerHistory(null, log),
): Connecting {
  const { url, servers, mustAcceptWrites } = parseDatabaseUrl(databaseUrl);
  const config = { ...connectionConfig(url), connectionTimeoutMillis: connectWithinMs };
  const finder = mustAcceptWrites ? createPrimaryFinder(servers, config, log, history) : null;
  return { config, Client: clientOf(servers[0] as ServerAddress, finder, history) };
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
/** Of a transaction of a request or a loop. */
export const TRANSACTION_LIMIT_MS = 10_000;
