import {
  freshName,
  onServer,
  type PostgresCluster,
  startPostgresCluster,
} from '../../../packages/service/test/harness/postgresCluster.js';
import { dropFolder, scratchFolder } from './scratch.js';
import type { Home } from './server.js';

/** What each bench program gets. */
export interface Bench {
  /** Length of a round of load, and the number of rounds per contender. */
  readonly seconds: number;
  readonly rounds: number;
  /** Leaves of the long log of `logSize`. */
  readonly leaves: number;
  /** A new, empty database. The server syncs every commit to disk. */
  postgres(): Promise<PostgresHome>;
  /** A new folder for the embedded database. */
  embedded(): EmbeddedHome;
  /** Prints progress. */
  say(line: string): void;
}

export type PostgresHome = Home & { readonly databaseUrl: string };
export type EmbeddedHome = Home & { readonly dataDir: string; drop(): void };

/** Runs `work` with its own PostgreSQL server, started on first use. */
export async function withBench<T>(
  options: { seconds: number; rounds: number; leaves?: number; say(line: string): void },
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  let cluster: Promise<PostgresCluster> | undefined;
  const bench: Bench = {
    leaves: 10_000_000,
    ...options,
    async postgres() {
      cluster ??= startPostgresCluster({ fsync: true });
      const server = await cluster;
      const name = freshName('bench');
      await server.createDatabase(name);
      return { databaseUrl: server.url(name) };
    },
    embedded() {
      const dataDir = scratchFolder('data');
      return { dataDir, drop: () => dropFolder(dataDir) };
    },
  };
  const removeServer = async () => (await cluster)?.remove();
  const abort = () => void removeServer().finally(() => process.exit(130));
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(bench);
  } finally {
    await removeServer();
  }
}

/** Keeps dirty pages of one contender from being written during the round of the next. */
export async function checkpoint({ databaseUrl }: PostgresHome): Promise<void> {
  await onServer(databaseUrl, (client) => client.query('checkpoint'));
}

/** The server's version, such as 15.8. */
export async function postgresVersion({ databaseUrl }: PostgresHome): Promise<string> {
  const { rows } = await onServer(databaseUrl, (client) =>
    client.query<{ version: string }>("select current_setting('server_version') as version"),
  );
  return rows[0]?.version ?? 'unknown';
}
